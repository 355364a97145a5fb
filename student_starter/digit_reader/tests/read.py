"""Public cases of `read`."""

import torch
from checking import Mismatch, as_parts, assert_tensor, compare_each, driver, test_case

OK_FORMAT = False
name = "read"


@driver
def recitals(read, images, limits):
    """Let a model say what its images are, as if they were tokens, for several limits."""
    import torch
    from torch import nn

    class Recites(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(13, 1)

        def encode(self, images):
            return nn.functional.one_hot(images, 12).float()

        def decode(self, memory, tokens, want_weights=False):  # noqa: ARG002
            return memory[:, : tokens.size(1)] + 0 * self.embedding(tokens), None

        def forward(self, images, tokens):
            return self.decode(self.encode(images), tokens)[0]

    with torch.enable_grad():
        return [read(Recites(), images.clone(), max_digits=limit) for limit in limits]


@test_case(points=1)
def recited(read):
    """A model that says what its image holds: [4, END], [4, 7, 9, END], and one without an END"""
    images = torch.tensor([[4, 11, 5, 5, 5], [4, 7, 9, 11, 11], [1, 2, 3, 4, 5]])
    found = recitals(read, images, [3, 2, 1, 4])
    expected = {
        "3 digits": [[4, 11, 12, 12], [4, 7, 9, 11], [1, 2, 3, 12]],
        "2 digits": [[4, 11, 12], [4, 7, 12], [1, 2, 12]],
        "1 digit": [[4, 11], [4, 12], [1, 12]],
        "4 digits": [[4, 11, 12, 12, 12], [4, 7, 9, 11, 12], [1, 2, 3, 4, 12]],
    }
    kinds = [f"at most {most}" for most in expected]
    right = [torch.tensor(rows) for rows in expected.values()]
    compare_each(kinds, as_parts(found, 4), right, assert_recited)


def assert_recited(answer, expected):
    assert_tensor(answer, expected, atol=0.0)
    assert_type(answer)


def assert_type(answer):
    """A list or an array holds the same tokens, but is no tensor."""
    if not isinstance(answer, torch.Tensor):
        raise Mismatch(f"the result is a {type(answer).__name__}, not a tensor")
