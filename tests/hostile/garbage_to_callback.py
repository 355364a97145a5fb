"""Calls the grader's function with everything but what it takes, and swallows what it raises.

In the case that runs beside it, nothing is amiss with its answer: that point is its own.
"""

import torch


def apply(step, numbers):
    garbage = (None, "x" * 100_000, [], {}, object(), float("nan"), torch.zeros(0, 5), 1 << 62)
    for value in garbage:
        for call in (
            lambda value=value: step(value),
            lambda value=value: step(value, value),
            lambda value=value: step(number=value),
            lambda value=value: step(**{"__class__": value}),
        ):
            try:
                call()
            except Exception:
                pass
    return [step(n) for n in numbers]
