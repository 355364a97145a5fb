"""Known wrong answers to `positional_encoding`: each docstring is the student's hint."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor


def puts_sines_before_cosines(max_len: int, d_model: int) -> Tensor:
    """All sines seem to stand in the first half of the columns, and all cosines in the second.

    Revisit how sines and cosines take turns from column to column.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.cat([torch.sin(angle), torch.cos(angle)], dim=1)


def swaps_sine_and_cosine(max_len: int, d_model: int) -> Tensor:
    """Sines and cosines seem to have changed places.

    Revisit what position 0 looks like in the lesson's table.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.cos(angle)
    encoding[:, 1::2] = torch.sin(angle)
    return encoding


def counts_positions_from_one(max_len: int, d_model: int) -> Tensor:
    """The first position seems to be number 1.

    Revisit where positions start to count, and what the sine of the first one must be.
    """
    position = torch.arange(1, max_len + 1).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


def halves_the_exponent(max_len: int, d_model: int) -> Tensor:
    """The exponent seems to hold the number of the pair i where the formula has twice that.

    Revisit which columns share a frequency, and how the exponent is written for them.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(d_model // 2) / d_model)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


def doubles_the_exponent(max_len: int, d_model: int) -> Tensor:
    """The exponent seems to be doubled once too often, so the frequencies fall too fast.

    Revisit whether your index counts columns or pairs of columns.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (2 * torch.arange(0, d_model, 2) / d_model)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


def gives_each_column_a_frequency(max_len: int, d_model: int) -> Tensor:
    """Each column seems to have a frequency of its own.

    Revisit the pairs: a sine and the cosine beside it turn at the same speed.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(d_model) / d_model)
    encoding = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle[:, 1::2])
    return encoding


def uses_base_1000(max_len: int, d_model: int) -> Tensor:
    """The base of the frequencies seems to have lost a zero.

    Revisit the constant in the formula.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 1000 ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


def multiplies_by_the_power(max_len: int, d_model: int) -> Tensor:
    """The positions seem to be multiplied by the powers of 10,000, so the frequencies rise.

    Revisit which columns should turn slowly, and whether the power divides or multiplies.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position * 10000 ** (torch.arange(0, d_model, 2) / d_model)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


def does_not_divide_by_the_width(max_len: int, d_model: int) -> Tensor:
    """The exponent seems to be a column number that is not divided by the width.

    Revisit the range of the exponent, which stays below 1.
    """
    position = torch.arange(max_len).unsqueeze(1).double()
    angle = position / 10000.0 ** torch.arange(0, d_model, 2).double()
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle).float()
    encoding[:, 1::2] = torch.cos(angle).float()
    return encoding


def divides_integers(max_len: int, d_model: int) -> Tensor:
    """The exponent seems to be rounded down to a whole number, so all columns turn alike.

    Revisit the two kinds of division.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(0, d_model, 2) // d_model)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


def stretches_frequencies_to_the_end(max_len: int, d_model: int) -> Tensor:
    """The exponent seems to run all the way to 1, as some libraries have it.

    Revisit the formula of the lesson, where the last pair stops short of that.
    """
    pairs = torch.arange(d_model // 2) / max(d_model // 2 - 1, 1)
    angle = torch.arange(max_len).unsqueeze(1) / 10000**pairs
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def uses_decimal_logarithm(max_len: int, d_model: int) -> Tensor:
    """The powers of 10,000 seem to be made from a logarithm that does not fit the exponential.

    Revisit which logarithm is the inverse of the function that you call afterwards.
    """
    position = torch.arange(max_len).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, d_model, 2) * (-math.log10(10000.0) / d_model))
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(position * frequency)
    encoding[:, 1::2] = torch.cos(position * frequency)
    return encoding


def uses_sines_only(max_len: int, d_model: int) -> Tensor:
    """All columns seem to be sines.

    Revisit what the odd columns hold, and why a pair of functions tells positions apart better.
    """
    angle = torch.arange(max_len).unsqueeze(1) / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.sin(angle).repeat_interleave(2, dim=1)


def alternates_by_position(max_len: int, d_model: int) -> Tensor:
    """Sine and cosine seem to alternate from row to row.

    Revisit which of the two indices, position or column, chooses the function.
    """
    pairs = torch.arange(d_model) // 2 * 2
    angle = torch.arange(max_len).unsqueeze(1) / 10000 ** (pairs / d_model)
    encoding = torch.sin(angle)
    encoding[1::2] = torch.cos(angle[1::2])
    return encoding


def hard_codes_width_of_lesson(max_len: int, d_model: int) -> Tensor:
    """The frequencies seem to be those of the lesson's width, whatever d_model is.

    Revisit which parts of the formula depend on the width.
    """
    position = torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(0, d_model, 2) / 16)
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2] = torch.sin(angle)
    encoding[:, 1::2] = torch.cos(angle)
    return encoding


def returns_a_fixed_number_of_positions(max_len: int, d_model: int) -> Tensor:
    """The table seems to end after a fixed number of positions, however many are asked for.

    Revisit what max_len means, and slicing past the end, which gives no error.
    """
    angle = torch.arange(100).unsqueeze(1) / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:max_len]


def returns_float64(max_len: int, d_model: int) -> Tensor:
    """The table seems to come from NumPy in float64.

    Revisit the dtype in the docstring, which is the one of the embeddings that it is added to.
    """
    angle = np.arange(max_len)[:, None] / 10000 ** (np.arange(0, d_model, 2) / d_model)
    encoding = np.zeros((max_len, d_model))
    encoding[:, 0::2] = np.sin(angle)
    encoding[:, 1::2] = np.cos(angle)
    return torch.from_numpy(encoding)


def computes_in_half_precision(max_len: int, d_model: int) -> Tensor:
    """The angles seem to be computed with too few digits.

    Revisit the dtype of the intermediate numbers, where an angle of 100 needs decimals too.
    """
    position = torch.arange(max_len, dtype=torch.float16).unsqueeze(1)
    exponent = torch.arange(0, d_model, 2, dtype=torch.float16) / d_model
    angle = position / torch.pow(10000.0, exponent)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).float()


def adds_batch_axis(max_len: int, d_model: int) -> Tensor:
    """The table seems to have an axis in front for the batch.

    Revisit the shape in the docstring; broadcasting takes care of the batch.
    """
    angle = torch.arange(max_len).unsqueeze(1) / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).unsqueeze(0)


def returns_positions_as_columns(max_len: int, d_model: int) -> Tensor:
    """Rows and columns seem to have changed places.

    Revisit which axis counts positions.
    """
    angle = torch.arange(max_len).unsqueeze(1) / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).T


def squeezes_positions_into_unit_interval(max_len: int, d_model: int) -> Tensor:
    """The positions seem to be divided by the length of the table.

    Revisit whether position 5 should look the same in a short table and in a long one.
    """
    position = torch.arange(max_len).unsqueeze(1) / max_len
    angle = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def turns_by_degrees(max_len: int, d_model: int) -> Tensor:
    """The angles seem to be taken as degrees.

    Revisit the unit that the sine expects here.
    """
    angle = torch.arange(max_len).unsqueeze(1) / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    angle = torch.deg2rad(angle)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def turns_backwards(max_len: int, d_model: int) -> Tensor:
    """The sines seem to have the wrong sign, as if time ran backwards.

    Revisit where a minus belongs when a division is written as a negative power.
    """
    position = -torch.arange(max_len).unsqueeze(1).float()
    angle = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def keeps_table_of_first_call(max_len: int, d_model: int) -> Tensor:
    """The table of an earlier call seems to be handed out again, with the length that it had then.

    Revisit what the result may depend on: the arguments of this call and nothing else.
    """
    tables = globals().setdefault("_tables_by_width", {})
    if d_model not in tables:
        angle = torch.arange(max_len)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
        tables[d_model] = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
    return tables[d_model][:max_len].clone()


def draws_random_positions(max_len: int, d_model: int) -> Tensor:
    """The table seems to be drawn at random.

    Revisit the difference between learned positions and the fixed waves that are asked for here.
    """
    return torch.randn(max_len, d_model).clamp(-1, 1)


def squeezes_single_position(max_len: int, d_model: int) -> Tensor:
    """An axis seems to disappear where there is only one position.

    Revisit the shape that is asked for, which has two axes whatever their sizes are.
    """
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    rates = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    encoding = torch.zeros(max_len, d_model)
    encoding[:, 0::2], encoding[:, 1::2] = (
        torch.sin(positions * rates),
        torch.cos(positions * rates),
    )
    return encoding.squeeze(0)


def passes_through_half_precision(max_len: int, d_model: int) -> Tensor:
    """The table seems to hold fewer digits than its dtype could.

    Revisit in which dtype it is filled in, and what a cast afterwards cannot give back.
    """
    positions = torch.arange(max_len, dtype=torch.float32).unsqueeze(1)
    rates = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    encoding = torch.zeros(max_len, d_model, dtype=torch.float16)
    encoding[:, 0::2] = torch.sin(positions * rates).half()
    encoding[:, 1::2] = torch.cos(positions * rates).half()
    return encoding.float()
