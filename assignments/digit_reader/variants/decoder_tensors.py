"""Unusual right answers to `decoder_tensors`, which must get full marks."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def in_lists(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Python lists, row by row."""
    fed, said = [], []
    for row in targets.tolist():
        number = [token for token in row if token < 10]
        rest = [12] * (len(row) - len(number))
        fed.append([10, *number, *rest])
        said.append([*number, 11, *rest])
    return torch.tensor(fed), torch.tensor(said)


def with_where(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The place of END is where digits stop."""
    batch, width = targets.shape
    start, pad = targets.new_full((batch, 1), 10), targets.new_full((batch, 1), 12)
    longer = torch.hstack([targets, pad])
    ends = torch.arange(width + 1) == (longer < 10).sum(1)[:, None]
    return torch.hstack([start, targets]), torch.where(ends, 11, longer)


def by_the_first_pad(targets: Tensor) -> tuple[Tensor, Tensor]:
    """`argmax` on targets that are one PAD longer."""
    longer = torch.cat([targets, torch.full_like(targets[:, :1], 12)], dim=1)
    first = longer.eq(12).float().argmax(dim=1)
    decoder_target = longer.clone()
    decoder_target[torch.arange(len(targets)), first] = 11
    return torch.cat([torch.full_like(targets[:, :1], 10), targets], 1), decoder_target


def compares_neighbours(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END is where a PAD follows no PAD."""
    decoder_input = F.pad(targets, (1, 0), value=10)
    longer = F.pad(targets, (0, 1), value=12)
    ends = (longer == 12) & (decoder_input != 12)
    return decoder_input, longer.masked_fill(ends, 11)


def subtracts(targets: Tensor) -> tuple[Tensor, Tensor]:
    """One PAD less one is END."""
    longer = F.pad(targets, (0, 1), value=12)
    first = (longer == 12).cumsum(1) == 1
    return F.pad(targets, (1, 0), value=10), longer - first.long()


def in_numpy(targets: Tensor) -> tuple[Tensor, Tensor]:
    """NumPy arrays, and torch at both ends."""
    rows = targets.numpy()
    batch, width = rows.shape
    fed = np.full((batch, width + 1), 12, dtype=np.int64)
    said = fed.copy()
    fed[:, 0] = 10
    fed[:, 1:] = rows
    said[:, :width] = rows
    said[np.arange(batch), (rows != 12).sum(axis=1)] = 11
    return torch.from_numpy(fed), torch.from_numpy(said)


def in_a_loop_of_slices(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Slices of tensors that are full of PAD."""
    decoder_input = torch.full((targets.shape[0], targets.shape[1] + 1), 12, dtype=torch.int64)
    decoder_target = torch.full_like(decoder_input, 12)
    for fed, said, row in zip(decoder_input, decoder_target, targets):
        number = row[row != 12]
        fed[: len(number) + 1] = torch.cat([torch.tensor([10]), number])
        said[: len(number) + 1] = torch.cat([number, torch.tensor([11])])
    return decoder_input, decoder_target


def one_long_row(targets: Tensor) -> tuple[Tensor, Tensor]:
    """START, digits, END and PAD in one tensor; the input leaves END out."""
    whole = F.pad(F.pad(targets, (1, 0), value=10), (0, 1), value=12)
    place = (whole != 12).sum(dim=1)
    whole[range(len(whole)), place] = 11
    fed = whole[:, :-1].clone()
    fed[fed == 11] = 12
    return fed, whole[:, 1:]


def from_an_equality_table(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Rows of an identity matrix mark the ends."""
    length = targets.ne(12).sum(dim=-1)
    marks = torch.eye(targets.size(1) + 1, dtype=torch.bool)[length]
    said = F.pad(targets, (0, 1), "constant", 12)
    said[marks] = 11
    return torch.column_stack([torch.tensor([10]).expand(len(targets)), targets]), said


def subtracts_a_one_hot_row(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END is one less than PAD: it is subtracted in the place behind the last digit."""
    behind = F.one_hot((targets < 10).sum(dim=1), targets.size(1) + 1)
    start = torch.full_like(targets[:, :1], 10)
    return torch.cat([start, targets], dim=1), F.pad(targets, (0, 1), value=12) - behind
