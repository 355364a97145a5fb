"""Cases of `check_future_tokens`: the student's test is run on right and on broken models."""

import torch.nn.functional as F

from autograder.checking import Pure, assert_tells_apart, test_case
from solutions import copy_task_models as models

OK_FORMAT = False
name = "check_future_tokens"

NOISE = "is trained and rounds as another machine would"


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


def assert_finds(check_future_tokens, rng, kinds, group):
    """Ask for right models of some kinds, and for all broken ones of a group."""
    right, broken = models.subjects("future tokens", rng)
    assert_tells_apart(
        check_future_tokens, {kind: right[kind] for kind in kinds}, broken[group], "model"
    )


@test_case(points=1, hidden=True)
def faults_everywhere(check_future_tokens, rng):
    """Transformers that look ahead everywhere; right ones, trained or not"""
    kinds = ("is not trained", "is trained")
    assert_finds(check_future_tokens, rng, kinds, "everywhere")


@test_case(points=1, hidden=True)
def faults_in_places(check_future_tokens, rng):
    """Transformers that look ahead in one head, some positions, some rows or long targets only"""
    kinds = ("has other sizes", "is built otherwise")
    assert_finds(check_future_tokens, rng, kinds, "in places")


@test_case(points=1, hidden=True)
def faults_of_other_kinds(check_future_tokens, rng):
    """Models that know the future otherwise or keep state; right ones with noise or other faults"""
    kinds = (
        NOISE,
        "reads the padding of the source",
        "copies by a rule, without rounding",
        "hangs on the length of the target",
    )
    assert_finds(check_future_tokens, rng, kinds, "between")
