"""Asks for huge tensors, and for many that are merely large."""

import torch


def double(x):
    blocks = []
    for shape in ((1 << 40,), (1 << 20, 1 << 20)):
        try:
            blocks.append(torch.ones(shape))
        except RuntimeError:
            pass
    while True:
        blocks.append(torch.ones(1 << 24))


def apply(step, numbers):
    return [step(n) for n in numbers]
