"""Cases of `check_source_padding`: the student's test is run on right and on broken models."""

import torch.nn.functional as F

from autograder.checking import Pure, assert_tells_apart, test_case
from solutions import copy_task_models as models

OK_FORMAT = False
name = "check_source_padding"

NOISE = "is trained and rounds as another machine would"
LARGE = "is trained longer, so that its logits are large"


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


def assert_finds(check_source_padding, rng, kinds, group):
    """Ask for right models of some kinds, and for all broken ones of a group."""
    right, broken = models.subjects("source padding", rng)
    assert_tells_apart(
        check_source_padding, {kind: right[kind] for kind in kinds}, broken[group], "model"
    )


@test_case(points=1, hidden=True)
def faults_everywhere(check_source_padding, rng):
    """Transformers that read padding everywhere; right ones, trained or not"""
    kinds = ("is not trained", "is trained")
    assert_finds(check_source_padding, rng, kinds, "everywhere")


@test_case(points=1, hidden=True)
def faults_in_places(check_source_padding, rng):
    """Transformers that read padding in one head, some positions, some rows or wide sources only"""
    kinds = ("has other sizes", LARGE, "is built otherwise")
    assert_finds(check_source_padding, rng, kinds, "in places")


@test_case(points=1, hidden=True)
def faults_of_other_kinds(check_source_padding, rng):
    """Models that mix rows, know the width or keep state; right ones with noise or other faults"""
    kinds = (
        NOISE,
        "looks ahead in the target",
        "copies by a rule, without rounding",
        "does not look at the source",
    )
    assert_finds(check_source_padding, rng, kinds, "between")
