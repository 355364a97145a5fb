"""Public cases of `smoothed_cross_entropy`."""

import torch
from checking import assert_number, test_case

OK_FORMAT = False
name = "smoothed_cross_entropy"


@test_case(points=2)
def losses_of_the_lesson(smoothed_cross_entropy):
    """The lesson's logits 3, 1, .5, .2, .1: .2876 without smoothing, .4916 with it"""
    logits, labels = torch.tensor([[3.0, 1.0, 0.5, 0.2, 0.1]]), torch.tensor([0])
    plain = smoothed_cross_entropy(logits, labels, epsilon=0.0)
    assert_number(plain, 0.2876222, "the loss for epsilon 0", atol=1e-6)
    smoothed = smoothed_cross_entropy(logits, labels)
    assert_number(smoothed, 0.4916222, "the loss for epsilon .1", atol=1e-6)
