"""Cases of `TinyTransformer`.

Other classes stand in for the student's blocks, and another function for `attention_masks`.
"""

import functools

import torch

from autograder.checking import (
    as_tensor,
    assert_loaded_gradients,
    assert_no_trace,
    assert_other,
    assert_pair,
    assert_same,
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
name = "TinyTransformer"

RIGHT = {"attention_masks": reference.attention_masks}
PARTS = ("EncoderBlock", "DecoderBlock")
KINDS = {  # (V, D, H, inner), B, S and T
    "several rows": ((9, 8, 2, 5), (4, 7, 9)),
    "one source token, and BOS alone": ((5, 4, 1, 3), (1, 1, 1)),
    "float64": ((7, 6, 3, 4), (3, 4, 5)),
}
SIZES = (10, 8, 2, 6)

# Embeddings of five ids, and with them all weights of a model whose blocks have none.
WEIGHTS = {
    "embedding.weight": [[9.0, 0.0], [8.0, 1.0], [3.0, 0.0], [0.0, 5.0], [7.0, 0.0]],
    "encoder_norm.weight": [1.0, 2.0],
    "encoder_norm.bias": [10.0, 20.0],
    "decoder_norm.weight": [3.0, 1.0],
    "decoder_norm.bias": [0.0, 5.0],
    "readout.weight": [[1.0, 0.0], [0.0, 1.0], [2.0, 0.0], [0.0, 2.0], [1.0, 1.0]],
    "readout.bias": [0.0, 0.0, 0.0, 0.0, 50.0],
}


@driver
def model_of_idle_blocks(TinyTransformer, sizes, weights, method, inputs):
    """Call a model in which both blocks return the x that they get: the rest is in plain view."""
    from torch import nn

    class Idle(nn.Module):
        def __init__(self, *_sizes):
            super().__init__()

        def forward(self, x, *_others, **_named):
            return x

    def work():
        return call_loaded(TinyTransformer, sizes, weights, method, inputs)

    return standing_in(TinyTransformer, {"EncoderBlock": Idle, "DecoderBlock": Idle}, work)


def idle(model, method, *arguments):
    """Call the model with idle blocks."""
    weights = {part: torch.tensor(values) for part, values in WEIGHTS.items()}
    found = model_of_idle_blocks(model, (5, 2, 1, 2), weights, method, [arguments])
    (answer,) = loaded_answers(found, weights, 1)
    return answer


@functools.cache
def made(sizes):
    """Make the reference once for each size: it takes more time than to use it."""
    return reference.TinyTransformer(*sizes)


def asked(model, sizes, weights, method, inputs):
    found = among_right_parts(model, PARTS, "calls", sizes, weights, method, inputs)
    return loaded_answers(found, weights, len(inputs))


def right(sizes, weights, method, inputs):
    model = put_weights(made(sizes), weights)
    with torch.no_grad():
        return [getattr(model, method)(*arguments) for arguments in inputs]


def drawn_weights(rng, sizes, dtype=torch.float32):
    weights = random_weights(made(sizes), rng)
    weights["embedding.weight"] *= sizes[1] ** 0.5
    return {label: tensor.to(dtype) for label, tensor in weights.items()}


def drawn_source(rng, vocabulary, rows, width):
    """Draw sources of all lengths, PAD on the right."""
    source = torch.randint(3, vocabulary, (rows, width), generator=rng)
    lengths = width - torch.arange(rows) % width
    return source.masked_fill(torch.arange(width) >= lengths[:, None], 0)


def drawn_prefix(rng, vocabulary, rows, width):
    """Draw prefixes: BOS, then any ids; some rows end in EOS and PADs, some have a PAD inside."""
    prefix = torch.randint(3, vocabulary, (rows, width), generator=rng)
    prefix[0::3, (width + 1) // 2 :] = 0
    prefix[0::3, width // 2] = 2
    prefix[2::3, 1:2] = 0
    prefix[:, 0] = 1
    return prefix


@test_case(points=1)
def encode(TinyTransformer):
    """encode, with a block that returns what it gets: the memory, and which tokens are visible"""
    answer = idle(TinyTransformer, "encode", torch.tensor([[3, 4, 0]]))
    memory = torch.tensor([[[9.0, 22.0], [11.0, 18.0], [11.0, 18.0]]])
    assert_encoded(answer, (memory, torch.tensor([[[[True, True, False]]]])), atol=1e-3)


def assert_encoded(answer, expected, atol=1e-4):
    memory, visible = assert_pair(answer, ("memory", "source_visible"))
    assert_tensor(visible, expected[1], "source_visible", atol=0.0, dtype=torch.bool)
    assert_tensor(memory, expected[0], "memory", atol=atol)


@test_case(points=1, hidden=True)
def memory(TinyTransformer, rng):
    """encode, with blocks that work: other sizes and weights, float64 too"""
    found, expected = [], []
    for kind, (sizes, (rows, width, _)) in KINDS.items():
        weights = drawn_weights(rng, sizes, dtype_of(kind))
        inputs = [(drawn_source(rng, sizes[0], rows, width),)]
        found += asked(TinyTransformer, sizes, weights, "encode", inputs)
        expected += right(sizes, weights, "encode", inputs)
    compare_each(KINDS, found, expected, assert_memory)


def dtype_of(kind):
    return torch.float64 if kind == "float64" else torch.float32


def assert_memory(answer, expected):
    assert_encoded(answer, expected)
    assert_precise(answer[0], expected[0], "memory")


def assert_precise(answer, expected, label):
    """Demand all digits of float64."""
    if expected.dtype == torch.float64:
        assert_tensor(answer, expected, label, atol=1e-11, dtype=torch.float64)


@test_case(points=1)
def decode(TinyTransformer):
    """decode, with a block that returns what it gets: the logits of two positions"""
    memory, visible = torch.ones(1, 3, 2), torch.tensor([[[[True, True, False]]]])
    answer = idle(TinyTransformer, "decode", torch.tensor([[1, 3]]), memory, visible)
    expected = torch.tensor([[[3.0, 4.0, 6.0, 8.0, 57.0], [-3.0, 6.0, -6.0, 12.0, 53.0]]])
    assert_tensor(answer, expected, "the result", atol=1e-3)


@test_case(points=1, hidden=True)
def logits(TinyTransformer, rng):
    """decode, with blocks that work: any memory and mask that are given, float64 too"""
    found, expected = [], []
    for kind, (sizes, (rows, width, length)) in KINDS.items():
        weights = drawn_weights(rng, sizes, dtype_of(kind))
        memory = torch.randn(rows, width, sizes[1], generator=rng).to(dtype_of(kind))
        visible = torch.rand(rows, 1, 1, width, generator=rng) < 0.5
        visible[..., -1] = True
        inputs = [(drawn_prefix(rng, sizes[0], rows, length), memory, visible)]
        found += asked(TinyTransformer, sizes, weights, "decode", inputs)
        expected += right(sizes, weights, "decode", inputs)
    compare_each(KINDS, found, expected, assert_logits)


def assert_logits(answer, expected):
    assert_tensor(answer, expected, "the result", atol=1e-4)
    assert_precise(answer, expected, "the result")


@driver
def logits_in_two_steps(TinyTransformer, sizes, weights, inputs):
    """Return what `decode` makes of what `encode` returns."""

    class InTwoSteps(TinyTransformer):
        def forward(self, source, target_prefix):
            memory, source_visible = self.encode(source)
            return self.decode(target_prefix, memory, source_visible)

    parts = ("EncoderBlock", "DecoderBlock")
    return among_right_parts(InTwoSteps, parts, "calls", sizes, weights, "forward", inputs)


@test_case(points=1, hidden=True)
def flow(TinyTransformer, rng):
    """forward decodes what encode returns; logits depend on all they may see and on nothing else"""
    weights = drawn_weights(rng, SIZES)
    source, prefix = drawn_source(rng, 10, 4, 5), drawn_prefix(rng, 10, 4, 6)
    other = torch.where(source > 2, (source - 2) % 7 + 3, 0)
    later = torch.where(prefix > 2, (prefix - 2) % 7 + 3, 7)
    padded = torch.nn.functional.pad(source, (0, 2))
    inputs = [(source, prefix), (padded, prefix), (source[1:2, :4], prefix[1:2]), (other, prefix)]
    for start in range(1, 6):
        changed = torch.where(torch.arange(6) < start, prefix, later)
        inputs += [(source, changed), (source, prefix[:, :start])]
    found = asked(TinyTransformer, SIZES, weights, "forward", inputs)
    full, longer, alone, other, *prefixes = (as_tensor(logits) for logits in found)
    (steps,) = loaded_answers(
        logits_in_two_steps(TinyTransformer, SIZES, weights, inputs[:1]), weights, 1
    )
    assert_same(full, as_tensor(steps), "forward does not return what decode makes of encode")
    assert_same(longer, full, "PADs after a source change the logits")
    assert_same(alone, full[1:2], "a row alone, without PADs, has other logits than in a batch")
    assert_other(other, full, "another source has the same logits")
    for start, (changed, short) in enumerate(zip(prefixes[::2], prefixes[1::2]), 1):
        early = "target tokens change the logits of positions before them"
        assert_same(changed[:, :start], full[:, :start], early)
        assert_same(short, full[:, :start], "a prefix has other logits than in the full pass")
        assert_other(changed[:, start:], full[:, start:], "another target has the same logits")


@test_case(points=1, hidden=True)
def training(TinyTransformer, rng):
    """Gradients flow from the logits of the whole model to all weights; calls leave no trace"""
    weights, others = drawn_weights(rng, SIZES), drawn_weights(rng, SIZES)
    given = (drawn_source(rng, 10, 3, 4), drawn_prefix(rng, 10, 3, 5))
    smaller = (drawn_source(rng, 10, 2, 3), drawn_prefix(rng, 10, 2, 2))
    alike = tuple(ids.roll(1, 0) for ids in given)
    arguments = (SIZES, [weights, others], [given, alike, smaller])
    found = among_right_parts(TinyTransformer, PARTS, "turns", *arguments)
    expected = calls_in_turn(reference.TinyTransformer, *arguments)
    named = dict(zip(("source", "target_prefix"), given))
    assert_no_trace(found, expected, weights, named, assert_logits)
    found = among_right_parts(TinyTransformer, PARTS, "gradients", SIZES, weights, [], given)
    expected = loaded_gradients(reference.TinyTransformer, SIZES, weights, [], given)
    assert_loaded_gradients(found, expected, weights, atol=1e-3)
