"""Cases of `decoder_tensors`."""

import torch

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    as_tensor,
    assert_pair,
    assert_shape,
    assert_tensor,
    compare_each,
    test_case,
)
from solutions import digit_reader as reference

OK_FORMAT = False
name = "decoder_tensors"

LABELS = ("decoder_input", "decoder_target")


def assert_both(answer, expected):
    for found, right, label in zip(assert_pair(answer, LABELS), expected, LABELS):
        assert_tensor(found, right, label, atol=0.0)


def draw_targets(rng, width, lengths):
    """Draw a number of each length, filled up with PAD."""
    digits = torch.randint(0, 10, (len(lengths), width), generator=rng)
    return digits.masked_fill(torch.arange(width) >= torch.tensor(lengths)[:, None], 12)


def draw_zeros(rng, width, lengths):
    """Draw numbers in which 0 stands first, last, or everywhere."""
    targets = draw_targets(rng, width, lengths)
    targets[:, 0] = 0
    for row, length in enumerate(lengths):
        if row % 3:
            targets[row, row % 3 - 1 : length] = 0
    return targets


def assert_part(decoder_tensors, kinds, number):
    """Compare one of the two parts on targets of several kinds."""
    found = answers(decoder_tensors, [(targets,) for targets in kinds.values()])
    expected = [reference.decoder_tensors(targets)[number] for targets in kinds.values()]

    def compare(answer, right):
        assert_tensor(assert_pair(answer, LABELS)[number], right, LABELS[number], atol=0.0)

    compare_each(kinds, found, expected, compare)


@test_case(points=2)
def two_numbers(decoder_tensors):
    """The numbers 479 and 6"""
    answer = decoder_tensors(torch.tensor([[4, 7, 9], [6, 12, 12]]))
    fed = torch.tensor([[10, 4, 7, 9], [10, 6, 12, 12]])
    said = torch.tensor([[4, 7, 9, 11], [6, 11, 12, 12]])
    assert_both(answer, (fed, said))


@test_case(points=2, hidden=True)
def inputs(decoder_tensors, rng):
    """The decoder input: START, the digits, PADs"""
    kinds = {
        "numbers of three digits": draw_targets(rng, 3, [3, 3, 3, 3]),
        "numbers of two": draw_targets(rng, 3, [2, 2, 2]),
        "numbers of one": draw_targets(rng, 3, [1, 1, 1]),
        "numbers of all lengths": draw_targets(rng, 3, [2, 1, 3, 3, 1, 2, 1]),
        "many numbers": draw_targets(rng, 3, [1, 2, 3] * 30),
        "numbers with zeros": draw_zeros(rng, 3, [1, 2, 3, 3, 2, 1, 2, 3]),
    }
    assert_part(decoder_tensors, kinds, 0)


@test_case(points=2, hidden=True)
def short_numbers(decoder_tensors, rng):
    """The decoder target of numbers that do not fill their row: the digits, END, PADs"""
    kinds = {
        "numbers of two digits": draw_targets(rng, 3, [2, 2, 2]),
        "numbers of one": draw_targets(rng, 3, [1, 1, 1, 1]),
        "both": draw_targets(rng, 3, [1, 2, 2, 1, 2]),
        "longer rows": draw_targets(rng, 6, [5, 2, 1, 4, 3]),
        "rows of two": draw_targets(rng, 2, [1, 1]),
        "numbers with zeros": draw_zeros(rng, 3, [1, 2, 1, 2, 2, 1]),
    }
    assert_part(decoder_tensors, kinds, 1)


@test_case(points=1, hidden=True)
def full_rows(decoder_tensors, rng):
    """The decoder target of numbers that fill their row: the digits, and END behind the last"""
    kinds = {
        "full rows alone": draw_targets(rng, 3, [3, 3, 3, 3, 3]),
        "full rows and others": draw_targets(rng, 3, [3, 1, 3, 2, 2, 3]),
        "longer rows": draw_targets(rng, 5, [5, 5, 5]),
        "rows of one": draw_targets(rng, 1, [1, 1]),
        "numbers with zeros": draw_zeros(rng, 3, [3, 3, 3, 3, 3, 3]),
    }
    assert_part(decoder_tensors, kinds, 1)


@test_case(points=1, hidden=True)
def widths(decoder_tensors, rng):
    """One column more than the targets have, whatever their width, and batches of one number"""
    kinds = {
        "rows of three": draw_targets(rng, 3, [2, 3, 1]),
        "rows of two": draw_targets(rng, 2, [2, 1, 1, 2]),
        "rows of five": draw_targets(rng, 5, [5, 1, 3, 4, 2]),
        "rows of one": draw_targets(rng, 1, [1, 1, 1]),
        "long rows": draw_targets(rng, 30, [20, 30]),
        "rows that nobody fills": draw_targets(rng, 4, [2, 1]),
        "one number": draw_targets(rng, 3, [2]),
        "one number that fills its row": draw_targets(rng, 2, [2]),
        "one digit": draw_targets(rng, 1, [1]),
    }
    found = answers(decoder_tensors, [(targets,) for targets in kinds.values()])
    compare_each(kinds, found, list(kinds.values()), assert_widths)


def assert_widths(answer, targets):
    for part, label in zip(assert_pair(answer, LABELS), LABELS):
        assert_shape(as_tensor(part, label), (len(targets), targets.size(1) + 1), label)


@test_case(points=1, hidden=True)
def dtype(decoder_tensors, rng):
    """Both are tensors of int64"""
    targets = draw_targets(rng, 3, [3, 3, 3])
    answer = decoder_tensors(targets)
    assert_worth_a_look(answer, targets)
    for found, label in zip(answer, LABELS):
        assert_tensor(found, as_tensor(found, label), label, dtype=torch.int64)
        if not isinstance(found, torch.Tensor):
            raise Mismatch(f"{label} is a {type(found).__name__}, not a tensor")


def assert_worth_a_look(answer, targets):
    """Demand the digits of the targets: nothing is as it should be where there is nothing."""
    for part, label in zip(assert_pair(answer, LABELS), LABELS):
        held = set(as_tensor(part, label).flatten().tolist())
        if not held.issuperset(set(targets[:, 1].tolist()) - {0}):  # a lost 0 has cases of its own
            raise Mismatch(f"{label} does not hold the digits of the targets")


@test_case(points=1, hidden=True)
def targets_stay(decoder_tensors, rng):
    """The targets stay as they were"""
    targets = draw_targets(rng, 3, [2, 3, 2, 3, 2])
    answer, (left,) = answer_and_inputs(decoder_tensors, targets)
    assert_worth_a_look(answer, targets)
    assert_tensor(left, targets, "targets after the call", atol=0.0)
