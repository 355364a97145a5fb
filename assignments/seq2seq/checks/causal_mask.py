"""Cases of `causal_mask`."""

import math

import torch

from autograder.checking import (
    Mismatch,
    answers,
    assert_tensor,
    compare_each,
    driver,
    test_case,
)
from solutions import seq2seq as reference

OK_FORMAT = False
name = "causal_mask"


@driver
def second_mask(causal_mask, size):
    """Write into one mask, and return the next one."""
    import torch

    with torch.inference_mode():  # lets even a mask be written into that was made in this mode
        torch.as_tensor(causal_mask(size)).fill_(7.0)
    return causal_mask(size)


@driver
def needs_gradient(causal_mask, size):
    """Tell whether the mask is a parameter of anything."""
    return bool(getattr(causal_mask(size), "requires_grad", False))


@test_case(points=2)
def mask_of_the_lesson(causal_mask):
    """The lesson's mask for three positions: 0 on and below the diagonal, -inf above"""
    hidden = -math.inf
    expected = torch.tensor([[0.0, hidden, hidden], [0.0, 0.0, hidden], [0.0, 0.0, 0.0]])
    assert_tensor(causal_mask(3), expected, "the mask", atol=0.0)


@test_case(points=3, hidden=True)
def other_sizes(causal_mask, rng):
    """Other sizes, one position among them"""
    large = int(torch.randint(65, 90, (), generator=rng))
    sizes = {"size 1": 1, "size 2": 2, "a larger size": large}
    found = answers(causal_mask, [(size,) for size in sizes.values()])
    compare_each(sizes, found, list(map(reference.causal_mask, sizes.values())), assert_mask)


def assert_mask(answer, expected):
    assert_tensor(answer, expected, "the mask", atol=0.0)


@test_case(points=1, hidden=True)
def dtype(causal_mask):
    """The mask is float32"""
    for size, found in zip((4, 1), answers(causal_mask, [(4,), (1,)])):
        assert_tensor(found, reference.causal_mask(size), atol=0.0, dtype=torch.float32)


@test_case(points=1, hidden=True)
def fresh_each_time(causal_mask):
    """Each call gives a new mask: writing into one does not change the next"""
    assert_tensor(
        second_mask(causal_mask, 5), reference.causal_mask(5), "the second mask", atol=0.0
    )


@test_case(points=1, hidden=True)
def no_gradient(causal_mask):
    """The mask asks for no gradient"""
    assert_mask(causal_mask(3), reference.causal_mask(3))
    if needs_gradient(causal_mask, 3):
        raise Mismatch("the mask requires a gradient, as if it were to be learned")
