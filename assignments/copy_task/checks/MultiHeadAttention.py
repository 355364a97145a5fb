"""Cases of `MultiHeadAttention`."""

import functools

import torch

from autograder.checking import (
    Mismatch,
    as_tensor,
    assert_loaded_gradients,
    assert_no_trace,
    assert_pair,
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
from solutions import copy_task as reference

OK_FORMAT = False
name = "MultiHeadAttention"

PARTS = ("query", "key", "value", "output")
KINDS = {  # (D, H) and the numbers of rows, queries and keys
    "as many queries as keys": ((8, 2), (3, 5, 5)),
    "fewer queries than keys": ((9, 3), (2, 3, 6)),
    "a single head": ((5, 1), (2, 4, 2)),
    "heads of one column": ((6, 6), (2, 5, 2)),
    "one query of one row": ((12, 3), (1, 1, 4)),
    "one key": ((12, 4), (4, 3, 1)),
}
MASKS = {
    "a mask for each row": (2, 1, 1, 5),
    "one for each row and query": (2, 1, 4, 5),
    "one for each head": (3, 1, 5),
    "one for each row, head and query": (2, 3, 4, 5),
    "one of two axes": (4, 5),
    "one for all queries": (1, 5),
}


def unchanging(width):
    """Return weights with which the projections return what they get."""
    weights = {f"{part}.weight": torch.eye(width) for part in PARTS}
    return weights | {f"{part}.bias": torch.zeros(width) for part in PARTS}


def assert_attention(answer, expected, atol=5e-5, dtype=None):
    output, weights = assert_pair(answer, ("output", "weights"))
    assert_tensor(weights, expected[1], "weights", atol=atol, dtype=dtype)
    assert_tensor(output, expected[0], "output", atol=atol, dtype=dtype)


@functools.cache
def made(sizes):
    """Make the reference once for each size: it takes more time than to use it."""
    return reference.MultiHeadAttention(*sizes)


def drawn_mask(rng, *shape):
    """Draw which keys are visible; every query sees at least one, and hidden ones are many."""
    visible = torch.rand(shape, generator=rng) < 0.5
    seen = torch.randint(shape[-1], (*shape[:-1], 1), generator=rng)
    return visible.scatter(-1, seen, True)


def drawn(rng, sizes, rows, queries, keys):
    """Draw the weights of an attention, and its arguments."""
    weights = random_weights(made(sizes), rng)
    x = torch.randn(rows, queries, sizes[0], generator=rng)
    memory = torch.randn(rows, keys, sizes[0], generator=rng)
    return weights, (x, memory, drawn_mask(rng, rows, 1, 1, keys))


def asked(module, sizes, weights, inputs):
    found = call_loaded(module, sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


def right(sizes, weights, inputs):
    attention = put_weights(made(sizes), weights)
    with torch.no_grad():
        return [attention(*arguments) for arguments in inputs]


@test_case(points=1)
def two_heads(MultiHeadAttention):
    """Two heads, two queries and a hidden key; projections that change nothing but add a bias"""
    x = torch.tensor([[[2.0, 0.0, 0.0, 2.0], [0.0, 2.0, 2.0, 0.0]]])
    memory = torch.tensor([[[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 1.0], [5.0, 5.0, 5.0, 5.0]]])
    visible = torch.tensor([[[[True, True, False]]]])
    weights = unchanging(4)
    weights["output.bias"] = torch.tensor([10.0, 20.0, 30.0, 40.0])
    first = [[0.8044, 0.1956, 0.0], [0.1956, 0.8044, 0.0]]
    second = [[0.1956, 0.8044, 0.0], [0.5, 0.5, 0.0]]
    output = [[10.8044, 20.1956, 30.0, 40.8044], [10.1956, 20.8044, 30.0, 40.5]]
    expected = (torch.tensor([output]), torch.tensor([[first, second]]))
    (answer,) = asked(MultiHeadAttention, (4, 2), weights, [(x, memory, visible)])
    assert_attention(answer, expected, atol=2e-4)


@test_case(points=1, hidden=True)
def weights(MultiHeadAttention, rng):
    """The weights, for other widths, numbers of heads, projections and lengths of memory"""
    compare_each(KINDS, *both_answers(MultiHeadAttention, rng), assert_weights_alone)


def both_answers(module, rng):
    """Ask the student and the reference for each kind."""
    found, expected = [], []
    for sizes, lengths in KINDS.values():
        weights, given = drawn(rng, sizes, *lengths)
        found += asked(module, sizes, weights, [given])
        expected += right(sizes, weights, [given])
    return found, expected


def assert_weights_alone(answer, expected):
    _, weights = assert_pair(answer, ("output", "weights"))
    assert_tensor(weights, expected[1], "weights", atol=5e-5)


@test_case(points=1, hidden=True)
def output(MultiHeadAttention, rng):
    """The output, for other widths, numbers of heads, projections and lengths of memory"""
    compare_each(KINDS, *both_answers(MultiHeadAttention, rng), assert_output_alone)


def assert_output_alone(answer, expected):
    output, _ = assert_pair(answer, ("output", "weights"))
    assert_tensor(output, expected[0], "output", atol=5e-5)


@test_case(points=1, hidden=True)
def hidden_keys(MultiHeadAttention, rng):
    """Masks of several shapes; hidden keys have the weight 0 exactly, whatever scores there are"""
    weights, (x, memory, _) = drawn(rng, (6, 3), 2, 4, 5)
    inputs = [(x, memory, drawn_mask(rng, *shape)) for shape in MASKS.values()]
    large = memory * torch.tensor([1.0, 500.0, 1.0, 1.0, 1.0])[:, None]
    inputs.append((x, large, torch.tensor([[True, False, True, True, True]])))
    kinds = [*MASKS, "a large hidden key"]
    found, expected = (
        asked(MultiHeadAttention, (6, 3), weights, inputs),
        right((6, 3), weights, inputs),
    )
    compare_each(kinds, found, expected, assert_hidden)
    x, visible = torch.full((1, 1, 4), 400.0), torch.tensor([[True, False, False]])
    memory = torch.tensor([-1.0, 0.0, 1.0]).reshape(1, 3, 1) * x
    found = asked(MultiHeadAttention, (4, 2), unchanging(4), [(x, memory, visible)])
    expected = (-x, torch.tensor([1.0, 0.0, 0.0]).expand(1, 2, 1, 3))
    compare_each(["a visible key with a very low score"], found, [expected], assert_hidden)


def assert_hidden(answer, expected):
    assert_attention(answer, expected)
    if as_tensor(answer[1])[expected[1] == 0].any():
        raise Mismatch("the weight of a hidden key is not exactly 0")


@test_case(points=1, hidden=True)
def gradients_and_precision(MultiHeadAttention, rng):
    """Gradients flow back to x, memory and all weights; float64 stays float64, to its last digit"""
    weights, (*given, visible) = drawn(rng, (8, 2), 2, 3, 4)
    arguments = ((8, 2), weights, given, [visible])
    found = loaded_gradients(MultiHeadAttention, *arguments)
    expected = loaded_gradients(reference.MultiHeadAttention, *arguments)
    assert_loaded_gradients(found, expected, weights, ("x", "memory"), atol=1e-4)
    weights = {name: tensor.double() / 3 for name, tensor in weights.items()}
    inputs = [(*(tensor.double() / 3 for tensor in given), visible)]
    (expected,) = right((8, 2), weights, inputs)
    (answer,) = asked(MultiHeadAttention, (8, 2), weights, inputs)
    assert_attention(answer, expected, atol=1e-12, dtype=torch.float64)


@test_case(points=1, hidden=True)
def calls_leave_no_trace(MultiHeadAttention, rng):
    """Calls leave no trace: nothing is kept from one to the next, and inputs stay as they were"""
    weights, given = drawn(rng, (6, 2), 2, 3, 4)
    others, alike = drawn(rng, (6, 2), 2, 3, 4)
    _, smaller = drawn(rng, (6, 2), 1, 4, 2)
    arguments = ((6, 2), [weights, others], [given, alike, smaller])
    found = calls_in_turn(MultiHeadAttention, *arguments)
    expected = calls_in_turn(reference.MultiHeadAttention, *arguments)
    named = dict(zip(("x", "memory", "visible"), given))
    assert_no_trace(found, expected, weights, named, assert_attention)
