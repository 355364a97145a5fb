"""Unusual right answers to `attention_masks`, which must get full marks."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn


def entry_by_entry(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Loops over rows, queries and keys."""
    (rows, size), length = source.shape, target_prefix.shape[1]
    source_visible = torch.zeros(rows, 1, 1, size, dtype=torch.bool)
    target_visible = torch.zeros(rows, 1, length, length, dtype=torch.bool)
    for b in range(rows):
        for j in range(size):
            source_visible[b, 0, 0, j] = bool(source[b, j] != 0)
        for i in range(length):
            for j in range(i + 1):
                target_visible[b, 0, i, j] = bool(target_prefix[b, j] != 0)
    return source_visible, target_visible


def from_nested_lists(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Python lists."""
    source_visible = [[[[token != 0 for token in row]]] for row in source.tolist()]
    target_visible = [
        [[[j <= i and token != 0 for j, token in enumerate(row)] for i in range(len(row))]]
        for row in target_prefix.tolist()
    ]
    return torch.tensor(source_visible), torch.tensor(target_visible)


def by_comparing_positions(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Positions compared with each other."""
    position = torch.arange(target_prefix.size(-1), device=target_prefix.device)
    not_later = position[None, :] <= position[:, None]
    keys = target_prefix.ne(0).unsqueeze(1).unsqueeze(2)
    return source.ne(0).unsqueeze(1).unsqueeze(2), torch.logical_and(keys, not_later)


def by_hiding(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """What is hidden, turned round at the end."""
    length = target_prefix.size(1)
    future = torch.triu(torch.ones(length, length), diagonal=1) == 1
    hidden = (target_prefix == 0).view(-1, 1, 1, length) | future
    return ~(source == 0).view(source.size(0), 1, 1, -1), ~hidden


def from_a_mask_to_be_added(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The library's mask of 0 and −∞, plus one for padding."""
    causal = nn.Transformer.generate_square_subsequent_mask(target_prefix.size(1))
    padding = torch.zeros(target_prefix.shape).masked_fill(target_prefix == 0, -math.inf)
    return (source != 0)[:, None, None], (causal + padding[:, None, None]) == 0


def by_multiplying(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Numbers that are multiplied, and made bool at the end."""
    length = target_prefix.size(1)
    causal = torch.tril(torch.ones(1, 1, length, length))
    keys = target_prefix.clamp(max=1).float().reshape(-1, 1, 1, length)
    return source.clamp(max=1).bool().reshape(len(source), 1, 1, -1), (keys * causal).bool()


def as_lower_triangle_of_keys(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The keys repeated for each query, and the triangle of that."""
    rows, length = target_prefix.shape
    keys = target_prefix.bool()[:, None, None, :].expand(rows, 1, length, length)
    return source.bool()[:, None, None, :], keys.tril()


def with_numpy(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """NumPy arrays on the way."""
    source_array, target_array = source.numpy(), target_prefix.numpy()
    causal = np.tri(target_array.shape[1], dtype=bool)
    target_visible = np.logical_and(target_array[:, np.newaxis, np.newaxis, :] != 0, causal)
    source_visible = np.expand_dims(source_array != 0, axis=(1, 2))
    return torch.from_numpy(source_visible), torch.from_numpy(target_visible)


def row_by_row_stacked(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """A mask for each row, stacked."""
    causal = torch.ones(target_prefix.size(1), target_prefix.size(1)).tril() > 0
    targets = torch.stack([(causal & (row != 0)).unsqueeze(0) for row in target_prefix])
    sources = torch.stack([(row != 0).reshape(1, 1, -1) for row in source])
    return sources, targets


def with_where(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Choices by torch.where."""
    length = target_prefix.size(1)
    query, key = torch.meshgrid(torch.arange(length), torch.arange(length), indexing="ij")
    tokens = target_prefix[:, None, None, :].expand(-1, 1, length, -1)
    target_visible = torch.where(key > query, torch.zeros_like(tokens), tokens) != 0
    source_visible = torch.where(source == 0, False, True)
    return source_visible[:, None, None, :], target_visible


def query_after_query(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """One row of the mask after the other."""
    rows, length = target_prefix.shape
    target_visible = torch.zeros((rows, 1, length, length), dtype=torch.bool)
    for query in range(length):
        target_visible[:, 0, query, : query + 1] = target_prefix[:, : query + 1] != 0
    source_visible = torch.empty((rows, 1, 1, source.size(1)), dtype=torch.bool)
    source_visible[:, 0, 0] = source != 0
    return source_visible, target_visible


def by_filling(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Everything visible at first, then filled."""
    rows, length = target_prefix.shape
    target_visible = torch.full((rows, 1, length, length), True)
    target_visible.masked_fill_((target_prefix == 0)[:, None, None, :], False)
    above = torch.triu_indices(length, length, offset=1)
    target_visible[:, :, above[0], above[1]] = False
    source_visible = torch.full((rows, 1, 1, source.size(1)), True)
    return source_visible.masked_fill((source == 0)[:, None, None, :], False), target_visible


def with_einsum(source: Tensor, target_prefix: Tensor) -> list[Tensor]:
    """An Einstein sum, and a list of the two."""
    length = target_prefix.size(1)
    keys, causal = (target_prefix != 0).int(), torch.tril(torch.ones(length, length)).int()
    target_visible = torch.einsum("bk,qk->bqk", keys, causal).unsqueeze(1) > 0
    return [torch.ne(source, 0)[:, None, None, :], target_visible]
