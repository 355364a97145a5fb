"""Known wrong answers to `decoder_tensors`: each docstring is the student's hint."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor


def ends_in_the_last_column(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to stand in the last column of every row, as in the lesson, where all numbers have
    three digits.

    Revisit where END stands in a number that does not fill its row.
    """
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=11)
    return decoder_input, decoder_target


def ends_at_first_pad_or_at_the_start(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to stand at the start of a number that fills its row.

    Revisit what `argmax` returns where there is no PAD.
    """
    length = (targets == 12).int().argmax(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def does_not_end_full_rows(targets: Tensor) -> tuple[Tensor, Tensor]:
    """A number that fills its row seems to have no END.

    Revisit the last column, which is there for it.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    decoder_target[:, -1] = 12
    return decoder_input, decoder_target


def ends_full_rows_alone(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Only a number that fills its row seems to have an END.

    Revisit what the decoder must say after a short number.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    full = (targets[:, -1:] != 12).long()
    decoder_target = torch.cat([targets, 12 - full], dim=1)
    return decoder_input, decoder_target


def feeds_end(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to be fed to the decoder.

    Revisit what the decoder says and is never shown.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    decoder_input = F.pad(decoder_target[:, :-1], (1, 0), value=10)
    return decoder_input, decoder_target


def fills_with_end(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to be said again and again, up to the end of the row.

    Revisit what stands after END.
    """
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12)
    decoder_target = decoder_target.masked_fill(decoder_target == 12, 11)
    return decoder_input, decoder_target


def replaces_the_last_digit(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to stand in the place of the last digit.

    Revisit how many tokens there are to say.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length - 1, 11)
    return decoder_input, decoder_target


def ends_one_place_later(targets: Tensor) -> tuple[Tensor, Tensor]:
    """There seems to be a PAD before END.

    Revisit at which position a number of so many digits ends.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 2), value=12).scatter(1, length + 1, 11)[:, :-1]
    return decoder_input, decoder_target


def ends_where_the_longest_ends(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to stand in the same column in all rows, after the longest number.

    Revisit that each row has its own length.
    """
    length = (targets != 12).sum(dim=1, keepdim=True).amax(dim=0).expand(len(targets), 1)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def ends_where_the_first_ends(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to stand in the same column in all rows, after the first number.

    Revisit that each row has its own length.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)[:1].expand(len(targets), 1)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def takes_zero_for_padding(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The digit 0 seems to be taken for padding.

    Revisit which id is PAD.
    """
    length = (targets % 12 != 0).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def takes_nine_for_padding(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The digit 9 seems not to be counted as a digit.

    Revisit which ids are digits.
    """
    length = (targets < 9).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def counts_the_padding(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The length of a number seems to be counted from the wrong end.

    Revisit where the PADs of a row are, and where its digits are.
    """
    length = (targets == 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def does_not_shift(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The decoder seems to be fed what it must say.

    Revisit by how much the two tensors are shifted.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_target, decoder_target


def leaves_start_out(targets: Tensor) -> tuple[Tensor, Tensor]:
    """There seems to be no START.

    Revisit what the decoder is fed at position 0.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (0, 1), value=12)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def puts_start_over_the_first_digit(targets: Tensor) -> tuple[Tensor, Tensor]:
    """START seems to stand in the place of the first digit.

    Revisit how wide the input is.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_input = F.pad(targets, (0, 1), value=12).index_fill(1, torch.tensor([0]), 10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def says_start(targets: Tensor) -> tuple[Tensor, Tensor]:
    """START seems to be among what the decoder must say.

    Revisit what the decoder is fed and never says.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, F.pad(decoder_target[:, :-1], (1, 0), value=10)


def leaves_end_out(targets: Tensor) -> tuple[Tensor, Tensor]:
    """There seems to be no END.

    Revisit how a model can learn when it has finished.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12)
    return decoder_input, decoder_target


def mixes_up_start_and_end(targets: Tensor) -> tuple[Tensor, Tensor]:
    """START and END seem to be mixed up.

    Revisit which of the two ids is 10 and which 11.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=11)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 10)
    return decoder_input, decoder_target


def uses_ids_of_another_text(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The ids seem to be those of the copy task: 1, 2 and 0.

    Revisit which ids START, END and PAD have here.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=1)
    decoder_target = F.pad(targets, (0, 1), value=0).scatter(1, length, 2)
    return decoder_input, decoder_target


def pads_the_target_with_minus_100(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The target seems to be filled up with -100.

    Revisit which id fills up a row.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    decoder_target = decoder_target.masked_fill(decoder_target == 12, -100)
    return decoder_input, decoder_target


def pads_the_input_with_zero(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The input seems to be filled up with 0, which is a digit.

    Revisit which id fills up a row.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input.masked_fill(decoder_input == 12, 0), decoder_target


def pads_the_input_with_end(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The input seems to have END in the place of PAD.

    Revisit which id fills up a row.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input.masked_fill(decoder_input == 12, 11), decoder_target


def cuts_the_last_column(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Both tensors seem to be as wide as the targets.

    Revisit how many positions the decoder has.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input[:, :-1], decoder_target[:, :-1]


def cuts_the_columns_that_nobody_needs(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Columns seem to be cut off if no number is long enough for them.

    Revisit how wide the tensors are.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    most = int(length.max()) + 1
    return decoder_input[:, :most], decoder_target[:, :most]


def makes_the_input_too_wide(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The input seems to be one token longer than the target.

    Revisit how wide both are.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return F.pad(decoder_input, (0, 1), value=12), decoder_target


def has_four_columns_always(targets: Tensor) -> tuple[Tensor, Tensor]:
    """There seem to be four columns always.

    Revisit how wide the tensors are if the targets have another width.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, max(1, 4 - targets.size(1))), value=12).scatter(
        1, length, 11
    )
    return F.pad(decoder_input, (0, 4), value=12)[:, :4], decoder_target[:, :4]


def answers_target_first(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The target seems to come before the input.

    Revisit the order of the two results.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_target, decoder_input


def answers_the_target_alone(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Only the target seems to be returned.

    Revisit what the call returns.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_target


def answers_floats(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens seem to be floats.

    Revisit the dtype of token ids.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input.float(), decoder_target.float()


def answers_int32(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens seem to be of int32.

    Revisit the dtype of token ids.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input.int(), decoder_target.int()


def answers_a_target_of_floats(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The target seems to be made of floats.

    Revisit the dtype that `torch.zeros` and `torch.empty` give.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    wide = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    decoder_target = torch.empty(wide.shape)
    decoder_target[:] = wide
    return decoder_input, decoder_target


def answers_arrays(targets: Tensor) -> tuple[Tensor, Tensor]:
    """NumPy arrays seem to be returned.

    Revisit the types of the results.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input.numpy(), decoder_target.numpy()


def answers_lists_without_pad(targets: Tensor) -> tuple[Tensor, Tensor]:
    """Lists of different lengths seem to come back.

    Revisit the shape of both results.
    """
    numbers = [[token for token in row if token != 12] for row in targets.tolist()]
    return [[10, *number] for number in numbers], [[*number, 11] for number in numbers]


def writes_into_the_targets(targets: Tensor) -> tuple[Tensor, Tensor]:
    """END seems to be written into the targets themselves.

    Revisit what has to stay as it was.
    """
    decoder_input = torch.cat([torch.full((len(targets), 1), 10), targets], dim=1)
    full = (targets[:, -1:] != 12).long()
    for row in targets:
        places = (row == 12).nonzero()
        if len(places):
            row[places[0]] = 11
    return decoder_input, torch.cat([targets, 12 - full], dim=1)


def reverses_the_digits(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The digits seem to run from right to left in the target.

    Revisit the order in which they are said.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = torch.full((len(targets), targets.size(1) + 1), 12)
    for row, count in enumerate(length.flatten().tolist()):
        decoder_target[row, :count] = targets[row, :count].flip(0)
        decoder_target[row, count] = 11
    return decoder_input, decoder_target


def fails_on_full_rows(targets: Tensor) -> tuple[Tensor, Tensor]:
    """A number that fills its row seems to raise an error.

    Revisit what `index` does where there is no PAD.
    """
    length = torch.tensor([[row.index(12)] for row in targets.tolist()])
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input, decoder_target


def loses_a_batch_of_one(targets: Tensor) -> tuple[Tensor, Tensor]:
    """The axis of the batch seems to be lost if there is one row only.

    Revisit what `squeeze` does to an axis of size 1.
    """
    length = (targets != 12).sum(dim=1, keepdim=True)
    decoder_input = F.pad(targets, (1, 0), value=10)
    decoder_target = F.pad(targets, (0, 1), value=12).scatter(1, length, 11)
    return decoder_input.squeeze(0), decoder_target.squeeze(0)
