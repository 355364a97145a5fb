"""Known wrong answers to `causal_mask`: each docstring is the student's hint."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor, nn


def hides_the_past(size: int) -> Tensor:
    """The wrong triangle seems to be hidden: each position sees its future and not its past.

    Revisit which axis is the position that looks, and which the one that is looked at.
    """
    return torch.full((size, size), float("-inf")).tril(diagonal=-1)


def hides_itself(size: int) -> Tensor:
    """The diagonal seems to be hidden too, which leaves the first position nothing to see.

    Revisit whether a position may look at itself: its token is known when the next is predicted.
    """
    return torch.full((size, size), float("-inf")).triu(diagonal=0)


def shows_one_future_token(size: int) -> Tensor:
    """Each position seems to see one position too many: the very token that it should predict.

    Revisit where the diagonal lies, and count the visible positions in the first row.
    """
    return torch.full((size, size), float("-inf")).triu(diagonal=2)


def returns_booleans(size: int) -> Tensor:
    """The mask seems to be made of True and False.

    Revisit what happens to the mask next: it is added to scores.
    """
    return torch.ones(size, size).triu(diagonal=1).bool()


def marks_visible_with_one(size: int) -> Tensor:
    """Visible positions seem to be marked with 1 and hidden ones with 0.

    Revisit which number changes nothing when it is added to a score, and which makes its weight 0.
    """
    return torch.tril(torch.ones(size, size))


def marks_hidden_with_one(size: int) -> Tensor:
    """Hidden positions seem to be marked with 1, which is far too weak when it is added to a score.

    Revisit which score the softmax turns into a weight of exactly 0.
    """
    return torch.triu(torch.ones(size, size), diagonal=1)


def hides_with_minus_billion(size: int) -> Tensor:
    """Hidden positions seem to hold a large negative number.

    Revisit the value that the docstring asks for, the one lower than every number.
    """
    return torch.full((size, size), -1e9).triu(diagonal=1)


def hides_with_plus_infinity(size: int) -> Tensor:
    """Hidden positions seem to hold an infinity of the wrong sign, so that they win all attention.

    Revisit what the exponential makes of very large and of very small scores.
    """
    return torch.full((size, size), math.inf).triu(diagonal=1)


def multiplies_zeros_by_infinity(size: int) -> Tensor:
    """A pattern of zeros and ones seems to be multiplied by −∞, which turns each zero into NaN.

    Revisit how to choose a value by condition, without arithmetic on infinities.
    """
    return torch.triu(torch.ones(size, size), diagonal=1) * float("-inf")


def returns_float64(size: int) -> Tensor:
    """The mask seems to come from NumPy's default dtype, which is float64.

    Revisit the dtype in the docstring, which is the one of the model's scores.
    """
    return torch.from_numpy(np.triu(np.full((size, size), -np.inf), k=1))


def hard_codes_three_positions(size: int) -> Tensor:
    """The mask seems to be the one of the lesson's example, whatever the size.

    Revisit the rule behind that picture, so that it holds for any number of positions.
    """
    hidden = float("-inf")
    return torch.tensor([[0.0, hidden, hidden], [0.0, 0.0, hidden], [0.0, 0.0, 0.0]])


def makes_room_for_one_more(size: int) -> Tensor:
    """The mask seems to be one row and one column too large.

    Revisit what size counts: the positions that the decoder reads, after the targets were shifted.
    """
    return torch.full((size + 1, size + 1), float("-inf")).triu(diagonal=1)


def adds_batch_axis(size: int) -> Tensor:
    """The mask seems to have an axis in front for the batch.

    Revisit broadcasting, which lets one square mask serve a whole batch.
    """
    return torch.full((1, size, size), float("-inf")).triu(diagonal=1)


def squeezes_single_position(size: int) -> Tensor:
    """The mask seems to lose its axes when there is only one position.

    Revisit the shape for size 1: a matrix with one entry is still a matrix.
    """
    return torch.full((size, size), float("-inf")).triu(diagonal=1).squeeze()


def returns_same_tensor_again(size: int) -> Tensor:
    """One tensor seems to be kept and handed out at each call, so whoever writes into it spoils it.

    Revisit the promise of a new tensor at each call.
    """
    masks = globals().setdefault("_masks_by_size", {})
    if size not in masks:
        masks[size] = torch.full((size, size), float("-inf")).triu(diagonal=1)
    return masks[size]


def keeps_size_of_first_call(size: int) -> Tensor:
    """The mask of the first call seems to be kept, whatever size is asked for later.

    Revisit what the result may depend on: the arguments of this call and nothing else.
    """
    kept = globals().setdefault("_first_mask", [])
    if not kept:
        kept.append(torch.full((size, size), float("-inf")).triu(diagonal=1))
    return kept[0].clone()


def wraps_mask_in_parameter(size: int) -> Tensor:
    """The mask seems to be a parameter, so that training would try to change it.

    Revisit what a model learns, and whether the order of time is among it.
    """
    return nn.Parameter(torch.full((size, size), float("-inf")).triu(diagonal=1))


def hides_only_the_next_token(size: int) -> Tensor:
    """Only the position right after each one seems to be hidden, and later ones can be seen.

    Revisit how much of the future must stay unknown, with more than three positions in mind.
    """
    mask = torch.zeros(size, size)
    for row in range(size - 1):
        mask[row, row + 1] = float("-inf")
    return mask


def hides_only_the_last_columns(size: int) -> Tensor:
    """The loop over hidden positions seems to end two steps after each position.

    Revisit how far each row reaches, and print the mask for a longer sentence than the lesson's.
    """
    mask = torch.zeros(size, size)
    for row in range(size):
        mask[row, row + 1 : row + 3] = float("-inf")
    return mask


def asks_for_gradients_on_the_way(size: int) -> Tensor:
    """The mask seems to be made from something that is to be learned.

    Revisit what a model learns, and whether the order of time is among it.
    """
    return torch.full((size, size), float("-inf"), requires_grad=True).triu(diagonal=1)


def hides_with_minus_ten_thousand(size: int) -> Tensor:
    """Hidden positions seem to hold a number that is not even very low.

    Revisit the value that the docstring asks for, the one lower than every number.
    """
    return torch.full((size, size), -1e4).triu(diagonal=1)


def hides_with_lowest_number(size: int) -> Tensor:
    """Hidden positions seem to hold the lowest number of the dtype, which is still a number.

    Revisit the value that the docstring asks for, the one lower than every number.
    """
    return torch.full((size, size), torch.finfo(torch.float32).min).triu(diagonal=1)


def makes_integers_of_a_single_position(size: int) -> Tensor:
    """The mask seems to hold integers where nothing is hidden.

    Revisit which dtype a tensor gets that is made from a list of numbers.
    """
    return torch.tensor([[0 if j <= i else -math.inf for j in range(size)] for i in range(size)])
