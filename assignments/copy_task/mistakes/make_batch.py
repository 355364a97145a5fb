"""Known wrong answers to `make_batch`: each docstring is the student's hint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence


def pads_to_the_longest(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The widths seem to be those of the longest sequence in the batch.

    Revisit the shapes in the docstring, which are the same for every batch.
    """
    longest = max(map(len, sequences))
    source = [[*s, *[0] * (longest - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (longest - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (longest - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def pads_on_the_left(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The padding seems to stand before the tokens.

    Revisit on which side a row is filled up.
    """
    source = [[*[0] * (3 - len(s)), *s] for s in sequences]
    decoder_input = [[*[0] * (3 - len(s)), 1, *s] for s in sequences]
    target = [[*[0] * (3 - len(s)), *s, 2] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def pads_after_bos(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """In the decoder input the padding seems to stand between BOS and the symbols.

    Revisit where a row is filled up: on the right, after its last token.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *[0] * (3 - len(s)), *s] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def forgets_bos(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The decoder input seems to have no BOS.

    Revisit what the decoder sees when it must say the first symbol.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[*s, *[0] * (4 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def forgets_eos(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The target seems to have no EOS, so that the model never learns to stop.

    Revisit what must be said after the last symbol.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, *[0] * (4 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def puts_eos_into_the_last_column(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """EOS seems to stand at the end of the row, after the padding.

    Revisit short sequences: EOS comes right after the last symbol.
    """
    source = torch.tensor([[*s, *[0] * (3 - len(s))] for s in sequences])
    return source, F.pad(source, (1, 0), value=1), F.pad(source, (0, 1), value=2)


def fills_targets_up_with_eos(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The target seems to be filled up with EOS.

    Revisit what counts in the loss: one EOS for each sequence, and no PAD.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, *[2] * (4 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def shows_eos_to_the_decoder(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Short rows of the decoder input seem to have an EOS.

    Revisit what is left of a padded row if only its last column is cut off.
    """
    source = torch.tensor([[*s, *[0] * (3 - len(s))] for s in sequences])
    whole = torch.tensor([[1, *s, 2, *[0] * (3 - len(s))] for s in sequences])
    return source, whole[:, :-1], whole[:, 1:]


def appends_eos_to_the_source(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The source seems to have an EOS, and one column too many.

    Revisit what the source is: the sequence and nothing else.
    """
    source = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(source)


def gives_the_source_four_columns(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The source seems to be as wide as the target.

    Revisit the three shapes in the docstring.
    """
    source = [[*s, *[0] * (4 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def leaves_bos_in_the_target(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The target seems to be the decoder input itself.

    Revisit by how many positions the two are shifted against each other.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(decoder_input)


def reads_what_it_should_say(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The decoder seems to read the very tokens that it is asked for.

    Revisit by how many positions the two are shifted against each other.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(target), torch.tensor(target)


def keeps_bos_and_eos_on_both_sides(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """Decoder input and target seem to be whole sentences, BOS and EOS included.

    Revisit which of the two has BOS, and which one has EOS.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    whole = [[1, *s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(whole), torch.tensor(whole)


def begins_with_the_first_symbol(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The first symbol seems to be read and never to be asked for.

    Revisit what the decoder input begins with, and what the target begins with.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[*s, *[0] * (4 - len(s))] for s in sequences]
    target = [[*s[1:], 2, *[0] * (4 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def swaps_bos_and_eos(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """BOS and EOS seem to have changed places.

    Revisit which id opens a sequence and which one closes it.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[2, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 1, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def uses_ids_of_another_lesson(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """BOS and EOS seem to be 10 and 11, as in another lesson, where they are no symbols.

    Revisit the ids in this docstring.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[10, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 11, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def marks_ignored_targets(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The padding of the target seems to be −100, which a library's loss ignores by itself.

    Revisit what the docstring fills each row up with.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[-100] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def pads_with_the_unused_id(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The padding seems to be id 3.

    Revisit which id is PAD.
    """
    source = [[*s, *[3] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[3] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[3] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def swaps_input_and_target(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Decoder input and target seem to have changed places.

    Revisit the order of what is returned.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(target), torch.tensor(decoder_input)


def returns_no_source(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Only two of the three tensors seem to come back.

    Revisit what the encoder reads.
    """
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(decoder_input), torch.tensor(target)


def cuts_full_rows_to_three(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """All three tensors seem to have three columns, so that the longest sequences lose a token.

    Revisit the shapes in the docstring: BOS and EOS need room as well.
    """
    source = [[*s, 0, 0][:3] for s in sequences]
    decoder_input = [[1, *s, 0][:3] for s in sequences]
    target = [[*s, 2, 0][:3] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def returns_floats(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The tokens seem to be floating-point numbers.

    Revisit which dtype `torch.zeros` gives unless it is told, and what an embedding needs.
    """
    source = torch.zeros(len(sequences), 3)
    decoder_input = torch.zeros(len(sequences), 4)
    target = torch.zeros(len(sequences), 4)
    for i, tokens in enumerate(sequences):
        n = len(tokens)
        source[i, :n] = torch.tensor(tokens)
        decoder_input[i, : n + 1] = torch.tensor([1, *tokens])
        target[i, : n + 1] = torch.tensor([*tokens, 2])
    return source, decoder_input, target


def returns_short_integers(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The tokens seem to be integers of 32 bits.

    Revisit the dtype in the docstring, which is the one that a loss takes for classes.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.IntTensor(source), torch.IntTensor(decoder_input), torch.IntTensor(target)


def makes_floats_of_the_source(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The source seems to be of another dtype than the other two tensors.

    Revisit which dtype each way of making a tensor gives.
    """
    source = torch.zeros((len(sequences), 3))
    for i, tokens in enumerate(sequences):
        source[i, : len(tokens)] = torch.tensor(tokens)
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return source, torch.tensor(decoder_input), torch.tensor(target)


def returns_lists(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The three parts seem to be lists of lists.

    Revisit what a model takes: tensors.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return source, decoder_input, target


def returns_arrays(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The three parts seem to be NumPy arrays.

    Revisit what a model takes: tensors.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return np.array(source), np.array(decoder_input), np.array(target)


def appends_eos_in_place(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences of the caller seem to have an EOS after the call.

    Revisit the difference between `append` and making a new list.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = []
    for s in sequences:
        s.append(2)
        target.append([*s, *[0] * (4 - len(s))])
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def opens_with_bos_in_place(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences of the caller seem to have a BOS after the call.

    Revisit the difference between `insert` and making a new list.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = []
    for s in sequences:
        s.insert(0, 1)
        decoder_input.append(s + [0] * (4 - len(s)))
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def pads_in_place(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences of the caller seem to be filled up with padding, and EOS comes after it.

    Revisit the difference between `append` and making a new list.
    """
    for s in sequences:
        while len(s) < 3:
            s.append(0)
    source = torch.tensor(sequences)
    return source, F.pad(source, (1, 0), value=1), F.pad(source, (0, 1), value=2)


def pads_the_caller_at_the_end(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences of the caller seem to be filled up with padding.

    Revisit the difference between `append` and making a new list.
    """
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    for s in sequences:
        s.extend([0] * (3 - len(s)))
    return torch.tensor(sequences), torch.tensor(decoder_input), torch.tensor(target)


def drops_batch_axis_of_one_sequence(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The batch axis seems to be lost if there is only one sequence.

    Revisit what `squeeze` does with an axis of size 1.
    """
    source = torch.tensor([[*s, *[0] * (3 - len(s))] for s in sequences])
    decoder_input = torch.tensor([[1, *s, *[0] * (3 - len(s))] for s in sequences])
    target = torch.tensor([[*s, 2, *[0] * (3 - len(s))] for s in sequences])
    return source.squeeze(), decoder_input.squeeze(), target.squeeze()


def puts_time_first(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences seem to stand in columns.

    Revisit which axis comes first in the docstring, and what `batch_first` does.
    """
    source = pad_sequence([torch.tensor(s) for s in sequences])
    decoder_input = pad_sequence([torch.tensor([1, *s]) for s in sequences])
    target = pad_sequence([torch.tensor([*s, 2]) for s in sequences])
    return source, decoder_input, target


def sorts_by_length(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The rows seem to be sorted by the length of their sequences.

    Revisit the order of the rows: that of the sequences.
    """
    rows = sorted(sequences, key=len, reverse=True)
    source = [[*s, *[0] * (3 - len(s))] for s in rows]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in rows]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in rows]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def fills_the_first_row_only(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Only the first row seems to be filled in.

    Revisit which lines stand inside the loop, the `return` among them.
    """
    source = torch.zeros(len(sequences), 3, dtype=torch.long)
    decoder_input = torch.zeros(len(sequences), 4, dtype=torch.long)
    target = torch.zeros(len(sequences), 4, dtype=torch.long)
    for i, tokens in enumerate(sequences):
        n = len(tokens)
        source[i, :n] = torch.tensor(tokens)
        decoder_input[i, : n + 1] = torch.tensor([1, *tokens])
        target[i, : n + 1] = torch.tensor([*tokens, 2])
        return source, decoder_input, target


def makes_room_for_thirty_two(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """There seem to be 32 rows, however many sequences there are.

    Revisit what B is: the number of sequences that are given.
    """
    source = torch.zeros(32, 3, dtype=torch.long)
    decoder_input = torch.zeros(32, 4, dtype=torch.long)
    target = torch.zeros(32, 4, dtype=torch.long)
    for i, tokens in enumerate(sequences):
        n = len(tokens)
        source[i, :n] = torch.tensor(tokens)
        decoder_input[i, : n + 1] = torch.tensor([1, *tokens])
        target[i, : n + 1] = torch.tensor([*tokens, 2])
    return source, decoder_input, target


def opens_padded_rows_only(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """BOS seems to be missing where the sequence is short.

    Revisit which rows begin with BOS: all of them.
    """
    source = [[*s, *[0] * (3 - len(s))] for s in sequences]
    decoder_input = [[1, *s] if len(s) == 3 else [*s, *[0] * (4 - len(s))] for s in sequences]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in sequences]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def closes_full_rows_only(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """EOS seems to be missing where the sequence is short.

    Revisit what short sequences end with: EOS, and then PAD.
    """
    source = torch.zeros(len(sequences), 3, dtype=torch.long)
    decoder_input = torch.zeros(len(sequences), 4, dtype=torch.long)
    target = torch.zeros(len(sequences), 4, dtype=torch.long)
    for i, tokens in enumerate(sequences):
        n = len(tokens)
        source[i, :n] = target[i, :n] = torch.tensor(tokens)
        decoder_input[i, : n + 1] = torch.tensor([1, *tokens])
        if n == 3:
            target[i, 3] = 2
    return source, decoder_input, target


def closes_pairs_too_late(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """EOS seems to be right for the shortest and the longest sequences, and wrong for pairs.

    Revisit a sequence of two symbols: where is its EOS, and what comes after it?
    """
    source = torch.zeros(len(sequences), 3, dtype=torch.long)
    decoder_input = torch.zeros(len(sequences), 4, dtype=torch.long)
    target = torch.zeros(len(sequences), 4, dtype=torch.long)
    for i, tokens in enumerate(sequences):
        n = len(tokens)
        source[i, :n] = target[i, :n] = torch.tensor(tokens)
        decoder_input[i, : n + 1] = torch.tensor([1, *tokens])
        target[i, 1 if n == 1 else 3] = 2
    return source, decoder_input, target


def drops_sequences_that_come_twice(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """A sequence that comes twice seems to get one row.

    Revisit how many rows a batch has: as many as there are sequences, equal ones too.
    """
    rows = {tuple(s): None for s in sequences}
    source = [[*s, *[0] * (3 - len(s))] for s in rows]
    decoder_input = [[1, *s, *[0] * (3 - len(s))] for s in rows]
    target = [[*s, 2, *[0] * (3 - len(s))] for s in rows]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def fills_the_same_tensors_again(
    sequences: Sequence[Sequence[int]], _kept: dict[int, list[Tensor]] = {}
) -> tuple[Tensor, Tensor, Tensor]:
    """The tensors of an earlier batch of this size seem to be filled anew, with old tokens in them.

    Revisit what becomes of the first batch when the second one is made.
    """
    count = len(sequences)
    if count not in _kept:
        _kept[count] = [torch.zeros(count, width, dtype=torch.long) for width in (3, 4, 4)]
    source, decoder_input, target = _kept[count]
    for i, tokens in enumerate(sequences):
        n = len(tokens)
        source[i, :n] = target[i, :n] = torch.tensor(tokens)
        decoder_input[i, : n + 1] = torch.tensor([1, *tokens])
        target[i, n] = 2
    return source, decoder_input, target
