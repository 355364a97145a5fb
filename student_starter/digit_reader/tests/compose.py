"""Public cases of `compose`."""

import torch
from checking import assert_pair, assert_tensor, test_case

OK_FORMAT = False
name = "compose"
NAMES = ("wide", "targets")


def assert_composed(answer, expected):
    """Compare targets first: whoever draws otherwise reads about digits, not about pixels."""
    wide, targets = assert_pair(answer, NAMES)
    assert_tensor(targets, expected[1], "targets", atol=0.0)
    assert_tensor(wide, expected[0], "wide", atol=0.0)


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
