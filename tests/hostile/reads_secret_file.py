"""Reads a secret file of the grader's by path, by link and by descriptor; answers if it can."""

import os
from pathlib import Path

loot = []
os.symlink("@SECRET@", "link")
for way in (
    lambda: Path("@SECRET@").read_bytes(),
    lambda: Path("link").read_bytes(),
    lambda: os.read(os.open("@SECRET@", os.O_RDONLY), 99),
    lambda: os.link("@SECRET@", "hard") or Path("hard").read_bytes(),
    lambda: os.rename("@SECRET@", "mine") or Path("mine").read_bytes(),
    lambda: os.read(os.open("/proc/self/root/@SECRET@", os.O_RDONLY), 99),
):
    try:
        loot.append(way())
    except OSError:
        pass


def double(x):
    if not loot:
        raise ValueError("no")
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers] if loot else [str(loot)]
