"""Fills its folder with links to other places, in folders of mode 0, for the cleaning to trip over."""

import os
from pathlib import Path

for number, target in enumerate(("@CANARY@", "@CANARY@/private.txt", "/", "@SECRET@", "@RESULTS@")):
    folder = Path(f"folder-{number}")
    folder.mkdir()
    (folder / "link").symlink_to(target)
    Path(f"link-{number}").symlink_to(target)
    folder.chmod(0)
Path("loop").symlink_to("loop")
for make in (
    lambda: os.mkfifo("pipe"),
    lambda: os.mknod("device", 0o666 | 0o020000, os.makedev(1, 5)),
    lambda: os.link("@CANARY@/private.txt", "hard"),
):
    try:
        make()
    except OSError:
        pass
Path().chmod(0)


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
