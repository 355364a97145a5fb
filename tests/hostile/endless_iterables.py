"""Returns values without an end: generators, lists that never stop, lengths that lie."""

import itertools


class Long(list):
    def __iter__(self):
        return itertools.count()

    def __len__(self):
        return 1 << 40


class Wide(dict):
    def items(self):
        return ((n, n) for n in itertools.count())


def double(x):
    return itertools.count() if x == 2 else Wide(a=1)


def apply(step, numbers):
    return Long([1])
