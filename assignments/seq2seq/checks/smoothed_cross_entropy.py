"""Cases of `smoothed_cross_entropy`."""

import torch

from autograder.checking import (
    answer_and_inputs,
    answers,
    answers_on_views,
    assert_gradients,
    assert_number,
    assert_tensor,
    compare_each,
    gradients,
    test_case,
)
from solutions import seq2seq as reference

OK_FORMAT = False
name = "smoothed_cross_entropy"

RIGHT = {"smoothed_targets": reference.smoothed_targets}


def assert_losses(function, inputs, atol=1e-5, ask=answers):
    """Compare with the reference on inputs of several kinds."""

    def compare(answer, right):
        assert_number(answer, right.item(), "the loss", atol=atol)

    expected = [reference.smoothed_cross_entropy(*given) for given in inputs.values()]
    compare_each(inputs, ask(function, inputs.values()), expected, compare)


@test_case(points=2)
def losses_of_the_lesson(smoothed_cross_entropy):
    """The lesson's logits 3, 1, .5, .2, .1: .2876 without smoothing, .4916 with it"""
    logits, labels = torch.tensor([[3.0, 1.0, 0.5, 0.2, 0.1]]), torch.tensor([0])
    plain = smoothed_cross_entropy(logits, labels, epsilon=0.0)
    assert_number(plain, 0.2876222, "the loss for epsilon 0", atol=1e-6)
    smoothed = smoothed_cross_entropy(logits, labels)
    assert_number(smoothed, 0.4916222, "the loss for epsilon .1", atol=1e-6)


@test_case(points=2, hidden=True)
def shapes(smoothed_cross_entropy, rng):
    """The mean over all positions of a batch; one position alone works, too"""
    shapes = {
        "four positions": (4,),
        "three": (3,),
        "a batch": (2, 5),
        "three axes": (2, 2, 3),
        "a single one": (),
    }
    inputs = {}
    for kind, shape in shapes.items():
        labels = torch.randint(0, 6, shape, generator=rng)
        labels.view(-1)[:1] = 0
        inputs[kind] = (2 * torch.randn(*shape, 6, generator=rng), labels)
    assert_losses(smoothed_cross_entropy, inputs)
    views = {"tensors that are not contiguous": inputs["a batch"]}
    assert_losses(smoothed_cross_entropy, views, ask=answers_on_views)


@test_case(points=2, hidden=True)
def ignore_zero(smoothed_cross_entropy, rng):
    """0 is an id that can be ignored like any other; None ignores nothing, not even 0"""
    logits = 2 * torch.randn(3, 5, 7, generator=rng)
    labels = torch.randint(1, 7, (3, 5), generator=rng)
    labels[0, 3:], labels[2, 1:] = 0, 0
    inputs = {"None": (logits, labels, 0.1, None), "0": (logits, labels, 0.1, 0)}
    assert_losses(smoothed_cross_entropy, inputs)


@test_case(points=2, hidden=True)
def ignore_others(smoothed_cross_entropy, rng):
    """Any other id can be ignored, also one that is no class, such as -100"""
    logits = 2 * torch.randn(4, 6, generator=rng)
    kinds = {
        "an id that is a class": ([2, 5, 3, 5], 5),
        "a negative id": ([2, -100, 3, -100], -100),
        "an id beyond the classes": ([1, 9, 9, 0], 9),
        "one position that is kept": ([9, 2, 9, 9], 9),
    }
    inputs = {
        kind: (logits, torch.tensor(labels), 0.1, ignored)
        for kind, (labels, ignored) in kinds.items()
    }
    assert_losses(smoothed_cross_entropy, inputs)


@test_case(points=1, hidden=True)
def other_epsilons(smoothed_cross_entropy, rng):
    """Any epsilon from 0 to 1"""
    logits = 2 * torch.randn(3, 8, generator=rng)
    labels = torch.tensor([6, 0, 3])
    epsilons = {"epsilon 0": 0.0, "a larger epsilon": 0.25, "epsilon 1": 1.0}
    inputs = {kind: (logits, labels, epsilon) for kind, epsilon in epsilons.items()}
    inputs["epsilon 0 and an id to ignore"] = (logits, labels, 0.0, 6)
    assert_losses(smoothed_cross_entropy, inputs)


@test_case(points=2, hidden=True)
def extreme_logits(smoothed_cross_entropy):
    """Logits of 10,000 and -10,000 give a finite loss"""
    logits = torch.tensor([[1e4, 0.0, -1e4], [-1e4, 1e4, 1e4]])
    inputs = {
        "no smoothing": (logits, torch.tensor([0, 1]), 0.0),
        "smoothing": (logits, torch.tensor([0, 0]), 0.1),
    }
    assert_losses(smoothed_cross_entropy, inputs, atol=0.1)
    rest = [torch.tensor([0, 1]), 0.1, None]
    found = gradients(smoothed_cross_entropy, [logits], rest)
    expected = gradients(reference.smoothed_cross_entropy, [logits], rest)
    assert_gradients(found, expected, ["logits"], atol=1e-4)


@test_case(points=2, hidden=True)
def gradient_of_logits(smoothed_cross_entropy, rng):
    """The gradient flows back to the logits, and none to those of ignored positions"""
    logits = torch.randn(2, 3, 5, generator=rng)
    labels = torch.tensor([[1, 4, 3], [2, 3, 3]])
    for rest in ([labels, 0.1, None], [labels, 0.2, 3]):
        found = gradients(smoothed_cross_entropy, [logits], rest)
        expected = gradients(reference.smoothed_cross_entropy, [logits], rest)
        assert_gradients(found, expected, ["logits"])


@test_case(points=1, hidden=True)
def scalar_and_inputs(smoothed_cross_entropy, rng):
    """The loss is a single number, and logits and labels stay as they were"""
    logits, labels = torch.randn(2, 3, 5, generator=rng), torch.tensor([[1, 4, 3], [2, 3, 3]])
    for inputs in ((logits, labels, 0.1, None), (logits, labels, 0.1, 3)):
        loss, left = answer_and_inputs(smoothed_cross_entropy, *inputs)
        assert_number(loss, reference.smoothed_cross_entropy(*inputs).item(), "the loss")
        assert_tensor(left[0], logits, "logits after the call", atol=0.0)
        assert_tensor(left[1], labels, "labels after the call", atol=0.0)
