"""Unusual right answers to `make_dataset`, which must get full marks."""

from __future__ import annotations

import itertools

import numpy as np
import torch
from torch.utils.data import Subset, random_split


def with_nested_loops(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Loops, one inside the other, and a loop for the split."""
    symbols = range(4, 12)
    sequences = [[a] for a in symbols]
    for a in symbols:
        for b in symbols:
            sequences.append([a, b])
    for a in symbols:
        for b in symbols:
            for c in symbols:
                sequences.append([a, b, c])
    generator = torch.Generator()
    generator.manual_seed(seed)
    train, held_out = [], []
    for place, number in enumerate(torch.randperm(584, generator=generator).tolist()):
        (train if place < 467 else held_out).append(sequences[number])
    return train, held_out


def by_growing_sequences(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Each length is made of the one before."""
    grown: list[list[int]] = [[]]
    sequences: list[list[int]] = []
    for _ in range(3):
        grown = [[*s, symbol] for s in grown for symbol in range(4, 12)]
        sequences.extend(grown)
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    cut = len(sequences) * 4 // 5
    train = [sequences[int(i)] for i in order[:cut]]
    return train, [sequences[int(i)] for i in order[cut:]]


def by_counting_in_base_eight(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The digits of numbers in base eight."""
    sequences = [
        [number // 8**place % 8 + 4 for place in reversed(range(length))]
        for length in (1, 2, 3)
        for number in range(8**length)
    ]
    order = torch.randperm(len(sequences), generator=torch.Generator("cpu").manual_seed(seed))
    shuffled = [sequences[i] for i in order]
    return shuffled[:467], shuffled[467:]


def with_cartesian_products(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Tensors until the end."""
    symbols = torch.arange(4, 12)
    sequences = [[a] for a in symbols.tolist()]
    sequences += torch.cartesian_prod(symbols, symbols).tolist()
    sequences += torch.cartesian_prod(symbols, symbols, symbols).tolist()
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    train, held_out = order.split([467, 117])
    return [sequences[i] for i in train], [sequences[i] for i in held_out]


def with_numpy_digits(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """NumPy lists the indices, torch permutes them."""
    sequences = []
    for length in (1, 2, 3):
        sequences += (np.indices((8,) * length).reshape(length, -1).T + 4).tolist()
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed)).numpy()
    cut = int(np.floor(0.8 * len(sequences)))
    return [sequences[i] for i in order[:cut]], [sequences[i] for i in order[cut:]]


def with_random_split(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The library's split into two lengths, which permutes in the same way."""
    lengths = (1, 2, 3)
    sequences = [list(s) for n in lengths for s in itertools.product(range(4, 12), repeat=n)]
    generator = torch.Generator().manual_seed(seed)
    train, held_out = random_split(sequences, [467, 117], generator=generator)
    return [*train], [*held_out]


def with_subsets(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Subsets of a data set."""
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(584, generator=torch.Generator().manual_seed(seed)).tolist()
    cut = round(0.8 * 584)
    return list(Subset(sequences, order[:cut])), list(Subset(sequences, order[cut:]))


def with_a_fork_of_the_state(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The global generator in a fork of its state, which is put back."""
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        order = torch.randperm(len(sequences)).tolist()
    cut = int(len(sequences) * 0.8)
    return [sequences[i] for i in order[:cut]], [sequences[i] for i in order[cut:]]


def with_the_state_put_back(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The global generator, whose state is saved and put back."""
    state = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        order = torch.randperm(584).tolist()
    finally:
        torch.set_rng_state(state)
    every = [s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    shuffled = list(map(list, map(every.__getitem__, order)))
    return shuffled[:-117], shuffled[-117:]


def sorted_by_place(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Sequences sorted by the places that they get, which the inverse permutation tells."""
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    place = torch.argsort(order).tolist()
    shuffled = [s for _, s in sorted(zip(place, sequences, strict=True), key=lambda pair: pair[0])]
    return shuffled[:467], shuffled[467:]


def sorted_by_length(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Products with blanks, without them, each once, in the order of the list."""
    padded = itertools.product([None, *range(4, 12)], repeat=3)
    found = {tuple(token for token in s if token is not None) for s in padded} - {()}
    sequences = [list(s) for s in sorted(found, key=lambda s: (len(s), s))]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    return shuffled[: len(shuffled) * 80 // 100], shuffled[len(shuffled) * 80 // 100 :]


def from_a_cached_table(
    seed: int = 7, _table: list[tuple[int, ...]] = []
) -> tuple[list[list[int]], list[list[int]]]:
    """A table that is made once, of tuples, which nobody can write into."""
    if not _table:
        _table.extend(s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n))
    order = torch.randperm(len(_table), generator=torch.Generator().manual_seed(seed)).tolist()
    shuffled = [list(_table[i]) for i in order]
    return shuffled[:467], shuffled[467:]
