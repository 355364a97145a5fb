"""Known wrong answers to `TinyTransformer`: each docstring is the student's hint.

A class derives from the right answer and holds only what differs.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.copy_task import TinyTransformer, attention_masks, positions


class forgets_encoder_norm(TinyTransformer):
    """The memory seems to be what the encoder block returns, without `encoder_norm`.

    Revisit the last step of `encode`.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return self.encoder(self.embed(source), visible), visible


class forgets_decoder_norm(TinyTransformer):
    """`readout` seems to read what the decoder block returns, without `decoder_norm`.

    Revisit the last two steps of `decode`.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(x)


class forgets_both_norms(TinyTransformer):
    """Neither `encoder_norm` nor `decoder_norm` seems to be used.

    Revisit `__init__`: each of its layers has its place.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return self.encoder(self.embed(source), visible), visible

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(x)


class swaps_norms(TinyTransformer):
    """`encoder_norm` and `decoder_norm` seem to be exchanged.

    Revisit their names: each comes after the block of its name.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return self.decoder_norm(self.encoder(self.embed(source), visible)), visible

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.encoder_norm(x))


class normalises_before_the_block(TinyTransformer):
    """`encoder_norm` seems to act on the embeddings, before the encoder block.

    Revisit the order of the steps of `encode`.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return self.encoder(self.encoder_norm(self.embed(source)), visible), visible


class normalises_memory_again(TinyTransformer):
    """The memory seems to be normalised a second time in `decode`.

    Revisit what `encode` has done to it already.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        memory = self.encoder_norm(memory)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class forgets_positions_of_source(TinyTransformer):
    """The source seems to be embedded without its positions.

    Revisit `embed`, which adds them.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return self.encoder_norm(self.encoder(self.embedding(source), visible)), visible


class forgets_positions_of_target(TinyTransformer):
    """The target seems to be embedded without its positions.

    Revisit `embed`, which adds them.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.embedding(target_prefix)
        x = self.decoder(x, memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class adds_positions_twice(TinyTransformer):
    """Positions seem to be added a second time.

    Revisit what `embed` returns: what each token is, plus where it stands.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        x = self.embed(source)
        x = x + positions(x.size(1), x.size(2), x.device, x.dtype)
        return self.encoder_norm(self.encoder(x, visible)), visible

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        y = self.embed(target_prefix)
        y = y + positions(y.size(1), y.size(2), y.device, y.dtype)
        y = self.decoder(y, memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(y))


class scales_embeddings(TinyTransformer):
    """The embeddings seem to be scaled by √D, as in the paper of 2017.

    Revisit `embed`, which is given: this model does not scale.
    """

    def embed(self, ids: Tensor) -> Tensor:
        embedded = self.embedding(ids) * math.sqrt(self.embedding.embedding_dim)
        return embedded + positions(ids.size(1), embedded.size(-1), ids.device, embedded.dtype)


class hides_no_source(TinyTransformer):
    """In the encoder every source token seems to be visible, the padding too.

    Revisit which mask the encoder block gets.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        x = self.encoder(self.embed(source), torch.ones_like(visible))
        return self.encoder_norm(x), visible


class shows_all_of_the_source(TinyTransformer):
    """`encode` seems to say that every source token is visible, the padding too.

    Revisit what `attention_masks` says about PAD.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible = torch.ones(source.size(0), 1, 1, source.size(1), dtype=torch.bool)
        return self.encoder_norm(self.encoder(self.embed(source), visible)), visible


class encodes_with_causal_mask(TinyTransformer):
    """The encoder seems to get the target's mask, which hides later tokens.

    Revisit which of the two masks the source needs.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        source_visible, causal = attention_masks(source, source)
        memory = self.encoder_norm(self.encoder(self.embed(source), causal))
        return memory, source_visible


class returns_causal_mask_of_source(TinyTransformer):
    """`encode` seems to return the target's mask, which has a row for each query.

    Revisit the order of the two masks that `attention_masks` returns.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        _, visible = attention_masks(source, source)
        return self.encoder_norm(self.encoder(self.embed(source), visible)), visible


class returns_mask_of_two_axes(TinyTransformer):
    """The mask that `encode` returns seems to have the shape (B, S).

    Revisit the shape that `attention_masks` gives: it is ready for use.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        memory = self.encoder_norm(self.encoder(self.embed(source), visible))
        return memory, source != 0


class returns_mask_of_padding(TinyTransformer):
    """The mask that `encode` returns seems to be True where there is padding.

    Revisit what True means in `source_visible`.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return self.encoder_norm(self.encoder(self.embed(source), visible)), ~visible


class returns_memory_alone(TinyTransformer):
    """`encode` seems to return the memory alone.

    Revisit the two parts of its result.
    """

    def encode(self, source: Tensor) -> Tensor:
        visible, _ = attention_masks(source, source)
        return self.encoder_norm(self.encoder(self.embed(source), visible))

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        visible, _ = attention_masks(source, source)
        return self.decode(target_prefix, self.encode(source), visible)


class returns_mask_first(TinyTransformer):
    """The two parts of what `encode` returns seem to stand in the wrong order.

    Revisit which one comes first: the memory, then the mask.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return visible, self.encoder_norm(self.encoder(self.embed(source), visible))

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        visible, memory = self.encode(source)
        return self.decode(target_prefix, memory, visible)


class skips_encoder_block(TinyTransformer):
    """The memory seems to be made of the embeddings alone, without the encoder block.

    Revisit the steps of `encode`.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        return self.encoder_norm(self.embed(source)), visible


class encodes_twice(TinyTransformer):
    """The source seems to pass through the encoder block twice.

    Revisit the steps of `encode`: there is one block.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        x = self.encoder(self.embed(source), visible)
        return self.encoder_norm(self.encoder(x, visible)), visible


class clears_memory_of_padding(TinyTransformer):
    """The memory seems to be set to 0 where the source is padding.

    Revisit what hides padding: the mask alone, the memory stays as it is.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        memory = self.encoder_norm(self.encoder(self.embed(source), visible))
        return memory * (source != 0).unsqueeze(-1), visible


class sees_the_future(TinyTransformer):
    """The decoder seems to see target tokens that come later.

    Revisit which mask hides the future from the target.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        target_visible, _ = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class sees_one_token_ahead(TinyTransformer):
    """The decoder seems to see one target token that it should not: the next one.

    Revisit the diagonal of the causal mask.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        length = target_prefix.size(1)
        causal = torch.ones(length, length, dtype=torch.bool).tril(1)
        target_visible = causal & (target_prefix != 0)[:, None, None, :]
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class sees_padding_of_target(TinyTransformer):
    """The decoder seems to see PADs of the target, if they are not in the future.

    Revisit both things that a target's mask hides.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        length = target_prefix.size(1)
        causal = torch.ones(1, 1, length, length, dtype=torch.bool).tril()
        x = self.decoder(self.embed(target_prefix), memory, causal, source_visible)
        return self.readout(self.decoder_norm(x))


class hides_rows_of_padding(TinyTransformer):
    """Queries that are PAD seem to see nothing at all, which gives NaN.

    Revisit what a mask hides: keys only.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        target_visible = target_visible & (target_prefix != 0)[:, None, :, None]
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class hides_special_tokens(TinyTransformer):
    """EOS seems to be hidden in the target like PAD.

    Revisit which ids a mask hides: PAD, and no other.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        kept = target_prefix.masked_fill(target_prefix == 2, 0)
        _, target_visible = attention_masks(kept, kept)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class hides_padding_of_first_row(TinyTransformer):
    """The target's mask of the first row seems to hold for the whole batch.

    Revisit the first axis of the mask.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix[:1], target_prefix[:1])
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class ignores_mask_that_is_given(TinyTransformer):
    """`decode` seems to show all of the memory, whatever `source_visible` says.

    Revisit its arguments: each is used.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        shown = torch.ones_like(source_visible)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, shown)
        return self.readout(self.decoder_norm(x))


class masks_source_by_target(TinyTransformer):
    """`decode` seems to take the mask of the source from the target.

    Revisit where the mask of the source comes from: from `encode`, as it is given.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        shown, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, shown)
        return self.readout(self.decoder_norm(x))


class keeps_memory_to_itself(TinyTransformer):
    """`decode` seems to use what the last `encode` kept, not the memory that it is given.

    Revisit its arguments: the caller decides what is decoded with what.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        visible, _ = attention_masks(source, source)
        memory = self.encoder_norm(self.encoder(self.embed(source), visible))
        self.kept = (memory, visible)
        return self.kept

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        memory, source_visible = self.kept
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class encodes_first_source_only(TinyTransformer):
    """The first source of each shape seems to be encoded, and used for others like it.

    Revisit what may be kept between calls: nothing.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        kept = self.__dict__.setdefault("kept", {})
        if source.shape not in kept:
            visible, _ = attention_masks(source, source)
            memory = self.encoder_norm(self.encoder(self.embed(source), visible))
            kept[source.shape] = (memory, visible)
        return kept[source.shape]


class swaps_masks(TinyTransformer):
    """The decoder block seems to get its two masks in the wrong order.

    Revisit the signature of `DecoderBlock.forward`.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, source_visible, target_visible)
        return self.readout(self.decoder_norm(x))


class swaps_stream_and_memory(TinyTransformer):
    """The decoder block seems to get the memory as its stream, and the target as its memory.

    Revisit the signature of `DecoderBlock.forward`.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        shown, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(memory, self.embed(target_prefix), source_visible, shown)
        return self.readout(self.decoder_norm(x))


class decodes_with_the_encoder(TinyTransformer):
    """The target seems to pass through the encoder block.

    Revisit which block looks at the memory.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.encoder(self.embed(target_prefix), target_visible)
        return self.readout(self.decoder_norm(x))


class returns_probabilities(TinyTransformer):
    """A softmax seems to follow the readout.

    Revisit the word "raw": the loss does the softmax itself.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return F.softmax(self.readout(self.decoder_norm(x)), dim=-1)


class returns_log_probabilities(TinyTransformer):
    """A log-softmax seems to follow the readout.

    Revisit the word "raw": the loss does the softmax itself.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return F.log_softmax(self.readout(self.decoder_norm(x)), dim=-1)


class forgets_readout(TinyTransformer):
    """The vectors of the decoder seem to be returned, without `readout`.

    Revisit what the logits are about: one number for each token of the vocabulary.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.decoder_norm(x)


class reads_out_with_embedding(TinyTransformer):
    """The logits seem to be made with the embedding table instead of `readout`.

    Revisit `__init__`: this model has a layer of its own for them.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.decoder_norm(x) @ self.embedding.weight.T


class returns_last_position_only(TinyTransformer):
    """Only the logits of the last position seem to be returned.

    Revisit the shape of the result: each position predicts its next token.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x[:, -1:]))


class drops_last_token(TinyTransformer):
    """The last token of the prefix seems to be left out.

    Revisit who shifts: the batch has done so, the model takes the prefix as it is.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        prefix = target_prefix[:, :-1] if target_prefix.size(1) > 1 else target_prefix
        _, target_visible = attention_masks(prefix, prefix)
        x = self.decoder(self.embed(prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class masks_lengths_of_handout(TinyTransformer):
    """The causal mask seems to have the size 4, whatever the length of the prefix is.

    Revisit where the length can be read from.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        causal = torch.ones(4, 4, dtype=torch.bool).tril()
        target_visible = causal & (target_prefix != 0)[:, None, None, :]
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        return self.readout(self.decoder_norm(x))


class detaches_memory(TinyTransformer):
    """The encoder seems to work without gradients, so that it never learns.

    Revisit where you detach, or switch gradients off.
    """

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        with torch.no_grad():
            memory, source_visible = self.encode(source)
        return self.decode(target_prefix, memory, source_visible)


class encodes_the_target(TinyTransformer):
    """`forward` seems to encode the target and to decode the source.

    Revisit the order of its arguments.
    """

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        memory, source_visible = self.encode(target_prefix)
        return self.decode(source, memory, source_visible)


class encodes_without_padding_mask_in_forward(TinyTransformer):
    """`forward` seems to decode with a mask of its own, which shows the padding of the source.

    Revisit what `encode` returns beside the memory.
    """

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        memory, source_visible = self.encode(source)
        return self.decode(target_prefix, memory, torch.ones_like(source_visible))


class forward_returns_token_ids(TinyTransformer):
    """`forward` seems to return the likeliest tokens.

    Revisit what training needs: the logits of all tokens.
    """

    def forward(self, source: Tensor, target_prefix: Tensor) -> Tensor:
        memory, source_visible = self.encode(source)
        return self.decode(target_prefix, memory, source_visible).argmax(dim=-1)


class masks_in_training_only(TinyTransformer):
    """The future seems to be hidden in training mode only.

    Revisit when the causal mask is needed: always, for then all positions mean the same.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        shown, target_visible = attention_masks(target_prefix, target_prefix)
        mask = target_visible if self.training else shown
        x = self.decoder(self.embed(target_prefix), memory, mask, source_visible)
        return self.readout(self.decoder_norm(x))


class centres_logits_over_the_batch(TinyTransformer):
    """The logits of a row seem to depend on the other rows of the batch.

    Revisit over which axes you take a mean.
    """

    def decode(self, target_prefix: Tensor, memory: Tensor, source_visible: Tensor) -> Tensor:
        _, target_visible = attention_masks(target_prefix, target_prefix)
        x = self.decoder(self.embed(target_prefix), memory, target_visible, source_visible)
        logits = self.readout(self.decoder_norm(x))
        return logits - logits.mean(dim=0)


class keeps_memory_in_evaluation(TinyTransformer):
    """In evaluation mode a source seems to be encoded once, and its memory to be used for others.

    Revisit what may be kept between calls: in evaluation mode, too, the next source is another one.
    """

    def encode(self, source: Tensor) -> tuple[Tensor, Tensor]:
        if not self.training and hasattr(self, "kept") and self.kept[0].shape[:2] == source.shape:
            return self.kept
        source_visible, _ = attention_masks(source, source)
        memory = self.encoder_norm(self.encoder(self.embed(source), source_visible))
        if not self.training:
            self.kept = memory, source_visible
        return memory, source_visible
