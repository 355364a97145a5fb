"""Unusual right answers to `attention_thirds`, which must get full marks."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def sums_slices(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Three slices of a map."""
    rows, columns = grid
    third, rest = divmod(columns, 3)
    if rest:
        raise ValueError(f"{columns} is no multiple of 3")
    maps = weights.unflatten(-1, (rows, columns)).sum(-2)
    left, right = maps[..., :third].sum(-1), maps[..., 2 * third :].sum(-1)
    middle = maps[..., third : 2 * third].sum(-1)
    return torch.stack([left, middle, right], dim=-1).mean(0)


def in_loops(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Loops over positions, thirds and patches."""
    rows, columns = grid
    if columns % 3 != 0:
        raise ValueError("no thirds")
    mean = weights.mean(dim=0)
    shares = torch.zeros(len(mean), 3, dtype=weights.dtype)
    for position in range(len(mean)):
        for patch in range(rows * columns):
            shares[position, patch % columns // (columns // 3)] += mean[position, patch]
    return shares


def multiplies_by_a_table(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """A table says which patch is in which third."""
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns are no multiple of three")
    which = torch.arange(columns).repeat(rows) // (columns // 3)
    return weights.mean(0) @ F.one_hot(which, 3).to(weights.dtype)


def with_chunks(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """`chunk` makes the thirds."""
    if grid[1] not in range(3, 1000, 3):
        raise ValueError(grid)
    maps = weights.reshape(weights.size(0), weights.size(1), *grid)
    return torch.stack([part.sum((2, 3)).mean(0) for part in maps.chunk(3, dim=3)], dim=1)


def in_numpy(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """NumPy, with `add.reduceat`."""
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    maps = weights.numpy().reshape(*weights.shape[:2], rows, columns).sum(axis=2)
    starts = np.arange(0, columns, columns // 3)
    return torch.from_numpy(np.add.reduceat(maps, starts, axis=-1).mean(axis=0).astype(maps.dtype))


def with_einsum(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """`einsum` does all of it."""
    rows, columns = grid
    if columns / 3 != columns // 3:
        raise ValueError("the columns do not make three thirds")
    maps = weights.view(-1, weights.shape[1], rows, 3, columns // 3)
    return torch.einsum("btrkc->tk", maps) / len(weights)


def image_by_image(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Each image by itself; the mean at the end."""
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    tables = []
    for image in weights:
        by_column = image.reshape(-1, rows, columns).sum(dim=1)
        tables.append(by_column.unfold(1, columns // 3, columns // 3).sum(dim=2))
    return torch.stack(tables).mean(dim=0)


def adds_by_index(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """`index_add` gathers the thirds."""
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    which = (
        torch.arange(weights.size(2)).remainder(columns).div(columns // 3, rounding_mode="floor")
    )
    shares = weights.new_zeros(*weights.shape[:2], 3).index_add(2, which, weights)
    return shares.sum(0).div(weights.size(0))


def divides_again(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The shares are divided by their sum, which is 1."""
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    parts = torch.split(weights.reshape(*weights.shape[:2], rows, columns), columns // 3, dim=-1)
    shares = torch.stack([part.flatten(2).sum(2) for part in parts], 2).mean(0)
    return shares / shares.sum(1, keepdim=True)
