"""Public cases of `check_masked_weights`: the student's test is run on right and on broken attentions."""

import numpy as np
from checking import Pure, assert_tells_apart, test_case

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
