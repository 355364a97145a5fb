"""Unusual right answers to `causal_mask`, which must get full marks."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn


def with_two_loops(size: int) -> Tensor:
    """Nested lists of Python numbers."""
    rows = [[0.0 if j <= i else -math.inf for j in range(size)] for i in range(size)]
    return torch.tensor(rows)


def row_slices(size: int) -> Tensor:
    """The part of each row behind the diagonal is written by a slice."""
    mask = torch.zeros(size, size)
    for i in range(size):
        mask[i, i + 1 :] = float("-inf")
    return mask


def masked_fill_of_booleans(size: int) -> Tensor:
    """A boolean triangle decides where zeros are replaced."""
    future = torch.ones(size, size, dtype=torch.bool).triu(1)
    return torch.zeros(size, size).masked_fill(future, float("-inf"))


def where_of_positions(size: int) -> Tensor:
    """Positions are compared by broadcasting."""
    position = torch.arange(size)
    seen = position[None, :] <= position[:, None]
    return torch.where(seen, torch.tensor(0.0), torch.tensor(-math.inf))


def logarithm_of_triangle(size: int) -> Tensor:
    """The logarithm turns ones into 0 and zeros into −∞."""
    return torch.tril(torch.ones(size, size)).log()


def with_numpy(size: int) -> Tensor:
    """NumPy makes the triangle, in float32."""
    return torch.from_numpy(np.triu(np.full((size, size), -np.inf, dtype=np.float32), k=1))


def with_upper_indices(size: int) -> Tensor:
    """The indices of the upper triangle are written all at once."""
    mask = torch.zeros((size, size), dtype=torch.float32)
    rows, columns = torch.triu_indices(size, size, offset=1)
    mask[rows, columns] = -torch.inf
    return mask


def from_the_library(size: int) -> Tensor:
    """The library's own mask of a Transformer."""
    return nn.Transformer.generate_square_subsequent_mask(size)


def by_recursion(size: int) -> Tensor:
    """A mask that is one smaller gains a hidden column and an open row."""
    mask = torch.zeros(1, 1)
    while mask.size(0) < size:
        mask = nn.functional.pad(mask, (0, 1), value=-math.inf)
        mask = nn.functional.pad(mask, (0, 0, 0, 1), value=0.0)
    return mask


def without_lower_part(size: int) -> Tensor:
    """A full tensor in which the lower triangle is overwritten in place."""
    mask = torch.empty(size, size).fill_(-math.inf)
    lower = torch.tril_indices(size, size)
    mask[lower[0], lower[1]] = 0
    return mask


def stacked_rows(size: int) -> Tensor:
    """Each row is joined from its open and its hidden part."""
    rows = [
        torch.cat([torch.zeros(i + 1), torch.full((size - i - 1,), -math.inf)]) for i in range(size)
    ]
    return torch.stack(rows)


@torch.inference_mode()
def in_inference_mode(size: int) -> Tensor:
    return torch.full((size, size), float("-inf")).triu(diagonal=1)
