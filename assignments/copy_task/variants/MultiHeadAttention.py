"""Unusual right answers to `MultiHeadAttention`, which must get full marks.

A class derives from the reference and holds only what differs.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.copy_task import MultiHeadAttention


class with_views(MultiHeadAttention):
    """Views and transposes, as most textbooks have it."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        B, n_q, D = x.shape
        n_k, d = memory.shape[1], D // self.heads
        q = self.query(x).view(B, n_q, self.heads, d).transpose(1, 2)
        k = self.key(memory).view(B, n_k, self.heads, d).transpose(1, 2)
        v = self.value(memory).view(B, n_k, self.heads, d).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(2, 3)) * d**-0.5
        weights = F.softmax(scores.masked_fill(visible == False, -1e9), dim=3)
        mixed = torch.matmul(weights, v).transpose(1, 2).contiguous().view(B, n_q, D)
        return self.output(mixed), weights


class head_by_head(MultiHeadAttention):
    """A Python loop over the heads, with slices of columns."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = self.query(x), self.key(memory), self.value(memory)
        d = x.size(2) // self.heads
        shown = visible.expand(x.size(0), self.heads, x.size(1), memory.size(1))
        outputs, weights = [], []
        for h in range(self.heads):
            columns = slice(h * d, (h + 1) * d)
            scores = q[..., columns].bmm(k[..., columns].mT).div(math.sqrt(d))
            scores = torch.where(shown[:, h], scores, torch.full_like(scores, -math.inf))
            weights.append(torch.softmax(scores, dim=-1))
            outputs.append(weights[-1].bmm(v[..., columns]))
        return self.output(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


class with_einsum(MultiHeadAttention):
    """Einstein sums that never move an axis."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            rows.reshape(*rows.shape[:2], self.heads, -1)
            for rows in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
        scores = scores.masked_fill(torch.logical_not(visible), torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        mixed = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        return self.output(mixed.reshape(x.shape)), weights


class with_library_function(MultiHeadAttention):
    """The library's attention for the output, and its mixture of unit vectors for the weights."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            rows.unflatten(2, (self.heads, -1)).permute(0, 2, 1, 3)
            for rows in (self.query(x), self.key(memory), self.value(memory))
        )
        units = torch.eye(k.size(2)).to(k).expand(k.size(0), self.heads, -1, -1)
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        weights = F.scaled_dot_product_attention(q, k, units, attn_mask=visible)
        return self.output(output.permute(0, 2, 1, 3).flatten(start_dim=2)), weights


class with_library_module(MultiHeadAttention):
    """torch's own multi-head attention with the weights of these layers."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        batch, n_q, width = x.shape
        n_k, inputs = memory.size(1), (self.query, self.key, self.value)
        hidden = ~visible.expand(batch, self.heads, n_q, n_k)
        output, weights = F.multi_head_attention_forward(
            x.transpose(0, 1),
            memory.transpose(0, 1),
            memory.transpose(0, 1),
            width,
            self.heads,
            torch.cat([layer.weight for layer in inputs]),
            torch.cat([layer.bias for layer in inputs]),
            None,
            None,
            False,
            0.0,
            self.output.weight,
            self.output.bias,
            training=self.training,
            attn_mask=hidden.reshape(-1, n_q, n_k),
            average_attn_weights=False,
        )
        return output.transpose(0, 1), weights


class heads_in_the_batch(MultiHeadAttention):
    """The heads become rows of the batch, and batched products do the rest."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        (batch, n_q, width), n_k = x.shape, memory.size(1)

        def split(rows: Tensor) -> Tensor:
            return torch.cat(rows.chunk(self.heads, dim=-1))

        q, k, v = split(self.query(x)), split(self.key(memory)), split(self.value(memory))
        shown = visible.expand(batch, self.heads, n_q, n_k).transpose(0, 1).reshape(-1, n_q, n_k)
        bias = torch.zeros(shown.shape, dtype=q.dtype).masked_fill(~shown, -math.inf)
        weights = torch.baddbmm(bias, q, k.mT, alpha=(width / self.heads) ** -0.5).softmax(-1)
        joined = torch.cat(weights.bmm(v).chunk(self.heads), dim=-1)
        return self.output(joined), weights.unflatten(0, (self.heads, batch)).transpose(0, 1)


class softmax_by_hand(MultiHeadAttention):
    """Exponentials of visible scores, less the largest visible one."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(~visible, -math.inf)
        odds = torch.exp(scores - scores.amax(dim=-1, keepdim=True).detach())
        weights = odds / odds.sum(dim=-1, keepdim=True)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class softmax_by_logsumexp(MultiHeadAttention):
    """Weights as exponentials of scores less their logsumexp."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        bias = torch.where(visible, 0.0, -math.inf).to(q.dtype)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)) + bias
        weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class without_bias_of_keys(MultiHeadAttention):
    """The bias of the keys adds the same to all scores of a query, so it is left out."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = (memory @ self.key.weight.T).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class projects_each_head(MultiHeadAttention):
    """The matrices are cut up by heads, and each head's share of the output is added up."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        d = x.size(-1) // self.heads
        shown = visible.expand(len(x), self.heads, x.size(1), memory.size(1))
        output, weights = self.output.bias, []
        for h in range(self.heads):
            part = slice(h * d, h * d + d)
            q = F.linear(x, self.query.weight[part], self.query.bias[part])
            k = F.linear(memory, self.key.weight[part], self.key.bias[part])
            v = F.linear(memory, self.value.weight[part], self.value.bias[part])
            scores = (q @ k.mT / math.sqrt(d)).masked_fill(~shown[:, h], -math.inf)
            weights.append(scores.softmax(-1))
            output = output + weights[-1] @ v @ self.output.weight[:, part].mT
        return output, torch.stack(weights, 1)


class in_double_precision(MultiHeadAttention):
    """Scores and weights in float64, brought back to the dtype of x."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            rows.double().unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for rows in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        output = self.output((weights @ v).transpose(1, 2).flatten(2).to(x.dtype))
        return output, weights.to(x.dtype)


class query_by_query(MultiHeadAttention):
    """A loop over the queries, and sums of products."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            rows.unflatten(-1, (self.heads, -1))
            for rows in (self.query(x), self.key(memory), self.value(memory))
        )
        shown = visible.expand(len(x), self.heads, x.size(1), memory.size(1)).permute(2, 0, 3, 1)
        outputs, weights = [], []
        for i, mask in enumerate(shown):
            scores = (q[:, i, None] * k).sum(-1) / math.sqrt(k.size(-1))
            weights.append(scores.masked_fill(~mask, -math.inf).softmax(1))
            outputs.append((weights[-1][..., None] * v).sum(1).flatten(1))
        return self.output(torch.stack(outputs, 1)), torch.stack(weights, 1).permute(0, 3, 1, 2)


class with_helper_methods(MultiHeadAttention):
    """Small methods of its own, and a list for the pair."""

    def split(self, rows: Tensor) -> Tensor:
        return rows.reshape(rows.size(0), rows.size(1), self.heads, -1).swapaxes(1, 2)

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> list[Tensor]:
        q, k, v = map(self.split, (self.query(x), self.key(memory), self.value(memory)))
        scores = (q @ k.mT) / torch.tensor(k.size(-1)).sqrt()
        scores[~visible.expand_as(scores)] = -math.inf
        weights = nn.Softmax(dim=-1)(scores)
        return [self.output((weights @ v).swapaxes(1, 2).flatten(2, 3)), weights]


class scaled_by_a_tensor(MultiHeadAttention):
    """The root is a tensor's; the last weights are kept to be looked at."""

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        def split(rows: Tensor) -> Tensor:
            return torch.stack(rows.chunk(self.heads, dim=-1), dim=1)

        q, k, v = split(self.query(x)), split(self.key(memory)), split(self.value(memory))
        scores = q @ k.mT / torch.sqrt(torch.tensor(q.size(-1)))
        weights = torch.where(visible, scores, -torch.inf).softmax(dim=-1)
        self.last_weights = weights.detach()
        return self.output(torch.cat(list((weights @ v).unbind(1)), dim=-1)), weights
