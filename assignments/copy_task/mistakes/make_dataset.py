"""Known wrong answers to `make_dataset`: each docstring is the student's hint."""

from __future__ import annotations

import itertools
import random

import numpy as np
import torch
from torch.utils.data import random_split


def never_repeats_a_symbol(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Sequences with the same symbol twice seem to be missing.

    Revisit what `itertools.permutations` leaves out, and count: 8 + 8² + 8³.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.permutations(range(4, 12), n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def lists_ascending_sequences_only(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Of all arrangements of the same symbols only the ascending one seems to be there.

    Revisit whether [4, 7] and [7, 4] are the same sequence.
    """
    symbols = range(4, 12)
    sequences = [
        list(s) for n in (1, 2, 3) for s in itertools.combinations_with_replacement(symbols, n)
    ]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def loses_the_last_symbol(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The last symbol of the vocabulary seems to be missing.

    Revisit where `range` stops.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 11), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def counts_the_unused_id(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """An id that is no symbol seems to stand in the sequences.

    Revisit which ids are symbols, which three are reserved, and which one is not used at all.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(3, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def lists_the_longest_only(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """All sequences seem to have three symbols.

    Revisit the lengths in the docstring: one to three.
    """
    sequences = [list(s) for s in itertools.product(range(4, 12), repeat=3)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def counts_the_empty_sequence(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The sequence of no symbols seems to be among the others.

    Revisit with which length the list begins.
    """
    sequences = [list(s) for n in range(4) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def pads_to_three(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Short sequences seem to be filled up with padding already.

    Revisit who pads: the function that makes a batch.
    """
    products = (s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n))
    sequences = [[*s, 0, 0][:3] for s in products]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def appends_eos(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The sequences seem to end with EOS already.

    Revisit what a sequence is here: symbols alone; the batch adds the rest.
    """
    products = (s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n))
    sequences = [[*s, 2] for s in products]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def does_not_shuffle(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The list seems to be cut as it was made, so that all that is held out begins alike.

    Revisit what a fair test needs: held-out sequences of every kind.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    cut = int(0.8 * len(sequences))
    return sequences[:cut], sequences[cut:]


def lists_the_longest_first(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The list seems to begin with the longest sequences before it is permuted.

    Revisit the order of the lengths in the docstring.
    """
    sequences = [list(s) for n in (3, 2, 1) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def lets_the_first_symbol_run_fastest(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Within a length the first symbol seems to change with each sequence, and the last one rarely.

    Revisit the order of `itertools.product`, which is that of the numbers on an odometer.
    """
    symbols = range(4, 12)
    sequences = [[a] for a in symbols]
    sequences += [[a, b] for b in symbols for a in symbols]
    sequences += [[a, b, c] for c in symbols for b in symbols for a in symbols]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def lists_in_dictionary_order(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Sequences of all lengths seem to be mixed before they are permuted: [4], [4, 4], [4, 4, 4].

    Revisit the order in the docstring: by length first.
    """
    products = (s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n))
    sequences = sorted(list(s) for s in products)
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def applies_the_inverse_permutation(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Sequence i seems to be put at place `order[i]`, instead of place i getting number `order[i]`.

    Revisit what indexing with a permutation does, with three items on paper.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled: list[list[int]] = [[]] * len(sequences)
    for i, place in enumerate(order.tolist()):
        shuffled[place] = sequences[i]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def shuffles_with_python(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The order seems to come from Python's `random`.

    Revisit which generator the docstring names: other ones give other splits.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    random.Random(seed).shuffle(sequences)
    cut = int(0.8 * len(sequences))
    return sequences[:cut], sequences[cut:]


def shuffles_with_pythons_global_state(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The order seems to come from Python's `random`, whose global state is seeded anew.

    Revisit which generator the docstring names, and what happens to others who draw from this one.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    random.seed(seed)
    random.shuffle(sequences)
    cut = int(0.8 * len(sequences))
    return sequences[:cut], sequences[cut:]


def permutes_with_numpy(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The order seems to come from NumPy.

    Revisit which generator the docstring names: other ones give other splits.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = np.random.default_rng(seed).permutation(len(sequences)).tolist()
    shuffled = [sequences[i] for i in order]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def permutes_with_numpys_global_state(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The order seems to come from NumPy, whose global state is seeded anew.

    Revisit which generator the docstring names, and what happens to others who draw from this one.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    np.random.seed(seed % 2**32)
    shuffled = [sequences[i] for i in np.random.permutation(len(sequences)).tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def seeds_the_global_generator(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The split is right, but torch's global generator seems to be seeded for it.

    Revisit `torch.Generator`, which is a generator of one's own.
    """
    torch.manual_seed(seed)
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    shuffled = [sequences[i] for i in torch.randperm(len(sequences)).tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def goes_back_to_the_initial_seed(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The global generator seems to be seeded for the split, and with its old seed afterwards.

    Revisit what "stays as it was" means: numbers may have been drawn since it was seeded.
    """
    before = torch.initial_seed()
    torch.manual_seed(seed)
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    shuffled = [sequences[i] for i in torch.randperm(len(sequences)).tolist()]
    torch.manual_seed(before)
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def ignores_the_seed(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The split seems to be that of seed 7, whatever seed is asked for.

    Revisit where the argument is used.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(7))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def takes_zero_for_no_seed(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Seed 0 seems to be taken for no seed at all.

    Revisit what `or` does with 0.
    """
    generator = torch.Generator().manual_seed(seed or 7)
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    shuffled = [sequences[i] for i in torch.randperm(len(sequences), generator=generator).tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def does_not_seed(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The split seems to be another one at each call.

    Revisit how the seed reaches the generator that `torch.randperm` draws from.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    shuffled = [sequences[i] for i in torch.randperm(len(sequences)).tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def keeps_one_generator_for_all_calls(
    seed: int = 7, _kept: dict[int, torch.Generator] = {}
) -> tuple[list[list[int]], list[list[int]]]:
    """The second call seems to go on drawing where the first one stopped.

    Revisit when the generator is made and seeded: once for each call.
    """
    generator = _kept.setdefault(seed, torch.Generator().manual_seed(seed))
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    shuffled = [sequences[i] for i in torch.randperm(len(sequences), generator=generator).tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def swaps_the_parts(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The two parts seem to have changed places: the small one is trained on.

    Revisit the order of what is returned.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[cut:], shuffled[:cut]


def holds_out_the_first_fifth(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """What is held out seems to be the beginning of the permuted list, not the rest of it.

    Revisit which end of the list is trained on.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = len(shuffled) - int(0.8 * len(shuffled))
    return shuffled[cut:], shuffled[:cut]


def rounds_up(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The cut seems to be one place too far to the right, as `random_split` makes it with shares.

    Revisit how 80 % of 584 is rounded, and give `random_split` two lengths if you use it.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    generator = torch.Generator().manual_seed(seed)
    train, held_out = random_split(sequences, [0.8, 0.2], generator=generator)
    return list(train), list(held_out)


def halves_the_list(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The cut seems to be at another share than 80 %.

    Revisit how many sequences are for training.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = len(shuffled) // 2
    return shuffled[:cut], shuffled[cut:]


def trains_on_everything(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """What is held out seems to be trained on as well.

    Revisit what the held-out part is for: sequences that the model has never seen.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    return shuffled, shuffled[int(0.8 * len(shuffled)) :]


def permutes_twice(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Each part seems to have a permutation of its own, so that some sequences are in both.

    Revisit how often the order is drawn: once, and then it is cut.
    """
    generator = torch.Generator().manual_seed(seed)
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    cut = int(0.8 * len(sequences))
    train = torch.randperm(len(sequences), generator=generator)[:cut].tolist()
    held_out = torch.randperm(len(sequences), generator=generator)[cut:].tolist()
    return [sequences[i] for i in train], [sequences[i] for i in held_out]


def draws_with_replacement(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Some sequences seem to be drawn several times, and others never.

    Revisit the difference between drawing numbers and permuting them.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    count = len(sequences)
    drawn = torch.randint(count, (count,), generator=torch.Generator().manual_seed(seed)).tolist()
    shuffled = [sequences[i] for i in drawn]
    cut = int(0.8 * count)
    return shuffled[:cut], shuffled[cut:]


def sorts_the_parts(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The parts seem to be sorted after the cut.

    Revisit in which order the sequences are returned.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    cut = int(0.8 * len(sequences))
    train, held_out = sorted(order[:cut].tolist()), sorted(order[cut:].tolist())
    return [sequences[i] for i in train], [sequences[i] for i in held_out]


def cuts_each_length_by_itself(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """Each length seems to be permuted and cut by itself.

    Revisit what is permuted: one list of all sequences.
    """
    generator = torch.Generator().manual_seed(seed)
    train, held_out = [], []
    for n in (1, 2, 3):
        sequences = [list(s) for s in itertools.product(range(4, 12), repeat=n)]
        order = torch.randperm(len(sequences), generator=generator).tolist()
        cut = int(0.8 * len(sequences))
        train += [sequences[i] for i in order[:cut]]
        held_out += [sequences[i] for i in order[cut:]]
    return train, held_out


def returns_tuples(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The sequences seem to be tuples, as `itertools.product` makes them.

    Revisit what a sequence should be according to the docstring.
    """
    sequences = [s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def returns_tensors(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The sequences seem to be tensors.

    Revisit what a sequence should be according to the docstring: a list of int.
    """
    symbols = torch.arange(4, 12)
    sequences = [*symbols.reshape(-1, 1), *torch.cartesian_prod(symbols, symbols)]
    sequences += torch.cartesian_prod(symbols, symbols, symbols)
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def holds_numbers_of_numpy(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The lists seem to hold NumPy's integers, which are no int.

    Revisit what iterating over an array gives, and what `tolist` gives.
    """
    symbols = np.arange(4, 12)
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(symbols, repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def returns_the_same_lists_again(
    seed: int = 7, _kept: dict[int, tuple[list[list[int]], list[list[int]]]] = {}
) -> tuple[list[list[int]], list[list[int]]]:
    """The same lists seem to be handed out at each call, so that whoever writes into them spoils them.

    Revisit what may be kept between calls.
    """
    if seed not in _kept:
        sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
        order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
        shuffled = [sequences[i] for i in order.tolist()]
        cut = int(0.8 * len(shuffled))
        _kept[seed] = (shuffled[:cut], shuffled[cut:])
    return _kept[seed]


def keeps_the_list_of_sequences(
    seed: int = 7, _sequences: list[list[int]] = []
) -> tuple[list[list[int]], list[list[int]]]:
    """The sequences seem to be listed once and handed out at each call, the very same lists.

    Revisit what happens to the next dataset if somebody appends EOS to a sequence of this one.
    """
    if not _sequences:
        _sequences += [
            list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)
        ]
    order = torch.randperm(len(_sequences), generator=torch.Generator().manual_seed(seed))
    shuffled = [_sequences[i] for i in order.tolist()]
    cut = int(0.8 * len(shuffled))
    return shuffled[:cut], shuffled[cut:]


def returns_the_permuted_list_only(seed: int = 7) -> tuple[list[list[int]], list[list[int]]]:
    """The list seems to come back whole.

    Revisit the cut: two lists are returned, one to train on and one to test with.
    """
    sequences = [list(s) for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)]
    order = torch.randperm(len(sequences), generator=torch.Generator().manual_seed(seed))
    return [sequences[i] for i in order.tolist()]
