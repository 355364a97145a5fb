"""Unusual right answers to `positional_encoding`, which must get full marks."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor


def with_two_loops(max_len: int, d_model: int) -> Tensor:
    """One Python number at a time."""
    encoding = torch.zeros(max_len, d_model)
    for position in range(max_len):
        for column in range(0, d_model, 2):
            angle = position / 10000 ** (column / d_model)
            encoding[position, column] = math.sin(angle)
            encoding[position, column + 1] = math.cos(angle)
    return encoding


def with_numpy(max_len: int, d_model: int) -> Tensor:
    """NumPy in float64, float32 at the end."""
    angle = np.arange(max_len)[:, None] / np.power(10000, np.arange(0, d_model, 2) / d_model)
    encoding = np.empty((max_len, d_model), dtype=np.float32)
    encoding[:, ::2], encoding[:, 1::2] = np.sin(angle), np.cos(angle)
    return torch.from_numpy(encoding)


def slices_in_float32(max_len: int, d_model: int) -> Tensor:
    """Even and odd columns by slices, all in float32."""
    position = torch.arange(max_len).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(position * frequency)
    encoding[:, 1::2] = torch.cos(position * frequency)
    return encoding


def outer_product(max_len: int, d_model: int) -> Tensor:
    """Angles as an outer product of positions and frequencies."""
    exponent = torch.arange(d_model // 2, dtype=torch.float64) * 2 / d_model
    angle = torch.outer(torch.arange(max_len, dtype=torch.float64), 10000.0**-exponent)
    encoding = torch.empty(max_len, d_model)
    encoding[:, ::2] = angle.sin()
    encoding[:, 1::2] = angle.cos()
    return encoding


def cosine_as_shifted_sine(max_len: int, d_model: int) -> Tensor:
    """Only sines, with a quarter turn more in odd columns."""
    column = torch.arange(d_model, dtype=torch.float64)
    pair = column - column % 2
    angle = torch.arange(max_len, dtype=torch.float64)[:, None] / 10000 ** (pair / d_model)
    return torch.sin(angle + (column % 2) * math.pi / 2).float()


def chosen_by_where(max_len: int, d_model: int) -> Tensor:
    """Sine and cosine of every column, and where chooses."""
    column = torch.arange(d_model)
    angle = torch.arange(max_len).double()[:, None] / 10000 ** ((column // 2 * 2) / d_model)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).to(torch.float32)


def interleaved_by_transposing(max_len: int, d_model: int) -> Tensor:
    """Sines and cosines are stacked as two blocks and interleaved by a transpose."""
    angle = torch.arange(max_len)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    blocks = torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)
    return blocks.view(max_len, 2, d_model // 2).transpose(1, 2).reshape(max_len, d_model)


def on_the_unit_circle(max_len: int, d_model: int) -> Tensor:
    """Complex numbers on the unit circle, imaginary part first."""
    import cmath

    rows = []
    for position in range(max_len):
        turns = [cmath.exp(1j * position / 10000 ** (2 * i / d_model)) for i in range(d_model // 2)]
        rows.append([part for turn in turns for part in (turn.imag, turn.real)])
    return torch.tensor(rows, dtype=torch.float32)


def with_polar(max_len: int, d_model: int) -> Tensor:
    """torch.polar, of which both parts are read."""
    exponent = torch.arange(0, d_model, 2, dtype=torch.float64) / d_model
    angle = torch.arange(max_len, dtype=torch.float64)[:, None] / 10000**exponent
    turn = torch.view_as_real(torch.polar(torch.ones_like(angle), angle))
    return turn.flip(-1).reshape(max_len, d_model).float()


def column_by_column(max_len: int, d_model: int) -> Tensor:
    """Columns from a generator, stacked side by side."""

    def columns():
        position = torch.arange(max_len, dtype=torch.float64)
        for pair in range(d_model // 2):
            angle = position * 10000.0 ** (-2 * pair / d_model)
            yield angle.sin()
            yield angle.cos()

    return torch.stack(list(columns()), dim=1).float()


def without_gradients(max_len: int, d_model: int) -> Tensor:
    """Rows of a table that is one position longer, cut to length."""
    with torch.no_grad():
        table = torch.zeros(max_len + 1, d_model // 2, 2)
        exponent = torch.linspace(0, 1, d_model // 2 + 1, dtype=torch.float64)[:-1]
        angle = torch.arange(max_len + 1)[:, None] * torch.exp(-math.log(1e4) * exponent)
        table[..., 0], table[..., 1] = torch.sin(angle), torch.cos(angle)
        return table.flatten(1)[:max_len]
