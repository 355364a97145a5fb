"""Cases of `attention_thirds`."""

import torch

from autograder.checking import (
    Mismatch,
    answers,
    as_parts,
    as_tensor,
    assert_tensor,
    compare_each,
    driver,
    test_case,
)
from solutions import digit_reader as reference

OK_FORMAT = False
name = "attention_thirds"

ROUNDING = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 1e-2}


@driver
def refusal(function, arguments):
    """Return the name of what a function raises, or a list that holds what it returns."""
    try:
        return [function(*arguments)]
    except NotImplementedError:
        raise
    except ValueError:
        return "ValueError"
    except Exception as error:
        return type(error).__name__


@driver
def refusals(attention_thirds, inputs):
    """Do so for several tuples of arguments."""
    return [refusal(attention_thirds, arguments) for arguments in inputs]


def draw(rng, batch, positions, grid):
    """Draw weights of float64, some much larger than others; each row sums to 1."""
    scores = 2 * torch.randn(batch, positions, grid[0] * grid[1], generator=rng)
    return scores.double().softmax(dim=-1)


def assert_thirds(answer, expected):
    assert_tensor(answer, expected, atol=1e-5)


def assert_each(attention_thirds, inputs):
    """Compare with the reference on inputs of several kinds."""
    expected = [reference.attention_thirds(*given) for given in inputs.values()]
    compare_each(inputs, answers(attention_thirds, inputs.values()), expected, assert_thirds)


@test_case(points=1)
def two_images(attention_thirds):
    """Two images of two rows and three columns of patches, and one position that looks at them"""
    weights = torch.tensor([[[0.5, 0.25, 0.0, 0.0, 0.25, 0.0]], [[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]])
    assert_thirds(attention_thirds(weights, (2, 3)), torch.tensor([[0.25, 0.25, 0.5]]))


@test_case(points=1, hidden=True)
def grids(attention_thirds, rng):
    """Grids of other sizes: one row, more rows than columns, several columns in a third"""
    kinds = {
        "two rows of six": (2, 6),
        "one row of three": (1, 3),
        "one row of nine": (1, 9),
        "four rows of twelve": (4, 12),
        "five rows of three": (5, 3),
        "three rows of six": (3, 6),
    }
    assert_each(attention_thirds, {k: (draw(rng, 1, 3, grid), grid) for k, grid in kinds.items()})


@test_case(points=1, hidden=True)
def batches(attention_thirds, rng):
    """The mean over batches of any size"""
    sizes = {"one image": 1, "two images": 2, "three": 3, "four": 4, "many": 50}
    weights = {kind: draw(rng, size, 3, (1, 3)) for kind, size in sizes.items()}
    assert_each(attention_thirds, {kind: (drawn, (1, 3)) for kind, drawn in weights.items()})


@test_case(points=1, hidden=True)
def positions(attention_thirds, rng):
    """Any number of positions, not only three"""
    sizes = {"three positions": 3, "four": 4, "two": 2, "one": 1, "six": 6, "many": 20}
    weights = {kind: draw(rng, 1, size, (1, 3)) for kind, size in sizes.items()}
    assert_each(attention_thirds, {kind: (drawn, (1, 3)) for kind, drawn in weights.items()})


@test_case(points=1, hidden=True)
def dtypes(attention_thirds, rng):
    """The shares are a tensor in the dtype of the weights, with all its precision"""
    weights = draw(rng, 1, 3, (1, 3))
    given = {str(kind).removeprefix("torch."): weights.to(kind) for kind in ROUNDING}
    found = answers(attention_thirds, [(each, (1, 3)) for each in given.values()])
    compare_each(given, found, list(given.values()), assert_dtype)


def assert_dtype(answer, weights):
    """Compare the shares in any order: each third is a single patch."""
    shares = as_tensor(answer)
    assert_tensor(answer, shares, dtype=weights.dtype)
    if not isinstance(answer, torch.Tensor):
        raise Mismatch(f"the result is a {type(answer).__name__}, not a tensor")
    right = weights.double().mean(0).flatten().sort().values
    assert_tensor(shares.flatten().sort().values, right, atol=ROUNDING[weights.dtype])


@test_case(points=1, hidden=True)
def refused(attention_thirds, rng):
    """ValueError if 3 does not divide the number of columns, whatever the rows, and only then"""
    kinds = {
        "six columns": (2, 6),
        "six columns in four rows": (4, 6),
        "four columns": (2, 4),
        "one column": (2, 1),
        "five columns in three rows": (3, 5),
        "four columns in six rows": (6, 4),
        "two columns in one row": (1, 2),
    }
    given = [(draw(rng, 2, 3, grid), grid) for grid in kinds.values()]
    expected = [columns % 3 > 0 for _, columns in kinds.values()]
    found = as_parts(refusals(attention_thirds, given), len(given))
    compare_each(kinds, found, expected, assert_refused)


def assert_refused(found, expected):
    """Compare what is raised for a grid of which `expected` says whether it is to be refused."""
    raised = found if isinstance(found, str) else ""
    if expected and not raised:
        raise Mismatch("no ValueError is raised")
    if expected and raised != "ValueError":
        raise Mismatch(f"{raised} is raised, not ValueError")
    if raised and not expected:
        raise Mismatch(f"{raised} is raised although three thirds can be made")
