"""Public cases of `generate`."""

import torch
from checking import Mismatch, as_parts, assert_tensor, compare_each, driver, test_case

OK_FORMAT = False
name = "generate"


@driver
def echoes(generate, source, limits):
    """Let a model repeat each source, whatever it means, for several limits."""
    from torch import nn

    class Echo(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(12, 1)

        def encode(self, source):
            return nn.functional.one_hot(source, 12).float(), source != 0

        def decode(self, target_prefix, memory, source_visible):
            said = (memory * source_visible[..., None])[:, : target_prefix.size(1)]
            return said + 0 * self.embedding(target_prefix)

        def forward(self, source, target_prefix):
            return self.decode(target_prefix, *self.encode(source))

    return [generate(Echo(), source.clone(), max_new_tokens=limit) for limit in limits]


@test_case(points=1)
def echo(generate):
    """A model that repeats its source: [5, 6, EOS] and [7, EOS, PAD], or as much as is allowed"""
    source = torch.tensor([[5, 6, 2, 9, 9, 9], [7, 2, 8, 8, 8, 8]])
    found = echoes(generate, source, [5, 3, 2, 1])
    expected = {
        "a limit of 5": [[5, 6, 2], [7, 2, 0]],
        "a limit of 3": [[5, 6, 2], [7, 2, 0]],
        "a limit of 2": [[5, 6], [7, 2]],
        "a limit of 1": [[5], [7]],
    }
    right = [torch.tensor(rows) for rows in expected.values()]
    compare_each(expected, as_parts(found, 4), right, assert_echo)


def assert_echo(answer, expected):
    assert_tensor(answer, expected, atol=0.0)
    assert_type(answer)


def assert_type(answer):
    """A list or an array holds the same tokens, but is no tensor."""
    if not isinstance(answer, torch.Tensor):
        raise Mismatch(f"the result is a {type(answer).__name__}, not a tensor")
