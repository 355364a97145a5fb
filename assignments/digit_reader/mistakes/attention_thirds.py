"""Known wrong answers to `attention_thirds`: each docstring is the student's hint."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def cuts_the_sequence_of_patches(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The list of patches seems to be cut into three pieces, one row after the other.

    Revisit how patches are counted, row by row.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], 3, -1)
    return thirds.sum(dim=3).mean(dim=0)


def mixes_up_rows_and_columns(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Rows and columns of the grid seem to be mixed up.

    Revisit which comes first in `grid`.
    """
    columns, rows = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def takes_every_third_column(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Every third column seems to be taken, and not three neighbouring parts.

    Revisit which columns are the left third.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, columns // 3, 3)
    return thirds.sum(dim=(2, 3)).mean(dim=0)


def looks_at_the_first_row_alone(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Only the first row of patches seems to be counted.

    Revisit how the sum runs over the rows.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds[:, :, 0].sum(dim=3).mean(dim=0)


def takes_thirds_of_two_columns(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Each third seems to have two columns always.

    Revisit how many columns a third has in another grid.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    maps = weights.reshape(*weights.shape[:2], rows, columns)
    parts = [maps[..., start : start + 2].sum(dim=(2, 3)) for start in (0, 2, 4)]
    return torch.stack(parts, dim=-1).mean(dim=0)


def takes_thirds_of_four_columns(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Each third seems to have four columns always, as in the lesson.

    Revisit how many columns a third has in another grid.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    maps = weights.reshape(*weights.shape[:2], rows, columns)
    parts = [maps[..., start : start + 4].sum(dim=(2, 3)) for start in (0, 4, 8)]
    return torch.stack(parts, dim=-1).mean(dim=0)


def sums_over_the_batch(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The shares seem to be summed over the batch.

    Revisit what each row of the result sums to.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).sum(dim=0)


def takes_the_first_image(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Only the first image seems to be counted.

    Revisit what happens to the other images of the batch.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4))[0]


def keeps_the_batch(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The batch seems to be still there.

    Revisit the shape of the result.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4))


def takes_the_largest_of_the_batch(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The largest share in the batch seems to be taken.

    Revisit how the images of a batch become one.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).amax(dim=0)


def takes_the_median(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The median of the batch seems to be taken.

    Revisit how the images of a batch become one.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).median(dim=0).values


def means_over_patches(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The mean over the patches of a third seems to be taken.

    Revisit what each row of the result sums to.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.mean(dim=(2, 4)).mean(dim=0)


def means_over_rows(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The mean over the rows of patches seems to be taken.

    Revisit what each row of the result sums to.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.mean(dim=2).sum(dim=3).mean(dim=0)


def means_over_positions(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """All positions seem to be thrown together.

    Revisit the shape of the result: each position has a row of its own.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=(0, 1))


def turns_the_result(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Thirds seem to be rows, and positions columns.

    Revisit the shape of the result.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).T


def shares_among_positions(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Each column seems to sum to 1, and not each row.

    Revisit whose attention is shared out.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    shares = thirds.sum(dim=(2, 4)).mean(dim=0)
    return shares / shares.sum(dim=0)


def has_three_positions_always(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """There seem to be three positions always.

    Revisit how many rows the result has.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights[:, :3].reshape(len(weights), -1, rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def drops_the_last_position(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The last position seems to be dropped.

    Revisit how many rows the result has.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)[:-1]


def counts_where_most_attention_is(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The third that gets the most seems to count alone.

    Revisit what is asked for: shares, not a vote.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    most = thirds.sum(dim=(2, 4)).argmax(dim=-1)
    return F.one_hot(most, 3).to(weights.dtype).mean(dim=0)


def applies_softmax_once_more(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """A softmax seems to be applied to what are weights already.

    Revisit what each row of the weights sums to.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    weights = weights.softmax(dim=-1)
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def applies_softmax_to_the_shares(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """A softmax seems to be applied to the shares.

    Revisit what each row of the result sums to without it.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).softmax(dim=-1)


def never_refuses(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """A number of columns that 3 does not divide seems to end in an error of torch, or in none.

    Revisit what is to be raised.
    """
    rows, columns = grid
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def cuts_off_columns(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Columns that make no third seem to be cut off.

    Revisit what is to be raised.
    """
    rows, columns = grid
    maps = weights.reshape(*weights.shape[:2], rows, columns)[..., : columns // 3 * 3]
    thirds = maps.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def lets_the_last_third_be_larger(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Columns that are left over seem to be added to the last third.

    Revisit what is to be raised.
    """
    rows, columns = grid
    maps = weights.reshape(*weights.shape[:2], rows, columns).sum(dim=2)
    third = columns // 3
    parts = [maps[..., :third], maps[..., third : 2 * third], maps[..., 2 * third :]]
    return torch.stack([part.sum(dim=-1) for part in parts], dim=-1).mean(dim=0)


def looks_at_the_patches(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The number of patches seems to be tested, and not that of the columns.

    Revisit what 3 has to divide.
    """
    rows, columns = grid
    if weights.shape[-1] % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, -1)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def looks_at_the_rows(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The number of rows seems to be tested as well.

    Revisit what 3 has to divide.
    """
    rows, columns = grid
    if columns % 3 or (rows > 1 and rows % 3):
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def asserts(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """An AssertionError seems to be raised.

    Revisit which exception is asked for.
    """
    rows, columns = grid
    assert columns % 3 == 0, "the columns do not make three thirds"
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def refuses_a_single_row(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """A ValueError seems to be raised for a grid of one row.

    Revisit what is to be refused.
    """
    rows, columns = grid
    if columns % 3 or rows < 2:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0)


def answers_float32(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The shares seem to be float32, whatever the weights are.

    Revisit the dtype of the result.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).float()


def passes_through_float32(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The shares seem to be rounded to float32 on their way.

    Revisit the precision of the weights.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.float().reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).to(weights.dtype)


def answers_float64(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The shares seem to be float64, whatever the weights are.

    Revisit the dtype of the result.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).double()


def rounds(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The shares seem to be rounded to two decimals.

    Revisit whether a table for people is asked for.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return (100 * thirds.sum(dim=(2, 4)).mean(dim=0)).round() / 100


def answers_percent(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The shares seem to be in percent.

    Revisit what each row of the result sums to.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return 100 * thirds.sum(dim=(2, 4)).mean(dim=0)


def answers_lists(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """A list seems to be returned.

    Revisit the type of the result.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).tolist()


def starts_on_the_right(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """The right third seems to come first.

    Revisit the order of the three.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).flip(1)


def loses_axes_of_one(weights: Tensor, grid: tuple[int, int]) -> Tensor:
    """Axes of size 1 seem to be lost.

    Revisit what `squeeze` does.
    """
    rows, columns = grid
    if columns % 3:
        raise ValueError("the columns do not make three thirds")
    thirds = weights.reshape(*weights.shape[:2], rows, 3, columns // 3)
    return thirds.sum(dim=(2, 4)).mean(dim=0).squeeze()
