"""Cases of `DecoderBlock`.

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
name = "DecoderBlock"

PARTS = ("MultiHeadAttention",)
KINDS = {  # (D, H, inner), B, T and S, and the shapes of the masks
    "as many target tokens as source tokens": ((6, 3, 4), (2, 5, 5), (1, 5, 5), (2, 1, 1, 5)),
    "masks for each row": ((8, 2, 12), (3, 4, 6), (3, 1, 4, 4), (3, 1, 1, 6)),
    "masks for each head": ((4, 4, 9), (2, 3, 2), (1, 4, 3, 3), (4, 1, 2)),
    "one mask for all rows": ((10, 1, 3), (4, 6, 3), (6, 6), (6, 3)),
    "one target token": ((6, 2, 20), (1, 1, 4), (1, 1, 1, 1), (1, 1, 1, 4)),
}


@driver
def block_that_averages(DecoderBlock, sizes, weights, inputs):
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
        return call_loaded(DecoderBlock, sizes, weights, "forward", inputs)

    return standing_in(DecoderBlock, {"MultiHeadAttention": Mean}, work)


@functools.cache
def made(sizes):
    """Make the reference once for each size: it takes more time than to use it."""
    return reference.DecoderBlock(*sizes)


def drawn_mask(rng, *shape):
    """Draw which keys are visible; every query sees at least one."""
    visible = torch.rand(shape, generator=rng) < 0.5
    seen = torch.randint(shape[-1], (*shape[:-1], 1), generator=rng)
    return visible.scatter(-1, seen, True)


def drawn(rng, sizes, lengths, target_shape, source_shape):
    """Draw the weights of a block, and its arguments."""
    weights = random_weights(made(sizes), rng)
    rows, targets, sources = lengths
    x = 2 * torch.randn(rows, targets, sizes[0], generator=rng) + 0.5
    memory = 2 * torch.randn(rows, sources, sizes[0], generator=rng) - 0.5
    return weights, (x, memory, drawn_mask(rng, *target_shape), drawn_mask(rng, *source_shape))


def asked(block, sizes, weights, inputs):
    found = among_right_parts(block, PARTS, "calls", sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


def right(sizes, weights, inputs):
    block = put_weights(made(sizes), weights)
    with torch.no_grad():
        return [block(*arguments) for arguments in inputs]


@test_case(points=1)
def means_for_attention(DecoderBlock):
    """Two target tokens, a memory with a hidden row, and plain means in the place of attention"""
    one, zero = torch.eye(2), torch.zeros(2, 2)
    matrices = {"feed_forward.0": one, "feed_forward.2": 10 * one}
    for attention in ("self_attention", "cross_attention"):
        matrices |= {f"{attention}.query": zero, f"{attention}.key": zero}
        matrices |= {f"{attention}.value": one, f"{attention}.output": one}
    weights = {f"{part}.weight": matrix for part, matrix in matrices.items()}
    for part in ("self_attention", "cross_attention"):
        weights[f"{part}_norm.weight"] = torch.tensor([1.0, 1.0])
    weights["feed_forward_norm.weight"] = torch.tensor([1.0, 2.0])
    weights |= {part.replace("weight", "bias"): torch.zeros(2) for part in weights}
    weights["self_attention.output.bias"] = torch.tensor([0.0, 0.5])
    x = torch.tensor([[[1.0, 3.0], [6.0, 2.0]]])
    memory = torch.tensor([[[4.0, 20.0], [6.0, 30.0], [99.0, 99.0]]])
    target_visible = torch.tensor([[[[True, False], [True, True]]]])
    source_visible = torch.tensor([[[[True, True, False]]]])
    inputs = [(x, memory, target_visible, source_visible)]
    found = block_that_averages(DecoderBlock, (2, 1, 2), weights, inputs)
    (answer,) = loaded_answers(found, weights, 1)
    assert_tensor(answer, torch.tensor([[[5.0, 49.5], [11.0, 47.5]]]), atol=1e-3)


@test_case(points=1, hidden=True)
def self_attention_alone(DecoderBlock, rng):
    """Where the two other sublayers give 0: self-attention, with several masks"""
    assert_right_without(DecoderBlock, rng, "cross_attention.output", "feed_forward.2")


def assert_right_without(DecoderBlock, rng, *layers):
    """Compare with the reference where layers give 0, so that their sublayers add nothing."""
    found, expected = [], []
    for sizes, lengths, *shapes in KINDS.values():
        weights, given = drawn(rng, sizes, lengths, *shapes)
        for layer in layers:
            weights[f"{layer}.weight"] *= 0
            weights[f"{layer}.bias"] *= 0
        found += asked(DecoderBlock, sizes, weights, [given])
        expected += right(sizes, weights, [given])
    compare_each(KINDS, found, expected, assert_close)


def assert_close(answer, expected):
    assert_tensor(answer, expected, atol=1e-4)


@test_case(points=1, hidden=True)
def cross_attention_alone(DecoderBlock, rng):
    """Where the two other sublayers give 0: cross-attention, with memory of any length"""
    assert_right_without(DecoderBlock, rng, "self_attention.output", "feed_forward.2")


@test_case(points=1, hidden=True)
def whole_block(DecoderBlock, rng):
    """All three sublayers, in float64 too; gradients flow back, and calls leave no trace"""
    sizes, shapes = (6, 2, 7), ((2, 3, 4), (2, 1, 3, 3), (2, 1, 1, 4))
    (weights, given), (others, alike) = drawn(rng, sizes, *shapes), drawn(rng, sizes, *shapes)
    _, smaller = drawn(rng, sizes, (1, 2, 3), (1, 1, 2, 2), (1, 1, 1, 3))
    arguments = (sizes, [weights, others], [given, alike, smaller])
    found = among_right_parts(DecoderBlock, PARTS, "turns", *arguments)
    expected = calls_in_turn(reference.DecoderBlock, *arguments)
    named = dict(zip(("x", "memory", "target_visible", "source_visible"), given))
    assert_no_trace(found, expected, weights, named, assert_close)
    arguments = (sizes, weights, given[:2], given[2:])
    found = among_right_parts(DecoderBlock, PARTS, "gradients", *arguments)
    expected = loaded_gradients(reference.DecoderBlock, *arguments)
    assert_loaded_gradients(found, expected, weights, ("x", "memory"), atol=1e-3)
    weights = {label: tensor.double() for label, tensor in weights.items()}
    inputs = [(given[0].double(), given[1].double(), *given[2:])]
    (expected,), (answer,) = (
        right(sizes, weights, inputs),
        asked(DecoderBlock, sizes, weights, inputs),
    )
    assert_tensor(answer, expected, atol=1e-11, dtype=torch.float64)
