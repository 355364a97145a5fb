"""Cases of `check_prefixes`: the student's test is run on right and on broken models."""

import torch.nn.functional as F

from autograder.checking import Pure, assert_tells_apart, test_case
from solutions import copy_task_models as models

OK_FORMAT = False
name = "check_prefixes"

NOISE = "is trained and rounds as another machine would"


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


def assert_finds(check_prefixes, rng, kinds, group):
    """Ask for right models of some kinds, and for all broken ones of a group."""
    right, broken = models.subjects("prefixes", rng)
    assert_tells_apart(
        check_prefixes, {kind: right[kind] for kind in kinds}, broken[group], "model"
    )


@test_case(points=1, hidden=True)
def faults_everywhere(check_prefixes, rng):
    """Transformers that see more in the full pass; right ones, trained or not"""
    kinds = ("is not trained", "is trained")
    assert_finds(check_prefixes, rng, kinds, "everywhere")


@test_case(points=1, hidden=True)
def faults_in_places(check_prefixes, rng):
    """Transformers that see more in the full pass in one head, some positions or some rows only"""
    kinds = ("has other sizes", "is built otherwise")
    assert_finds(check_prefixes, rng, kinds, "in places")


@test_case(points=1, hidden=True)
def faults_of_other_kinds(check_prefixes, rng):
    """Models that mix rows, know the length or keep state; right ones with noise or other faults"""
    kinds = (
        NOISE,
        "reads the padding of the source",
        "copies by a rule, without rounding",
        "does not look at the source",
    )
    assert_finds(check_prefixes, rng, kinds, "between")
