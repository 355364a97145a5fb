"""Cases of `smoothed_targets`."""

import torch

from autograder.checking import (
    answer_and_inputs,
    answers,
    answers_on_views,
    assert_tensor,
    compare_each,
    test_case,
)
from solutions import seq2seq as reference

OK_FORMAT = False
name = "smoothed_targets"


def assert_each(smoothed_targets, inputs, ask=answers):
    """Compare with the reference on inputs of several kinds."""
    expected = [reference.smoothed_targets(*given) for given in inputs.values()]
    compare_each(inputs, ask(smoothed_targets, inputs.values()), expected, assert_targets)


def assert_targets(answer, expected):
    assert_tensor(answer, expected, "the targets", atol=1e-6)


@test_case(points=2)
def rows_of_the_lesson(smoothed_targets):
    """The lesson's rows: .92 and .02 for five classes, .91 and .01 for ten"""
    five = torch.tensor([[0.02, 0.92, 0.02, 0.02, 0.02]])
    ten = torch.full((1, 10), 0.01)
    ten[0, 9] = 0.91
    found = answers(smoothed_targets, [(torch.tensor([1]), 5), (torch.tensor([9]), 10)])
    assert_tensor(found[0], five, "the row", atol=1e-6)
    assert_tensor(found[1], ten, "the row", atol=1e-6)


@test_case(points=2, hidden=True)
def shapes(smoothed_targets, rng):
    """Labels of any shape: one label, a row, a batch of sentences"""
    shapes = {"one label": (), "a row": (4,), "a batch": (2, 3), "three axes": (2, 3, 4)}
    drawn = {kind: torch.randint(0, 6, shape, generator=rng) for kind, shape in shapes.items()}
    assert_each(smoothed_targets, {kind: (labels, 7) for kind, labels in drawn.items()})
    views = {"labels that are not contiguous": (drawn["a batch"], 7)}
    assert_each(smoothed_targets, views, answers_on_views)


@test_case(points=2, hidden=True)
def other_epsilons(smoothed_targets):
    """Any epsilon from 0 to 1"""
    labels = torch.tensor([3, 0, 1, 4, 3])
    epsilons = {"epsilon 0": 0.0, "a larger epsilon": 0.3, "epsilon 1": 1.0}
    assert_each(smoothed_targets, {kind: (labels, 6, e) for kind, e in epsilons.items()})


@test_case(points=1, hidden=True)
def few_classes(smoothed_targets):
    """One class, and two"""
    two, one = (torch.tensor([1, 0, 1]), 2, 0.2), (torch.tensor([0, 0]), 1, 0.2)
    assert_each(smoothed_targets, {"two classes": two, "one class": one})


@test_case(points=1, hidden=True)
def dtype_and_input(smoothed_targets):
    """The targets are float32, and the labels stay as they were"""
    labels = torch.tensor([[2, 0, 1], [3, 3, 2]])
    answer, (left, _) = answer_and_inputs(smoothed_targets, labels, 5)
    edges = [(labels, 5, 0.0), (labels, 5, 1.0), (torch.zeros_like(labels), 1), (labels[0, 0], 5)]
    found = [answer, *answers(smoothed_targets, edges)]
    for given, targets in zip([(labels, 5), *edges], found):
        expected = reference.smoothed_targets(*given)
        assert_tensor(targets, expected, atol=1e-6, dtype=torch.float32)
    assert_tensor(left, labels, "the labels after the call", atol=0.0)
