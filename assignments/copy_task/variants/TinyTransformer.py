"""Unusual right answers to `TinyTransformer`, which must get full marks.

A class derives from the reference and holds only what differs.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.copy_task import TinyTransformer, attention_masks, positions


class without_attention_masks(TinyTransformer):
    """Both masks are made on the spot."""

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible = source.ne(0).unsqueeze(1).unsqueeze(1)
        return self.encoder_norm(self.encoder(self.embed(source), visible)), visible

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        n = target_prefix.size(1)
        future = torch.ones(n, n, dtype=torch.bool).triu(1)
        mask = ~(future | (target_prefix == 0)[:, None, None])
        x = self.decoder(self.embed(target_prefix), memory, mask, source_visible)
        return self.readout(self.decoder_norm(x))


class with_keywords(TinyTransformer):
    """All parts are called with keywords."""

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        masks = attention_masks(source=source, target_prefix=source)
        x = self.encoder(visible=masks[0], x=self.embed(ids=source))
        return self.encoder_norm(x), masks[0]

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        masks = attention_masks(source=target_prefix, target_prefix=target_prefix)
        x = self.decoder(
            memory=memory,
            x=self.embed(target_prefix),
            source_visible=source_visible,
            target_visible=masks[1],
        )
        return self.readout(input=self.decoder_norm(x))

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        memory, visible = self.encode(source=source)
        return self.decode(source_visible=visible, memory=memory, target_prefix=target_prefix)


class all_in_forward(TinyTransformer):
    """`forward` does everything itself, and asks for both masks at once."""

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        source_visible, target_visible = attention_masks(source, target_prefix)
        memory = self.encoder_norm(self.encoder(self.embed(source), source_visible))
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class embeds_by_hand(TinyTransformer):
    """The table is looked up by a function, and the positions are added on the spot."""

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        table = self.embedding.weight
        x = F.embedding(source, table, padding_idx=0)
        x += positions(source.size(1), table.size(1), dtype=table.dtype)
        return self.encoder_norm(self.encoder(x, visible)), visible

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, mask = attention_masks(target_prefix, target_prefix)
        x = self.embedding(target_prefix)
        where = positions(x.shape[1], x.shape[2], x.device, x.dtype).expand_as(x)
        x = self.decoder(torch.stack([x, where]).sum(0), memory, mask, source_visible)
        return self.readout(self.decoder_norm(x))


class with_functions_of_torch(TinyTransformer):
    """Norms and readout as functions of their weights."""

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible = attention_masks(source, source)[0]
        x, norm = self.encoder.forward(self.embed(source), visible), self.encoder_norm
        return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps), visible

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        mask = attention_masks(target_prefix, target_prefix)[1]
        x = self.decoder.forward(self.embed(target_prefix), memory, mask, source_visible)
        norm = self.decoder_norm
        x = F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps)
        return torch.einsum("btd,vd->btv", x, self.readout.weight) + self.readout.bias


class position_by_position(TinyTransformer):
    """The logits of each position come from the prefix that ends there."""

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        logits = []
        for n in range(1, target_prefix.size(1) + 1):
            prefix = target_prefix[:, :n]
            _, mask = attention_masks(prefix, prefix)
            x = self.decoder(self.embed(prefix), memory, mask, source_visible)
            logits.append(self.readout(self.decoder_norm(x[:, -1])))
        return torch.stack(logits, dim=1)


class expands_the_masks(TinyTransformer):
    """The blocks get masks of their full shapes."""

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source[:, :1])
        batch, width = source.shape
        full = visible.expand(batch, 1, width, width).clone()
        return self.encoder_norm(self.encoder(self.embed(source), full)), visible

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, own = attention_masks(target_prefix[:, :1], target_prefix)
        full = source_visible.repeat(1, 1, target_prefix.size(1), 1)
        x = self.decoder(self.embed(target_prefix), memory, own, full)
        return self.readout(self.decoder_norm(x))


class with_a_list_for_the_pair(TinyTransformer):
    """`encode` returns a list, and keeps a copy that nobody reads."""

    def encode(self, source: Tensor) -> list[Tensor]:
        visible, _ = attention_masks(source, source)
        self.last_memory = self.encoder_norm(self.encoder(self.embed(source), visible))
        return [self.last_memory, visible]


class row_by_row(TinyTransformer):
    """Each row of the batch goes through the model alone, without the PADs of its source."""

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        rows = []
        for own, prefix in zip(source, target_prefix, strict=True):
            length = int((own != 0).sum())
            memory, visible = self.encode(own[None, :length])
            rows.append(self.decode(prefix[None], memory, visible))
        return torch.cat(rows)
