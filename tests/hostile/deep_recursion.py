"""Runs out of the C stack: recursion without Python's own limit."""

import sys

sys.setrecursionlimit(1 << 30)


def double(x):
    class Endless:
        def __getattr__(self, name):
            return getattr(self, name + "x"[:0])

        def __repr__(self):
            return repr(self)

    repr(Endless())
    return double(x)


def apply(step, numbers):
    return [step(n) for n in numbers]
