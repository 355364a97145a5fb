"""Cases of `shift_targets`."""

import torch

from autograder.checking import (
    answer_and_inputs,
    answers,
    assert_pair,
    assert_tensor,
    compare_each,
    test_case,
)
from solutions import seq2seq as reference

OK_FORMAT = False
name = "shift_targets"


def assert_shifted(answer, expected, dtype=None):
    names = ("decoder_input", "labels")
    for label, found, right in zip(names, assert_pair(answer, names), expected):
        assert_tensor(found, right, label, atol=0.0, dtype=dtype)


@test_case(points=2)
def sentence_of_the_lesson(shift_targets):
    """The lesson's sentence [10, 3, 3, 11]"""
    expected = (torch.tensor([[10, 3, 3]]), torch.tensor([[3, 3, 11]]))
    assert_shifted(shift_targets(torch.tensor([[10, 3, 3, 11]])), expected)


@test_case(points=3, hidden=True)
def padded_batch(shift_targets, rng):
    """A batch: padding and special tokens inside a row stay where they are"""
    target = torch.randint(0, 12, (5, 7), generator=rng)
    target[1, 4:] = 0
    target[2, 3], target[2, 5], target[3, 2] = 10, 11, 11
    assert_shifted(shift_targets(target), reference.shift_targets(target))


@test_case(points=1, hidden=True)
def lengths(shift_targets, rng):
    """The shortest sentences, and long ones"""
    shapes = {
        "one pair": (1, 2),
        "a batch of pairs": (3, 2),
        "long sentences": (2, 40),
        "padding at every end": (3, 5),
    }
    targets = [torch.randint(12, 60000, shape, generator=rng) for shape in shapes.values()]
    for target in targets:
        target[0, -1] = 0
    targets[-1][:, 3:] = 0
    found = answers(shift_targets, [(target,) for target in targets])
    compare_each(shapes, found, list(map(reference.shift_targets, targets)), assert_shifted)


@test_case(points=1, hidden=True)
def dtype(shift_targets):
    """Token ids stay int64"""
    target = torch.tensor([[10, 3, 0, 11], [1, 11, 5, 2]])
    assert_shifted(shift_targets(target), reference.shift_targets(target), dtype=torch.int64)


@test_case(points=1, hidden=True)
def input_stays(shift_targets, rng):
    """The target is the same after the call as before"""
    target = torch.randint(1, 10, (3, 6), generator=rng)
    answer, (left,) = answer_and_inputs(shift_targets, target)
    assert_shifted(answer, reference.shift_targets(target))
    assert_tensor(left, target, "the target after the call", atol=0.0)
