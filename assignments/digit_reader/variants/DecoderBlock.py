"""Unusual right answers to `DecoderBlock`, which must get full marks.

A class derives from the reference and holds only what differs.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from solutions.digit_reader import DecoderBlock


class with_weights_always_asked_for(DecoderBlock):
    """The weights are asked for, and left aside where they are not wanted."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights if want_weights else None


class with_keywords(DecoderBlock):
    """The attentions are called with keywords."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        said = self.self_attention(query=x, value=x, key=x, attn_mask=mask)[0]
        y = self.self_attention_norm(said + x)
        said, seen = self.cross_attention(
            y, value=memory, key=memory, need_weights=want_weights, average_attn_weights=True
        )
        z = self.cross_attention_norm(said + y)
        return self.feed_forward_norm(self.feed_forward(z) + z), seen


class with_a_boolean_mask(DecoderBlock):
    """The mask becomes one of booleans, True where hidden."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask == -torch.inf, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class with_a_mask_for_each_head(DecoderBlock):
    """The mask is repeated for each image and head."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        many = len(x) * self.self_attention.num_heads
        mixed, _ = self.self_attention(
            x, x, x, attn_mask=mask.expand(many, -1, -1), need_weights=False
        )
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class averages_heads_itself(DecoderBlock):
    """The weights of the heads are averaged by hand."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, heads = self.cross_attention(x, memory, memory, average_attn_weights=False)
        x = self.cross_attention_norm(x + mixed)
        weights = heads.mean(dim=1) if want_weights else None
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class attention_by_hand(DecoderBlock):
    """Both attentions written out, with a softmax over scores."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        def attend(
            layer: nn.MultiheadAttention, rows: Tensor, known: Tensor, added: Tensor | float
        ) -> tuple[Tensor, Tensor]:
            many, width = layer.num_heads, rows.size(-1)
            matrices = layer.in_proj_weight.split(width)
            biases = layer.in_proj_bias.split(width)
            q, k, v = (
                (source @ matrix.T + bias).unflatten(-1, (many, -1)).transpose(1, 2)
                for source, matrix, bias in zip((rows, known, known), matrices, biases)
            )
            weights = (q @ k.mT / math.sqrt(q.size(-1)) + added).softmax(dim=-1)
            said = layer.out_proj((weights @ v).transpose(1, 2).flatten(2))
            return said, weights.mean(dim=1)

        x = self.self_attention_norm(x + attend(self.self_attention, x, x, mask)[0])
        said, weights = attend(self.cross_attention, x, memory, 0.0)
        x = self.cross_attention_norm(x + said)
        x = self.feed_forward_norm(x + self.feed_forward(x))
        return x, weights if want_weights else None


class with_torchs_own_layer(DecoderBlock):
    """The weights are handed to a layer of torch, and the attention is asked again for what it looks at."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        width, inner = x.size(-1), self.feed_forward[0].out_features
        theirs = nn.TransformerDecoderLayer(
            width,
            self.self_attention.num_heads,
            inner,
            dropout=0.0,
            activation="gelu",
            batch_first=True,
        )
        theirs.self_attn, theirs.norm1 = self.self_attention, self.self_attention_norm
        theirs.multihead_attn, theirs.norm2 = self.cross_attention, self.cross_attention_norm
        theirs.linear1, _, theirs.linear2 = self.feed_forward
        theirs.norm3 = self.feed_forward_norm
        output = theirs(x, memory, tgt_mask=mask)
        if not want_weights:
            return output, None
        asking = self.self_attention_norm(x + self.self_attention(x, x, x, attn_mask=mask)[0])
        return output, self.cross_attention(asking, memory, memory)[1]


class image_by_image(DecoderBlock):
    """A loop over the batch."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        outputs, looked = [], []
        for one, known in zip(x, memory):
            y = self.self_attention_norm(
                one + self.self_attention(one, one, one, attn_mask=mask)[0]
            )
            said, weights = self.cross_attention(y, known, known)
            y = self.cross_attention_norm(y + said)
            outputs.append(self.feed_forward_norm(y + self.feed_forward(y)))
            looked.append(weights)
        return torch.stack(outputs), torch.stack(looked) if want_weights else None


class returns_a_list(DecoderBlock):
    """A list takes the place of the tuple."""

    def forward(  # type: ignore[override]
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> list[Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return [self.feed_forward_norm(x + self.feed_forward(x)), weights]


class with_a_branch(DecoderBlock):
    """Two branches, one for each value of `want_weights`."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        if want_weights:
            said, weights = self.cross_attention(x, memory, memory)
        else:
            said, weights = self.cross_attention(x, memory, memory, need_weights=False)[0], None
        x = self.cross_attention_norm(torch.add(x, said))
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class adds_in_place_to_copies(DecoderBlock):
    """In-place additions to tensors of its own."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        y = self.self_attention(x, x, x, attn_mask=mask)[0].clone()
        y += x
        y = self.self_attention_norm(y)
        z, weights = self.cross_attention(y, memory, memory, need_weights=want_weights)
        z = z.clone()
        z += y
        z = self.cross_attention_norm(z)
        return self.feed_forward_norm(self.feed_forward(z).add(z)), weights


class with_a_finite_mask(DecoderBlock):
    """−∞ becomes a very low number."""

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mask = mask.clamp(min=-1e9)
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights
