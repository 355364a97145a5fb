"""Cases of `scaled_dot_product_attention`."""

import math

import torch

from autograder.checking import (
    answer_and_inputs,
    answers,
    answers_on_views,
    assert_gradients,
    assert_pair,
    assert_tensor,
    compare_each,
    gradients,
    test_case,
)
from solutions import seq2seq as reference

OK_FORMAT = False
name = "scaled_dot_product_attention"

# What torch.randn(4, 8) gives three times after torch.manual_seed(0), as in the lesson.
QUERY = torch.tensor(
    [
        [-1.125840, -1.152360, -0.250579, -0.433879, 0.848710, 0.692009, -0.316013, -2.115219],
        [0.322275, -1.263335, 0.349983, 0.308134, 0.119842, 1.237658, 1.116777, -0.247278],
        [-1.352654, -1.695931, 0.566651, 0.793508, 0.598839, -1.555095, -0.341360, 1.853006],
        [0.750189, -0.585498, -0.173397, 0.183478, 1.389366, 1.586334, 0.946298, -0.843677],
    ]
)
KEY = torch.tensor(
    [
        [-0.613583, 0.031593, -0.492677, 0.248415, 0.439696, 0.112411, 0.640792, 0.441156],
        [-0.102310, 0.792444, -0.289668, 0.052507, 0.522860, 2.302205, -1.468894, -1.586689],
        [-0.673090, 0.872831, 1.055357, 0.177844, -0.230335, -0.391754, 0.543295, -0.395158],
        [-0.446217, 0.744021, 1.520980, 3.410503, -1.531184, -1.234135, 1.819725, -0.551529],
    ]
)
VALUE = torch.tensor(
    [
        [-0.569248, 0.919971, 1.110816, 1.289874, -1.478174, 2.567233, -0.473120, 0.335551],
        [-1.629326, -0.549744, -0.479834, -0.499682, -1.066980, 1.114940, -0.140671, 0.805754],
        [-0.093348, 0.687050, -0.838315, 0.000892, 0.841894, -0.400034, 1.039462, 0.358153],
        [-0.246001, 2.302516, -1.881689, -0.049727, -1.044979, -0.956501, 0.033532, 0.710087],
    ]
)


def assert_attention(answer, expected, atol=1e-5, dtype=None):
    output, weights = assert_pair(answer, ("output", "weights"))
    assert_tensor(weights, expected[1], "weights", atol=atol, dtype=dtype)
    assert_tensor(output, expected[0], "output", atol=atol, dtype=dtype)


def assert_each(function, inputs, compare=assert_attention, ask=answers):
    """Compare with the reference on inputs of several kinds."""
    expected = [reference.scaled_dot_product_attention(*given) for given in inputs.values()]
    compare_each(inputs, ask(function, inputs.values()), expected, compare)


def random(rng, *shape):
    return torch.randn(*shape, generator=rng)


@test_case(points=2)
def rows_of_the_lesson(scaled_dot_product_attention):
    """The lesson's four tokens: attention rows and the first output row"""
    weights = torch.tensor(
        [
            [0.121, 0.741, 0.106, 0.032],
            [0.258, 0.265, 0.171, 0.307],
            [0.336, 0.017, 0.187, 0.460],
            [0.203, 0.623, 0.102, 0.071],
        ]
    )
    first_row = torch.tensor([-1.2940, -0.1495, -0.3701, -0.2156, -0.9138, 1.0640, -0.0503, 0.6983])
    answer = scaled_dot_product_attention(QUERY, KEY, VALUE)
    output, found = assert_pair(answer, ("output", "weights"))
    assert_tensor(found, weights, "weights", atol=7e-4)
    assert_tensor(output[0], first_row, "the first row of output", atol=7e-4)


@test_case(points=1)
def hidden_key(scaled_dot_product_attention):
    """A key that the mask hides gets the weight 0, and the others share its part"""
    mask = torch.tensor([[0.0, -math.inf]])
    answer = scaled_dot_product_attention(torch.ones(1, 2), torch.ones(2, 2), torch.eye(2), mask)
    expected = torch.tensor([[1.0, 0.0]])
    assert_attention(answer, (expected, expected), atol=0.0)


@test_case(points=3, hidden=True)
def batches_and_heads(scaled_dot_product_attention, rng):
    """Batches and heads, more keys than queries, values wider than keys"""
    inputs = {
        "one sentence": (random(rng, 4, 5), random(rng, 6, 5), random(rng, 6, 7)),
        "a batch of 3": (random(rng, 3, 7, 2), random(rng, 3, 3, 2), random(rng, 3, 3, 1)),
        "a batch of 2 with 3 heads": [random(rng, 2, 3, *s) for s in ((4, 5), (6, 5), (6, 7))],
        "three axes in front": [random(rng, 2, 1, 3, *s) for s in ((2, 4), (3, 4), (3, 2))],
    }
    assert_each(scaled_dot_product_attention, inputs)
    views = {"tensors that are not contiguous": inputs["a batch of 2 with 3 heads"]}
    assert_each(scaled_dot_product_attention, views, ask=answers_on_views)


@test_case(points=3, hidden=True)
def additive_masks(scaled_dot_product_attention, rng):
    """Masks are added and broadcast: -inf hides, other numbers make a key more or less likely"""
    given = (random(rng, 5, 3, 4, 5), random(rng, 5, 3, 6, 5), random(rng, 5, 3, 6, 2))
    shapes = {
        "one mask for all": (4, 6),
        "one for each sentence": (5, 1, 1, 6),
        "one for each head": (3, 4, 6),
        "another mask for all": (4, 6),
        "one row for all queries": (1, 6),
    }
    masks = {kind: 2 * random(rng, *shape) for kind, shape in shapes.items()}
    for mask in masks.values():
        mask[..., 1] = -math.inf
        mask[..., 4] = 0.0
    masks["another mask for all"] -= 30.0
    inputs = {kind: (*given, mask) for kind, mask in masks.items()}
    assert_each(scaled_dot_product_attention, inputs, assert_hidden)


def assert_hidden(answer, expected):
    assert_attention(answer, expected)
    assert_tensor(answer[1][..., 1], expected[1][..., 1], "weights of hidden keys", atol=0.0)


@test_case(points=2, hidden=True)
def extreme_scores(scaled_dot_product_attention, rng):
    """Scores of 10,000 and -10,000 give no NaN, and a hidden key stays hidden beside them"""
    query = torch.tensor([[100.0, 0.0, 0.0, 0.0], [-100.0, 0.0, 0.0, 0.0]])
    key = torch.zeros(4, 4)
    key[:, 0] = torch.tensor([200.0, -200.0, 200.0, 100.0])
    value = random(rng, 4, 2)
    hidden = torch.tensor([[-math.inf, 0.0, -math.inf, -math.inf], [0.0, 0.0, 0.0, 0.0]])
    inputs = {"no mask": (query, key, value), "a mask": (query, key, value, hidden)}
    assert_each(scaled_dot_product_attention, inputs, assert_roughly)
    found = gradients(scaled_dot_product_attention, [query, key, value], [])
    expected = gradients(reference.scaled_dot_product_attention, [query, key, value], [])
    assert_gradients(found, expected, ("query", "key", "value"), atol=1.0)  # no NaN in them


def assert_roughly(answer, expected):
    assert_attention(answer, expected, atol=5e-3)  # float32 resolves scores of 10,000 to 1e-3


@test_case(points=2, hidden=True)
def gradients_of_inputs(scaled_dot_product_attention, rng):
    """Gradients flow back to query, key and value, and to a mask of finite numbers"""
    inputs = [random(rng, 2, 3, 4), random(rng, 2, 5, 4), random(rng, 2, 5, 3)]
    bias = random(rng, 3, 5)
    names = ("query", "key", "value", "mask")
    for given, others in ((inputs, [reference.causal_mask(5)[:3]]), ([*inputs, bias], [])):
        found = gradients(scaled_dot_product_attention, given, others)
        expected = gradients(reference.scaled_dot_product_attention, given, others)
        assert_gradients(found, expected, names[: len(given)])


@test_case(points=1, hidden=True)
def inputs_stay(scaled_dot_product_attention, rng):
    """The inputs are the same after the call as before"""
    mask = random(rng, 3, 3)
    mask[0, 1] = mask[2, 0] = -math.inf
    inputs = (random(rng, 2, 3, 4), random(rng, 2, 3, 4), random(rng, 2, 3, 4), mask)
    answer, left = answer_and_inputs(scaled_dot_product_attention, *inputs)
    assert_attention(answer, reference.scaled_dot_product_attention(*inputs))
    for label, before, after in zip(("query", "key", "value", "mask"), inputs, left):
        assert_tensor(after, before, f"{label} after the call", atol=0.0)


@test_case(points=2, hidden=True)
def double_precision(scaled_dot_product_attention, rng):
    """float64 in, float64 out, with its full precision; float32 in, float32 out"""
    single = [*(2 * random(rng, 3, 4) for _ in range(3)), random(rng, 3, 3)]
    inputs = {"float32": single, "float64": [x.double() / 3 for x in single]}
    assert_each(scaled_dot_product_attention, inputs, assert_precise)


def assert_precise(answer, expected):
    dtype = expected[0].dtype
    atol = 1e-12 if dtype == torch.float64 else 1e-5
    assert_attention(answer, expected, atol=atol, dtype=dtype)
