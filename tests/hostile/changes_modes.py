"""Changes modes, owners, times and attributes of files that are not its own, and removes them."""

import os
import shutil
from pathlib import Path

for name in ("public.txt", "private.txt", "submissions/somebody.py"):
    path = Path("@CANARY@") / name
    for way in (
        lambda p: p.chmod(0o777),
        lambda p: os.chown(p, os.getuid(), os.getgid()),
        lambda p: os.utime(p, (0, 0)),
        lambda p: os.setxattr(p, "user.mark", b"hostile"),
        lambda p: os.truncate(p, 0),
        lambda p: p.unlink(),
        lambda p: p.rename("taken"),
        lambda p: shutil.move(str(p), "taken"),
        lambda p: p.rmdir(),
        lambda p: p.touch(),
    ):
        try:
            way(path)
        except (OSError, shutil.Error):
            pass


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
