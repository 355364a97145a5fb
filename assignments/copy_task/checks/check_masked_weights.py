"""Cases of `check_masked_weights`: the student's test is run on right and on broken attentions."""

import numpy as np

from autograder.checking import Pure, assert_tells_apart, test_case
from solutions import copy_task_models as models

OK_FORMAT = False
name = "check_masked_weights"


def alike(query, key, value, visible):
    """Right: all visible keys get the same weight."""
    shape = (*query.shape[:-1], key.shape[-2])
    weights = np.broadcast_to(visible, shape) / visible.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def generous(query, key, value, visible):
    """Broken: all keys get the same weight, hidden ones too."""
    return alike(query, key, value, np.ones_like(visible))


def unnormalised(query, key, value, visible):
    """Broken: each visible key gets the weight 1."""
    weights = np.broadcast_to(visible, (*query.shape[:-1], key.shape[-2])).astype(float)
    return weights @ value, weights


@test_case(points=1)
def plain_functions(check_masked_weights):
    """Three plain functions: one shares equally among visible keys, two break the property"""
    right = {"shares equally among visible keys": Pure(alike)}
    broken = {
        "shares equally among all keys": Pure(generous),
        "gives each visible key the weight 1": Pure(unnormalised),
    }
    assert_tells_apart(check_masked_weights, right, broken, "attention")


def assert_finds(check_masked_weights, kinds, group):
    """Ask for right attentions of some kinds, and for all broken ones of a group."""
    right, broken = models.right_attentions(), models.attention_faults()[group]
    assert_tells_apart(
        check_masked_weights, {kind: right[kind] for kind in kinds}, broken, "attention"
    )


@test_case(points=1, hidden=True)
def faults_everywhere(check_masked_weights):
    """Attentions that hide too little, or the wrong keys, everywhere; a right one"""
    assert_finds(
        check_masked_weights, ("is that of the homework", "scales otherwise"), "everywhere"
    )


@test_case(points=1, hidden=True)
def faults_in_places(check_masked_weights):
    """Attentions that hide too little in one head, in some positions or rows; right ones"""
    kinds = (
        "hides with a large negative number",
        "subtracts a large number",
        "gives all weight to one visible key",
    )
    assert_finds(check_masked_weights, kinds, "in places")


@test_case(points=1, hidden=True)
def faults_of_other_kinds(check_masked_weights):
    """Attentions whose weights are no shares, that leak values or keep state; right ones"""
    kinds = ("returns torch tensors in float32", "rounds as another machine would")
    assert_finds(check_masked_weights, kinds, "between")
