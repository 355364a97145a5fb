"""Answers with NaN, infinities and numbers that are equal to none."""

import numpy as np
import torch


def double(x):
    return {2: float("nan")}.get(x, torch.tensor(float("inf")))


def apply(step, numbers):
    return np.array([float("nan")] * len(numbers))
