"""Returns 400,000 tokens of 18 digits: they must not all stand in the message."""


def double(x):
    return [[10**17] * 400_000]


def apply(step, numbers):
    return [10**17] * 400_000
