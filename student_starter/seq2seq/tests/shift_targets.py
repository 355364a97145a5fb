"""Public cases of `shift_targets`."""

import torch
from checking import assert_pair, assert_tensor, test_case

OK_FORMAT = False
name = "shift_targets"


def assert_shifted(answer, expected, dtype=None):
    names = ("decoder_input", "labels")
    for label, found, right in zip(names, assert_pair(answer, names), expected):
        assert_tensor(found, right, label, atol=0.0, dtype=dtype)


@test_case(points=2)
def sentence_of_the_lesson(shift_targets):
    """The lesson's sentence [10, 3, 3, 11]"""
    expected = (torch.tensor([[10, 3, 3]]), torch.tensor([[3, 3, 11]]))
    assert_shifted(shift_targets(torch.tensor([[10, 3, 3, 11]])), expected)
