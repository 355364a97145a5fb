"""Cases of `training_loss`.

The model that is asked is the grader's own; its logits are drawn.
"""

import math

import torch

from autograder.checking import (
    Mismatch,
    answers,
    as_parts,
    as_tensor,
    assert_gradients,
    assert_number,
    assert_tensor,
    compare_each,
    driver,
    test_case,
)
from solutions import copy_task as reference

OK_FORMAT = False
name = "training_loss"


@driver
def gradient_of_logits(training_loss, logits, source, decoder_input, target):
    """Return the gradient of the loss by what a model answers, None where none arrives."""
    import torch

    leaf = logits.clone().requires_grad_()

    def model(source, decoder_input):
        return 1.0 * leaf  # no leaf, so that it may be written into

    loss = training_loss(model, source, decoder_input, target)
    if not isinstance(loss, torch.Tensor) or not loss.requires_grad:
        return None
    return list(torch.autograd.grad(loss.sum(), [leaf], allow_unused=True))


@driver
def batch_after(training_loss, model, batch):
    """Return the loss, and the batch as the call leaves it."""
    batch = [tensor.clone() for tensor in batch]
    return [training_loss(model, *batch), batch]


class Model:
    """A model that answers what it is told to, whatever it is asked, and notes what that was."""

    def __init__(self, logits):
        self.__name__ = "model"  # what a message calls it
        self.logits = logits
        self.calls = []

    def __call__(self, source, decoder_input):
        self.calls.append((source.clone(), decoder_input.clone()))
        return self.logits.clone()


def draw_batch(rng, target, vocabulary=12):
    """Draw logits and a batch for a target; nothing of the other two tells where it is PAD."""
    target = torch.tensor(target)
    rows, length = target.shape
    logits = torch.randn(rows, length, vocabulary, generator=rng)
    logits[..., 0] -= 30  # PAD's share of the softmax has a case of its own
    source = torch.randint(4, 12, (rows, 3), generator=rng)
    decoder_input = torch.randint(4, 12, (rows, length), generator=rng)
    decoder_input[:, 0] = 1
    decoder_input[0, 1:2] = 0
    return Model(logits), source, decoder_input, target


def draw_target(rng, *lengths, width=6, vocabulary=12):
    """Draw a row of each length, of symbols without EOS, and PAD on the right."""
    rows = [torch.randint(4, vocabulary, (n,), generator=rng).tolist() for n in lengths]
    return [row + [0] * (width - len(row)) for row in rows]


def assert_losses(training_loss, kinds, atol=1e-5):
    """Compare with the reference on batches of several kinds."""

    def compare(answer, right):
        assert_number(answer, right.item(), "the loss", atol=atol)

    found = answers(training_loss, kinds.values())
    expected = [reference.training_loss(*given) for given in kinds.values()]
    compare_each(kinds, found, expected, compare)


@test_case(points=1)
def indifferent_and_decided(training_loss):
    """A model without a preference: ln 12. One that prefers what is right: .2876"""
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    decoder_input = torch.tensor([[1, 4, 7, 9], [1, 6, 0, 0]])
    target = torch.tensor([[4, 7, 9, 2], [6, 2, 0, 0]])

    def indifferent(first, second):
        assert_tensor(first, source, "the model's first argument", atol=0.0)
        assert_tensor(second, decoder_input, "the model's second argument", atol=0.0)
        return torch.zeros(2, 4, 12)

    loss = training_loss(indifferent, source, decoder_input, target)
    assert_number(loss, math.log(12), "the loss of a model without a preference")

    def decided(first, second):
        return torch.tensor([[[1.0, 0.2, 0.1, 3.0, 0.5]]])

    loss = training_loss(decided, torch.tensor([[3]]), torch.tensor([[1]]), torch.tensor([[3]]))
    assert_number(loss, 0.2876222, "the loss of a model that prefers what is right")


@test_case(points=2, hidden=True)
def mean_over_targets(training_loss, rng):
    """The mean over all targets that are not PAD, each counted alike; EOS counts"""
    middle = draw_target(rng, 6, 6)
    middle[0][2], middle[1][1] = 0, 0
    kinds = {
        "one target": draw_batch(rng, draw_target(rng, 1, width=1)),
        "several": draw_batch(rng, draw_target(rng, 4, 4, 4, width=4)),
        "EOS": draw_batch(rng, [[4, 9, 2], [2, 5, 2]]),
        "PAD": draw_batch(rng, draw_target(rng, 3, 3)),
        "rows of very different lengths": draw_batch(rng, draw_target(rng, 6, 1, 2)),
        "a row of nothing but PAD": draw_batch(rng, draw_target(rng, 4, 0, 6)),
        "PAD between other targets": draw_batch(rng, middle),
        "another vocabulary": draw_batch(rng, draw_target(rng, 6, 3, vocabulary=20), 20),
    }
    assert_losses(training_loss, kinds)


@test_case(points=1, hidden=True)
def logit_of_pad(training_loss, rng):
    """PAD is no target, but its logit takes part in the softmax like any other"""
    kinds = {}
    for kind, size in (("a small logit of PAD", -2.0), ("a large one", 4.0)):
        model, *batch = draw_batch(rng, draw_target(rng, 1, width=1))
        model.logits[..., 0] = size
        kinds[kind] = (model, *batch)
    assert_losses(training_loss, kinds)


@test_case(points=1, hidden=True)
def one_call(training_loss, rng):
    """The model is called once, with the source and the decoder input"""
    model, *batch = draw_batch(rng, draw_target(rng, 6, 6))
    training_loss(model, *batch)
    if len(model.calls) != 1:
        raise Mismatch(f"the model is called {len(model.calls)} times")
    for found, right, label in zip(model.calls[0], batch, ("first", "second")):
        assert_tensor(found, right, f"the model's {label} argument", atol=0.0)


@test_case(points=1, hidden=True)
def extreme_logits(training_loss):
    """Logits of 10,000 and -10,000 give a finite loss"""
    large, zero = 1e4, 0.0
    logits = {
        "a model that is sure and right": [-large, zero, -large, large],
        "a model that is sure of two": [zero, -large, large, large],
        "a model that is sure and wrong": [zero, large, -large, -large],
    }
    tokens, target = torch.tensor([[1]]), torch.tensor([[3]])
    kinds = {
        kind: (Model(torch.tensor([[values]])), tokens, tokens, target)
        for kind, values in logits.items()
    }
    assert_losses(training_loss, kinds, atol=0.05)


@test_case(points=1, hidden=True)
def gradient(training_loss, rng):
    """The gradient flows back to the logits, and none to those where the target is PAD"""
    model, *batch = draw_batch(rng, draw_target(rng, 1, width=3))
    found = gradient_of_logits(training_loss, model.logits, *batch)
    expected = gradient_of_logits(reference.training_loss, model.logits, *batch)
    assert_gradients(found, expected, ["the logits"])


@test_case(points=1, hidden=True)
def batch_stays(training_loss, rng):
    """The three tensors of the batch stay as they were"""
    model, *batch = draw_batch(rng, draw_target(rng, 4, 4))
    loss, left = as_parts(batch_after(training_loss, model, batch), 2)
    as_tensor(loss, "the loss")
    for found, given, label in zip(as_parts(left, 3), batch, ("source", "decoder_input", "target")):
        assert_tensor(found, given, f"{label} after the call", atol=0.0)
