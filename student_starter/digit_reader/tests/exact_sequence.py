"""Public cases of `exact_sequence`."""

import torch
from checking import assert_number, driver, test_case

OK_FORMAT = False
name = "exact_sequence"


@driver
def recital(exact_sequence, said, targets):
    """Let a model say what its images are, as if they were tokens."""
    from torch import nn

    class Recites(nn.Module):
        def encode(self, images):
            return nn.functional.one_hot(images, 12).float()

        def decode(self, memory, tokens, want_weights=False):  # noqa: ARG002
            return memory[:, : tokens.size(1)], None

        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

    return exact_sequence(Recites(), said, targets)


def assert_share(answer, expected):
    assert_number(answer, expected, "the share", atol=1e-6)


@test_case(points=1)
def two_of_four(exact_sequence):
    """Four images: 4 and 47 are read right, 123 lacks its END, and 56 its second digit"""
    targets = torch.tensor([[4, 12, 12], [4, 7, 12], [1, 2, 3], [5, 6, 12]])
    said = torch.tensor([[4, 11, 5, 5], [4, 7, 11, 0], [1, 2, 3, 4], [5, 11, 11, 11]])
    assert_share(recital(exact_sequence, said, targets), 0.5)
