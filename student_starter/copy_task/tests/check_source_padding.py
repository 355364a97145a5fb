"""Public cases of `check_source_padding`: the student's test is run on right and on broken models."""

import torch.nn.functional as F
from checking import Pure, assert_tells_apart, test_case

OK_FORMAT = False
name = "check_source_padding"


def counts_of_symbols(source, target_prefix):
    """Right: each position counts the symbols of the source, PAD aside, and its own token."""
    symbols = F.one_hot(source, 12)[:, :, 1:].sum(1, keepdim=True)
    return (F.one_hot(target_prefix, 12)[:, :, 1:] + symbols).float()


def mean_of_columns(source, target_prefix):
    """Broken: each position has the mean of all columns of the source."""
    mean = F.one_hot(source, 12).float().mean(1, keepdim=True)
    return mean + F.one_hot(target_prefix, 12)


def last_column(source, target_prefix):
    """Broken: each position says what stands in the last column of the source."""
    return F.one_hot(source[:, -1:], 12).float().expand(-1, target_prefix.size(1), -1)


@test_case(points=1)
def plain_functions(check_source_padding):
    """Three plain functions: one counts symbols, two read the padding"""
    right = {"counts the symbols of the source": Pure(counts_of_symbols)}
    broken = {
        "averages over all columns of the source": Pure(mean_of_columns),
        "says the last column of the source": Pure(last_column),
    }
    assert_tells_apart(check_source_padding, right, broken, "model")
