"""Public cases of `check_future_tokens`: the student's test is run on right and on broken models."""

import torch.nn.functional as F
from checking import Pure, assert_tells_apart, test_case

OK_FORMAT = False
name = "check_future_tokens"


def counts_so_far(source, target_prefix):
    """Right: position t counts the tokens of the source, and the target tokens 0 ... t."""
    counts = F.one_hot(target_prefix, 12).cumsum(1) + F.one_hot(source, 12).sum(1, keepdim=True)
    return counts.float()


def counts_of_all(source, target_prefix):
    """Broken: each position counts all target tokens."""
    return counts_so_far(source, target_prefix)[:, -1:].expand(-1, target_prefix.size(1), -1)


def next_token(source, target_prefix):
    """Broken: each position says the next target token."""
    return F.one_hot(target_prefix.roll(-1, 1), 12).float()


@test_case(points=1)
def plain_functions(check_future_tokens):
    """Three plain functions: one counts the tokens so far, two read later ones"""
    right = {"counts the tokens so far": Pure(counts_so_far)}
    broken = {
        "counts all target tokens": Pure(counts_of_all),
        "says the next target token": Pure(next_token),
    }
    assert_tells_apart(check_future_tokens, right, broken, "model")
