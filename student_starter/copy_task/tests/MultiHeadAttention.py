"""Public cases of `MultiHeadAttention`."""

import torch
from checking import assert_pair, assert_tensor, call_loaded, loaded_answers, test_case

OK_FORMAT = False
name = "MultiHeadAttention"
PARTS = ("query", "key", "value", "output")


def unchanging(width):
    """Return weights with which the projections return what they get."""
    weights = {f"{part}.weight": torch.eye(width) for part in PARTS}
    return weights | {f"{part}.bias": torch.zeros(width) for part in PARTS}


def assert_attention(answer, expected, atol=5e-5, dtype=None):
    output, weights = assert_pair(answer, ("output", "weights"))
    assert_tensor(weights, expected[1], "weights", atol=atol, dtype=dtype)
    assert_tensor(output, expected[0], "output", atol=atol, dtype=dtype)


def asked(module, sizes, weights, inputs):
    found = call_loaded(module, sizes, weights, "forward", inputs)
    return loaded_answers(found, weights, len(inputs))


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
