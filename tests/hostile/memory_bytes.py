"""Asks for a petabyte of text and for a number of a terabyte."""

import numpy as np


def double(x):
    for ask in (
        lambda: b"x" * (1 << 50),
        lambda: "x" * (1 << 50),
        lambda: 1 << (1 << 43),
        lambda: np.ones(1 << 45),
        lambda: bytearray(1 << 36),
    ):
        try:
            ask()
        except (MemoryError, OverflowError):
            pass
    return b"x" * (3 << 30)


def apply(step, numbers):
    return [step(n) for n in numbers]
