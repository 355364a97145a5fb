"""Unusual right answers to `make_reverse_batch`, which must get full marks."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from solutions.copy_task import make_batch


def with_two_batches(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """One batch for the source, one for the rest."""
    backwards = make_batch([list(reversed(sequence)) for sequence in sequences])
    return make_batch(sequences)[0], backwards[1], backwards[2]


def with_one_batch_of_both(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """All sequences and their reverses in one batch, cut in two."""
    count = len(sequences)
    both = [*sequences, *(tuple(s)[::-1] for s in sequences)]
    source, decoder_input, target = make_batch(both)
    return source[:count], decoder_input[count:], target[count:]


def on_its_own(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Lists, without make_batch."""
    source, decoder_input, target = [], [], []
    for s in sequences:
        pad = [0] * (3 - len(s))
        source.append([*s, *pad])
        decoder_input.append([1, *reversed(s), *pad])
        target.append([*reversed(s), 2, *pad])
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def row_by_row(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Zeros that a loop fills in."""
    source = torch.zeros(len(sequences), 3, dtype=torch.long)
    decoder_input = torch.zeros(len(sequences), 4, dtype=torch.long)
    target = torch.zeros(len(sequences), 4, dtype=torch.long)
    for i, tokens in enumerate(sequences):
        n = len(tokens)
        source[i, :n] = torch.tensor(tokens)
        target[i, :n] = source[i, :n].flip(0)
        target[i, n] = 2
        decoder_input[i, 0] = 1
        decoder_input[i, 1 : n + 1] = target[i, :n]
    return source, decoder_input, target


def by_gathering(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Column numbers counted from the end of each sequence."""
    source, decoder_input, target = make_batch(sequences)
    lengths = torch.tensor([len(s) for s in sequences]).unsqueeze(1)
    column = lengths - 1 - torch.arange(3)
    backwards = source.gather(1, column.clamp(min=0)).masked_fill(column < 0, 0)
    decoder_input = F.pad(backwards, (1, 0), value=1)
    return source, decoder_input, F.pad(backwards, (0, 1)).scatter(1, lengths, 2)


def by_swapping_the_ends(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The first and the last symbol change places: with three symbols at most, that is all."""
    swapped = []
    for sequence in sequences:
        copy = list(sequence)
        copy[0], copy[-1] = copy[-1], copy[0]
        swapped.append(copy)
    source, _, _ = make_batch(sequences)
    _, decoder_input, target = make_batch(swapped)
    return source, decoder_input, target


def by_flipping_and_rolling(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Flipped rows, rolled until their padding is on the right."""
    source = make_batch(sequences)[0]
    rows = [row.flip(0).roll(-int((row == 0).sum())) for row in source]
    return (source, *make_batch([[t for t in row.tolist() if t != 0] for row in rows])[1:])


def with_numpy(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """NumPy arrays, turned into tensors at the end."""
    parts = [np.zeros((len(sequences), width), dtype=np.int64) for width in (3, 4, 4)]
    source, decoder_input, target = parts
    decoder_input[:, 0] = 1
    for i, s in enumerate(sequences):
        backwards = np.flip(np.array(s))
        source[i, : len(s)] = s
        decoder_input[i, 1 : len(s) + 1] = target[i, : len(s)] = backwards
        target[i, len(s)] = 2
    return tuple(map(torch.from_numpy, parts))


def with_deques(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Symbols pushed in front of those before them."""
    backwards = []
    for sequence in sequences:
        row: deque[int] = deque()
        for token in sequence:
            row.appendleft(token)
        backwards.append(list(row))
    _, decoder_input, target = make_batch(backwards)
    return make_batch(sequences)[0], decoder_input, target


def reversed_and_turned_back(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """Reversed in place, and reversed once more before anybody looks."""
    source, _, _ = make_batch(sequences)
    for sequence in sequences:
        sequence.reverse()
    _, decoder_input, target = make_batch(sequences)
    for sequence in sequences:
        sequence.reverse()
    return source, decoder_input, target


def with_pad_sequence(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The library pads, with a full row in front that is dropped again."""
    full = torch.zeros(4, dtype=torch.long)
    backwards = [torch.tensor(s[::-1]) for s in sequences]
    inputs = [full, *(F.pad(row, (1, 0), value=1) for row in backwards)]
    targets = [full, *(F.pad(row, (0, 1), value=2) for row in backwards)]
    source = pad_sequence([full[:3], *map(torch.tensor, sequences)], batch_first=True)
    decoder_input = pad_sequence(inputs, batch_first=True)
    return source[1:], decoder_input[1:], pad_sequence(targets, batch_first=True)[1:]


def one_sequence_at_a_time(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """A batch for each sequence, joined."""
    rows = []
    for sequence in sequences:
        source, _, _ = make_batch([sequence])
        _, decoder_input, target = make_batch([sequence[::-1]])
        rows.append((source, decoder_input, target))
    return tuple(torch.cat(parts) for parts in zip(*rows, strict=True))
