"""Makes 10,000 files with odd names, and opens files until there are no descriptors left."""

import os

names = [f"{'ä' * 60}\n-{number}" for number in range(10_000)]
for name in names:
    try:
        os.close(os.open(name, os.O_CREAT | os.O_WRONLY))
    except OSError:
        break
files = []
try:
    while len(files) < 5000:
        files.append(open(os.devnull, "rb"))
except OSError:
    pass


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
