"""Closes all files of the process, the connection among them, or puts others in their place."""

import os


def double(x):
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3, 256):
        if x == 2:
            os.dup2(null, number)
        elif number != null:
            os.closerange(number, number + 1)
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
