"""Known wrong answers to `numpy_encoder_block`: each docstring is the student's hint."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray

from solutions.copy_task import numpy_attention, numpy_layer_norm


def normalises_after_each_sublayer(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The norms seem to come after the sums, as in the paper of 2017.

    Revisit where this block has them: before each sublayer.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = x
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = norm("attention_norm", x + linear("attention.output", joined))
    inner = np.maximum(linear("feed_forward.0", y), 0.0)
    return norm("feed_forward_norm", y + linear("feed_forward.2", inner))


def adds_to_normalised_stream(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The attention's result seems to be added to the normalised vectors.

    Revisit what y is a sum of: x itself, and what comes of its norm.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = normed + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def adds_feed_forward_to_its_norm(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The feed-forward network's result seems to be added to the normalised y.

    Revisit what the block's output is a sum of.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    normed = norm("feed_forward_norm", y)
    inner = np.maximum(linear("feed_forward.0", normed), 0.0)
    return normed + linear("feed_forward.2", inner)


def does_not_add_x(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The attention's result seems to replace the stream, where it should be added to it.

    Revisit the formula for y.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def does_not_add_y(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The feed-forward network's result seems to be the block's output, without y.

    Revisit the second sum.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return linear("feed_forward.2", inner)


def adds_x_instead_of_y(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The feed-forward network's result seems to be added to x, without what the attention found.

    Revisit what the second sublayer is added to.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return x + linear("feed_forward.2", inner)


def adds_x_twice(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """x seems to be added once more at the end.

    Revisit what y contains already.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return x + y + linear("feed_forward.2", inner)


def runs_sublayers_side_by_side(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Both sublayers seem to read x, and neither what the other has added.

    Revisit what the feed-forward network reads.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", x)), 0.0)
    return y + linear("feed_forward.2", inner)


def runs_feed_forward_first(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The feed-forward network seems to come before the attention.

    Revisit the order of the two sublayers.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", x)), 0.0)
    x = x + linear("feed_forward.2", inner)
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    return y


def attends_without_norm(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The attention seems to read x as it is.

    Revisit what comes before each sublayer.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = x
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def normalises_queries_alone(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Keys and values seem to be made from x as it is, and only queries from its norm.

    Revisit where all three come from in self-attention.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query = by_head(linear("attention.query", normed))
    key, value = (by_head(linear(f"attention.{n}", x)) for n in ("key", "value"))
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def feeds_forward_without_norm(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The feed-forward network seems to read y as it is.

    Revisit what comes before each sublayer.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", y), 0.0)
    return y + linear("feed_forward.2", inner)


def swaps_norms(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The two norms seem to have changed places.

    Revisit which gain and bias belong to which sublayer.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("feed_forward_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("attention_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def forgets_query_bias(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The projection to queries seems to have no bias.

    Revisit the names of the weights: each linear layer has two.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    key, value = (by_head(linear(f"attention.{n}", normed)) for n in ("key", "value"))
    query = by_head(normed @ weights["attention.query.weight"].T)
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def averages_heads(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The heads' outputs seem to be averaged, where they should stand side by side.

    Revisit how the heads are joined.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = np.tile(mixed.mean(axis=1), heads)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def shows_what_any_head_sees(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """A key seems to be seen by all heads if one of them may see it.

    Revisit what `visible` broadcasts to.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    visible = np.broadcast_to(visible, (len(x), heads, x.shape[1], x.shape[1]))
    visible = visible.any(axis=1, keepdims=True)
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def uses_first_norm_twice(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Both norms seem to have the gain and bias of the first.

    Revisit the names of the weights.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("attention_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def normalises_at_the_end_too(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The block's output seems to be normalised once more.

    Revisit how many norms the block has.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return norm("feed_forward_norm", y + linear("feed_forward.2", inner))


def norms_without_gain_and_bias(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The norms seem to have the gain 1 and the bias 0, whatever is given.

    Revisit the four arrays that belong to them.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, np.ones(x.shape[-1]), np.zeros(x.shape[-1]))

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def adds_nothing_to_variance(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Nothing seems to be added to the variance in the norms.

    Revisit what stands under their root.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        centred = rows - rows.mean(axis=-1, keepdims=True)
        normalised = centred / rows.std(axis=-1, keepdims=True)
        return normalised * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def adds_one_millionth_to_variance(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The number that is added to the variance in the norms seems to be too small.

    Revisit the formula of the norm.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        centred = rows - rows.mean(axis=-1, keepdims=True)
        normalised = centred / np.sqrt(rows.var(axis=-1, keepdims=True) + 1e-6)
        return normalised * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def adds_outside_the_root(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """1e-5 seems to be added to the standard deviation in the norms.

    Revisit what stands under their root.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        centred = rows - rows.mean(axis=-1, keepdims=True)
        normalised = centred / (rows.std(axis=-1, keepdims=True) + 1e-5)
        return normalised * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def divides_variance_by_d_minus_one(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The variance in the norms seems to be divided by D − 1.

    Revisit the formula of the norm.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        centred = rows - rows.mean(axis=-1, keepdims=True)
        normalised = centred / np.sqrt(rows.var(axis=-1, ddof=1, keepdims=True) + 1e-5)
        return normalised * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def cuts_heads_across_positions(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The heads seem to be cut out of the positions: the axes were reshaped, but never swapped.

    Revisit which axis is split into heads, and which axis must then move.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(len(x), heads, x.shape[1], -1)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def joins_heads_across_positions(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The heads' outputs seem to be reshaped before the heads' axis has moved back.

    Revisit how the split is undone, step by step.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def cuts_and_joins_across_positions(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Heads seem to be cut out of the positions, and joined in the same way.

    Revisit which columns head h works on, at every position.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(len(x), heads, x.shape[1], -1)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def interleaves_columns_of_heads(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Head h seems to get every H-th column, where its columns should stand side by side.

    Revisit which columns head h works on.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return np.moveaxis(rows.reshape(*x.shape[:2], -1, heads), -1, 1)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = np.moveaxis(mixed, 1, -1).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def joins_heads_interleaved(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The heads' outputs seem to be joined column by column, not head by head.

    Revisit the order of the heads when `attention.output` is applied.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = np.moveaxis(mixed, 1, -1).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def joins_heads_backwards(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The heads' outputs seem to be joined in reverse order.

    Revisit the order of the heads when `attention.output` is applied.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = np.concatenate(list(mixed.swapaxes(0, 1))[::-1], axis=-1)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def has_one_head_only(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """One head seems to work on all columns.

    Revisit the argument `heads`.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows[:, None]

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible[:, :1] if visible.ndim == 4 else visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def has_four_heads_always(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """There seem to be four heads, whatever is asked for.

    Revisit the argument `heads`.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], 4, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def scales_by_root_of_width(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The scores seem to be divided by √D, where the vectors of a head are only D/H wide.

    Revisit d_k in a block of several heads.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query / math.sqrt(heads), key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def does_not_transpose_weights(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The attention's weights seem to be applied as x W, without a transpose.

    Revisit what `nn.Linear` computes.
    """

    def linear(name, rows):
        weight = weights[f"{name}.weight"]
        return (
            rows @ (weight if name.startswith("attention") else weight.T) + weights[f"{name}.bias"]
        )

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def never_transposes_weights(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The weights seem to be applied as x W, which fails where they are not square.

    Revisit what `nn.Linear` computes.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def forgets_biases_of_projections(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The projections to queries, keys and values seem to have no biases.

    Revisit the names of the weights: each linear layer has two.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(normed @ weights[f"attention.{n}.weight"].T) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def forgets_bias_of_output(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The last projection of the attention seems to have no bias.

    Revisit the names of the weights: each linear layer has two.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + joined @ weights["attention.output.weight"].T
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def forgets_biases_of_feed_forward(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The feed-forward network seems to have no biases.

    Revisit the names of the weights: each linear layer has two.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(norm("feed_forward_norm", y) @ weights["feed_forward.0.weight"].T, 0.0)
    return y + inner @ weights["feed_forward.2.weight"].T


def forgets_output_projection(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The heads' outputs seem to be added to x as they are.

    Revisit the fourth linear layer of the attention.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + joined
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def projects_heads_output_twice(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """`attention.output` seems to be applied to the values, before they are mixed, and again after.

    Revisit where it stands.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key = (by_head(linear(f"attention.{n}", normed)) for n in ("query", "key"))
    value = by_head(linear("attention.output", linear("attention.value", normed)))
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def swaps_key_and_value(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Keys and values seem to have changed places.

    Revisit which of them is compared and which is mixed.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, value, key, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def swaps_query_and_key(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Queries and keys seem to have changed places.

    Revisit who asks and who is asked: the scores are not symmetric.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(key, query, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def takes_keys_for_values(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The keys seem to be mixed as if they were the values.

    Revisit the third projection.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, key, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def uses_gelu(x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int) -> NDArray:
    """The feed-forward network seems to have another activation than ReLU.

    Revisit what happens to negative numbers between its two layers.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    rows = linear("feed_forward.0", norm("feed_forward_norm", y))
    inner = 0.5 * rows * (1 + np.tanh(math.sqrt(2 / math.pi) * (rows + 0.044715 * rows**3)))
    return y + linear("feed_forward.2", inner)


def leaks_below_zero(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """A hundredth of negative numbers seems to pass the activation.

    Revisit the difference between ReLU and its leaky relative.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    rows = linear("feed_forward.0", norm("feed_forward_norm", y))
    inner = np.maximum(rows, 0.01 * rows)
    return y + linear("feed_forward.2", inner)


def cuts_above_six(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Large numbers seem to be cut to 6 between the layers of the feed-forward network.

    Revisit what ReLU does to positive numbers: nothing.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.clip(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0, 6.0)
    return y + linear("feed_forward.2", inner)


def forgets_relu(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Nothing seems to stand between the two layers of the feed-forward network.

    Revisit which step has no weights.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = linear("feed_forward.0", norm("feed_forward_norm", y))
    return y + linear("feed_forward.2", inner)


def applies_relu_at_the_end(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """ReLU seems to come after the second layer, so the network can only add.

    Revisit between which two layers it stands.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = linear("feed_forward.0", norm("feed_forward_norm", y))
    return y + np.maximum(linear("feed_forward.2", inner), 0.0)


def applies_relu_after_both(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """ReLU seems to come after the second layer as well.

    Revisit how many activations the network has.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + np.maximum(linear("feed_forward.2", inner), 0.0)


def ignores_mask(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The attention seems to see all vectors.

    Revisit the argument `visible`.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, np.ones_like(visible))
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def uses_mask_of_first_head(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """All heads seem to get the mask of the first one.

    Revisit what `visible` broadcasts to.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    visible = np.broadcast_to(visible, (len(x), heads, x.shape[1], x.shape[1]))[:, :1]
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def uses_mask_of_first_sentence(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """All sentences seem to get the mask of the first one.

    Revisit what `visible` broadcasts to.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    visible = np.broadcast_to(visible, (len(x), heads, x.shape[1], x.shape[1]))[:1]
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def demands_mask_of_four_axes(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Masks seem to be taken apart into four axes, which fails if they have fewer.

    Revisit how NumPy broadcasts an axis that is missing.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    batch, some_heads, n_q, n_k = visible.shape
    visible = visible.reshape(batch, some_heads, n_q, n_k)
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def transposes_mask(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The mask seems to be turned around: a query sees those that should see it.

    Revisit which axis of `visible` is that of the queries.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    square = (len(x), heads, x.shape[1], x.shape[1])
    visible = np.broadcast_to(visible, square).swapaxes(-2, -1)
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def silences_hidden_queries(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Vectors that are hidden seem to get no attention themselves.

    Revisit whom a mask hides: keys, not queries.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    shown = np.broadcast_to(visible, (len(x), heads, x.shape[1], x.shape[1])).any(axis=(1, 2))
    joined = joined * shown[..., None]
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def never_refuses(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """A query that may attend to no key seems to get an answer all the same.

    Revisit what the docstring says under "Raises".
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(-2, -1) / math.sqrt(query.shape[-1])
    scores = np.where(visible, scores, -1e9)
    mixed = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = (mixed / mixed.sum(axis=-1, keepdims=True)) @ value
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def shows_something_to_blind_queries(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """A query that may attend to no key seems to be shown all of them.

    Revisit what the docstring says under "Raises".
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    visible = visible | ~visible.any(axis=-1, keepdims=True)
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def catches_the_error(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The attention's ValueError seems to be caught, and zeros to take the place of its answer.

    Revisit what the docstring says under "Raises".
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    try:
        mixed, _ = numpy_attention(query, key, value, visible)
    except ValueError:
        mixed = np.zeros_like(value)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def refuses_key_that_nobody_sees(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """An error seems to come for a key that no query sees.

    Revisit which of the two may not be alone: a query without keys, or a key without queries.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    if not np.broadcast_to(visible, (len(x), heads, x.shape[1], x.shape[1])).any(axis=-2).all():
        raise ValueError("a key is seen by no query")
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def adds_to_x_in_place(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The caller's x seems to be changed.

    Revisit the difference between `x += y` and `x = x + y` for arrays.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    x += linear("attention.output", joined)
    y = x
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def takes_weights_out(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The caller's weights seem to be gone after the call.

    Revisit the difference between `pop` and looking something up.
    """

    def linear(name, rows):
        return rows @ weights.pop(f"{name}.weight").T + weights.pop(f"{name}.bias")

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def transposes_weights_for_good(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The caller's weights seem to be transposed after the call.

    Revisit what is assigned to, and to whom it belongs.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    for name in weights:
        if weights[name].ndim == 2:
            weights[name] = weights[name].T
    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def answers_in_single_precision(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The array seems to come back as float32.

    Revisit the dtype that goes in and should come out.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return (y + linear("feed_forward.2", inner)).astype(np.float32)


def computes_in_single_precision(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The array is float64 again, but about nine digits seem to have been lost on the way.

    Revisit where float32 comes in.
    """

    def linear(name, rows):
        weight, bias = (weights[f"{name}.{n}"].astype(np.float32) for n in ("weight", "bias"))
        return (rows.astype(np.float32) @ weight.T + bias).astype(np.float64)

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return y + linear("feed_forward.2", inner)


def answers_with_a_tensor(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """A torch tensor seems to come back, not a NumPy array.

    Revisit what this question is written in, and how a tensor becomes an array.
    """

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, key, value = (
        by_head(linear(f"attention.{n}", normed)) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query, key, value, visible)
    joined = mixed.swapaxes(1, 2).reshape(x.shape)
    y = x + linear("attention.output", joined)
    inner = np.maximum(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0)
    return torch.as_tensor(y + linear("feed_forward.2", inner))
