"""Unusual right answers to `EncoderBlock`, which must get full marks.

A class derives from the reference and holds only what differs.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.copy_task import EncoderBlock


class with_keywords(EncoderBlock):
    """Attention is called with keywords, in another order."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        n = self.attention_norm(x)
        y = torch.add(x, self.attention(visible=visible, memory=n, x=n)[0])
        return torch.add(y, self.feed_forward(self.feed_forward_norm(y)))


class in_one_expression(EncoderBlock):
    """An assignment expression, and the norm twice."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        norm = self.attention_norm
        return (y := self.attention(norm(x), norm(x), visible)[0] + x) + self.feed_forward(
            self.feed_forward_norm(y)
        )


class with_functions_of_torch(EncoderBlock):
    """Norms and linear layers as functions of their weights."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        first, second = self.attention_norm, self.feed_forward_norm
        normed = F.layer_norm(x, x.shape[2:], first.weight, first.bias, first.eps)
        y = x + self.attention.forward(normed, normed, visible)[0]
        normed = F.layer_norm(y, y.shape[2:], second.weight, second.bias, second.eps)
        up, _, down = self.feed_forward
        return y + F.linear(F.linear(normed, up.weight, up.bias).relu(), down.weight, down.bias)


class norms_by_hand(EncoderBlock):
    """Means and variances, written out."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        def norm(layer: torch.nn.LayerNorm, rows: Tensor) -> Tensor:
            variance, mean = torch.var_mean(rows, dim=-1, correction=0, keepdim=True)
            return (rows - mean) / torch.sqrt(variance + 1e-5) * layer.weight + layer.bias

        normed = norm(self.attention_norm, x)
        output, _weights = self.attention(normed, normed, visible)
        y = x + output
        return y + self.feed_forward(norm(self.feed_forward_norm, y))


class as_a_loop_over_sublayers(EncoderBlock):
    """A loop over pairs of norm and sublayer."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        sublayers = [
            (self.attention_norm, lambda n: self.attention(n, n, visible)[0]),
            (self.feed_forward_norm, self.feed_forward),
        ]
        for norm, sublayer in sublayers:
            x = x + sublayer(norm(x))
        return x


class expands_the_mask(EncoderBlock):
    """The mask is brought to its full shape first."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        batch, length, _ = x.shape
        full = visible.broadcast_to(batch, self.attention.heads, length, length).contiguous()
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed.clone(), full)[0]
        return y + self.feed_forward(self.feed_forward_norm(y))


class adds_in_place_to_a_copy(EncoderBlock):
    """In-place additions to a tensor of its own."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        stream = x.clone()
        normed = self.attention_norm(x)
        stream += self.attention(normed, normed, visible)[0]
        result = stream.clone()
        result += self.feed_forward(self.feed_forward_norm(stream))
        return result


class attention_inline(EncoderBlock):
    """The layers of attention are used one by one, so that attention itself is never called."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed, part = self.attention_norm(x), self.attention
        query, key, value = (
            layer(normed).unflatten(-1, (part.heads, -1)).transpose(1, 2)
            for layer in (part.query, part.key, part.value)
        )
        scores = query @ key.mT / math.sqrt(key.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(-1)
        y = x + part.output((weights @ value).transpose(1, 2).reshape(x.shape))
        return y + self.feed_forward(self.feed_forward_norm(y))


class with_the_layer_of_torch(EncoderBlock):
    """torch's own encoder layer, which normalises first, with these weights."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        batch, length, width = x.shape
        part, (up, _, down) = self.attention, self.feed_forward
        layer = torch.nn.TransformerEncoderLayer(
            width, part.heads, up.out_features, 0.0, batch_first=True, norm_first=True
        )
        inputs = (part.query, part.key, part.value)
        weights = {
            "self_attn.in_proj_weight": torch.cat([each.weight for each in inputs]),
            "self_attn.in_proj_bias": torch.cat([each.bias for each in inputs]),
        }
        others = {
            "self_attn.out_proj": part.output,
            "linear1": up,
            "linear2": down,
            "norm1": self.attention_norm,
            "norm2": self.feed_forward_norm,
        }
        for name, other in others.items():
            weights |= {f"{name}.weight": other.weight, f"{name}.bias": other.bias}
        hidden = ~visible.expand(batch, part.heads, length, length).flatten(0, 1)
        return torch.func.functional_call(layer, weights, (x, hidden))


class row_by_row(EncoderBlock):
    """Each row of the batch goes through the block alone."""

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        full = visible.expand(len(x), self.attention.heads, x.size(1), x.size(1))
        rows = []
        for row, mask in zip(x.split(1), full.split(1), strict=True):
            normed = self.attention_norm(row)
            y = row + self.attention(normed, normed, mask)[0]
            rows.append(y + self.feed_forward(self.feed_forward_norm(y)))
        return torch.cat(rows)
