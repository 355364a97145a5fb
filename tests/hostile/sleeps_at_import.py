"""Sleeps for a day in a cell."""

import time

for _ in range(1000):
    try:
        time.sleep(86400)
    except BaseException:
        pass


def double(x):
    return 2 * x


def apply(step, numbers):
    return [step(n) for n in numbers]
