"""Public cases of `training_loss`."""

import math
import torch
from checking import assert_number, assert_tensor, test_case

OK_FORMAT = False
name = "training_loss"


@test_case(points=1)
def indifferent_and_decided(training_loss):
    """A model without a preference: ln 12. One that prefers what is right: .2876"""
    source = torch.tensor([[4, 7, 9], [6, 0, 0]])
    decoder_input = torch.tensor([[1, 4, 7, 9], [1, 6, 0, 0]])
    target = torch.tensor([[4, 7, 9, 2], [6, 2, 0, 0]])

    def indifferent(first, second):
        assert_tensor(first, source, "the model's first argument", atol=0.0)
        assert_tensor(second, decoder_input, "the model's second argument", atol=0.0)
        return torch.zeros(2, 4, 12)

    loss = training_loss(indifferent, source, decoder_input, target)
    assert_number(loss, math.log(12), "the loss of a model without a preference")

    def decided(first, second):
        return torch.tensor([[[1.0, 0.2, 0.1, 3.0, 0.5]]])

    loss = training_loss(decided, torch.tensor([[3]]), torch.tensor([[1]]), torch.tensor([[3]]))
    assert_number(loss, 0.2876222, "the loss of a model that prefers what is right")
