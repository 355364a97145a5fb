"""Cases of `attention_masks`."""

import torch

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    assert_pair,
    assert_tensor,
    compare_each,
    test_case,
)
from solutions import copy_task as reference

OK_FORMAT = False
name = "attention_masks"

NAMES = ("source_visible", "target_visible")


def assert_masks(answer, expected, dtype=None):
    for found, right, label in zip(assert_pair(answer, NAMES), expected, NAMES):
        assert_tensor(found, right, label, atol=0.0, dtype=dtype)


def assert_one_mask(attention_masks, kinds, number):
    """Compare one of the two masks; sources and targets are equally long.

    Args:
        attention_masks: the student's.
        kinds: (source, target_prefix) for each kind.
        number: which mask.
    """
    found = answers(attention_masks, kinds.values())
    expected = [reference.attention_masks(*given)[number] for given in kinds.values()]

    def compare(answer, right):
        assert_tensor(assert_pair(answer, NAMES)[number], right, NAMES[number], atol=0.0)

    compare_each(kinds, found, expected, compare)


def draw_symbols(rng, rows, length):
    return torch.randint(4, 12, (rows, length), generator=rng)


def padded_kinds(rng):
    """Draw tokens with PAD in all sorts of places."""
    right, inside, left, whole, special = (draw_symbols(rng, 3, 5) for _ in range(5))
    right[0, 3:], right[1, 1:] = 0, 0
    inside[0, 2], inside[1, 1], inside[2, 1:4] = 0, 0, 0
    left[0, :1], left[2, :3] = 0, 0
    whole[1] = 0
    special[:, 0], special[0, 4], special[2, 1:3] = 1, 2, torch.tensor([3, 2])
    special[1, 2:] = torch.tensor([2, 0, 0])
    return {
        "no PAD": draw_symbols(rng, 3, 5),
        "PAD at the end": right,
        "the other special ids": special,
        "PAD inside": inside,
        "PAD in front": left,
        "nothing but PAD": whole,
    }


@test_case(points=2)
def batch_of_two(attention_masks):
    """A batch of two: the sources [4, 7, 9] and [6], and their decoder inputs"""
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    target_prefix = torch.tensor([[1, 4, 7, 9], [1, 6, 0, 0]])
    source_visible = [[[[True, True, True]]], [[[True, False, False]]]]
    target_visible = [
        [[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]],
        [[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]],
    ]
    expected = (torch.tensor(source_visible), torch.tensor(target_visible).bool())
    assert_masks(attention_masks(source, target_prefix), expected)


@test_case(points=1, hidden=True)
def source_padding(attention_masks, rng):
    """The source: every key is visible that is not PAD, wherever PAD stands"""
    kinds = {k: (tokens, draw_symbols(rng, 3, 5)) for k, tokens in padded_kinds(rng).items()}
    assert_one_mask(attention_masks, kinds, 0)


@test_case(points=2, hidden=True)
def target_padding(attention_masks, rng):
    """The target: no key is visible that is PAD or later; queries that are PAD are like others"""
    kinds = {k: (draw_symbols(rng, 3, 5), tokens) for k, tokens in padded_kinds(rng).items()}
    assert_one_mask(attention_masks, kinds, 1)


@test_case(points=1, hidden=True)
def sizes(attention_masks, rng):
    """Other sizes, without PAD: source and target differ in length, one token, one row"""
    shapes = {
        "a longer target": (2, 3, 6),
        "a longer source": (2, 7, 4),
        "a target of one token": (3, 4, 1),
        "a source of one token": (3, 1, 4),
        "one row": (1, 3, 4),
        "one row of one token": (1, 1, 1),
        "long rows": (2, 50, 60),
    }
    kinds = {
        kind: (draw_symbols(rng, rows, s), draw_symbols(rng, rows, t))
        for kind, (rows, s, t) in shapes.items()
    }
    expected = [reference.attention_masks(*given) for given in kinds.values()]
    compare_each(kinds, answers(attention_masks, kinds.values()), expected, assert_masks)


@test_case(points=1, hidden=True)
def dtype(attention_masks, rng):
    """Both masks are tensors of bool"""
    tokens = draw_symbols(rng, 2, 4)
    answer, expected = attention_masks(tokens, tokens), reference.attention_masks(tokens, tokens)
    assert_masks(answer, expected, dtype=torch.bool)
    for found, label in zip(answer, NAMES):
        if not isinstance(found, torch.Tensor):
            raise Mismatch(f"{label} is not a tensor")


@test_case(points=1, hidden=True)
def inputs_stay(attention_masks, rng):
    """The tokens are the same after the call as before"""
    inputs = [padded_kinds(rng)["PAD at the end"] for _ in range(2)]
    answer, left = answer_and_inputs(attention_masks, *inputs)
    source_visible, _ = assert_pair(answer, NAMES)
    right, _ = reference.attention_masks(*inputs)
    assert_tensor(source_visible, right, "source_visible", atol=0.0)
    for found, given, label in zip(left, inputs, ("source", "target_prefix")):
        assert_tensor(found, given, f"{label} after the call", atol=0.0)
