"""Public cases of `attention_thirds`."""

import torch
from checking import assert_tensor, test_case

OK_FORMAT = False
name = "attention_thirds"


def assert_thirds(answer, expected):
    assert_tensor(answer, expected, atol=1e-5)


@test_case(points=1)
def one_position(attention_thirds):
    """One position that looks at three of six patches, in two rows and three columns"""
    weights = torch.tensor([[[0.5, 0.25, 0.0, 0.25, 0.0, 0.0]]])
    assert_thirds(attention_thirds(weights, (2, 3)), torch.tensor([[0.75, 0.25, 0.0]]))
