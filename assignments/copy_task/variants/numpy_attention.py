"""Unusual right answers to `numpy_attention`, which must get full marks."""

from __future__ import annotations

import itertools
import math

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray


def with_einsum(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Einstein sums for both products."""
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = np.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    odds = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = odds / np.sum(odds, axis=-1, keepdims=True)
    return np.einsum("...qk,...kv->...qv", weights, value), weights


def row_by_row(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A loop over all queries, each of which picks the keys that it sees."""
    front, (n_k, d_k) = query.shape[:-1], key.shape[-2:]
    seen = np.broadcast_to(visible, (*front, n_k))
    output, weights = np.zeros((*front, value.shape[-1])), np.zeros((*front, n_k))
    for place in itertools.product(*map(range, front)):
        (keys,) = np.nonzero(seen[place])
        if keys.size == 0:
            raise ValueError(f"query {place} may attend to no key")
        scores = key[place[:-1]][keys] @ query[place] / math.sqrt(d_k)
        odds = np.exp(scores - scores.max())
        weights[(*place, keys)] = odds / odds.sum()
        output[place] = weights[place] @ value[place[:-1]]
    return output, weights


def billion_subtracted(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """10⁹ is taken from the scores of hidden keys."""
    if (~visible).all(axis=-1).any():
        raise ValueError("a query may attend to no key")
    scores = (query / np.sqrt(query.shape[-1])) @ np.swapaxes(key, -1, -2)
    scores = scores - 1e9 * np.logical_not(visible)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1)[..., None]
    return np.matmul(weights, value), weights


def infinity_added(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """An additive mask of 0 and −∞."""
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    bias = np.zeros(visible.shape)
    bias[~visible] = -np.inf
    scores = query @ np.moveaxis(key, -1, -2) / math.sqrt(key.shape[-1]) + bias
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def softmax_by_logaddexp(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Weights as exponentials of scores less their logarithmic sum."""
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return weights @ value, weights


def with_where_arguments(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """The maximum and the sum look at visible keys only."""
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    seen = np.broadcast_to(visible, scores.shape)
    top = scores.max(axis=-1, keepdims=True, where=seen, initial=-np.inf)
    if np.isneginf(top).any():
        raise ValueError("a query may attend to no key")
    weights = np.zeros_like(scores)
    np.exp(scores - top, out=weights, where=seen)
    return (weights / weights.sum(-1, keepdims=True)) @ value, weights / weights.sum(
        -1, keepdims=True
    )


def with_masked_arrays(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A masked array knows which scores do not count."""
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    seen = np.ma.masked_array(scores, np.broadcast_to(~visible, scores.shape))
    odds = np.ma.exp(seen - seen.max(axis=-1, keepdims=True))
    weights = (odds / odds.sum(axis=-1, keepdims=True)).filled(0.0)
    return weights @ value, weights


def by_way_of_torch(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Torch's own attention and softmax, brought back to NumPy."""
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    q, k, v = torch.from_numpy(query), torch.from_numpy(key), torch.from_numpy(value)
    seen = torch.from_numpy(visible).expand(*q.shape[:-1], k.size(-2))
    scores = (q @ k.mT / math.sqrt(q.size(-1))).masked_fill(~seen, -math.inf)
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
    return output.numpy(), scores.softmax(-1).numpy()


def complains_about_nan(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A division of 0 by 0 becomes a ValueError."""
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -np.inf)
    with np.errstate(invalid="raise"):
        try:
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        except FloatingPointError as error:
            raise ValueError("a query may attend to no key") from error
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ value, weights


def looks_for_nan_at_the_end(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """A row of NaN shows that nothing was visible."""
    with np.errstate(all="ignore"):
        scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
        scores = np.where(visible, scores, -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
    if np.isnan(weights).any():
        raise ValueError("a query may attend to no key")
    return weights @ value, weights


def flattened_to_one_batch(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """All axes in front become one, and the mask is copied to its full shape."""
    *front, n_q, d_k = query.shape
    n_k, d_v = value.shape[-2:]
    seen = np.array(np.broadcast_to(visible, (*front, n_q, n_k))).reshape(-1, n_q, n_k)
    if (seen.sum(axis=2) == 0).any():
        raise ValueError("a query may attend to no key")
    q, k, v = query.reshape(-1, n_q, d_k), key.reshape(-1, n_k, d_k), value.reshape(-1, n_k, d_v)
    scores = q @ k.transpose(0, 2, 1) / math.sqrt(d_k)
    scores[~seen] = -np.inf
    odds = np.exp(scores - scores.max(axis=2)[:, :, None])
    weights = odds / odds.sum(axis=2)[:, :, None]
    return (weights @ v).reshape(*front, n_q, d_v), weights.reshape(*front, n_q, n_k)


def in_extended_precision(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Longer floats on the way, float64 at the end."""
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    q, k, v = (x.astype(np.longdouble) for x in (query, key, value))
    scores = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / np.sqrt(np.longdouble(q.shape[-1]))
    scores = np.where(visible, scores, -np.inf)
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = odds / odds.sum(axis=-1, keepdims=True)
    output = (weights[..., None] * v[..., None, :, :]).sum(-2)
    return output.astype(np.float64), weights.astype(np.float64)


def by_recursion_over_the_batch(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Recursion over the axes in front until plain matrices are left."""
    seen = np.broadcast_to(visible, (*query.shape[:-1], key.shape[-2]))
    if query.ndim > 2:
        parts = [by_recursion_over_the_batch(*part) for part in zip(query, key, value, seen)]
        outputs, weights = zip(*parts)
        return np.stack(outputs), np.stack(weights)
    if not all(map(any, seen.tolist())):
        raise ValueError("a query may attend to no key")
    scores = np.where(seen, query @ key.T / math.sqrt(key.shape[1]), -np.inf)
    weights = np.exp(scores - scores.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    return weights @ value, weights


def sigmoids_of_differences(
    query: NDArray, key: NDArray, value: NDArray, visible: NDArray
) -> tuple[NDArray, NDArray]:
    """Each weight is 1 by the sum of exponentials of differences of scores."""
    if not visible.any(axis=-1).all():
        raise ValueError("a query may attend to no key")

    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -1e30)
    with np.errstate(over="ignore"):
        ratios = np.exp(scores[..., None, :] - scores[..., :, None])
    weights = np.where(visible, 1.0 / ratios.sum(axis=-1), 0.0)
    return weights @ value, weights
