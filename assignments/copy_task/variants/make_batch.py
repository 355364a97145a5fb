"""Unusual right answers to `make_batch`, which must get full marks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice, repeat, zip_longest

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence


def row_by_row(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Zeros that a loop fills in."""
    source = torch.zeros(len(sequences), 3, dtype=torch.long)
    decoder_input = torch.zeros(len(sequences), 4, dtype=torch.long)
    target = torch.zeros(len(sequences), 4, dtype=torch.long)
    for i, tokens in enumerate(sequences):
        source[i, : len(tokens)] = torch.tensor(tokens)
        decoder_input[i, : len(tokens) + 1] = torch.tensor([1, *tokens])
        target[i, : len(tokens) + 1] = torch.tensor([*tokens, 2])
    return source, decoder_input, target


def token_by_token(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Two loops, a token at a time."""
    count = len(sequences)
    source = torch.full((count, 3), 0)
    decoder_input = torch.full((count, 4), 0)
    target = torch.full((count, 4), 0)
    for i in range(count):
        decoder_input[i, 0] = 1
        for j in range(len(sequences[i])):
            source[i, j] = sequences[i][j]
            decoder_input[i, j + 1] = sequences[i][j]
            target[i, j] = sequences[i][j]
        target[i, len(sequences[i])] = 2
    return source, decoder_input, target


def padded_source_with_columns(
    sequences: Sequence[Sequence[int]],
) -> tuple[Tensor, Tensor, Tensor]:
    """The other two are made from the padded source."""
    source = torch.tensor([[*s, 0, 0][:3] for s in sequences])
    decoder_input = F.pad(source, (1, 0), value=1)
    target = F.pad(source, (0, 1))
    lengths = source.count_nonzero(dim=1)
    target[torch.arange(len(source)), lengths] = 2
    return source, decoder_input, target


def eos_by_scatter(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """A scatter writes EOS."""
    rows = [torch.tensor(s, dtype=torch.int64) for s in sequences]
    padded = torch.stack([F.pad(row, (0, 4 - len(row))) for row in rows])
    lengths = torch.tensor([[len(row)] for row in rows])
    bos = torch.ones(len(rows), 1, dtype=torch.long)
    decoder_input = torch.cat([bos, padded[:, :3]], dim=1)
    return padded[:, :3], decoder_input, padded.scatter(1, lengths, 2)


def with_pad_sequence(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """The library pads, with a row of full length in front that is dropped again."""
    full = torch.zeros(3, dtype=torch.long), torch.zeros(4, dtype=torch.long)
    rows = [torch.tensor(s) for s in sequences]
    bos, eos = torch.tensor([1]), torch.tensor([2])
    source = pad_sequence([full[0], *rows], batch_first=True)[1:]
    decoder_input = pad_sequence(
        [full[1], *(torch.cat([bos, row]) for row in rows)], batch_first=True
    )[1:]
    target = pad_sequence([full[1], *(torch.cat([row, eos]) for row in rows)], batch_first=True)
    return source, decoder_input, target[1:]


def with_numpy(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """NumPy arrays, turned into tensors at the end."""
    source = np.zeros((len(sequences), 3), dtype=np.int64)
    target = np.zeros((len(sequences), 4), dtype=np.int64)
    for row, out, tokens in zip(source, target, sequences, strict=True):
        row[: len(tokens)] = tokens
        out[: len(tokens)] = tokens
        out[len(tokens)] = 2
    decoder_input = np.insert(source, 0, 1, axis=1)
    return torch.from_numpy(source), torch.from_numpy(decoder_input), torch.from_numpy(target)


def cut_from_one_row(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """One padded sentence; EOS is taken out of the decoder's half."""
    whole = torch.tensor([[1, *s, 2, *[0] * (3 - len(s))] for s in sequences])
    decoder_input = whole[:, :-1].masked_fill(whole[:, :-1] == 2, 0)
    return decoder_input[:, 1:].clone(), decoder_input, whole[:, 1:]


def with_masks_of_lengths(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Boolean masks say where the tokens go."""
    lengths = torch.tensor([len(s) for s in sequences]).unsqueeze(1)
    tokens = torch.tensor([token for s in sequences for token in s])
    source = torch.zeros(len(sequences), 3, dtype=torch.int64)
    source[torch.arange(3) < lengths] = tokens
    decoder_input = torch.zeros(len(sequences), 4, dtype=torch.int64)
    decoder_input[:, 0] = 1
    decoder_input[:, 1:] = source
    closing = (torch.arange(4) == lengths).long() * 2
    return source, decoder_input, F.pad(source, (0, 1)) + closing


def with_zip_longest(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Columns by zip_longest, with a full row in front."""

    def padded(rows: list[list[int]], width: int) -> Tensor:
        columns = zip_longest([0] * width, *rows, fillvalue=0)
        return torch.tensor(list(columns)).T[1:]

    sources = [list(s) for s in sequences]
    return (
        padded(sources, 3),
        padded([[1, *s] for s in sources], 4),
        padded([[*s, 2] for s in sources], 4),
    )


def with_endless_padding(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Chains with endless zeros, cut to the width."""

    def row(width: int, *parts: Sequence[int]) -> list[int]:
        return list(islice(chain(*parts, repeat(0)), width))

    source = [row(3, s) for s in sequences]
    decoder_input = [row(4, [1], s) for s in sequences]
    target = [row(4, s, [2]) for s in sequences]
    return tuple(torch.LongTensor(rows) for rows in (source, decoder_input, target))


def on_copies(sequences: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Lists that grow, but copies of the caller's."""
    source, decoder_input, target = [], [], []
    for s in sequences:
        read, seen, said = list(s), list(s), list(s)
        seen.insert(0, 1)
        said.append(2)
        for tokens, width in ((read, 3), (seen, 4), (said, 4)):
            while len(tokens) < width:
                tokens.append(0)
        source.append(read)
        decoder_input.append(seen)
        target.append(said)
    return torch.tensor(source), torch.tensor(decoder_input), torch.tensor(target)


def in_floats_on_the_way(sequences: Sequence[Sequence[int]]) -> list[Tensor]:
    """Floating-point numbers until the end, and a list of three."""
    table = torch.zeros(3, len(sequences), 5)
    for i, s in enumerate(sequences):
        tokens = torch.tensor(s).float()
        table[0, i, : len(s)] = table[1, i, 1 : len(s) + 1] = table[2, i, : len(s)] = tokens
        table[1, i, 0], table[2, i, len(s)] = 1, 2
    source, decoder_input, target = table.long()
    return [source[:, :3], decoder_input[:, :4], target[:, :4]]
