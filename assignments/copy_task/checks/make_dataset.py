"""Cases of `make_dataset`."""

import itertools

import torch

from autograder.checking import (
    Mismatch,
    answers,
    as_parts,
    as_tensor,
    as_tokens,
    assert_pair,
    compare_each,
    driver,
    test_case,
)
from solutions import copy_task as reference

OK_FORMAT = False
name = "make_dataset"

NAMES = ("train", "held_out")


@driver
def dataset_twice(make_dataset, seed):
    """Write into all lists of one dataset, and return it as it was, and the next one."""
    import copy

    first = make_dataset(seed)
    before = copy.deepcopy(first)
    for part in first if isinstance(first, (list, tuple)) else []:
        for sequence in part if isinstance(part, (list, tuple)) else []:
            if isinstance(sequence, list):
                sequence.append(99)
        if isinstance(part, list):
            part.reverse()
    return [before, make_dataset(seed)]


@driver
def draws_around(make_dataset, seed, others):
    """Seed three generators and draw; make a dataset; return it and what they draw next."""
    import random

    import numpy as np
    import torch

    torch.default_generator.manual_seed(others)
    np.random.seed(others)
    random.seed(others)
    _ = torch.rand(5), np.random.rand(5), random.getrandbits(5)
    dataset = make_dataset(seed)
    drawn = [np.random.randint(1 << 30), random.getrandbits(30)]
    return [dataset, torch.randint(1 << 30, (3,)), *drawn]


def draw_seeds(rng, count=1):
    return torch.randint(10, 1 << 20, (count,), generator=rng).tolist()


def as_sequences(part, label):
    """Take a part of a dataset as a list of lists of ints, whatever it is made of."""
    rows = part.tolist() if hasattr(part, "tolist") else part
    if not isinstance(rows, (list, tuple)):
        raise Mismatch(f"{label} is not a list of sequences")
    return [as_tokens(row, f"a sequence of {label}") for row in rows]


def as_dataset(answer):
    """Take an answer as the two parts of a dataset."""
    return [as_sequences(part, label) for part, label in zip(assert_pair(answer, NAMES), NAMES)]


def assert_sizes(parts):
    for part, label, size in zip(parts, NAMES, (467, 117)):
        if len(part) != size:
            raise Mismatch(f"{label} has {len(part)} sequences, not {size}")


def assert_worth_a_look(parts):
    """Demand sequences enough: nothing is kept as it should be where there is nothing."""
    for part, label, few in zip(parts, NAMES, (50, 20)):
        if len(set(map(tuple, part))) < few:
            raise Mismatch(f"{label} has only a few different sequences")


def assert_same_order(answer, expected):
    """Compare both parts sequence by sequence."""
    parts = as_dataset(answer)
    assert_sizes(parts)
    for part, right, label in zip(parts, expected, NAMES):
        if (count := sum(a != b for a, b in zip(part, right))) > 0:
            raise Mismatch(f"{count} of {len(right)} places of {label} hold another sequence")


@test_case(points=1)
def split_of_the_lesson(make_dataset):
    """The lesson's split: 467 and 117 sequences, and [11, 10, 11] is the first that is held out"""
    parts = as_dataset(make_dataset())
    assert_sizes(parts)
    for part, label, right in zip(parts, NAMES, ([5, 49, 413], [3, 15, 99])):
        lengths = [sum(len(sequence) == n for sequence in part) for n in (1, 2, 3)]
        if lengths != right:
            wrong = f"{label} has not the right number of sequences of one, two and three symbols"
            raise Mismatch(wrong, f"expected {right}, got {lengths}")
    first = parts[1][0]
    if first != [11, 10, 11]:
        raise Mismatch("the first held-out sequence is another one", f"it is {first}")


@test_case(points=1, hidden=True)
def every_sequence_once(make_dataset, rng):
    """Under any seed each of the 584 sequences is in one of the two parts, and in one only"""
    train, held_out = as_dataset(make_dataset(draw_seeds(rng)[0]))
    train, held_out = list(map(tuple, train)), list(map(tuple, held_out))
    every = {s for n in (1, 2, 3) for s in itertools.product(range(4, 12), repeat=n)}
    if not every.issuperset(train + held_out):
        raise Mismatch("there is a sequence that is none of the 584")
    if both := set(train) & set(held_out):
        count = f"{len(both)} sequence is" if len(both) == 1 else f"{len(both)} sequences are"
        raise Mismatch(f"{count} in both parts")
    if missing := every - set(train) - set(held_out):
        are = "is" if len(missing) == 1 else "are"
        raise Mismatch(f"{len(missing)} of the 584 sequences {are} missing")
    assert_sizes([train, held_out])


@test_case(points=1, hidden=True)
def order(make_dataset, rng):
    """The order under other seeds, 0 too: that of the list, permuted by `torch.randperm`"""
    seeds = {"seed 7": 7, "another seed": draw_seeds(rng)[0], "seed 0": 0}
    found = answers(make_dataset, [(seed,) for seed in seeds.values()])
    compare_each(seeds, found, list(map(reference.make_dataset, seeds.values())), assert_same_order)


@test_case(points=1, hidden=True)
def lists_of_ints(make_dataset, rng):
    """Each part is a list of lists, and these hold plain ints"""
    answer = make_dataset(draw_seeds(rng)[0])
    assert_worth_a_look(as_dataset(answer))
    for part, label in zip(answer, NAMES):
        if not isinstance(part, list):
            raise Mismatch(f"{label} is not a list")
        if not all(isinstance(sequence, list) for sequence in part):
            raise Mismatch(f"a sequence of {label} is not a list")
        if not all(type(token) is int for sequence in part for token in sequence):
            raise Mismatch(f"a sequence of {label} holds something else than an int")


@test_case(points=1, hidden=True)
def new_lists(make_dataset, rng):
    """A second call gives the same split, even if all lists of the first have been written into"""
    first, second = as_parts(dataset_twice(make_dataset, draw_seeds(rng)[0]), 2)
    assert_worth_a_look(as_dataset(first))
    if as_dataset(first) != as_dataset(second):
        raise Mismatch("the second call gives another split than the first")


@test_case(points=1, hidden=True)
def global_state(make_dataset, rng):
    """Random numbers that others draw are the same with and without a call"""
    seed, others = draw_seeds(rng, 2)
    dataset, *found = as_parts(draws_around(make_dataset, seed, others), 4)
    assert_worth_a_look(as_dataset(dataset))
    _, *expected = draws_around(reference.make_dataset, seed, others)
    generators = ("torch", "NumPy", "Python's `random`")
    for drawn, right, whose in zip(found, expected, generators):
        if not torch.equal(as_tensor(drawn).flatten(), torch.as_tensor(right).flatten()):
            raise Mismatch(f"after the call, {whose} draws other random numbers than without it")
