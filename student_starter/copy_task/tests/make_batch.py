"""Public cases of `make_batch`."""

import torch
from checking import Mismatch, assert_tensor, test_case

OK_FORMAT = False
name = "make_batch"
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


@test_case(points=2)
def batch_of_the_lesson(make_batch):
    """The lesson's sequences [4, 7, 9] and [6]"""
    expected = [
        torch.tensor([[4, 7, 9], [6, 0, 0]]),
        torch.tensor([[1, 4, 7, 9], [1, 6, 0, 0]]),
        torch.tensor([[4, 7, 9, 2], [6, 2, 0, 0]]),
    ]
    assert_batch(make_batch([[4, 7, 9], [6]]), expected)
