"""Known wrong answers to `make_reverse_batch`: each docstring is the student's hint."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from solutions.copy_task import make_batch


def copies(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Nothing seems to be reversed.

    Revisit what the target must say, symbol by symbol.
    """
    return make_batch(sequences)


def reverses_the_source_too(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The source seems to be reversed like the target, so that the model learns to copy again.

    Revisit which of the three stays as it is.
    """
    return make_batch([sequence[::-1] for sequence in sequences])


def reverses_the_source_only(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The source seems to be reversed instead of the target.

    Revisit which of the three stays as it is.
    """
    source, _, _ = make_batch([sequence[::-1] for sequence in sequences])
    _, decoder_input, target = make_batch(sequences)
    return source, decoder_input, target


def forgets_the_decoder_input(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The target seems to be reversed, and the decoder input not.

    Revisit what the decoder sees before each target: the targets before it.
    """
    source, decoder_input, _ = make_batch(sequences)
    _, _, target = make_batch([sequence[::-1] for sequence in sequences])
    return source, decoder_input, target


def forgets_the_target(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The decoder input seems to be reversed, and the target not.

    Revisit what the model must say.
    """
    source, _, target = make_batch(sequences)
    _, decoder_input, _ = make_batch([sequence[::-1] for sequence in sequences])
    return source, decoder_input, target


def reverses_bos_and_eos_too(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """BOS seems to come last and EOS first.

    Revisit what is reversed: the symbols alone.
    """
    source, _, _ = make_batch(sequences)
    pads = [[0] * (3 - len(s)) for s in sequences]
    decoder_input = [[*s[::-1], 1, *pad] for s, pad in zip(sequences, pads)]
    target = [[2, *s[::-1], *pad] for s, pad in zip(sequences, pads)]
    return source, torch.tensor(decoder_input), torch.tensor(target)


def flips_whole_rows(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Whole rows seem to be flipped, with their special tokens and their padding.

    Revisit what is reversed: the symbols, before anything else is added.
    """
    source, decoder_input, target = make_batch(sequences)
    return source, decoder_input.flip(1), target.flip(1)


def flips_padded_sources(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The padding seems to be flipped with the symbols, so that short targets begin with PAD.

    Revisit a sequence of one or two symbols, and when it is filled up.
    """
    source, decoder_input, target = make_batch(sequences)
    flipped = source.flip(1)
    decoder_input = torch.cat([torch.ones_like(source[:, :1]), flipped], dim=1)
    target = torch.cat([flipped, torch.full_like(source[:, :1], 2)], dim=1)
    return source, decoder_input, target


def flips_the_target_before_eos(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The first three columns of the target seem to be flipped, EOS and padding of short rows too.

    Revisit a sequence of one or two symbols: where is its EOS?
    """
    source, decoder_input, target = make_batch(sequences)
    decoder_input = torch.cat([decoder_input[:, :1], decoder_input[:, 1:].flip(1)], dim=1)
    target = torch.cat([target[:, :3].flip(1), target[:, 3:]], dim=1)
    return source, decoder_input, target


def reverses_in_place(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences of the caller seem to be reversed after the call, so every second one copies.

    Revisit the difference between `reverse` and `reversed`.
    """
    source, _, _ = make_batch(sequences)
    for sequence in sequences:
        sequence.reverse()
    _, decoder_input, target = make_batch(sequences)
    return source, decoder_input, target


def reverses_in_place_first(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The sequences of the caller seem to be reversed, and the source with them.

    Revisit the difference between `reverse` and `reversed`.
    """
    for sequence in sequences:
        sequence.reverse()
    return make_batch(sequences)


def reverses_the_batch(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The rows seem to be reversed, and not the symbols in them.

    Revisit what `sequences[::-1]` turns round.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch(sequences[::-1])
    return source, decoder_input, target


def reverses_rows_and_symbols(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The targets seem to be those of other rows.

    Revisit the order of the rows, which is the same in all three tensors.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([sequence[::-1] for sequence in reversed(sequences)])
    return source, decoder_input, target


def sorts_in_descending_order(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The symbols seem to be sorted from high to low.

    Revisit the difference between `sorted(…, reverse=True)` and `reversed`.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([sorted(s, reverse=True) for s in sequences])
    return source, decoder_input, target


def rotates(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The last symbol seems to move to the front, and the others to keep their order.

    Revisit a sequence of three symbols: what comes second?
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([[*s[-1:], *s[:-1]] for s in sequences])
    return source, decoder_input, target


def loses_the_first_symbol(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The first symbol of the sequence seems to be lost on the way back.

    Revisit where the slice or the range ends.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([s[:0:-1] for s in sequences])
    return source, decoder_input, target


def merges_equal_symbols(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """A symbol that comes twice seems to be said once.

    Revisit what a set or a dictionary does with equal items.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([list(dict.fromkeys(s[::-1])) for s in sequences])
    return source, decoder_input, target


def reverses_long_sequences_only(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """Only sequences of three symbols seem to be reversed.

    Revisit sequences of two.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([s[::-1] if len(s) == 3 else s for s in sequences])
    return source, decoder_input, target


def takes_three_symbols_for_granted(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """Every sequence seems to be taken for one of three symbols.

    Revisit sequences of one and of two.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([[s[2], s[1], s[0]] for s in sequences])
    return source, decoder_input, target


def pads_to_the_longest(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The widths seem to be those of the longest sequence in the batch.

    Revisit the shapes in the docstring, which are the same for every batch.
    """
    longest = max(map(len, sequences))
    pads = [[0] * (longest - len(s)) for s in sequences]
    source = [[*s, *pad] for s, pad in zip(sequences, pads)]
    decoder_input = [[1, *s[::-1], *pad] for s, pad in zip(sequences, pads)]
    target = [[*s[::-1], 2, *pad] for s, pad in zip(sequences, pads)]
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def pads_on_the_left(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The padding of decoder input and target seems to stand before the tokens.

    Revisit on which side a row is filled up.
    """
    source, _, _ = make_batch(sequences)
    pads = [[0] * (3 - len(s)) for s in sequences]
    decoder_input = [[*pad, 1, *s[::-1]] for s, pad in zip(sequences, pads)]
    target = [[*pad, *s[::-1], 2] for s, pad in zip(sequences, pads)]
    return source, torch.tensor(decoder_input), torch.tensor(target)


def forgets_eos(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The target seems to have no EOS.

    Revisit what must be said after the last symbol.
    """
    source, decoder_input, _ = make_batch([s[::-1] for s in sequences])
    source, _, _ = make_batch(sequences)
    target = [[*s[::-1], *[0] * (4 - len(s))] for s in sequences]
    return source, decoder_input, torch.tensor(target)


def forgets_bos(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The decoder input seems to have no BOS.

    Revisit what the decoder sees when it must say the first symbol.
    """
    source, _, _ = make_batch(sequences)
    _, _, target = make_batch([s[::-1] for s in sequences])
    decoder_input = [[*s[::-1], *[0] * (4 - len(s))] for s in sequences]
    return source, torch.tensor(decoder_input), target


def swaps_input_and_target(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Decoder input and target seem to have changed places.

    Revisit the order of what is returned.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([s[::-1] for s in sequences])
    return source, target, decoder_input


def returns_lists(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The three parts seem to be lists of lists.

    Revisit what a model takes: tensors.
    """
    pads = [[0] * (3 - len(s)) for s in sequences]
    source = [[*s, *pad] for s, pad in zip(sequences, pads)]
    decoder_input = [[1, *s[::-1], *pad] for s, pad in zip(sequences, pads)]
    target = [[*s[::-1], 2, *pad] for s, pad in zip(sequences, pads)]
    return source, decoder_input, target


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
        decoder_input[i, : n + 1] = torch.tensor([1, *tokens[::-1]])
        target[i, : n + 1] = torch.tensor([*tokens[::-1], 2])
    return source, decoder_input, target


def returns_the_two_reversed_only(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """Only two of the three tensors seem to come back.

    Revisit what the encoder reads.
    """
    _, decoder_input, target = make_batch([s[::-1] for s in sequences])
    return decoder_input, target


def keeps_batches_of_one_size(
    sequences: Sequence[Sequence[int]], _kept: dict[int, tuple[Tensor, Tensor, Tensor]] = {}
) -> tuple[Tensor, Tensor, Tensor]:
    """The first batch of each size seems to be returned again and again.

    Revisit what the result depends on: the sequences of this call.
    """
    if len(sequences) not in _kept:
        source, _, _ = make_batch(sequences)
        _, decoder_input, target = make_batch([s[::-1] for s in sequences])
        _kept[len(sequences)] = source, decoder_input, target
    return _kept[len(sequences)]


def drops_batch_axis_of_one_sequence(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The batch axis seems to be lost if there is only one sequence.

    Revisit what `squeeze` does with an axis of size 1.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([s[::-1] for s in sequences])
    return source.squeeze(), decoder_input.squeeze(), target.squeeze()


def returns_short_targets(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The target seems to hold integers of 32 bits.

    Revisit the dtype in the docstring, which is the one that a loss takes for classes.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([s[::-1] for s in sequences])
    return source, decoder_input, target.int()


def reverses_the_callers_list(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The batch is right, but the list of the caller seems to be reversed after the call.

    Revisit the difference between `reverse` and `reversed`.
    """
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch([s[::-1] for s in sequences])
    sequences.reverse()
    return source, decoder_input, target


def shows_eos_to_the_decoder(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Short rows of the decoder input seem to have an EOS.

    Revisit what is left of a padded row if only its last column is cut off.
    """
    source, _, _ = make_batch(sequences)
    whole = torch.tensor([[1, *s[::-1], 2, *[0] * (3 - len(s))] for s in sequences])
    return source, whole[:, :-1], whole[:, 1:]


def sorts_by_where_symbols_stand_first(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """A symbol that comes twice, with another one between, seems to get a wrong place.

    Revisit what `index` finds: the first place of a symbol.
    """
    turned = [sorted(s, key=s.index, reverse=True) for s in sequences]
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch(turned)
    return source, decoder_input, target
