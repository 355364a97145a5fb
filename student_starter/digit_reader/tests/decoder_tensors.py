"""Public cases of `decoder_tensors`."""

import torch
from checking import assert_pair, assert_tensor, test_case

OK_FORMAT = False
name = "decoder_tensors"
LABELS = ("decoder_input", "decoder_target")


def assert_both(answer, expected):
    for found, right, label in zip(assert_pair(answer, LABELS), expected, LABELS):
        assert_tensor(found, right, label, atol=0.0)


@test_case(points=2)
def two_numbers(decoder_tensors):
    """The numbers 479 and 6"""
    answer = decoder_tensors(torch.tensor([[4, 7, 9], [6, 12, 12]]))
    fed = torch.tensor([[10, 4, 7, 9], [10, 6, 12, 12]])
    said = torch.tensor([[4, 7, 9, 11], [6, 11, 12, 12]])
    assert_both(answer, (fed, said))
