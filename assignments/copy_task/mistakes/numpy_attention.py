"""Known wrong answers to `numpy_attention`: each docstring is the student's hint."""

from __future__ import annotations

import math

import numpy as np
import torch
from numpy.typing import NDArray


def does_not_scale(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The scores seem to go into the softmax as they are.

    Revisit what the formula divides them by, and why wide vectors need it.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1)
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def divides_by_d_k(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The scores seem to be divided by d_k itself, which leaves the weights too even.

    Revisit how the spread of a sum of d_k products grows with d_k.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / query.shape[-1]
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def multiplies_by_root_d_k(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The scores seem to become larger by the scale where they should become smaller.

    Revisit on which side of the fraction √d_k stands.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) * math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def scales_by_width_of_values(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The scale seems to be taken from the values, which may be wider or narrower than the keys.

    Revisit which two vectors are multiplied to make a score.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(value.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def scales_by_number_of_keys(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The scale seems to follow the number of keys.

    Revisit which axis of the keys has the length d_k.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(key.shape[-2])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def reads_d_k_from_second_axis(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """d_k seems to be read from a fixed axis, counted from the front.

    Revisit which axis stays the last one when a batch and heads come in front.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def scales_weights_after_softmax(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The scale seems to come after the softmax, so a row of weights no longer sums to 1.

    Revisit what must shrink: the scores, before they become weights.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1)
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    weights /= math.sqrt(query.shape[-1])
    return weights @ value, weights


def transposes_all_axes(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The keys seem to be transposed by `.T`, which turns around all axes, the batch too.

    Revisit which two axes of the keys must change places.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.T / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def swaps_first_two_axes(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The keys seem to have their first two axes swapped, whatever comes in front of them.

    Revisit how axes are counted from the end.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(0, 1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def forgets_largest_score(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The exponentials of large scores seem to overflow, and infinity by infinity is NaN.

    Revisit what may be taken from all scores of a row without a change of the softmax.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def takes_largest_score_of_all(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """One number seems to be taken from the scores of all rows: rows far below it become 0 by 0.

    Revisit over which axis the maximum must be taken.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max())
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def takes_largest_hidden_score(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A hidden key with by far the largest score seems to leave nothing to the others but 0 by 0.

    Revisit the order of the steps: hide first, then take the maximum and the softmax.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores -= scores.max(axis=-1, keepdims=True)
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def clips_scores(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Large scores seem to be cut to a fixed range, so keys of very different scores become alike.

    Revisit how exp can be kept from overflowing without a change of the weights.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.clip(scores, -500.0, 500.0)
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def replaces_nan_by_zero(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """NaN seems to be covered up by 0, and with it rows that ought to have weights.

    Revisit where the NaN comes from: an exponential that is too large.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores)
    weights = np.nan_to_num(weights / weights.sum(axis=-1, keepdims=True), nan=0.0)
    return weights @ value, weights


def ignores_mask(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Hidden keys seem to get weights as all others do.

    Revisit the argument `visible`.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def inverts_mask(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The visible keys seem to be hidden and the hidden ones seen.

    Revisit what True means in `visible`.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def hides_by_score_zero(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A hidden key seems to get the score 0, which is a score like any other.

    Revisit which score has an exponential of exactly 0.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = scores * visible
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def hides_by_minus_ten_thousand(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Hidden keys seem to get a score that a visible one can have as well.

    Revisit how low real scores can be.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -1e4)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def hides_almost(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Something seems to be taken from the scores of hidden keys, but not enough for a weight of 0.

    Revisit how small exp(−100) is, and what "exactly" means.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, scores - 100.0)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def hides_after_softmax(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Hidden keys seem to be removed after the softmax, so a row of weights sums to less than 1.

    Revisit who gets the share of a hidden key.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    weights = weights * visible
    return weights @ value, weights


def hides_in_weights_only(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The weights look right, but the output seems to be mixed from all values, hidden ones too.

    Revisit which weights the output is made with.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    output = weights @ value
    weights = weights * visible
    return output, weights / weights.sum(axis=-1, keepdims=True)


def uses_mask_of_first_query(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """All queries seem to get the mask of the first one.

    Revisit which axis of `visible` is that of the queries.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(np.atleast_2d(visible)[..., :1, :], scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def uses_mask_of_first_sentence(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """All sentences seem to get the mask of the first one.

    Revisit the axes in front of the mask: they are those of batch and heads.
    """
    visible = np.atleast_2d(visible)
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible.reshape(-1, *visible.shape[-2:])[0], scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def demands_mask_of_full_shape(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Masks seem to be indexed entry by entry, which fails where they are to be broadcast.

    Revisit how NumPy broadcasts an axis of size 1, or one that is missing.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores[~visible] = -np.inf
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def normalises_over_queries(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The weights of a key seem to sum to 1, where those of a query should.

    Revisit the axis of the softmax.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-2, keepdims=True)
    return weights @ value, weights


def normalises_over_everything(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """All weights together seem to sum to 1, where each row should.

    Revisit `axis` and `keepdims` of the sum.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum()
    return weights @ value, weights


def does_not_normalise(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The weights seem to be exponentials that nobody has divided by their sum.

    Revisit the second half of the softmax.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights @ value, weights


def adds_small_number_to_sum(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A small number seems to be added to the sum, so the weights miss 1 by as much.

    Revisit whether the sum can be 0 at all, after the largest score has become 0.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True) + 1e-8
    return weights @ value, weights


def applies_softmax_twice(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The softmax seems to be applied to weights that are already its result.

    Revisit how often the formula has it.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    for _ in range(2):
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        scores /= scores.sum(axis=-1, keepdims=True)
    weights = scores * visible
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def returns_weights_first(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The two results seem to come in the other order.

    Revisit what the docstring returns first.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights, weights @ value


def returns_output_alone(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Only the output seems to come back.

    Revisit how many results are asked for.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value


def never_refuses(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A query that may attend to no key seems to get NaN, and nobody is told.

    Revisit what the docstring says under "Raises".
    """
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def sees_everything_if_all_is_hidden(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A query that may attend to no key seems to attend to all keys alike.

    Revisit what a softmax of equal scores gives, and what the docstring says under "Raises".
    """
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -1e9)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def answers_zero_if_all_is_hidden(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A query that may attend to no key seems to get zeros, which is no distribution.

    Revisit what the docstring says under "Raises".
    """
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -1e9)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True)) * visible
    weights /= np.maximum(weights.sum(axis=-1, keepdims=True), 1e-300)
    return weights @ value, weights


def refuses_only_if_nothing_is_visible(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """An error seems to come only if no query at all may attend to any key.

    Revisit over which axis `any` has to look, and what must then hold for all rows.
    """
    if not visible.any():
        raise ValueError("nothing is visible")
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def refuses_if_some_sentence_is_empty(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """An error seems to come only if a whole sentence sees nothing.

    Revisit the smallest thing that can see nothing: a single query.
    """
    if not visible.reshape(len(visible), -1).any(axis=-1).all():
        raise ValueError("a sentence sees nothing")
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def refuses_key_that_nobody_sees(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """An error seems to come for a key that no query sees, and not for a query that sees no key.

    Revisit which axis of `visible` is that of the keys.
    """
    seen = np.broadcast_to(visible, (*query.shape[:-1], key.shape[-2]))
    if not seen.any(axis=-2).all():
        raise ValueError("a key is seen by no query")
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def refuses_any_hidden_key(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """An error seems to come as soon as any key is hidden.

    Revisit the difference between `any` and `all`.
    """
    if not visible.all():
        raise ValueError("a key is hidden")
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def asserts_instead(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The check seems to be an `assert`, which raises an AssertionError.

    Revisit which class of error is asked for.
    """
    assert visible.any(axis=-1).all(), "a query may attend to no key"
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def scales_query_in_place(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The caller's query seems to be changed.

    Revisit the difference between `x /= y` and `x = x / y` for arrays.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    query /= math.sqrt(query.shape[-1])
    scores = query @ key.swapaxes(-2, -1)
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def inverts_mask_in_place(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The caller's mask seems to be turned around.

    Revisit what `out=` does, and whose array that is.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    hidden = np.logical_not(visible, out=visible)
    scores = np.where(hidden, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def clears_hidden_values_in_place(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The caller's values seem to be set to 0 where they are hidden.

    Revisit whether a value with the weight 0 needs to be changed at all.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    value[weights.sum(axis=-2) == 0] = 0.0
    return weights @ value, weights


def answers_in_single_precision(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The arrays seem to come back as float32.

    Revisit the dtype that goes in and should come out.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    weights = weights.astype(np.float32)
    return weights @ value.astype(np.float32), weights


def computes_in_single_precision(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The arrays are float64 again, but about nine digits seem to have been lost on the way.

    Revisit where float32 comes in.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = (
        query.astype(np.float32)
        @ key.astype(np.float32).swapaxes(-2, -1)
        / math.sqrt(query.shape[-1])
    )
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    weights = weights.astype(np.float64)
    return weights @ value, weights


def answers_with_tensors(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Torch tensors seem to come back, not NumPy arrays.

    Revisit what this question is written in, and how a tensor becomes an array.
    """
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")
    query, key, value, visible = map(torch.as_tensor, (query, key, value, visible))
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
    return weights @ value, weights
