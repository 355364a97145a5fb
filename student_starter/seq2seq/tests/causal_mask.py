"""Public cases of `causal_mask`."""

import math
import torch
from checking import assert_tensor, test_case

OK_FORMAT = False
name = "causal_mask"


@test_case(points=2)
def mask_of_the_lesson(causal_mask):
    """The lesson's mask for three positions: 0 on and below the diagonal, -inf above"""
    hidden = -math.inf
    expected = torch.tensor([[0.0, hidden, hidden], [0.0, 0.0, hidden], [0.0, 0.0, 0.0]])
    assert_tensor(causal_mask(3), expected, "the mask", atol=0.0)
