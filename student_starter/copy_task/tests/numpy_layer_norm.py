"""Public cases of `numpy_layer_norm`."""

import numpy as np
import torch
from checking import Mismatch, assert_tensor, test_case

OK_FORMAT = False
name = "numpy_layer_norm"


def assert_array(answer):
    if isinstance(answer, (torch.Tensor, list, tuple)):
        kind = "torch tensor" if isinstance(answer, torch.Tensor) else type(answer).__name__
        raise Mismatch(f"the result is a {kind}, not a NumPy array")


@test_case(points=1)
def by_hand(numpy_layer_norm):
    """Vectors of mean 5 and variance 4, and of mean 0 and variance 1; then gain and bias"""
    x = np.array([[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0], [1.0, -1.0] * 4])
    gain = np.array([2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0])
    bias = np.array([0.0, 1.0, 0.0, 0.0, 0.0, 10.0, 0.0, 0.0])
    answer = numpy_layer_norm(x, gain, bias)
    assert_array(answer)
    expected = [
        [-3.0, 0.0, -1.0, -1.0, 0.0, 10.0, 1.0, 2.0],
        [2.0, -1.0, 2.0, -2.0, 1.0, 9.0, 1.0, -1.0],
    ]
    assert_tensor(answer, torch.tensor(expected), atol=1e-4)
