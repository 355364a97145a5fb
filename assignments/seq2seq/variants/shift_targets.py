"""Unusual right answers to `shift_targets`, which must get full marks."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor


def with_copies(target: Tensor) -> tuple[Tensor, Tensor]:
    """Copies that share nothing with the target."""
    return target[:, :-1].clone(), target[:, 1:].clone()


def with_narrow(target: Tensor) -> tuple[Tensor, Tensor]:
    """Views by narrow."""
    length = target.size(1) - 1
    return target.narrow(1, 0, length), target.narrow(1, 1, length)


def row_by_row(target: Tensor) -> tuple[Tensor, Tensor]:
    """Python lists, a sentence at a time."""
    rows = target.tolist()
    return torch.tensor([row[:-1] for row in rows]), torch.tensor([row[1:] for row in rows])


def with_numpy(target: Tensor) -> tuple[Tensor, Tensor]:
    """NumPy deletes the last and the first column."""
    array = target.numpy()
    decoder_input, labels = np.delete(array, -1, axis=1), np.delete(array, 0, axis=1)
    return torch.from_numpy(decoder_input), torch.from_numpy(labels)


def with_index_select(target: Tensor) -> tuple[Tensor, Tensor]:
    """Columns chosen by their numbers."""
    columns = torch.arange(target.shape[1] - 1)
    return target.index_select(1, columns), target.index_select(1, columns + 1)


def with_roll(target: Tensor) -> tuple[Tensor, Tensor]:
    """The target is rotated, and the column that came round is cut off."""
    return target[:, :-1], torch.roll(target, -1, dims=1)[:, :-1]


def with_unfold(target: Tensor) -> tuple[Tensor, Tensor]:
    """Windows of two tokens, split into first and second."""
    windows = target.unfold(1, 2, 1)
    return windows[..., 0], windows[..., 1]


def with_gather(target: Tensor) -> tuple[Tensor, Tensor]:
    """A gather with a table of column numbers."""
    index = torch.arange(target.size(1) - 1).expand(target.size(0), -1)
    return torch.gather(target, 1, index), torch.gather(target, 1, index + 1)


def with_split(target: Tensor) -> tuple[Tensor, Tensor]:
    """Single columns by split, joined again by cat."""
    columns = target.split(1, dim=1)
    return torch.cat(columns[:-1], dim=1), torch.cat(columns[1:], dim=1)


def through_the_transpose(target: Tensor) -> tuple[Tensor, Tensor]:
    """Time first, so that plain slices do."""
    steps = target.t()
    return steps[:-1].t(), steps[1:].t()


def contiguous_slices(target: Tensor) -> tuple[Tensor, Tensor]:
    """Ellipsis slices with both bounds, made contiguous."""
    length = target.shape[-1]
    decoder_input = target[..., 0 : length - 1].contiguous()
    labels = target[..., 1:length].contiguous()
    return (decoder_input, labels)


def by_masked_columns(target: Tensor) -> tuple[Tensor, Tensor]:
    """Boolean columns, all but one of them true."""
    keep = torch.ones(target.size(1), dtype=torch.bool)
    keep[-1] = False
    return target[:, keep], target[:, keep.flip(0)]
