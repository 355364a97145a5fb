"""Cases of `numpy_layer_norm`."""

import numpy as np
import torch
import torch.nn.functional as F

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    answers_on_views,
    assert_tensor,
    compare_each,
    test_case,
)

OK_FORMAT = False
name = "numpy_layer_norm"


def random(rng, *shape):
    return torch.randn(*shape, generator=rng, dtype=torch.float64).numpy()


def in_torch(x, gain, bias):
    x, gain, bias = map(torch.as_tensor, (x, gain, bias))
    return F.layer_norm(x, gain.shape, gain, bias, eps=1e-5)


def assert_each(function, inputs, compare, ask=answers):
    """Compare with torch on inputs of several kinds."""
    expected = [in_torch(*given) for given in inputs.values()]
    compare_each(inputs, ask(function, inputs.values()), expected, compare)


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


@test_case(points=1, hidden=True)
def as_torch_does(numpy_layer_norm, rng):
    """float64 arrays that agree with torch to 1e-10: other widths, any number of axes in front"""
    shapes = {
        "one vector": (6,),
        "several vectors": (3, 7),
        "as many vectors as entries": (4, 4),
        "a batch": (2, 5, 8),
        "four axes": (2, 1, 3, 6),
    }
    # Next to variances as large as these, 1e-5 makes no difference: that is another case.
    inputs = {
        kind: (1e8 * (random(rng, *s) + 0.5), random(rng, s[-1]), random(rng, s[-1]))
        for kind, s in shapes.items()
    }
    assert_each(numpy_layer_norm, inputs, assert_precise)
    views = {"arrays that are not contiguous": inputs["a batch"]}
    assert_each(numpy_layer_norm, views, assert_precise, answers_on_views)


def assert_precise(answer, expected):
    assert_array(answer)
    assert_tensor(answer, expected, atol=1e-10, dtype=torch.float64)


@test_case(points=1, hidden=True)
def small_variances(numpy_layer_norm, rng):
    """Vectors whose variance is as small as 1e-5, and smaller: it is 1e-5 that is added to it"""
    gain, bias = random(rng, 6), random(rng, 6)
    inputs = {
        "a variance like 1e-5": (0.003 * random(rng, 4, 6), gain, bias),
        "a smaller one": (0.0001 * random(rng, 4, 6), gain, bias),
        "entries that are all alike": (np.full((2, 6), 0.5), gain, bias),
        "one entry": (random(rng, 3, 1), gain[:1], bias[:1]),
    }
    assert_each(numpy_layer_norm, inputs, assert_tensor)


@test_case(points=1, hidden=True)
def inputs_stay(numpy_layer_norm, rng):
    """The inputs are the same after the call as before"""
    inputs = (1e3 * (random(rng, 3, 4, 5) + 0.5), random(rng, 5), random(rng, 5))
    answer, left = answer_and_inputs(numpy_layer_norm, *inputs)
    assert_tensor(answer, in_torch(*inputs))
    for label, before, after in zip(("x", "gain", "bias"), inputs, left):
        assert_tensor(after, torch.as_tensor(before), f"{label} after the call", atol=0.0)
