"""Cases of `DecoderBlock`."""

import functools

import torch

from autograder.checking import (
    Mismatch,
    as_parts,
    as_tensor,
    assert_loaded_gradients,
    assert_no_trace,
    assert_pair,
    assert_same,
    assert_tensor,
    call_loaded,
    calls_in_turn,
    compare_each,
    driver,
    loaded,
    loaded_answers,
    loaded_gradients,
    put_weights,
    random_weights,
    test_case,
)
from solutions import digit_reader as reference

OK_FORMAT = False
name = "DecoderBlock"

KINDS = {  # (D, H, inner), B, T and S
    "as many positions as patches": ((6, 3, 4), (2, 5, 5)),
    "two heads": ((8, 2, 12), (3, 4, 6)),
    "as many heads as the width": ((4, 4, 9), (2, 3, 2)),
    "one head": ((10, 1, 3), (4, 6, 3)),
    "one position": ((6, 2, 20), (1, 1, 4)),
}


@functools.cache
def made(sizes):
    """Make the reference once for each size: it takes more time than to use it."""
    return reference.DecoderBlock(*sizes)


def drawn_mask(rng, length):
    """Draw which keys are hidden; every query sees at least one."""
    hidden = torch.rand(length, length, generator=rng) < 0.5
    seen = torch.randint(length, (length, 1), generator=rng)
    return torch.zeros(length, length).masked_fill(hidden.scatter(-1, seen, False), -torch.inf)


def drawn(rng, sizes, lengths):
    """Draw the weights of a block, and its arguments: x, memory, mask."""
    weights = random_weights(made(sizes), rng)
    rows, targets, sources = lengths
    x = 2 * torch.randn(rows, targets, sizes[0], generator=rng) + 0.5
    memory = 2 * torch.randn(rows, sources, sizes[0], generator=rng) - 0.5
    return weights, (x, memory, drawn_mask(rng, targets))


def asked(block, sizes, weights, inputs):
    found = call_loaded(block, sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


def right(sizes, weights, inputs):
    block = put_weights(made(sizes), weights)
    with torch.no_grad():
        return [block(*arguments) for arguments in inputs]


def two_positions(block, *wanted):
    """Call a block whose weights and inputs can be followed by hand, on one image.

    All scores of the self-attention are equal. In the cross-attention each position finds the one
    vector of the memory that is like itself, and says -3 times that vector. Nobody finds the third.
    """
    one, zero = torch.eye(4), torch.zeros(4, 4)
    weights = {
        "self_attention.in_proj_weight": torch.cat([zero, zero, one]),
        "cross_attention.in_proj_weight": torch.cat([10 * one, one, -3 * one]),
        "feed_forward.0.weight": 10 * one,
        "feed_forward.2.weight": zero.clone(),
    }
    weights["feed_forward.2.weight"][0, 1], weights["feed_forward.2.weight"][2, 2] = 0.2, -0.2
    for kind in ("self_attention", "cross_attention"):
        weights[f"{kind}.in_proj_bias"] = torch.zeros(12)
        weights[f"{kind}.out_proj.weight"], weights[f"{kind}.out_proj.bias"] = one, torch.zeros(4)
        weights[f"{kind}_norm.weight"] = torch.ones(4)
        weights[f"{kind}_norm.bias"] = torch.zeros(4)
    weights |= {f"feed_forward.{layer}.bias": torch.zeros(4) for layer in (0, 2)}
    weights["feed_forward_norm.weight"] = torch.tensor([1.0, 2.0, 3.0, 4.0])
    weights["feed_forward_norm.bias"] = torch.full((4,), 5.0)
    pattern = torch.tensor([1.0, -1.0, -1.0, 1.0])
    other = torch.tensor([1.0, 1.0, 1.0, 1.0])
    x, memory = torch.stack([pattern, -8 * pattern]), torch.stack([pattern, -pattern, other])
    mask = torch.zeros(2, 2).masked_fill(torch.ones(2, 2).triu(1) > 0, -torch.inf)
    (answer,) = asked(block, (4, 1, 4), weights, [(x[None], memory[None], mask, *wanted)])
    return assert_pair(answer, ("output", "weights"))


@test_case(points=2)
def output(DecoderBlock):
    """Two positions and a memory of three vectors: the output, while no weights are wanted"""
    output, weights = two_positions(DecoderBlock)
    # with p = (1, -1, -1, 1), the first norm leaves p and -p, the second one -p and p; to these
    # the feed-forward network adds (2, 0, -2, 0) and (0, 0, 0, 0)
    expected = torch.tensor([[[6.0, 7.0, 2.0, 1.0], [6.0, 3.0, 2.0, 9.0]]])
    assert_tensor(output, expected, "output", atol=1e-3)
    if weights is not None:
        raise Mismatch("weights are returned, though they are not wanted: return None instead")


@test_case(points=1)
def where_it_looks(DecoderBlock):
    """The same with want_weights=True: each position finds its own vector of the memory"""
    _, weights = two_positions(DecoderBlock, True)
    assert_tensor(weights, torch.eye(2, 3)[None], "weights", atol=1e-3)


@test_case(points=2, hidden=True)
def self_attention_alone(DecoderBlock, rng):
    """Where the two other sublayers give 0: self-attention under masks of several kinds"""
    assert_right_without(DecoderBlock, rng, "cross_attention.out_proj", "feed_forward.2")


def assert_right_without(DecoderBlock, rng, *layers):
    """Compare with the reference where layers give 0, so that their sublayers add nothing."""
    found, expected = [], []
    for sizes, lengths in KINDS.values():
        weights, given = drawn(rng, sizes, lengths)
        for layer in layers:
            weights[f"{layer}.weight"] *= 0
            weights[f"{layer}.bias"] *= 0
        found += asked(DecoderBlock, sizes, weights, [given])
        expected += right(sizes, weights, [given])
    compare_each(KINDS, found, expected, assert_output)


def assert_output(answer, expected):
    output, _ = assert_pair(answer, ("output", "weights"))
    assert_tensor(output, expected[0], "output", atol=1e-4)


@test_case(points=2, hidden=True)
def cross_attention_alone(DecoderBlock, rng):
    """Where the two other sublayers give 0: cross-attention, with memory of any length"""
    assert_right_without(DecoderBlock, rng, "self_attention.out_proj", "feed_forward.2")


@driver
def with_and_without(DecoderBlock, sizes, weights, given):
    """Call a block as it is called for weights, and without; also with the keyword."""
    import torch

    block, shapes = loaded(DecoderBlock, sizes, weights)
    if block is None:
        return [shapes, None]
    with torch.no_grad():
        return [shapes, [block(*given, True), block(*given), block(*given, want_weights=True)]]


@test_case(points=2, hidden=True)
def weights(DecoderBlock, rng):
    """The weights of the cross-attention, as a mean over several heads, if they are wanted"""
    found, expected = [], []
    for sizes, lengths in KINDS.values():
        drawn_weights, given = drawn(rng, sizes, lengths)
        arguments = (sizes, drawn_weights, given)
        found.append(loaded_answers(with_and_without(DecoderBlock, *arguments), drawn_weights, 3))
        expected.append(with_and_without(reference.DecoderBlock, *arguments)[1])
    compare_each(KINDS, found, expected, assert_weights_if_wanted)


def assert_weights_if_wanted(found, expected):
    outputs = []
    for answer, (_, weights) in zip(as_parts(found, 3), expected):
        output, looked = assert_pair(answer, ("output", "weights"))
        if weights is not None:
            assert_tensor(looked, weights, "weights", atol=1e-5)
        elif looked is not None:
            raise Mismatch("weights are returned, though they are not wanted: return None instead")
        outputs.append(as_tensor(output, "output"))
    for output in outputs[1:]:
        assert_same(output, outputs[0], "the output is another one while weights are wanted")


@test_case(points=3, hidden=True)
def whole_block(DecoderBlock, rng):
    """All three sublayers, in float64 too; gradients flow back, and calls leave no trace"""
    sizes, lengths = (6, 2, 7), (2, 3, 4)
    (weights, given), (others, alike) = drawn(rng, sizes, lengths), drawn(rng, sizes, lengths)
    _, smaller = drawn(rng, sizes, (1, 2, 3))
    arguments = (sizes, [weights, others], [given, alike, smaller])
    found = calls_in_turn(DecoderBlock, *arguments)
    expected = calls_in_turn(reference.DecoderBlock, *arguments)
    named = dict(zip(("x", "memory", "mask"), given))
    assert_no_trace(found, expected, weights, named, assert_output)
    arguments = (sizes, weights, given[:2], given[2:])
    found = output_gradients(DecoderBlock, *arguments)
    expected = output_gradients(reference.DecoderBlock, *arguments)
    assert_loaded_gradients(found, expected, weights, ("x", "memory"), atol=1e-3)
    weights = {label: tensor.double() for label, tensor in weights.items()}
    inputs = [tuple(part.double() for part in given)]
    (expected,), (answer,) = (
        right(sizes, weights, inputs),
        asked(DecoderBlock, sizes, weights, inputs),
    )
    output, _ = assert_pair(answer, ("output", "weights"))
    assert_tensor(output, expected[0], "output", atol=1e-11, dtype=torch.float64)


@driver
def output_gradients(DecoderBlock, sizes, weights, inputs, others):
    """Do what `loaded_gradients` does, for the first part of a pair."""

    class FirstPart(DecoderBlock):
        def forward(self, *arguments):
            return super().forward(*arguments)[0]

    return loaded_gradients(FirstPart, sizes, weights, inputs, others)
