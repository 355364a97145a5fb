"""Unusual right answers to `EncoderBlock`, which must get full marks.

A class derives from the reference and holds only what differs.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.digit_reader import EncoderBlock


class with_weights_asked_for(EncoderBlock):
    """The weights are asked for and dropped."""

    def forward(self, x: Tensor) -> Tensor:
        mixed, _weights = self.attention(x, x, x)
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y))


class with_keywords(EncoderBlock):
    """The attention is called with keywords."""

    def forward(self, x: Tensor) -> Tensor:
        said = self.attention(key=x, query=x, value=x, average_attn_weights=False)
        y = self.attention_norm(torch.add(said[0], x))
        return self.feed_forward_norm(torch.add(self.feed_forward(y), y))


class with_functions_of_torch(EncoderBlock):
    """Norms and linear layers as functions of their weights."""

    def forward(self, x: Tensor) -> Tensor:
        def norm(layer: nn.LayerNorm, rows: Tensor) -> Tensor:
            return F.layer_norm(rows, layer.normalized_shape, layer.weight, layer.bias, layer.eps)

        up, _, down = self.feed_forward
        y = norm(self.attention_norm, x + self.attention(x, x, x)[0])
        inner = F.gelu(F.linear(y, up.weight, up.bias))
        return norm(self.feed_forward_norm, y + F.linear(inner, down.weight, down.bias))


class heads_by_hand(EncoderBlock):
    """Attention written out, with a softmax over scores."""

    def forward(self, x: Tensor) -> Tensor:
        many = self.attention.num_heads
        rows = x @ self.attention.in_proj_weight.T + self.attention.in_proj_bias
        q, k, v = rows.unflatten(-1, (3, many, -1)).permute(2, 0, 3, 1, 4)
        weights = (q @ k.mT / math.sqrt(q.size(-1))).softmax(dim=-1)
        said = self.attention.out_proj((weights @ v).transpose(1, 2).flatten(2))
        y = self.attention_norm(x + said)
        return self.feed_forward_norm(y + self.feed_forward(y))


class norm_by_hand(EncoderBlock):
    """Norms written out."""

    def forward(self, x: Tensor) -> Tensor:
        def norm(layer: nn.LayerNorm, rows: Tensor) -> Tensor:
            centred = rows - rows.mean(-1, keepdim=True)
            spread = centred.square().mean(-1, keepdim=True).add(layer.eps).sqrt()
            return centred / spread * layer.weight + layer.bias

        y = norm(self.attention_norm, x + self.attention(x, x, x)[0])
        return norm(self.feed_forward_norm, y + self.feed_forward(y))


class image_by_image(EncoderBlock):
    """A loop over the batch."""

    def forward(self, x: Tensor) -> Tensor:
        outputs = []
        for one in x:
            y = self.attention_norm(one + self.attention(one, one, one)[0])
            outputs.append(self.feed_forward_norm(y + self.feed_forward(y)))
        return torch.stack(outputs)


class as_a_loop_over_sublayers(EncoderBlock):
    """A loop over pairs of norm and sublayer."""

    def forward(self, x: Tensor) -> Tensor:
        def look(rows: Tensor) -> Tensor:
            return self.attention(rows, rows, rows)[0]

        for name, sublayer in (("attention", look), ("feed_forward", self.feed_forward)):
            x = getattr(self, f"{name}_norm")(sublayer(x) + x)
        return x


class with_torchs_own_layer(EncoderBlock):
    """The weights are handed to a layer of torch."""

    def forward(self, x: Tensor) -> Tensor:
        width, inner = x.size(-1), self.feed_forward[0].out_features
        theirs = nn.TransformerEncoderLayer(
            width, self.attention.num_heads, inner, dropout=0.0, activation="gelu", batch_first=True
        )
        theirs.self_attn, theirs.norm1 = self.attention, self.attention_norm
        theirs.linear1, _, theirs.linear2 = self.feed_forward
        theirs.norm2 = self.feed_forward_norm
        return theirs(x)


class adds_in_place_to_copies(EncoderBlock):
    """In-place additions to tensors of its own."""

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention(x, x, x, need_weights=False)[0].clone()
        y += x
        y = self.attention_norm(y)
        z = self.feed_forward(y).clone()
        z += y
        return self.feed_forward_norm(z)


class with_an_open_mask(EncoderBlock):
    """A mask that hides nothing."""

    def forward(self, x: Tensor) -> Tensor:
        mask = torch.zeros(x.size(1), x.size(1), dtype=x.dtype)
        y = self.attention_norm(x + self.attention(x, x, x, attn_mask=mask)[0])
        return self.feed_forward_norm(self.feed_forward(y) + y)
