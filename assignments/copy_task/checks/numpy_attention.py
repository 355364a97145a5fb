"""Cases of `numpy_attention`."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    answers_on_views,
    as_parts,
    assert_pair,
    assert_tensor,
    compare_each,
    driver,
    test_case,
)
from solutions import copy_task as reference

OK_FORMAT = False
name = "numpy_attention"


@driver
def answer_or_refusal(function, arguments):
    """Return what a function returns, or the text "ValueError" if it raises one."""
    try:
        return function(*arguments)
    except ValueError:
        return "ValueError"


@driver
def answers_or_refusals(numpy_attention, inputs):
    """Do so for several tuples of arguments."""
    return [answer_or_refusal(numpy_attention, arguments) for arguments in inputs]


def assert_attention(answer, expected, atol=1e-5, dtype=None):
    output, weights = assert_pair(answer, ("output", "weights"))
    assert_tensor(weights, torch.as_tensor(expected[1]), "weights", atol=atol, dtype=dtype)
    assert_tensor(output, torch.as_tensor(expected[0]), "output", atol=atol, dtype=dtype)


def assert_arrays(answer):
    for part, label in zip(assert_pair(answer, ("output", "weights")), ("output", "weights")):
        if isinstance(part, (torch.Tensor, list, tuple)):
            kind = "torch tensor" if isinstance(part, torch.Tensor) else type(part).__name__
            raise Mismatch(f"{label} is a {kind}, not a NumPy array")


def assert_each(function, inputs, compare=assert_attention, ask=answers):
    """Compare with the reference on inputs of several kinds."""
    expected = [reference.numpy_attention(*given) for given in inputs.values()]
    compare_each(inputs, ask(function, inputs.values()), expected, compare)


def random(rng, *shape):
    return torch.randn(*shape, generator=rng, dtype=torch.float64).numpy()


def random_mask(rng, *shape):
    """Hide about half of the keys; each query sees one at least, and one is hidden from it."""
    order = torch.rand(shape, generator=rng).argsort(-1)
    return ((torch.rand(shape, generator=rng) < 0.5) & (order > 0) | (order == 1)).numpy()


def parts(rng, *front, n_q=4, n_k=5, d_k=3, d_v=2):
    shapes = ((n_q, d_k), (n_k, d_k), (n_k, d_v))
    return [random(rng, *front, *shape) for shape in shapes]


@test_case(points=1)
def by_hand(numpy_attention):
    """Scores that are logarithms: the weights are 3/4 and 1/4, and 1/10, 4/10 and 5/10"""
    query = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]])
    key = np.array(
        [
            [math.log(3), 5.0, 5.0, 0.0],
            [0.0, -5.0, 1.0, math.log(4)],
            [9.0, 0.0, 0.0, math.log(5)],
        ]
    )
    value = np.array([[10.0], [20.0], [40.0]])
    visible = np.array([[True, True, False], [True, True, True]])
    answer = numpy_attention(query, key, value, visible)
    assert_arrays(answer)
    expected = ([[12.5], [29.0]], [[0.75, 0.25, 0.0], [0.1, 0.4, 0.5]])
    assert_attention(answer, expected)


@test_case(points=1, hidden=True)
def as_torch_does(numpy_attention, rng):
    """float64 arrays that agree with torch to 1e-10: batches, heads, other widths and numbers"""
    inputs = {
        "one sentence": parts(rng),
        "a batch of 3": parts(rng, 3, n_q=6, n_k=3, d_k=2, d_v=1),
        "a batch of 2 with 3 heads": parts(rng, 2, 3, n_q=3, n_k=6, d_k=5, d_v=7),
        "three axes in front": parts(rng, 2, 1, 3, n_q=2, n_k=4, d_k=6, d_v=3),
        "as many queries as keys": parts(rng, 2, 2, n_q=4, n_k=4, d_k=4, d_v=4),
    }
    for given in inputs.values():
        given.append(random_mask(rng, *given[0].shape[:-1], given[1].shape[-2]))
    expected = [in_torch(*given) for given in inputs.values()]
    compare_each(inputs, answers(numpy_attention, inputs.values()), expected, assert_precise)
    kind = "a batch of 2 with 3 heads"
    views = {"arrays that are not contiguous": inputs[kind]}
    assert_each(numpy_attention, views, assert_precise, answers_on_views)


def in_torch(query, key, value, visible):
    """Let torch mix the values, and unit vectors, which gives the weights."""
    query, key, value, visible = map(torch.as_tensor, (query, key, value, visible))
    units = torch.eye(key.size(-2), dtype=torch.float64).expand(*key.shape[:-1], -1)
    return [F.scaled_dot_product_attention(query, key, x, visible) for x in (value, units)]


def assert_precise(answer, expected):
    assert_arrays(answer)
    assert_attention(answer, expected, atol=1e-10, dtype=torch.float64)


@test_case(points=1, hidden=True)
def masks(numpy_attention, rng):
    """Masks of all shapes that broadcast; the weight of a hidden key is 0 exactly"""
    shapes = {
        "one mask for all": (4, 5),
        "one for each sentence": (3, 1, 1, 5),
        "one for each head": (2, 4, 5),
        "one row for all queries": (5,),
        "one for each sentence and head": (3, 2, 4, 5),
        "one for each sentence and query": (3, 1, 4, 5),
    }
    given = parts(rng, 3, 2)
    inputs = {kind: (*given, random_mask(rng, *shape)) for kind, shape in shapes.items()}
    assert_each(numpy_attention, inputs, assert_hidden)


def assert_hidden(answer, expected):
    assert_attention(answer, expected)
    weights, right = (torch.as_tensor(pair[1]) for pair in (answer, expected))
    zeros = torch.zeros(int((right == 0).sum()))
    assert_tensor(weights[right == 0], zeros, "weights of hidden keys", atol=0.0)


@test_case(points=1, hidden=True)
def extreme_scores(numpy_attention, rng):
    """Scores of 10,000 and -10,000 give no NaN, and what stands in a hidden key does not matter"""
    query = np.array([[200.0, 0.0, 0.0, 0.0], [-200.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    key = random(rng, 6, 4)
    key[:, 0] = [100.0, -100.0, 100.0, -100.0, 50.0, -100.0]
    value = random(rng, 6, 2)
    negative, positive = key[:, 0] < 0, key[:, 0] > 0
    each = np.stack([negative, negative, positive])
    elsewhere = value * np.where(negative, 1e6, 1.0)[:, None]
    inputs = {
        "all keys seen": (query, key, value, np.ones((3, 6), dtype=bool)),
        "the largest scores hidden": (query[:1], key, value, negative[None]),
        "the smallest scores hidden": (query[:1], key, value, positive[None]),
        "another mask for each query": (query, key, value, each),
        "large numbers in hidden values": (query[:1], key, elsewhere, positive[None]),
    }
    assert_each(numpy_attention, inputs, assert_hidden)


@test_case(points=1, hidden=True)
def no_key_at_all(numpy_attention, rng):
    """ValueError if a query may attend to no key, be it one in one head, and only then"""
    given = parts(rng, 2, 3)
    one, row, sentence, column, most = (np.ones((2, 3, 4, 5), dtype=bool) for _ in range(5))
    one[1, 2, 1] = False
    row[:, :, 3] = False
    sentence[1] = False
    column[..., 2] = False
    most[..., 1:] = False
    inputs = {
        "masks that hide nothing": (*given, np.ones_like(one)),
        "a mask that hides everything": (*given, np.zeros_like(one)),
        "a whole sentence": (*given, sentence),
        "one query of each head": (*given, row),
        "one query of one head": (*given, one),
        "a key that no query sees": (*given, column),
        "queries that see one key alone": (*given, most),
    }
    refused = [False, True, True, True, True, False, False]
    found = answers_or_refusals(numpy_attention, list(inputs.values()))
    compare_each(inputs, as_parts(found, len(refused)), refused, assert_refused)


def assert_refused(found, expected):
    refused = isinstance(found, str) and found == "ValueError"
    if refused is not expected:
        without = "no ValueError is raised although a query may attend to no key"
        needless = "a ValueError is raised although every query may attend to a key"
        raise Mismatch(without if expected else needless)


@test_case(points=1, hidden=True)
def inputs_stay(numpy_attention, rng):
    """The inputs are the same after the call as before"""
    lengths = np.array([2, 4])[:, None, None, None]
    visible = np.arange(5) < np.broadcast_to(lengths, (2, 3, 4, 1))
    inputs = (*parts(rng, 2, 3), visible)
    answer, left = answer_and_inputs(numpy_attention, *inputs)
    assert_attention(answer, reference.numpy_attention(*inputs))
    for label, before, after in zip(("query", "key", "value", "visible"), inputs, left):
        assert_tensor(after, torch.as_tensor(before), f"{label} after the call", atol=0.0)
