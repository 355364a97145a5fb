"""Cases of `smoothed_targets`."""

import torch

from autograder.checking import assert_tensor, inputs_after_call, test_case
from solutions import seq2seq as reference

OK_FORMAT = False
name = "smoothed_targets"


@test_case(points=2)
def rows_of_the_lesson(smoothed_targets):
    """The lesson's rows: .92 and .02 for five classes, .91 and .01 for ten"""
    five = torch.tensor([[0.02, 0.92, 0.02, 0.02, 0.02]])
    assert_tensor(smoothed_targets(torch.tensor([1]), 5), five, "the row", atol=1e-6)
    ten = torch.full((1, 10), 0.01)
    ten[0, 9] = 0.91
    assert_tensor(smoothed_targets(torch.tensor([9]), 10), ten, "the row", atol=1e-6)


@test_case(points=2, hidden=True)
def shapes(smoothed_targets, rng):
    """Labels of any shape: one label, a row, a batch of sentences"""
    for shape in ((), (4,), (2, 3), (2, 3, 4)):
        labels = torch.randint(0, 6, shape, generator=rng)
        expected = reference.smoothed_targets(labels, 7)
        assert_tensor(smoothed_targets(labels, 7), expected, "the targets", atol=1e-6)


@test_case(points=2, hidden=True)
def other_epsilons(smoothed_targets):
    """Any epsilon from 0 to 1"""
    labels = torch.tensor([3, 0, 1, 4, 3])
    for epsilon in (0.0, 0.3, 1.0):
        expected = reference.smoothed_targets(labels, 6, epsilon)
        assert_tensor(smoothed_targets(labels, 6, epsilon), expected, "the targets", atol=1e-6)


@test_case(points=1, hidden=True)
def few_classes(smoothed_targets):
    """One class, and two"""
    for labels, classes in ((torch.tensor([0, 0]), 1), (torch.tensor([1, 0, 1]), 2)):
        expected = reference.smoothed_targets(labels, classes, 0.2)
        assert_tensor(smoothed_targets(labels, classes, 0.2), expected, "the targets", atol=1e-6)


@test_case(points=1, hidden=True)
def dtype_and_input(smoothed_targets):
    """The targets are float32, and the labels stay as they were"""
    labels = torch.tensor([[2, 0, 1], [3, 3, 2]])
    expected = reference.smoothed_targets(labels, 5)
    assert_tensor(smoothed_targets(labels, 5), expected, atol=1e-6, dtype=torch.float32)
    left = inputs_after_call(smoothed_targets, labels, 5)
    assert_tensor(left[0], labels, "the labels after the call", atol=0.0)
