"""Cases of `EncoderBlock`.

Another class stands in for the student's `MultiHeadAttention`.
"""

import functools

import torch

from autograder.checking import (
    assert_loaded_gradients,
    assert_no_trace,
    assert_tensor,
    call_loaded,
    calls_in_turn,
    compare_each,
    driver,
    loaded_answers,
    loaded_gradients,
    put_weights,
    random_weights,
    standing_in,
    test_case,
)
from solutions import copy_task as reference
from solutions.copy_task_parts import among_right_parts

OK_FORMAT = False
name = "EncoderBlock"

PARTS = ("MultiHeadAttention",)
KINDS = {  # (D, H, inner), the numbers of rows and positions, and the shape of the mask
    "a mask for each row": ((8, 2, 12), (3, 5), (3, 1, 1, 5)),
    "one for each row and query": ((6, 3, 4), (2, 4), (2, 1, 4, 4)),
    "one for each head": ((4, 4, 9), (2, 3), (4, 3, 3)),
    "one of two axes": ((10, 1, 3), (4, 6), (6, 6)),
    "one token": ((6, 2, 20), (1, 1), (1, 1, 1, 1)),
}


@driver
def block_that_averages(EncoderBlock, sizes, weights, inputs):
    """Run a block in which the mean of the visible values stands in for `MultiHeadAttention`.

    That is what attention comes to if all scores are equal.
    """
    from torch import nn

    class Mean(nn.Module):
        def __init__(self, width, heads):
            super().__init__()
            self.heads = heads
            for part in ("query", "key", "value", "output"):
                setattr(self, part, nn.Linear(width, width))

        def forward(self, x, memory, visible):
            shares = visible / visible.sum(-1, keepdim=True)
            mean = shares[:, 0] @ self.value(memory)
            return self.output(mean.expand(x.shape)), shares

    def work():
        return call_loaded(EncoderBlock, sizes, weights, "forward", inputs)

    return standing_in(EncoderBlock, {"MultiHeadAttention": Mean}, work)


@functools.cache
def made(sizes):
    """Make the reference once for each size: it takes more time than to use it."""
    return reference.EncoderBlock(*sizes)


def drawn_mask(rng, *shape):
    """Draw which keys are visible; every query sees at least one."""
    visible = torch.rand(shape, generator=rng) < 0.5
    seen = torch.randint(shape[-1], (*shape[:-1], 1), generator=rng)
    return visible.scatter(-1, seen, True)


def drawn(rng, sizes, lengths, shape):
    """Draw the weights of a block, and its arguments."""
    weights = random_weights(made(sizes), rng)
    x = 2 * torch.randn(*lengths, sizes[0], generator=rng) + 0.5
    return weights, (x, drawn_mask(rng, *shape))


def asked(block, sizes, weights, inputs):
    found = among_right_parts(block, PARTS, "calls", sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


def right(sizes, weights, inputs):
    block = put_weights(made(sizes), weights)
    with torch.no_grad():
        return [block(*arguments) for arguments in inputs]


@test_case(points=1)
def mean_for_attention(EncoderBlock):
    """Three tokens, the last one hidden, and a plain mean in the place of attention"""
    one, zero = torch.eye(2), torch.zeros(2, 2)
    matrices = {
        "attention.query": zero,
        "attention.key": zero,
        "attention.value": 2 * one,
        "attention.output": one,
        "feed_forward.0": one,
        "feed_forward.2": 10 * one,
    }
    weights = {f"{part}.weight": matrix for part, matrix in matrices.items()}
    weights["attention_norm.weight"] = torch.tensor([1.0, 1.0])
    weights["feed_forward_norm.weight"] = torch.tensor([1.0, 2.0])
    weights |= {part.replace("weight", "bias"): torch.zeros(2) for part in weights}
    weights["attention.output.bias"] = torch.tensor([9.0, 0.0])
    x = torch.tensor([[[1.0, 3.0], [2.0, 16.0], [9.0, 0.0]]])
    visible = torch.tensor([[[[True, True, False]]]])
    found = block_that_averages(EncoderBlock, (2, 1, 2), weights, [(x, visible)])
    (answer,) = loaded_answers(found, weights, 1)
    expected = torch.tensor([[[18.0, 5.0], [9.0, 38.0], [26.0, 2.0]]])
    assert_tensor(answer, expected, atol=1e-3)


@test_case(points=1, hidden=True)
def attention_alone(EncoderBlock, rng):
    """Where the feed-forward network gives 0: x + Attention(Norm1(x)), with several masks"""
    assert_right_without(EncoderBlock, rng, "feed_forward.2")


def assert_right_without(EncoderBlock, rng, layer):
    """Compare with the reference where a layer gives 0, so that one sublayer adds nothing."""
    found, expected = [], []
    for sizes, lengths, shape in KINDS.values():
        weights, given = drawn(rng, sizes, lengths, shape)
        for part in ("weight", "bias"):
            weights[f"{layer}.{part}"] *= 0
        found += asked(EncoderBlock, sizes, weights, [given])
        expected += right(sizes, weights, [given])
    compare_each(KINDS, found, expected, assert_close)


def assert_close(answer, expected):
    assert_tensor(answer, expected, atol=1e-4)


@test_case(points=1, hidden=True)
def feed_forward_alone(EncoderBlock, rng):
    """Where attention gives 0: x + FeedForward(Norm2(x))"""
    assert_right_without(EncoderBlock, rng, "attention.output")


@test_case(points=1, hidden=True)
def whole_block(EncoderBlock, rng):
    """Both together, in float64 too; gradients flow back, and calls leave no trace"""
    sizes = (6, 2, 7)
    weights, given = drawn(rng, sizes, (2, 4), (2, 1, 4, 4))
    others, alike = drawn(rng, sizes, (2, 4), (2, 1, 4, 4))
    _, smaller = drawn(rng, sizes, (1, 3), (1, 1, 3, 3))
    arguments = (sizes, [weights, others], [given, alike, smaller])
    found = among_right_parts(EncoderBlock, PARTS, "turns", *arguments)
    expected = calls_in_turn(reference.EncoderBlock, *arguments)
    named = dict(zip(("x", "visible"), given))
    assert_no_trace(found, expected, weights, named, assert_close)
    arguments = (sizes, weights, given[:1], given[1:])
    found = among_right_parts(EncoderBlock, PARTS, "gradients", *arguments)
    expected = loaded_gradients(reference.EncoderBlock, *arguments)
    assert_loaded_gradients(found, expected, weights, ("x",), atol=1e-3)
    weights = {label: tensor.double() for label, tensor in weights.items()}
    inputs = [(given[0].double(), given[1])]
    (expected,), (answer,) = (
        right(sizes, weights, inputs),
        asked(EncoderBlock, sizes, weights, inputs),
    )
    assert_tensor(answer, expected, atol=1e-11, dtype=torch.float64)
