"""Cases of `compose`."""

import torch

from autograder.checking import (
    Mismatch,
    answer_and_inputs,
    answers,
    as_parts,
    as_tensor,
    assert_pair,
    assert_shape,
    assert_tensor,
    compare_each,
    driver,
    test_case,
)
from solutions import digit_reader as reference

OK_FORMAT = False
name = "compose"

NAMES = ("wide", "targets")


@driver
def draws_around(compose, arguments, others):
    """Seed three generators and draw; compose; return the answer and what they draw next."""
    import random

    import numpy as np
    import torch

    torch.default_generator.manual_seed(others)
    np.random.seed(others)
    random.seed(others)
    _ = torch.rand(5), np.random.rand(5), random.getrandbits(5)
    answer = compose(*arguments)
    drawn = [np.random.randint(1 << 30), random.getrandbits(30)]
    return [answer, torch.randint(1 << 30, (3,)), *drawn]


def base(rng, count=40, height=8, width=8):
    """Draw base images without a blank pixel, and labels."""
    images = torch.rand(count, height, width, generator=rng) * 0.9 + 0.1
    return images, torch.randint(0, 10, (count,), generator=rng)


def draw_seed(rng):
    return int(torch.randint(10, 1 << 20, (), generator=rng))


def assert_drawn(answer, given):
    assert_composed(answer, reference.compose(*given))


def assert_composed(answer, expected):
    """Compare targets first: whoever draws otherwise reads about digits, not about pixels."""
    wide, targets = assert_pair(answer, NAMES)
    assert_tensor(targets, expected[1], "targets", atol=0.0)
    assert_tensor(wide, expected[0], "wide", atol=0.0)


def assert_each(compose, inputs, compare):
    """Compare the answers to inputs of several kinds with these."""
    given = list(inputs.values())
    compare_each(inputs, answers(compose, given), given, compare)


@test_case(points=2)
def three_small_images(compose):
    """Three images of two pixels, with the labels 7, 8 and 9: four numbers with seed 0"""
    images = torch.tensor([[[0.25], [1.0]], [[0.5], [0.0]], [[0.75], [1.0]]])
    answer = compose(images, torch.tensor([7, 8, 9]), 4, 0)
    targets = torch.tensor([[7, 7, 7], [7, 7, 12], [8, 9, 12], [8, 12, 12]])
    upper = [[0.25, 0.25, 0.25], [0.25, 0.25, 0.0], [0.5, 0.75, 0.0], [0.5, 0.0, 0.0]]
    lower = [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    wide = torch.stack([torch.tensor(upper), torch.tensor(lower)], dim=1)
    assert_composed(answer, (wide, targets))


@test_case(points=1, hidden=True)
def one_to_three_digits(compose, rng):
    """Numbers of one to three digits, which is the default, with several seeds"""
    inputs = {
        "seed 0": (*base(rng), 30, 0),
        "another seed": (*base(rng), 50, draw_seed(rng)),
        "a third seed": (*base(rng, 300), 70, draw_seed(rng)),
    }
    assert_each(compose, inputs, assert_drawn)


@test_case(points=2, hidden=True)
def lengths(compose, rng):
    """Other lengths: one alone, in any order, with gaps, with one that stands there twice"""
    kinds = {
        "one to three": (1, 2, 3),
        "three alone": (3,),
        "one alone": (1,),
        "others in order": (2, 4),
        "the longest first": (3, 1),
        "the longest in the middle": (2, 5, 1),
        "one that stands there twice": (1, 1, 3),
        "one that stands there twice, apart": (2, 1, 4, 2),
        "a list": [4, 2],
    }
    inputs = {kind: (*base(rng), 30, draw_seed(rng), given) for kind, given in kinds.items()}
    assert_each(compose, inputs, assert_drawn)


@test_case(points=1, hidden=True)
def shapes(compose, rng):
    """Base images of other shapes, where height and width differ: wide shows what targets say"""
    sizes = {
        "square": (8, 8),
        "high": (5, 3),
        "wide": (2, 6),
        "one row": (1, 4),
        "one column": (4, 1),
        "28 x 28": (28, 28),
    }
    inputs = {
        f"base images that are {kind}": (*ten(rng, *size), 12, draw_seed(rng))
        for kind, size in sizes.items()
    }
    assert_each(compose, inputs, assert_laid)


@test_case(points=1, hidden=True)
def counts(compose, rng):
    """Any count of composites, one and none as well: wide shows what targets say"""
    inputs = {
        "several": (*ten(rng), 20, draw_seed(rng)),
        "more": (*ten(rng), 100, draw_seed(rng)),
        "one composite": (*ten(rng), 1, draw_seed(rng)),
        "one of fewer digits than there might be": (*ten(rng), 1, seed_of_one_digit(rng)),
        "none": (*ten(rng), 0, draw_seed(rng)),
    }
    assert_each(compose, inputs, assert_laid)
    several, none = answers(compose, [inputs["several"], inputs["none"]])
    for part, empty, label in zip(several, none, NAMES):
        if as_tensor(part).dtype != as_tensor(empty).dtype:
            raise Mismatch(f"{label} has another dtype for no composites than for several")


def seed_of_one_digit(rng):
    """Draw a seed with which the first number has one digit of three."""
    while True:
        seed = draw_seed(rng)
        _, targets = reference.compose(*ten(rng), 1, seed)
        if targets[0, 1] == 12:
            return seed


def ten(rng, height=8, width=8):
    """Draw a base image for each digit, in any order."""
    images, _ = base(rng, 10, height, width)
    return images, torch.randperm(10, generator=rng)


def assert_laid(answer, given):
    """Compare wide with the base images of the digits in targets, whatever was drawn."""
    images, labels, count, _ = given
    wide, targets = assert_pair(answer, NAMES)
    assert_shape(as_tensor(targets, "targets"), (count, 3), "targets")
    tokens = as_tensor(targets).long().clamp(0, 12)
    if (tokens == 12).all(1).any():
        raise Mismatch("targets has a row without a digit")
    by_digit = torch.zeros(13, *images.shape[1:])
    by_digit[labels] = images
    assert_tensor(wide, by_digit[tokens].transpose(1, 2).flatten(2), "wide", atol=0.0)


@test_case(points=1, hidden=True)
def dtypes(compose, rng):
    """The results are tensors of float32 and int64"""
    answer = assert_pair(compose(*base(rng), 20, draw_seed(rng)), NAMES)
    dtypes = (torch.float32, torch.int64)
    for part, shape, label, dtype in zip(answer, ((20, 8, 24), (20, 3)), NAMES, dtypes):
        assert_shape(as_tensor(part, label), shape, label)
        assert_tensor(part, as_tensor(part), label, dtype=dtype)
        if not isinstance(part, torch.Tensor):
            raise Mismatch(f"{label} is a {type(part).__name__}, not a tensor")


@test_case(points=1, hidden=True)
def global_states(compose, rng):
    """The global random states stay as they were"""
    given, others = (*base(rng), 20, draw_seed(rng)), draw_seed(rng)
    answer, *found = as_parts(draws_around(compose, given, others), 4)
    assert_worth_a_look(answer)
    _, *expected = draws_around(reference.compose, given, others)
    generators = ("torch", "NumPy", "Python's `random`")
    for drawn, right, whose in zip(found, expected, generators):
        if not torch.equal(as_tensor(drawn).flatten(), torch.as_tensor(right).flatten()):
            raise Mismatch(f"after the call, {whose} draws other random numbers than without it")


def assert_worth_a_look(answer):
    """Demand composites: nothing stays as it should where nothing is done."""
    _, targets = assert_pair(answer, NAMES)
    if len(as_tensor(targets, "targets").unique()) < 5:
        raise Mismatch("targets has only a few different digits")


@test_case(points=1, hidden=True)
def inputs_stay(compose, rng):
    """Images, labels and lengths stay as they were"""
    images, labels = base(rng)
    answer, left = answer_and_inputs(compose, images, labels, 40, draw_seed(rng), [3, 1, 2])
    assert_worth_a_look(answer)
    assert_tensor(left[0], images, "images after the call", atol=0.0)
    assert_tensor(left[1], labels, "labels after the call", atol=0.0)
    if left[4] != [3, 1, 2]:
        raise Mismatch("lengths are others after the call than before")
