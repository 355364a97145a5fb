"""Unusual right answers to `scaled_dot_product_attention`, which must get full marks."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def with_einsum(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Einstein sums for both products."""
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores + mask
    weights = F.softmax(scores, dim=-1).to(query.dtype)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def row_by_row(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A Python loop over the queries, one softmax for each."""
    shape = (*query.shape[:-1], key.shape[-2])
    bias = torch.zeros(shape, dtype=query.dtype) if mask is None else mask.broadcast_to(shape)
    outputs, weights = [], []
    for i in range(query.shape[-2]):
        scores = (query[..., i : i + 1, :] * key).sum(dim=-1) / math.sqrt(query.shape[-1])
        row = torch.softmax(scores + bias[..., i, :], dim=-1)
        weights.append(row)
        outputs.append((row.unsqueeze(-1) * value).sum(dim=-2))
    return torch.stack(outputs, dim=-2), torch.stack(weights, dim=-2)


def softmax_by_hand(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Exponentials of scores from which the maximum of each row is taken."""
    scores = torch.matmul(query, key.mT) / math.sqrt(key.size(-1))
    scores = scores if mask is None else torch.add(scores, mask)
    exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True).detach())
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return torch.matmul(weights, value), weights


def softmax_by_logsumexp(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Weights as exponentials of scores less their logsumexp."""
    scores = query @ key.transpose(-1, -2) / key.size(-1) ** 0.5
    if mask is not None:
        scores = scores + mask
    weights = (scores - torch.logsumexp(scores, dim=-1, keepdim=True)).exp()
    return weights @ value, weights


def softmax_by_log_softmax(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Weights as exponentials of log_softmax."""
    scores = query @ key.transpose(-1, -2) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = mask + scores
    weights = torch.exp(torch.log_softmax(scores, dim=-1))
    return weights @ value, weights


def with_library_function(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The library's attention for the output, and its mixture of unit vectors for the weights."""
    if mask is not None:
        mask = mask.to(query.dtype).expand(*query.shape[:-1], key.size(-2))
    units = torch.eye(key.size(-2), dtype=value.dtype).expand(*key.shape[:-1], key.size(-2))
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    return output, F.scaled_dot_product_attention(query, key, units, attn_mask=mask)


def library_output_and_own_weights(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The library's attention for the output, and a softmax of its own for the weights."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        mask = mask.to(scores.dtype).expand_as(scores)
        scores = scores + mask
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    return output, torch.softmax(scores, dim=-1)


def infinities_become_minus_billion(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Hidden keys get −10⁹ by masked_fill, and other biases are added."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        hidden = torch.isneginf(mask)
        scores = (scores + mask.masked_fill(hidden, 0.0)).masked_fill(hidden, -1e9)
    weights = nn.Softmax(dim=-1)(scores)
    return weights @ value, weights


def hidden_keys_by_where(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """torch.where chooses between the biased score and −∞."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        lowest = scores.new_tensor(-math.inf)
        scores = torch.where(mask == -math.inf, lowest, scores + mask.clamp(min=-1e30))
    weights = scores.softmax(-1)
    return weights.matmul(value), weights


def scaled_before_the_product(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Query and key each take the fourth root of d_k before they meet."""
    root = query.size(-1) ** 0.25
    scores = (query / root) @ (key / root).transpose(-2, -1)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def by_recursion_over_the_batch(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Recursion over the axes in front until plain matrices are left."""

    def attend(q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        if q.dim() > 2:
            parts = [attend(*part) for part in zip(q, k, v, bias, strict=True)]
            outputs, weights = zip(*parts, strict=True)
            return torch.stack(outputs), torch.stack(weights)
        weights = torch.softmax(q.mm(k.t()) / math.sqrt(q.size(-1)) + bias, dim=-1)
        return weights.mm(v), weights

    bias = torch.zeros((), dtype=query.dtype) if mask is None else mask
    return attend(query, key, value, bias.broadcast_to(*query.shape[:-1], key.size(-2)))


def flattened_to_one_batch(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """All axes in front flattened into one, for batched products."""
    *lead, n_q, d_k = query.shape
    n_k, d_v = value.shape[-2:]
    q, k, v = query.reshape(-1, n_q, d_k), key.reshape(-1, n_k, d_k), value.reshape(-1, n_k, d_v)
    scores = torch.bmm(q, k.permute(0, 2, 1)).div(math.sqrt(d_k))
    if mask is not None:
        scores = scores + mask.expand(*lead, n_q, n_k).reshape(-1, n_q, n_k)
    weights = torch.softmax(scores, dim=2)
    return torch.bmm(weights, v).reshape(*lead, n_q, d_v), weights.reshape(*lead, n_q, n_k)


def in_double_precision(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Computed in float64 and brought back to the dtype of the inputs."""
    q, k, v = query.double(), key.double(), value.double()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        scores = scores + mask.double()
    weights = torch.softmax(scores, dim=-1)
    return (weights @ v).to(query.dtype), weights.to(query.dtype)


def as_a_module(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A class inside the function that does the work."""

    class Attention(nn.Module):
        def __init__(self, width: int) -> None:
            super().__init__()
            self.scale = 1 / math.sqrt(width)

        def forward(self, bias: Tensor | float) -> tuple[Tensor, Tensor]:
            weights = torch.softmax(self.scale * query @ key.transpose(-2, -1) + bias, dim=-1)
            return weights @ value, weights

    return Attention(query.shape[-1])(0.0 if mask is None else mask)


def odds_by_where(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Exponentials of biased scores where a key is seen, and zeros where it is not."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    bias = torch.zeros_like(scores) if mask is None else mask.expand_as(scores)
    total = scores + bias
    top = torch.max(total, dim=-1, keepdim=True).values.detach()
    odds = torch.where(torch.isinf(bias), torch.zeros_like(total), torch.exp(total - top))
    weights = odds / torch.sum(odds, -1, True)
    return weights @ value, weights
