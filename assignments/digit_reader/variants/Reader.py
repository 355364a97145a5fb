"""Unusual right answers to `Reader`, which must get full marks.

A class derives from the reference and holds only what differs.
"""

from __future__ import annotations

import functools

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.digit_reader import Reader, patchify


class with_keywords(Reader):
    """The blocks are called with keywords."""

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, mask=mask, memory=memory, want_weights=want_weights)
        return self.readout(x), weights


class wants_weights_of_last_block_only(Reader):
    """Only the last block is asked for weights."""

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        *others, last = self.decoder
        for block in others:
            x, _ = block(x, memory, mask)
        x, weights = last(x, memory, mask, want_weights)
        return self.readout(x), weights


class with_torchs_own_mask(Reader):
    """The mask comes from a function of torch."""

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = nn.Transformer.generate_square_subsequent_mask(length, dtype=x.dtype)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class mask_by_comparison(Reader):
    """The mask comes from comparing places."""

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        places = torch.arange(length)
        mask = torch.zeros(length, length, dtype=x.dtype)
        mask[places[None, :] > places[:, None]] = -torch.inf
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class mask_in_a_loop(Reader):
    """The mask is filled in row by row."""

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = x.new_zeros(length, length)
        for row in range(length):
            mask[row, row + 1 :] = float("-inf")
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class takes_patches_by_unfolding(Reader):
    """The patches are cut without `patchify`."""

    def encode(self, images: Tensor) -> Tensor:
        patches = F.unfold(images[:, None], self.patch, stride=self.patch).mT
        memory = self.project(patches) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class takes_patches_in_loops(Reader):
    """The patches are cut in loops."""

    def encode(self, images: Tensor) -> Tensor:
        rows, columns = self.grid
        patches = []
        for row in range(rows):
            for column in range(columns):
                top, left = row * self.patch, column * self.patch
                patch = images[:, top : top + self.patch, left : left + self.patch]
                patches.append(patch.reshape(len(images), -1))
        memory = self.project(torch.stack(patches, dim=1)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class all_in_forward(Reader):
    """Everything stands in `forward`, too."""

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        memory = self.project(patchify(images, patch=self.patch)) + self.image_positions
        for number in range(len(self.encoder)):
            memory = self.encoder[number](memory)
        length = tokens.shape[1]
        places = self.token_positions.narrow(1, 0, length)
        x = self.embedding(tokens) + places
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        for block in self.decoder:
            x = block(x, memory, mask)[0]
        logits: Tensor = self.readout(x)
        return logits


class with_functions_of_torch(Reader):
    """Layers as functions of their weights."""

    def encode(self, images: Tensor) -> Tensor:
        patches = patchify(images, self.patch)
        memory = F.linear(patches, self.project.weight, self.project.bias) + self.image_positions
        return functools.reduce(lambda vectors, block: block(vectors), self.encoder, memory)

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = F.embedding(tokens, self.embedding.weight) + self.token_positions[0, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return F.linear(x, self.readout.weight, self.readout.bias), weights


class image_by_image(Reader):
    """A loop over the batch."""

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        rows = []
        for image, row in zip(images, tokens):
            memory = self.encode(image[None])
            rows.append(self.decode(memory, row[None])[0])
        return torch.cat(rows)


class returns_a_list(Reader):
    """A list takes the place of the tuple."""

    def decode(  # type: ignore[override]
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> list[Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return [self.readout(x), weights]


class hides_with_a_finite_number(Reader):
    """A very low number takes the place of −∞."""

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -1e9, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights
