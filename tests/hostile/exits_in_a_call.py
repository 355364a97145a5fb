"""Ends the process in a call, each time in another way."""

import os
import sys


def double(x):
    if x == 2:
        sys.exit(0)
    os._exit(0)


def apply(step, numbers):
    return [step(n) for n in numbers]
