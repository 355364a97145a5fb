"""Public cases of `positional_encoding`."""

import torch
from checking import as_tensor, assert_shape, assert_tensor, test_case

OK_FORMAT = False
name = "positional_encoding"


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
