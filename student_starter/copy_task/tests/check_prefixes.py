"""Public cases of `check_prefixes`: the student's test is run on right and on broken models."""

import torch.nn.functional as F
from checking import Pure, assert_tells_apart, test_case

OK_FORMAT = False
name = "check_prefixes"


def counts_so_far(source, target_prefix):
    """Right: position t counts the tokens of the source, and the target tokens 0 ... t."""
    counts = F.one_hot(target_prefix, 12).cumsum(1) + F.one_hot(source, 12).sum(1, keepdim=True)
    return counts.float()


def counted_backwards(source, target_prefix):
    """Broken: position t says the token that stands as far from the end."""
    return F.one_hot(target_prefix.flip(1), 12).float()


def divided_by_length(source, target_prefix):
    """Broken: the counts are divided by the length of the prefix."""
    return counts_so_far(source, target_prefix) / target_prefix.size(1)


@test_case(points=1)
def plain_functions(check_prefixes):
    """Three plain functions: one counts the tokens so far, two know how long the prefix is"""
    right = {"counts the tokens so far": Pure(counts_so_far)}
    broken = {
        "says the prefix backwards": Pure(counted_backwards),
        "divides by the length of the prefix": Pure(divided_by_length),
    }
    assert_tells_apart(check_prefixes, right, broken, "model")
