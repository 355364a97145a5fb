"""Cases of `EncoderBlock`."""

import functools

import torch

from autograder.checking import (
    assert_loaded_gradients,
    assert_no_trace,
    assert_tensor,
    call_loaded,
    calls_in_turn,
    compare_each,
    loaded_answers,
    loaded_gradients,
    put_weights,
    random_weights,
    test_case,
)
from solutions import digit_reader as reference

OK_FORMAT = False
name = "EncoderBlock"

KINDS = {  # (D, H, inner), the numbers of rows and vectors
    "several images": ((8, 2, 12), (3, 5)),
    "three heads": ((6, 3, 4), (2, 4)),
    "one head, more vectors than width": ((4, 1, 9), (2, 7)),
    "one vector": ((6, 2, 20), (1, 1)),
}


@functools.cache
def made(sizes):
    """Make the reference once for each size: it takes more time than to use it."""
    return reference.EncoderBlock(*sizes)


def drawn(rng, sizes, lengths):
    """Draw the weights of a block, and its argument."""
    x = 2 * torch.randn(*lengths, sizes[0], generator=rng) + 0.5
    return random_weights(made(sizes), rng), (x,)


def asked(block, sizes, weights, inputs):
    found = call_loaded(block, sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


def right(sizes, weights, inputs):
    block = put_weights(made(sizes), weights)
    with torch.no_grad():
        return [block(*arguments) for arguments in inputs]


@test_case(points=2)
def two_vectors(EncoderBlock):
    """(2, 0, 1, 1): attention adds (0, 0, 1, -1), the network (0, 2, -2, 0); gains 1, 2, 3, 4"""
    zero = torch.zeros(4, 4)
    weights = {
        "attention.in_proj_weight": torch.zeros(12, 4),
        "attention.in_proj_bias": torch.zeros(12),
        "attention.out_proj.weight": zero,
        "attention.out_proj.bias": torch.tensor([0.0, 0.0, 1.0, -1.0]),
        "attention_norm.weight": torch.ones(4),
        "attention_norm.bias": torch.zeros(4),
        "feed_forward.0.weight": 10 * torch.eye(4),
        "feed_forward.0.bias": torch.zeros(4),
        "feed_forward.2.weight": zero.clone(),
        "feed_forward.2.bias": torch.zeros(4),
        "feed_forward_norm.weight": torch.tensor([1.0, 2.0, 3.0, 4.0]),
        "feed_forward_norm.bias": torch.full((4,), 5.0),
    }
    weights["feed_forward.2.weight"][1, 0], weights["feed_forward.2.weight"][2, 2] = 0.2, -0.2
    x = torch.tensor([[[2.0, 0.0, 1.0, 1.0], [1.0, 3.0, 0.0, 4.0]]])
    (answer,) = asked(EncoderBlock, (4, 1, 4), weights, [(x,)])
    # the first norm leaves (1, -1, 1, -1) and (-1, 1, -1, 1); to these the feed-forward network
    # adds (0, 2, -2, 0) and nothing; the last norm multiplies by (1, 2, 3, 4) and adds 5
    expected = torch.tensor([[[6.0, 7.0, 2.0, 1.0], [4.0, 7.0, 2.0, 9.0]]])
    assert_tensor(answer, expected, atol=1e-3)


@test_case(points=2, hidden=True)
def attention_alone(EncoderBlock, rng):
    """Where the feed-forward network gives 0: attention among all vectors, several heads"""
    assert_right_without(EncoderBlock, rng, "feed_forward.2")


def assert_right_without(EncoderBlock, rng, layer):
    """Compare with the reference where a layer gives 0, so that one sublayer adds nothing."""
    found, expected = [], []
    for sizes, lengths in KINDS.values():
        weights, given = drawn(rng, sizes, lengths)
        for part in ("weight", "bias"):
            weights[f"{layer}.{part}"] *= 0
        found += asked(EncoderBlock, sizes, weights, [given])
        expected += right(sizes, weights, [given])
    compare_each(KINDS, found, expected, assert_close)


def assert_close(answer, expected):
    assert_tensor(answer, expected, atol=1e-4)


@test_case(points=2, hidden=True)
def feed_forward_alone(EncoderBlock, rng):
    """Where attention gives 0: the feed-forward network, and both norms"""
    assert_right_without(EncoderBlock, rng, "attention.out_proj")


@test_case(points=2, hidden=True)
def whole_block(EncoderBlock, rng):
    """Both together, in float64 too; gradients flow back, and calls leave no trace"""
    sizes = (6, 2, 7)
    weights, given = drawn(rng, sizes, (2, 4))
    others, alike = drawn(rng, sizes, (2, 4))
    _, smaller = drawn(rng, sizes, (1, 3))
    arguments = (sizes, [weights, others], [given, alike, smaller])
    found = calls_in_turn(EncoderBlock, *arguments)
    expected = calls_in_turn(reference.EncoderBlock, *arguments)
    assert_no_trace(found, expected, weights, {"x": given[0]}, assert_close)
    found = loaded_gradients(EncoderBlock, sizes, weights, given, [])
    expected = loaded_gradients(reference.EncoderBlock, sizes, weights, given, [])
    assert_loaded_gradients(found, expected, weights, ("x",), atol=1e-3)
    weights = {label: tensor.double() for label, tensor in weights.items()}
    inputs = [(given[0].double(),)]
    (expected,), (answer,) = (
        right(sizes, weights, inputs),
        asked(EncoderBlock, sizes, weights, inputs),
    )
    assert_tensor(answer, expected, atol=1e-11, dtype=torch.float64)
