"""Public cases of `attention_masks`."""

import torch
from checking import assert_pair, assert_tensor, test_case

OK_FORMAT = False
name = "attention_masks"
NAMES = ("source_visible", "target_visible")


def assert_masks(answer, expected, dtype=None):
    for found, right, label in zip(assert_pair(answer, NAMES), expected, NAMES):
        assert_tensor(found, right, label, atol=0.0, dtype=dtype)


@test_case(points=2)
def batch_of_two(attention_masks):
    """A batch of two: the sources [4, 7, 9] and [6], and their decoder inputs"""
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    target_prefix = torch.tensor([[1, 4, 7, 9], [1, 6, 0, 0]])
    source_visible = [[[[True, True, True]]], [[[True, False, False]]]]
    target_visible = [
        [[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]],
        [[[1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 0, 0]]],
    ]
    expected = (torch.tensor(source_visible), torch.tensor(target_visible).bool())
    assert_masks(attention_masks(source, target_prefix), expected)
