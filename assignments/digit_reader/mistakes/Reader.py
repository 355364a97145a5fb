"""Known wrong answers to `Reader`: each docstring is the student's hint.

A class derives from the right answer and holds only what differs.
"""

from __future__ import annotations

import torch
from torch import Tensor

from solutions.digit_reader import Reader, patchify


class forgets_image_positions(Reader):
    """The patches seem to be encoded without their positions.

    Revisit `image_positions`: without them the order of the patches is lost.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch))
        for block in self.encoder:
            memory = block(memory)
        return memory


class adds_positions_before_each_block(Reader):
    """The positions of the patches seem to be added before every block.

    Revisit how often: once, before the first one.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(memory + self.image_positions)
        return memory


class adds_positions_after_the_blocks(Reader):
    """The positions of the patches seem to be added after the blocks.

    Revisit the order: first positions, then blocks.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch))
        for block in self.encoder:
            memory = block(memory)
        return memory + self.image_positions


class multiplies_by_positions(Reader):
    """The patches seem to be multiplied by their positions.

    Revisit what is done with `image_positions`: they are added.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) * self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class adds_first_position_to_all(Reader):
    """Each patch seems to get the position of the first one.

    Revisit the shape of `image_positions`: (1, S, D), one for each patch.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions[:, :1]
        for block in self.encoder:
            memory = block(memory)
        return memory


class skips_encoder_blocks(Reader):
    """The memory seems to be made without the encoder blocks.

    Revisit what is between patches and memory.
    """

    def encode(self, images: Tensor) -> Tensor:
        return self.project(patchify(images, self.patch)) + self.image_positions


class runs_first_encoder_block_only(Reader):
    """Only the first encoder block seems to be run.

    Revisit `encoder`: there may be several blocks.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        return self.encoder[0](memory)


class runs_last_encoder_block_only(Reader):
    """Every encoder block seems to read the patches, so that only the last one counts.

    Revisit what a block reads: what the one before it left.
    """

    def encode(self, images: Tensor) -> Tensor:
        x = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(x)
        return memory


class runs_two_encoder_blocks(Reader):
    """Two encoder blocks seem to be run, however many there are.

    Revisit `encoder`: go through all of it.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder[:2]:
            memory = block(memory)
        return memory


class runs_encoder_blocks_backwards(Reader):
    """The encoder blocks seem to be run from last to first.

    Revisit their order.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in reversed(self.encoder):
            memory = block(memory)
        return memory


class runs_one_block_again_and_again(Reader):
    """The first encoder block seems to be run as often as there are blocks.

    Revisit the loop: each block has its own turn.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for _ in self.encoder:
            memory = self.encoder[0](memory)
        return memory


class adds_around_blocks(Reader):
    """What a block reads seems to be added to what it returns.

    Revisit what a block is: its additions are inside.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = memory + block(memory)
        return memory


class cuts_columns_first(Reader):
    """The patches seem to come column by column.

    Revisit the order of `patchify`: row by row.
    """

    def encode(self, images: Tensor) -> Tensor:
        patches = patchify(images.mT, self.patch)
        patches = patches.unflatten(-1, (self.patch, self.patch)).mT.flatten(2)
        memory = self.project(patches) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class turns_patches_on_their_side(Reader):
    """The pixels of a patch seem to be read column by column.

    Revisit `patchify`: within a patch too, row by row.
    """

    def encode(self, images: Tensor) -> Tensor:
        patches = patchify(images, self.patch).unflatten(-1, (self.patch, self.patch))
        memory = self.project(patches.mT.flatten(2)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class slices_rows_of_pixels(Reader):
    """The image seems to be cut into runs of pixels, not into squares.

    Revisit `patchify`.
    """

    def encode(self, images: Tensor) -> Tensor:
        patches = images.reshape(len(images), -1, self.patch**2)
        memory = self.project(patches) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class centres_pixels(Reader):
    """The pixels seem to be shifted or scaled before they are cut into patches.

    Revisit what is projected: the patches as they are.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(2 * images - 1, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class averages_the_patches(Reader):
    """The memory seems to be one vector for the whole image.

    Revisit its shape (B, S, D): the decoder looks at patches.
    """

    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory.mean(dim=1, keepdim=True)


class stops_gradients_to_encoder(Reader):
    """No gradient seems to come back to the encoder.

    Revisit `no_grad` and `detach`: only reading is done without gradients.
    """

    @torch.no_grad()
    def encode(self, images: Tensor) -> Tensor:
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class forgets_token_positions(Reader):
    """The tokens seem to be embedded without their positions.

    Revisit `token_positions`.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens)
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class adds_last_positions(Reader):
    """The tokens seem to get the last positions of the table instead of the first.

    Revisit the slice of `token_positions`: it begins at 0.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, -length:]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class counts_positions_from_one(Reader):
    """The first token seems to get the second position.

    Revisit the slice of `token_positions`: START stands at position 0.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        where = torch.arange(1, length + 1) % self.token_positions.size(1)
        x = self.embedding(tokens) + self.token_positions[:, where]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class adds_first_token_position_to_all(Reader):
    """Each token seems to get the position of the first one.

    Revisit `token_positions`: one for each token.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :1]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class adds_token_positions_before_each_block(Reader):
    """The positions of the tokens seem to be added before every block.

    Revisit how often: once, before the first one.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x + self.token_positions[:, :length], memory, mask, want_weights)
        return self.readout(x), weights


class adds_image_positions_to_tokens(Reader):
    """The tokens seem to get the positions of patches.

    Revisit which of the two tables is for tokens.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.image_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class needs_all_tokens(Reader):
    """Fewer tokens than positions seem not to be taken.

    Revisit `token_positions`: only the first T of them are added.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class scales_embeddings(Reader):
    """The embeddings seem to be scaled by √D, as in the paper of 2017.

    Revisit what is added to the positions: the embeddings as they are.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = (
            self.embedding(tokens) * self.embedding.embedding_dim**0.5
            + self.token_positions[:, :length]
        )
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class sees_the_future(Reader):
    """The decoder seems to see tokens that come later.

    Revisit the mask: position t sees 0 … t.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = x.new_zeros(length, length)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class sees_one_token_ahead(Reader):
    """The decoder seems to see the next token, which it is to say.

    Revisit where the hidden part of the mask begins: right above the diagonal.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(2)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class hides_the_token_itself(Reader):
    """A position seems not to see its own token.

    Revisit where the hidden part of the mask begins: above the diagonal.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(0)
        mask[0, 0] = 0
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class hides_the_past(Reader):
    """The decoder seems to see later tokens instead of earlier ones.

    Revisit which triangle is hidden: rows are queries, columns are keys.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).tril(-1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class hides_everything_else(Reader):
    """A position seems to see itself alone.

    Revisit the mask: position t sees 0 … t.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).fill_diagonal_(0.0)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class adds_ones_for_a_mask(Reader):
    """The mask seems to hold ones, not −∞, where something is hidden.

    Revisit that it is added to the scores: 1 more hides nothing.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.ones(length, length, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class multiplies_for_a_mask(Reader):
    """The logits seem to be NaN: 0 × −∞ is no number, and a position that sees nothing has no weights.

    Revisit the mask: 0 on and below its diagonal, −∞ above.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.ones(length, length, dtype=x.dtype).triu(1) * -torch.inf
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class hides_start(Reader):
    """START seems to be hidden from later positions.

    Revisit the mask: position t sees 0 … t.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        mask[1:, 0] = -torch.inf
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class masks_in_first_block_only(Reader):
    """Only the first block seems to have a mask.

    Revisit the loop: each block gets it.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
            mask = torch.zeros_like(mask)
        return self.readout(x), weights


class makes_a_float32_mask(Reader):
    """The mask seems to be float32, whatever the model is.

    Revisit the dtype of the mask: that of the vectors.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=torch.float32).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class skips_decoder_blocks(Reader):
    """The logits seem to be made without the decoder blocks.

    Revisit what is between tokens and logits.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        return self.readout(x), weights


class runs_first_decoder_block_only(Reader):
    """Only the first decoder block seems to be run.

    Revisit `decoder`: there may be several blocks.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        x, weights = self.decoder[0](x, memory, mask, want_weights)
        return self.readout(x), weights


class runs_decoder_blocks_backwards(Reader):
    """The decoder blocks seem to be run from last to first.

    Revisit their order.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in reversed(self.decoder):
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class runs_two_decoder_blocks(Reader):
    """Two decoder blocks seem to be run, however many there are.

    Revisit `decoder`: go through all of it.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder[:2]:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x), weights


class decodes_the_embeddings_each_time(Reader):
    """Every decoder block seems to read the embeddings, so that only the last one counts.

    Revisit what a block reads: what the one before it left.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            y, weights = block(x, memory, mask, want_weights)
        return self.readout(y), weights


class adds_around_decoder_blocks(Reader):
    """What a decoder block reads seems to be added to what it returns.

    Revisit what a block is: its additions are inside.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            y, weights = block(x, memory, mask, want_weights)
            x = x + y
        return self.readout(x), weights


class swaps_tokens_and_memory(Reader):
    """The blocks seem to get the memory first and the tokens second.

    Revisit what a decoder block is given: x, memory, mask.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((memory.size(1),) * 2, -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            memory, weights = block(memory, x, mask, want_weights)
        return self.readout(memory), weights


class clears_memory(Reader):
    """The decoder seems never to look at the memory.

    Revisit what a decoder block is given.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, torch.zeros_like(memory), mask, want_weights)
        return self.readout(x), weights


class passes_memory_on_changed(Reader):
    """The memory seems to be changed from block to block.

    Revisit what each decoder block reads: the same memory.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
            memory = memory + x.mean(dim=1, keepdim=True)
        return self.readout(x), weights


class looks_at_first_patches_only(Reader):
    """The decoder seems to see only as many patches as there are tokens.

    Revisit the memory: all of it is shown.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory[:, :length], mask, want_weights)
        return self.readout(x), weights


class returns_probabilities(Reader):
    """A softmax seems to follow the readout.

    Revisit what goes out: raw logits.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x).softmax(dim=-1), weights


class returns_log_probabilities(Reader):
    """A log-softmax seems to follow the readout.

    Revisit what goes out: raw logits.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x).log_softmax(dim=-1), weights


class forgets_readout(Reader):
    """The vectors of the decoder seem to be returned, without `readout`.

    Revisit the shape (B, T, 12).
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return x, weights


class reads_out_with_embedding(Reader):
    """The logits seem to be made with the embedding table instead of `readout`.

    Revisit which layer scores the twelve tokens.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return x @ self.embedding.weight[:12].T, weights


class returns_last_position_only(Reader):
    """Only the logits of the last position seem to be returned.

    Revisit the shape (B, T, 12): one row for each token.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x[:, -1:]), weights


class drops_start(Reader):
    """The logits of START's position seem to be left out.

    Revisit the shape (B, T, 12): the first digit is said there.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x)[:, 1:], weights


class forbids_start(Reader):
    """The logit of START seems to be replaced.

    Revisit what goes out: raw logits, all twelve.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        logits = self.readout(x)
        logits[..., 10] = -1e9
        return logits, weights


class returns_twelve_tokens_by_mask(Reader):
    """Positions that are fed PAD seem to have other logits than the model gives.

    Revisit PAD: nothing hides it, and nobody listens to what it says.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        logits = self.readout(x).masked_fill((tokens == 12)[..., None], 0.0)
        return logits, weights


class returns_weights_of_first_block(Reader):
    """The weights seem to be those of the first block.

    Revisit which block's are asked for: the last one's.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for number, block in enumerate(self.decoder):
            x, looked = block(x, memory, mask, want_weights)
            weights = looked if number == 0 else weights
        return self.readout(x), weights


class averages_weights_of_blocks(Reader):
    """The weights seem to be a mean over the blocks.

    Revisit which block's are asked for: the last one's.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        found = []
        for block in self.decoder:
            x, looked = block(x, memory, mask, want_weights)
            found.append(looked)
        weights = torch.stack(found).mean(dim=0) if want_weights else None
        return self.readout(x), weights


class returns_weights_of_all_blocks(Reader):
    """The weights of all blocks seem to be returned in a list.

    Revisit their shape (B, T, S): those of the last block.
    """

    def decode(  # type: ignore[override]
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, list[Tensor | None] | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = []
        for block in self.decoder:
            x, looked = block(x, memory, mask, want_weights)
            weights.append(looked)
        return self.readout(x), weights if want_weights else None


class returns_weights_always(Reader):
    """The weights seem to be returned even where they are not wanted.

    Revisit `want_weights`: without it None stands there.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, True)
        return self.readout(x), weights


class returns_weights_never(Reader):
    """None seems to be returned even where the weights are wanted.

    Revisit `want_weights`: pass it on to the blocks.
    """

    def decode(
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask)
        return self.readout(x), weights


class returns_logits_alone(Reader):
    """`decode` seems to return the logits alone.

    Revisit what it returns: a pair.
    """

    def decode(  # type: ignore[override]
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> Tensor:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return self.readout(x)


class returns_weights_first(Reader):
    """The two parts of what `decode` returns seem to stand in the wrong order.

    Revisit them: logits, then weights.
    """

    def decode(  # type: ignore[override]
        self, memory: Tensor, tokens: Tensor, want_weights: bool = False
    ) -> tuple[Tensor | None, Tensor]:
        length = tokens.size(1)
        x = self.embedding(tokens) + self.token_positions[:, :length]
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        weights = None
        for block in self.decoder:
            x, weights = block(x, memory, mask, want_weights)
        return weights, self.readout(x)


class returns_pair_from_forward(Reader):
    """`forward` seems to return the pair of `decode`.

    Revisit what it returns: the logits alone.
    """

    def forward(  # type: ignore[override]
        self, images: Tensor, tokens: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        return self.decode(self.encode(images), tokens)


class returns_weights_from_forward(Reader):
    """`forward` seems to return the weights.

    Revisit what it returns: the logits.
    """

    def forward(  # type: ignore[override]
        self, images: Tensor, tokens: Tensor
    ) -> Tensor | None:
        return self.decode(self.encode(images), tokens, want_weights=True)[1]


class shifts_tokens_in_forward(Reader):
    """`forward` seems to leave out the last token.

    Revisit what it is given: the decoder's input, as it is.
    """

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        return self.decode(self.encode(images), tokens[:, :-1])[0]


class flattens_logits_in_forward(Reader):
    """`forward` seems to return the logits of all positions in one long row.

    Revisit their shape (B, T, 12).
    """

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        return self.decode(self.encode(images), tokens)[0].flatten(0, 1)


class encodes_first_image_only(Reader):
    """The memory of the first image seems to be used for all of them.

    Revisit the batch: each image has its own memory.
    """

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        memory = self.encode(images[:1]).expand(len(images), -1, -1)
        return self.decode(memory, tokens)[0]


class looks_only_once(Reader):
    """The memory of an earlier call seems to be used again.

    Revisit what is kept in `self`: nothing needs to be.
    """

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        if not hasattr(self, "kept") or len(self.kept) != len(images):
            self.kept = self.encode(images).detach()
        return self.decode(self.kept, tokens)[0]


class blurs_images(Reader):
    """The images of a batch seem to have something in common: each changes the others' logits.

    Revisit the batch: no image knows of another.
    """

    def encode(self, images: Tensor) -> Tensor:
        images = images - images.mean(dim=0, keepdim=True)
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        return memory


class reads_without_gradients(Reader):
    """No gradient seems to come back from the logits.

    Revisit `no_grad` and `detach`: only reading is done without gradients.
    """

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        with torch.no_grad():
            return self.decode(self.encode(images), tokens)[0]


class reads_in_evaluation_mode(Reader):
    """The reader seems to be left in evaluation mode or to work only in training mode: a later result is another.

    Revisit `eval` and `train`: modes are the business of whoever calls.
    """

    def forward(self, images: Tensor, tokens: Tensor) -> Tensor:
        logits = self.decode(self.encode(images), tokens)[0]
        return logits if self.training else logits.softmax(dim=-1)


class keeps_memory_in_evaluation(Reader):
    """In evaluation mode images seem to be encoded once, and their memory to be used for others.

    Revisit what may be kept between calls: in evaluation mode, too, the next images are others.
    """

    def encode(self, images: Tensor) -> Tensor:
        if not self.training and hasattr(self, "kept") and len(self.kept) == len(images):
            return self.kept
        memory = self.project(patchify(images, self.patch)) + self.image_positions
        for block in self.encoder:
            memory = block(memory)
        if not self.training:
            self.kept = memory
        return memory
