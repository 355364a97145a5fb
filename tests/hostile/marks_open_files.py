"""Leaves marks that are no content on files that anybody may write: attributes and times.

Two submissions could tell each other something by them, although neither can open the files.
"""

import os

for name in ("open.txt", "."):
    for way in (
        lambda path: os.setxattr(path, "user.mark", b"hostile"),
        lambda path: os.utime(path, None),
        lambda path: os.utime(path, (0, 0)),
    ):
        try:
            way(f"@CANARY@/{name}")
        except OSError:
            pass


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
