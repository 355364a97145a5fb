"""Unusual right answers to `DecoderBlock`, which must get full marks.

A class derives from the reference and holds only what differs.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.copy_task import DecoderBlock


class with_keywords(DecoderBlock):
    """Attention is called with keywords, in another order."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        n = self.self_attention_norm(x)
        a = x + self.self_attention(visible=target_visible, x=n, memory=n)[0]
        n = self.cross_attention_norm(a)
        b = a + self.cross_attention(x=n, memory=memory, visible=source_visible)[0]
        return b + self.feed_forward(self.feed_forward_norm(b))


class as_a_loop_over_sublayers(DecoderBlock):
    """A loop over pairs of norm and sublayer."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        def look_back(n: Tensor) -> Tensor:
            return self.self_attention(n, n, target_visible)[0]

        def look_over(n: Tensor) -> Tensor:
            return self.cross_attention(n, memory, source_visible)[0]

        for name, sublayer in (
            ("self_attention", look_back),
            ("cross_attention", look_over),
            ("feed_forward", self.feed_forward),
        ):
            x = x + sublayer(getattr(self, f"{name}_norm")(x))
        return x


class with_functions_of_torch(DecoderBlock):
    """Norms and linear layers as functions of their weights."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        def norm(layer: torch.nn.LayerNorm, rows: Tensor) -> Tensor:
            return F.layer_norm(rows, layer.normalized_shape, layer.weight, layer.bias, 1e-5)

        n = norm(self.self_attention_norm, x)
        x = torch.add(self.self_attention.forward(n, n, target_visible)[0], x)
        n = norm(self.cross_attention_norm, x)
        x = torch.add(self.cross_attention.forward(n, memory, source_visible)[0], x)
        up, _, down = self.feed_forward
        inner = torch.relu(up(norm(self.feed_forward_norm, x)))
        return torch.baddbmm(x + down.bias, inner, down.weight.T.expand(len(x), -1, -1))


class sums_up_at_the_end(DecoderBlock):
    """The results are kept in a list, and the stream is summed up each time."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        parts = [x]
        n = self.self_attention_norm(sum(parts))
        parts.append(self.self_attention(n, n, target_visible)[0])
        n = self.cross_attention_norm(sum(parts))
        parts.append(self.cross_attention(n, memory, source_visible)[0])
        parts.append(self.feed_forward(self.feed_forward_norm(sum(parts))))
        return torch.stack(parts).sum(dim=0)


class expands_the_masks(DecoderBlock):
    """The masks are brought to their full shapes first."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        batch, length, _ = x.shape
        heads, width = self.cross_attention.heads, memory.shape[1]
        target_visible = target_visible.expand(batch, heads, length, length)
        source_visible = source_visible.expand(batch, heads, length, width)
        normed = self.self_attention_norm(x)
        output, _weights = self.self_attention(normed, normed, target_visible)
        x = output + x
        output, _weights = self.cross_attention(
            self.cross_attention_norm(x), memory, source_visible
        )
        x = output + x
        return self.feed_forward(self.feed_forward_norm(x)) + x


class adds_in_place_to_copies(DecoderBlock):
    """In-place additions to tensors of its own."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        stream = self.self_attention(normed, normed, target_visible)[0].clone()
        stream += x
        normed = self.cross_attention_norm(stream)
        second = self.cross_attention(normed, memory, source_visible)[0].clone()
        second += stream
        third = self.feed_forward(self.feed_forward_norm(second))
        third += second
        return third


class row_by_row(DecoderBlock):
    """Each row of the batch goes through the block alone."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        batch, length, _ = x.shape
        heads = self.self_attention.heads
        own = target_visible.expand(batch, heads, length, length)
        other = source_visible.expand(batch, heads, length, memory.size(1))
        rows = []
        for i in range(batch):
            row = x[i : i + 1]
            normed = self.self_attention_norm(row)
            row = row + self.self_attention(normed, normed, own[i : i + 1])[0]
            normed = self.cross_attention_norm(row)
            row = row + self.cross_attention(normed, memory[i : i + 1], other[i : i + 1])[0]
            rows.append(row + self.feed_forward(self.feed_forward_norm(row)))
        return torch.cat(rows)


class attention_inline(DecoderBlock):
    """The layers of attention are used one by one, so that attention itself is never called."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        def attend(part: torch.nn.Module, x: Tensor, memory: Tensor, visible: Tensor) -> Tensor:
            query, key, value = (
                layer(rows).unflatten(-1, (part.heads, -1)).transpose(1, 2)
                for layer, rows in ((part.query, x), (part.key, memory), (part.value, memory))
            )
            scores = query @ key.mT / math.sqrt(key.size(-1))
            weights = scores.masked_fill(~visible, -math.inf).softmax(-1)
            return part.output((weights @ value).transpose(1, 2).reshape(x.shape))

        normed = self.self_attention_norm(x)
        x = x + attend(self.self_attention, normed, normed, target_visible)
        x = x + attend(self.cross_attention, self.cross_attention_norm(x), memory, source_visible)
        return x + self.feed_forward(self.feed_forward_norm(x))


class with_the_layer_of_torch(DecoderBlock):
    """torch's own decoder layer, which normalises first, with these weights."""

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        (batch, length, width), heads = x.shape, self.self_attention.heads
        up, _, down = self.feed_forward
        layer = torch.nn.TransformerDecoderLayer(
            width, heads, up.out_features, 0.0, batch_first=True, norm_first=True
        )
        weights, others = {}, {"linear1": up, "linear2": down}
        attentions = {"self_attn": self.self_attention, "multihead_attn": self.cross_attention}
        for name, part in attentions.items():
            inputs = (part.query, part.key, part.value)
            weights[f"{name}.in_proj_weight"] = torch.cat([each.weight for each in inputs])
            weights[f"{name}.in_proj_bias"] = torch.cat([each.bias for each in inputs])
            others[f"{name}.out_proj"] = part.output
        norms = (self.self_attention_norm, self.cross_attention_norm, self.feed_forward_norm)
        others |= {f"norm{n}": norm for n, norm in enumerate(norms, 1)}
        for name, other in others.items():
            weights |= {f"{name}.weight": other.weight, f"{name}.bias": other.bias}
        own = ~target_visible.expand(batch, heads, length, length).flatten(0, 1)
        other = ~source_visible.expand(batch, heads, length, memory.size(1)).flatten(0, 1)
        return torch.func.functional_call(layer, weights, (x, memory, own, other))
