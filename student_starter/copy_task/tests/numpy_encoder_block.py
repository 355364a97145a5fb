"""Public cases of `numpy_encoder_block`."""

import numpy as np
import torch
from checking import Mismatch, answers, assert_tensor, compare_each, test_case

OK_FORMAT = False
name = "numpy_encoder_block"
ATTENTION_END = ("attention.output.weight", "attention.output.bias")
FEED_FORWARD_END = ("feed_forward.2.weight", "feed_forward.2.bias")


def wave(step, *shape):
    """Return numbers between -1 and 1 that look random."""
    return np.sin(step * np.arange(1, np.prod(shape) + 1) ** 2).reshape(shape)


def assert_array(answer):
    if isinstance(answer, (torch.Tensor, list, tuple)):
        kind = "torch tensor" if isinstance(answer, torch.Tensor) else type(answer).__name__
        raise Mismatch(f"the result is a {kind}, not a NumPy array")


def small_weights(without=()):
    """Return the weights of a block of width 4; those whose names are given are 0."""
    weights = {
        "attention_norm.weight": np.array([1.0, 2.0, 0.5, 1.5]),
        "attention_norm.bias": np.array([0.5, 0.0, -0.5, 1.0]),
        "attention.query.weight": wave(1, 4, 4),
        "attention.query.bias": wave(2, 4),
        "attention.key.weight": wave(3, 4, 4),
        "attention.key.bias": wave(4, 4),
        "attention.value.weight": wave(5, 4, 4),
        "attention.value.bias": wave(6, 4),
        "attention.output.weight": wave(7, 4, 4),
        "attention.output.bias": wave(8, 4),
        "feed_forward_norm.weight": np.array([1.5, 0.5, 2.0, 1.0]),
        "feed_forward_norm.bias": np.array([1.0, -0.5, 0.0, 0.5]),
        "feed_forward.0.weight": wave(9, 6, 4),
        "feed_forward.0.bias": wave(10, 6),
        "feed_forward.2.weight": wave(11, 4, 6),
        "feed_forward.2.bias": wave(12, 4),
    }
    return weights | {name: np.zeros_like(weights[name]) for name in without}


@test_case(points=1)
def a_small_block(numpy_encoder_block):
    """Three vectors of four numbers, two heads; the last vector is hidden"""
    x, visible = 3 * wave(13, 1, 3, 4), np.array([[[[True, True, False]]]])
    inputs = {
        "the attention alone": (x, small_weights(FEED_FORWARD_END), visible, 2),
        "the feed-forward network alone": (x, small_weights(ATTENTION_END), visible, 2),
        "both sublayers": (x, small_weights(), visible, 2),
    }
    expected = [
        [
            [0.854221, 3.311445, -2.737506, -0.030874],
            [-3.357699, 0.706561, 1.504347, -0.234143],
            [-1.238076, -0.582609, 3.302773, -1.075751],
        ],
        [
            [-0.254333, 2.764776, 1.177287, 3.452574],
            [-6.379205, -1.936843, 4.661270, 6.073525],
            [-5.472741, -2.962064, 8.459986, 7.659937],
        ],
        [
            [-0.696626, 2.811934, -0.052421, 1.251280],
            [-6.757834, -1.237502, 4.891841, 5.256554],
            [-5.179970, -1.780862, 9.582465, 8.113761],
        ],
    ]
    found = answers(numpy_encoder_block, inputs.values())
    compare_each(inputs, found, [torch.tensor([rows]) for rows in expected], assert_small)


def assert_small(answer, expected):
    assert_array(answer)
    assert_tensor(answer, expected, atol=1e-4)
