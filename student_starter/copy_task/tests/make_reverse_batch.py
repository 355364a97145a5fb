"""Public cases of `make_reverse_batch`."""

import torch
from checking import Mismatch, assert_tensor, test_case

OK_FORMAT = False
name = "make_reverse_batch"
LABELS = ("the source", "the decoder input", "the target")


def three_parts(answer):
    """Unpack an answer that must be three tensors."""
    if answer is None:
        raise Mismatch("the result is None: is there a `return`?")
    if not isinstance(answer, (tuple, list)) or len(answer) != 3:
        raise Mismatch("the result is not the three tensors (source, decoder_input, target)")
    return answer


def assert_batch(answer, expected):
    for found, right, label in zip(three_parts(answer), expected, LABELS):
        assert_tensor(found, right, label, atol=0.0)


@test_case(points=1)
def two_sequences(make_reverse_batch):
    """The sequences [4, 7, 9] and [6, 5]"""
    expected = [
        torch.tensor([[4, 7, 9], [6, 5, 0]]),
        torch.tensor([[1, 9, 7, 4], [1, 5, 6, 0]]),
        torch.tensor([[9, 7, 4, 2], [5, 6, 2, 0]]),
    ]
    assert_batch(make_reverse_batch([[4, 7, 9], [6, 5]]), expected)
