"""Public cases of `numpy_attention`."""

import math
import numpy as np
import torch
from checking import Mismatch, assert_pair, assert_tensor, test_case

OK_FORMAT = False
name = "numpy_attention"


def assert_attention(answer, expected, atol=1e-5, dtype=None):
    output, weights = assert_pair(answer, ("output", "weights"))
    assert_tensor(weights, torch.as_tensor(expected[1]), "weights", atol=atol, dtype=dtype)
    assert_tensor(output, torch.as_tensor(expected[0]), "output", atol=atol, dtype=dtype)


def assert_arrays(answer):
    for part, label in zip(assert_pair(answer, ("output", "weights")), ("output", "weights")):
        if isinstance(part, (torch.Tensor, list, tuple)):
            kind = "torch tensor" if isinstance(part, torch.Tensor) else type(part).__name__
            raise Mismatch(f"{label} is a {kind}, not a NumPy array")


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
