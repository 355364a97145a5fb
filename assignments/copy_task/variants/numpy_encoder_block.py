"""Unusual right answers to `numpy_encoder_block`, which must get full marks."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import nn

from solutions.copy_task import EncoderBlock, numpy_attention, numpy_layer_norm


def head_by_head(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """A loop over the heads, each with its columns and its mask."""

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    n, width = x.shape[1], x.shape[2] // heads
    seen = np.broadcast_to(visible, (len(x), heads, n, n))
    normed = norm("attention_norm", x)
    projected = [linear(f"attention.{part}", normed) for part in ("query", "key", "value")]
    joined = np.empty_like(x)
    for head in range(heads):
        columns = slice(head * width, (head + 1) * width)
        parts = (part[..., columns] for part in projected)
        joined[..., columns] = numpy_attention(*parts, seen[:, head])[0]
    y = x + linear("attention.output", joined)
    inner = linear("feed_forward.0", norm("feed_forward_norm", y))
    return y + linear("feed_forward.2", inner * (inner > 0))


def sentence_by_sentence(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """A loop over the sentences, with np.split for the heads."""

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    n = x.shape[1]
    seen = np.broadcast_to(visible, (len(x), heads, n, n))
    outputs = []
    for sentence, mask in zip(x, seen):
        normed = norm("attention_norm", sentence)
        parts = [
            np.stack(np.split(linear(f"attention.{p}", normed), heads, -1))
            for p in ("query", "key", "value")
        ]
        mixed, _ = numpy_attention(*parts, mask)
        y = sentence + linear("attention.output", np.concatenate(list(mixed), axis=-1))
        inner = np.maximum(0, linear("feed_forward.0", norm("feed_forward_norm", y)))
        outputs.append(y + linear("feed_forward.2", inner))
    return np.stack(outputs)


def with_einsum(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Einstein sums with weights cut into heads."""

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def cut(name):
        return weights[f"attention.{name}.weight"].reshape(heads, -1, x.shape[-1])

    def bias(name):
        return weights[f"attention.{name}.bias"].reshape(heads, 1, -1)

    normed = norm("attention_norm", x)
    parts = (
        np.einsum("bsd,hed->bhse", normed, cut(n)) + bias(n) for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(*parts, visible)
    last = weights["attention.output.weight"].reshape(x.shape[-1], heads, -1)
    y = x + np.einsum("bhse,dhe->bsd", mixed, last) + weights["attention.output.bias"]
    inner = np.einsum("bsd,id->bsi", norm("feed_forward_norm", y), weights["feed_forward.0.weight"])
    inner = np.fmax(inner + weights["feed_forward.0.bias"], 0.0)
    return y + inner @ weights["feed_forward.2.weight"].T + weights["feed_forward.2.bias"]


def all_written_out(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Norm and attention written out once more, without the other questions."""

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        normal = (rows - rows.mean(-1, keepdims=True)) / np.sqrt(rows.var(-1, keepdims=True) + 1e-5)
        return normal * weights[name + ".weight"] + weights[name + ".bias"]

    if not np.all(np.any(visible, axis=-1)):
        raise ValueError("a query may attend to no key")
    shape = (*x.shape[:2], heads, x.shape[-1] // heads)
    q, k, v = (
        linear("attention." + part, norm("attention_norm", x)).reshape(shape).transpose(0, 2, 1, 3)
        for part in ("query", "key", "value")
    )
    odds = np.where(visible, q @ k.transpose(0, 1, 3, 2) / math.sqrt(shape[-1]), -np.inf)
    odds = np.exp(odds - odds.max(-1, keepdims=True))
    joined = (odds @ v / odds.sum(-1, keepdims=True)).transpose(0, 2, 1, 3).reshape(x.shape)
    y = x + linear("attention.output", joined)

    rows = np.clip(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0, None)
    return y + linear("feed_forward.2", rows)


def with_the_module_of_torch(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The homework's own module with these weights, brought back to NumPy."""
    if (visible.sum(axis=-1) == 0).any():
        raise ValueError("a query may attend to no key")
    block = EncoderBlock(x.shape[-1], heads, len(weights["feed_forward.0.bias"])).double()
    block.load_state_dict({name: torch.tensor(array) for name, array in weights.items()})
    with torch.no_grad():
        return block(torch.tensor(x), torch.tensor(visible)).numpy()


def with_functions_of_torch(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Torch's functions for norm, attention and linear layers."""
    w = {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}
    if not visible.any(-1).all():
        raise ValueError("a query may attend to no key")

    def linear(name, rows):
        return F.linear(rows, w[f"{name}.weight"], w[f"{name}.bias"])

    def norm(name, rows):
        return F.layer_norm(rows, rows.shape[-1:], w[f"{name}.weight"], w[f"{name}.bias"])

    stream = torch.from_numpy(np.array(x))
    normed = norm("attention_norm", stream)
    parts = (
        linear(f"attention.{n}", normed).unflatten(-1, (heads, -1)).transpose(1, 2)
        for n in ("query", "key", "value")
    )
    seen = torch.tensor(visible).expand(len(x), heads, x.shape[1], x.shape[1])
    mixed = F.scaled_dot_product_attention(*parts, attn_mask=seen)
    stream = stream + linear("attention.output", mixed.transpose(1, 2).flatten(2))
    inner = linear("feed_forward.0", norm("feed_forward_norm", stream)).relu()
    return (stream + linear("feed_forward.2", inner)).numpy()


def three_projections_at_once(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """One product for queries, keys and values together."""

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    names = ("query", "key", "value")
    weight = np.concatenate([weights[f"attention.{name}.weight"] for name in names])
    bias = np.concatenate([weights[f"attention.{name}.bias"] for name in names])
    projected = norm("attention_norm", x) @ weight.T + bias
    projected = projected.reshape(*x.shape[:2], 3, heads, -1).transpose(2, 0, 3, 1, 4)
    mixed, _ = numpy_attention(*projected, visible)
    joined = np.moveaxis(mixed, 1, 2).reshape(x.shape)
    y = x + np.dot(joined, weights["attention.output.weight"].T) + weights["attention.output.bias"]
    inner = norm("feed_forward_norm", y) @ weights["feed_forward.0.weight"].T
    inner = np.where(
        inner + weights["feed_forward.0.bias"] > 0, inner + weights["feed_forward.0.bias"], 0
    )
    return y + inner @ weights["feed_forward.2.weight"].T + weights["feed_forward.2.bias"]


def heads_in_front(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Heads and batch share one axis, as many small sentences."""

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    batch, n, width = x.shape
    seen = np.repeat(np.ones((1, n, n), dtype=bool), batch * heads, axis=0)
    seen &= np.broadcast_to(visible, (batch, heads, n, n)).reshape(-1, n, n)

    def by_head(rows):
        return rows.reshape(batch, n, heads, -1).transpose(0, 2, 1, 3).reshape(batch * heads, n, -1)

    normed = norm("attention_norm", x)
    mixed, _ = numpy_attention(
        *(by_head(linear(f"attention.{p}", normed)) for p in ("query", "key", "value")), seen
    )
    joined = mixed.reshape(batch, heads, n, -1).transpose(0, 2, 1, 3).reshape(batch, n, width)
    y = x + linear("attention.output", joined)

    rows = np.clip(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0, None)
    return y + linear("feed_forward.2", rows)


def as_a_class(x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int) -> NDArray:
    """A class inside the function that holds the weights."""

    class Block:
        def linear(self, name, rows):
            return rows @ np.transpose(weights[f"{name}.weight"]) + weights[f"{name}.bias"]

        def norm(self, name, rows):
            return numpy_layer_norm(
                x=rows, gain=weights[f"{name}.weight"], bias=weights[f"{name}.bias"]
            )

        def attention(self, rows):
            parts = {
                name: np.stack(
                    np.array_split(self.linear(f"attention.{name}", rows), heads, axis=2), axis=1
                )
                for name in ("query", "key", "value")
            }
            mixed, _ = numpy_attention(**parts, visible=visible)
            return self.linear(
                "attention.output", np.concatenate(np.moveaxis(mixed, 1, 0), axis=-1)
            )

        def feed_forward(self, rows):
            hidden = self.linear("feed_forward.0", rows)
            return self.linear("feed_forward.2", (np.abs(hidden) + hidden) / 2)

        def __call__(self, stream):
            for sublayer in ("attention", "feed_forward"):
                stream = stream + getattr(self, sublayer)(self.norm(f"{sublayer}_norm", stream))
            return stream

    return Block()(x)


def without_bias_of_keys(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """The bias of the keys shifts all scores of a query alike, so it is left out."""

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def by_head(rows):
        return rows.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)

    normed = norm("attention_norm", x)
    query, value = (by_head(linear(f"attention.{n}", normed)) for n in ("query", "value"))
    mixed, _ = numpy_attention(
        query, by_head(normed @ weights["attention.key.weight"].T), value, visible
    )
    y = linear("attention.output", mixed.swapaxes(1, 2).reshape(x.shape)) + x

    rows = np.clip(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0, None)
    return y + linear("feed_forward.2", rows)


def masked_columns_for_heads(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Each head has vectors of the full width, with zeros in the others' columns."""

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    own = np.repeat(np.eye(heads), x.shape[-1] // heads, axis=1)[:, None]
    normed = norm("attention_norm", x)
    query, key, value = (
        linear(f"attention.{n}", normed)[:, None] * own for n in ("query", "key", "value")
    )
    mixed, _ = numpy_attention(query * math.sqrt(heads), key, value, visible)
    y = x + linear("attention.output", mixed.sum(axis=1))

    rows = np.clip(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0, None)
    return y + linear("feed_forward.2", rows)


def heads_summed_up(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Each head's share of the output projection, added up."""

    def linear(name, rows):
        return rows @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, rows):
        return numpy_layer_norm(rows, weights[f"{name}.weight"], weights[f"{name}.bias"])

    width = x.shape[-1] // heads
    normed = norm("attention_norm", x)
    seen = np.broadcast_to(visible, (len(x), heads, x.shape[1], x.shape[1]))
    y = x + weights["attention.output.bias"]
    for head in range(heads):
        cut = slice(head * width, (head + 1) * width)
        parts = (
            normed @ weights[f"attention.{part}.weight"][cut].T
            + weights[f"attention.{part}.bias"][cut]
            for part in ("query", "key", "value")
        )
        mixed, _ = numpy_attention(*parts, seen[:, head])
        y = y + mixed @ weights["attention.output.weight"][:, cut].T

    rows = np.clip(linear("feed_forward.0", norm("feed_forward_norm", y)), 0.0, None)
    return y + linear("feed_forward.2", rows)


def dictionary_of_parts(
    x: NDArray, weights: Mapping[str, NDArray], visible: NDArray, heads: int
) -> NDArray:
    """Weights sorted into a dictionary for each part, applied by a loop over names."""
    parts: dict[str, dict[str, NDArray]] = {}
    for name, array in weights.items():
        part, _, kind = name.rpartition(".")
        parts.setdefault(part, {})[kind] = array

    def apply(part, rows):
        if part.endswith("norm"):
            return numpy_layer_norm(rows, parts[part]["weight"], parts[part]["bias"])
        return (parts[part]["weight"] @ rows[..., None])[..., 0] + parts[part]["bias"]

    def split(rows):
        return np.array([np.array(np.hsplit(sentence, heads)) for sentence in rows])

    normed = apply("attention_norm", x)
    mixed = numpy_attention(
        *[split(apply(f"attention.{n}", normed)) for n in ("query", "key", "value")], visible
    )[0]
    y = np.add(
        x, apply("attention.output", np.array([np.hstack(list(sentence)) for sentence in mixed]))
    )
    hidden = apply("feed_forward.0", apply("feed_forward_norm", y))
    hidden[hidden < 0] = 0
    return np.add(y, apply("feed_forward.2", hidden))
