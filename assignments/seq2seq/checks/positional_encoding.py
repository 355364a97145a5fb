"""Cases of `positional_encoding`."""

import torch

from autograder.checking import (
    answers,
    as_tensor,
    assert_shape,
    assert_tensor,
    compare_each,
    test_case,
)
from solutions import seq2seq as reference

OK_FORMAT = False
name = "positional_encoding"


def assert_each(positional_encoding, sizes, atol):
    """Compare with the reference for sizes of several kinds."""

    def compare(answer, right):
        assert_tensor(answer, right, "the encoding", atol=atol)

    expected = [reference.positional_encoding(*size) for size in sizes.values()]
    compare_each(sizes, answers(positional_encoding, sizes.values()), expected, compare)


@test_case(points=2)
def table_of_the_lesson(positional_encoding):
    """The lesson's table: width 16, positions 0, 1 and 5, first four columns"""
    expected = torch.tensor(
        [
            [0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.3110, 0.9504],
            [-0.9589, 0.2837, 0.9999, -0.0103],
        ]
    )
    found = as_tensor(positional_encoding(10, 16), "the encoding")
    assert_shape(found, (10, 16), "the encoding")
    assert_tensor(found[[0, 1, 5], :4], expected, "the table", atol=1e-4)


@test_case(points=3, hidden=True)
def all_columns(positional_encoding, rng):
    """Every column, also for widths other than 16"""
    other = 2 * int(torch.randint(33, 50, (), generator=rng))
    sizes = {"the lesson's width": (20, 16), "the width 4": (20, 4), "another width": (20, other)}
    assert_each(positional_encoding, sizes, atol=2e-5)


@test_case(points=1, hidden=True)
def far_positions(positional_encoding):
    """Positions up to 512"""
    assert_each(positional_encoding, {"513 positions": (513, 6)}, atol=3e-4)


@test_case(points=1, hidden=True)
def smallest(positional_encoding):
    """One position, and the width 2"""
    sizes = {"one position": (1, 8), "the width 2": (3, 2), "one position of width 2": (1, 2)}
    assert_each(positional_encoding, sizes, atol=1e-5)


@test_case(points=1, hidden=True)
def dtype(positional_encoding):
    """The encoding is float32"""
    expected = reference.positional_encoding(4, 6)
    assert_tensor(positional_encoding(4, 6), expected, atol=1e-2, dtype=torch.float32)
