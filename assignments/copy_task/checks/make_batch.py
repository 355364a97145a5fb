"""Cases of `make_batch`."""

import torch

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    as_tensor,
    assert_shape,
    assert_tensor,
    compare_each,
    test_case,
)
from solutions import copy_task as reference

OK_FORMAT = False
name = "make_batch"

LABELS = ("the source", "the decoder input", "the target")


def three_parts(answer):
    """Unpack an answer that must be three tensors."""
    if answer is None:
        raise Mismatch("the result is None: is there a `return`?")
    if not isinstance(answer, (tuple, list)) or len(answer) != 3:
        raise Mismatch("the result is not the three tensors (source, decoder_input, target)")
    return answer


def assert_batch(answer, expected):
    for found, right, label in zip(three_parts(answer), expected, LABELS):
        assert_tensor(found, right, label, atol=0.0)


def draw_sequences(rng, *lengths):
    """Draw a sequence of each length; no two begin with the same symbol."""
    firsts = torch.randperm(8, generator=rng).tolist()
    rest = torch.randint(4, 12, (len(lengths), 2), generator=rng).tolist()
    return [[4 + first, *others][:n] for first, others, n in zip(firsts, rest, lengths)]


def assert_part(make_batch, rng, number):
    """Compare one of the three parts, for batches that have a sequence of three symbols."""
    kinds = {
        "sequences of three symbols": draw_sequences(rng, 3, 3),
        "two symbols": draw_sequences(rng, 3, 2),
        "one symbol": draw_sequences(rng, 3, 1),
        "all lengths": draw_sequences(rng, 2, 1, 3, 3, 1, 2, 3),
        "a sequence twice": draw_sequences(rng, 3, 2, 1) * 2,
    }
    found = answers(make_batch, [(sequences,) for sequences in kinds.values()])
    expected = [reference.make_batch(sequences)[number] for sequences in kinds.values()]

    def compare(answer, right):
        assert_tensor(three_parts(answer)[number], right, LABELS[number], atol=0.0)

    compare_each(kinds, found, expected, compare)


@test_case(points=2)
def batch_of_the_lesson(make_batch):
    """The lesson's sequences [4, 7, 9] and [6]"""
    expected = [
        torch.tensor([[4, 7, 9], [6, 0, 0]]),
        torch.tensor([[1, 4, 7, 9], [1, 6, 0, 0]]),
        torch.tensor([[4, 7, 9, 2], [6, 2, 0, 0]]),
    ]
    assert_batch(make_batch([[4, 7, 9], [6]]), expected)


@test_case(points=1, hidden=True)
def sources(make_batch, rng):
    """The source of sequences of all lengths"""
    assert_part(make_batch, rng, 0)


@test_case(points=1, hidden=True)
def decoder_inputs(make_batch, rng):
    """The decoder input of sequences of all lengths"""
    assert_part(make_batch, rng, 1)


@test_case(points=1, hidden=True)
def targets(make_batch, rng):
    """The target of sequences of all lengths"""
    assert_part(make_batch, rng, 2)


@test_case(points=1, hidden=True)
def widths(make_batch, rng):
    """The widths are 3, 4 and 4, whatever the longest sequence is; one sequence is a batch, too"""
    kinds = {
        "one sequence of three symbols": draw_sequences(rng, 3),
        "pairs": draw_sequences(rng, 2, 2),
        "one pair": draw_sequences(rng, 2),
        "single symbols": draw_sequences(rng, 1, 1, 1, 1, 1),
        "one symbol alone": draw_sequences(rng, 1),
    }
    found = answers(make_batch, [(sequences,) for sequences in kinds.values()])
    compare_each(kinds, found, list(map(reference.make_batch, kinds.values())), assert_batch)


@test_case(points=1, hidden=True)
def dtype(make_batch, rng):
    """All three are tensors of int64"""
    sequences = draw_sequences(rng, 3, 3)
    answer = three_parts(make_batch(sequences))
    right = reference.make_batch(sequences)
    assert_tensor(answer[0], right[0], LABELS[0], atol=0.0)
    for found, width, label in zip(answer, (3, 4, 4), LABELS):
        assert_shape(as_tensor(found, label), (2, width), label)
        assert_tensor(found, as_tensor(found), label, dtype=torch.int64)
        if not isinstance(found, torch.Tensor):
            raise Mismatch(f"{label} is not a tensor")


@test_case(points=1, hidden=True)
def inputs_stay(make_batch, rng):
    """The sequences stay as they were"""
    sequences = draw_sequences(rng, 3, 1, 2, 3)
    answer, (left,) = answer_and_inputs(make_batch, sequences)
    right = reference.make_batch(sequences)
    assert_tensor(three_parts(answer)[0], right[0], LABELS[0], atol=0.0)
    if left != sequences:
        raise Mismatch("the sequences are others after the call than before")
