"""Writes 9 GB to the standard streams and displays a table without end."""

import os
import sys

line = "x" * (1 << 20)
for _ in range(3000):
    print(line)
    sys.stderr.write(line)
    os.write(1, line.encode())


def double(x):
    print("once more", flush=True)
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
