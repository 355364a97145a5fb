"""Public cases of `attention_thirds`."""

import torch
from checking import assert_tensor, test_case

OK_FORMAT = False
name = "attention_thirds"


def assert_thirds(answer, expected):
    assert_tensor(answer, expected, atol=1e-5)


@test_case(points=1)
def two_images(attention_thirds):
    """Two images of two rows and three columns of patches, and one position that looks at them"""
    weights = torch.tensor([[[0.5, 0.25, 0.0, 0.0, 0.25, 0.0]], [[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]])
    assert_thirds(attention_thirds(weights, (2, 3)), torch.tensor([[0.25, 0.25, 0.5]]))
