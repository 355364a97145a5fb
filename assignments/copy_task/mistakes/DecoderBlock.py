"""Known wrong answers to `DecoderBlock`: each docstring is the student's hint.

A class derives from the right answer and holds only what differs.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.copy_task import DecoderBlock


class normalises_after_adding(DecoderBlock):
    """Each sublayer seems to be normalised after the addition, as in the paper of 2017.

    Revisit what each sublayer reads: the normalised stream.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        x = self.self_attention_norm(x + self.self_attention(x, x, target_visible)[0])
        x = self.cross_attention_norm(x + self.cross_attention(x, memory, source_visible)[0])
        return self.feed_forward_norm(x + self.feed_forward(x))


class adds_to_normed(DecoderBlock):
    """The results seem to be added to the normalised stream, so that the stream itself is lost.

    Revisit what each result is added to.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        x = self.self_attention_norm(x)
        x = x + self.self_attention(x, x, target_visible)[0]
        x = self.cross_attention_norm(x)
        x = x + self.cross_attention(x, memory, source_visible)[0]
        x = self.feed_forward_norm(x)
        return x + self.feed_forward(x)


class adds_cross_attention_to_normed(DecoderBlock):
    """Cross-attention seems to be added to the normalised stream instead of to the stream itself.

    Revisit which vector runs past the second sublayer.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        normed = self.cross_attention_norm(x)
        x = normed + self.cross_attention(normed, memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class forgets_addition_after_self_attention(DecoderBlock):
    """What self-attention returns seems to replace the stream instead of being added to it.

    Revisit the first sublayer: each one adds its result.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x, _ = self.self_attention(normed, normed, target_visible)
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class forgets_addition_after_cross_attention(DecoderBlock):
    """What cross-attention returns seems to replace the stream instead of being added to it.

    Revisit the second sublayer: each one adds its result.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x, _ = self.cross_attention(self.cross_attention_norm(x), memory, source_visible)
        return x + self.feed_forward(self.feed_forward_norm(x))


class forgets_addition_after_feed_forward(DecoderBlock):
    """What the feed-forward network returns seems to replace the stream.

    Revisit the third sublayer: each one adds its result.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return self.feed_forward(self.feed_forward_norm(x))


class forgets_norm_before_self_attention(DecoderBlock):
    """Self-attention seems to read the stream as it is, without its norm.

    Revisit the three norms of `__init__`, and which sublayer each belongs to.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        x = x + self.self_attention(x, x, target_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class forgets_norm_before_cross_attention(DecoderBlock):
    """The queries of cross-attention seem to come from the stream as it is, without its norm.

    Revisit the three norms of `__init__`, and which sublayer each belongs to.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(x, memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class forgets_norm_before_feed_forward(DecoderBlock):
    """The feed-forward network seems to read the stream as it is, without its norm.

    Revisit the three norms of `__init__`, and which sublayer each belongs to.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(x)


class normalises_memory_again(DecoderBlock):
    """The memory seems to be normalised once more before cross-attention reads it.

    Revisit what the docstring says about `memory`: the encoder has normalised it.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        normed, known = self.cross_attention_norm(x), self.cross_attention_norm(memory)
        x = x + self.cross_attention(normed, known, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class normalises_memory_only(DecoderBlock):
    """`cross_attention_norm` seems to act on the memory, and the stream to be read as it is.

    Revisit which of the two inputs of cross-attention is normalised here.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(x, self.cross_attention_norm(memory), source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class normalises_queries_only(DecoderBlock):
    """In self-attention the queries seem to be normalised, keys and values not.

    Revisit what self-attention is given: the same vectors twice.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        x = x + self.self_attention(self.self_attention_norm(x), x, target_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class swaps_norms_of_attentions(DecoderBlock):
    """The norms of self-attention and cross-attention seem to be exchanged.

    Revisit the names of the norms.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.cross_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(self.self_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class uses_one_norm_for_all(DecoderBlock):
    """One norm seems to stand before all three sublayers.

    Revisit why there are three: each has gains and biases of its own.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        norm = self.self_attention_norm
        normed = norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(norm(x), memory, source_visible)[0]
        return x + self.feed_forward(norm(x))


class keeps_first_normed_vectors(DecoderBlock):
    """Cross-attention seems to take its queries from what was normalised for self-attention.

    Revisit what the second sublayer reads: the stream after the first one.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(normed, memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class begins_with_cross_attention(DecoderBlock):
    """Cross-attention seems to come first and self-attention second.

    Revisit the order of the three sublayers.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class attends_side_by_side(DecoderBlock):
    """Both attentions seem to read x, and cross-attention not to see what self-attention found.

    Revisit what the second sublayer reads: the stream after the first one.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        own = self.self_attention(normed, normed, target_visible)[0]
        found = self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        x = x + own + found
        return x + self.feed_forward(self.feed_forward_norm(x))


class feeds_forward_before_cross_attention(DecoderBlock):
    """The feed-forward network seems to stand between the two attentions.

    Revisit the order of the three sublayers.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.feed_forward(self.feed_forward_norm(x))
        return x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]


class forgets_cross_attention(DecoderBlock):
    """The block seems never to look at the memory.

    Revisit the second sublayer: without it the source has no say.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class forgets_self_attention(DecoderBlock):
    """The target's tokens seem not to see each other.

    Revisit the first sublayer.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class forgets_feed_forward(DecoderBlock):
    """The block seems to end after cross-attention.

    Revisit the third sublayer.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        return x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]


class uses_self_attention_twice(DecoderBlock):
    """`self_attention` seems to do the work of `cross_attention`, too.

    Revisit why there are two attentions: each has weights of its own.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.self_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class swaps_attentions(DecoderBlock):
    """The two attentions seem to be exchanged: each does the other's work.

    Revisit the names of the attentions.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.cross_attention(normed, normed, target_visible)[0]
        x = x + self.self_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class crosses_with_itself(DecoderBlock):
    """Cross-attention seems to take its keys and values from the target.

    Revisit where they come from: from `memory`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        normed = self.cross_attention_norm(x)
        x = x + self.cross_attention(normed, normed, target_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class asks_from_memory(DecoderBlock):
    """In cross-attention the memory seems to ask, and the target to be asked.

    Revisit which of the two comes first in the call of attention.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(memory, self.cross_attention_norm(x), source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class looks_at_memory_first(DecoderBlock):
    """Self-attention seems to take its keys and values from the memory.

    Revisit what the first sublayer looks at: the target alone.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        x = x + self.self_attention(self.self_attention_norm(x), memory, source_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class swaps_masks(DecoderBlock):
    """The two masks seem to be exchanged.

    Revisit which keys each mask is about: those of the target, or those of the source.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, source_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, target_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class ignores_target_mask(DecoderBlock):
    """Self-attention seems to see all of the target, the future too.

    Revisit what you pass to self-attention as its mask.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, torch.ones_like(target_visible))[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class ignores_source_mask(DecoderBlock):
    """Cross-attention seems to see all of the memory, the padding too.

    Revisit what you pass to cross-attention as its mask.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        shown = torch.ones_like(source_visible)
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, shown)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class makes_a_causal_mask_of_its_own(DecoderBlock):
    """Self-attention seems to hide the future, but not what else `target_visible` hides.

    Revisit who makes the masks: the block uses them as they are given.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        causal = torch.ones(x.size(1), x.size(1), dtype=torch.bool).tril()
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, causal)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class takes_source_mask_of_one_query_for_all(DecoderBlock):
    """The source's mask of the first target token seems to hold for all of them.

    Revisit the shapes that `source_visible` may have: it may differ from query to query.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        shown = source_visible[..., :1, :]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, shown)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class clears_hidden_memory(DecoderBlock):
    """Hidden vectors of the memory seem to be set to 0, but not to be hidden.

    Revisit what 0 does as a key: it still gets a weight.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        full = source_visible.expand(len(x), self.cross_attention.heads, x.size(1), memory.size(1))
        known, shown = memory * full[:, 0, 0, :, None], torch.ones_like(source_visible)
        x = x + self.cross_attention(self.cross_attention_norm(x), known, shown)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class returns_weights_too(DecoderBlock):
    """The weights of cross-attention seem to be returned along with the result.

    Revisit what the block returns: one tensor (B, T, D).
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> tuple[Tensor, Tensor]:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        found, weights = self.cross_attention(self.cross_attention_norm(x), memory, source_visible)
        x = x + found
        return x + self.feed_forward(self.feed_forward_norm(x)), weights


class normalises_at_the_end(DecoderBlock):
    """The result seems to be normalised once more.

    Revisit what the block returns: the sum itself, which the model normalises later.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return self.feed_forward_norm(x + self.feed_forward(self.feed_forward_norm(x)))


class drops_at_random(DecoderBlock):
    """Parts of what the sublayers return seem to be dropped at random.

    Revisit the docstring: this block has no dropout.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + F.dropout(self.self_attention(normed, normed, target_visible)[0], 0.1)
        found, _ = self.cross_attention(self.cross_attention_norm(x), memory, source_visible)
        x = x + F.dropout(found, 0.1)
        return x + F.dropout(self.feed_forward(self.feed_forward_norm(x)), 0.1)


class adds_in_place(DecoderBlock):
    """The results seem to be added to x in place, so that the caller's x changes.

    Revisit the difference between `x = x + y` and `x += y`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x += self.self_attention(normed, normed, target_visible)[0]
        x += self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        x += self.feed_forward(self.feed_forward_norm(x))
        return x


class detaches_memory(DecoderBlock):
    """No gradient seems to flow back to the memory, so that the encoder never learns.

    Revisit where you detach.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        known = memory.detach()
        x = x + self.cross_attention(self.cross_attention_norm(x), known, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class keeps_the_first_memory(DecoderBlock):
    """The memory of the first call seems to be kept, and used again with other sources.

    Revisit what may be kept between calls: nothing.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        kept = self.__dict__.setdefault("kept", {})
        known = kept.setdefault(memory.shape, memory)
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), known, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class keeps_memory_in_evaluation(DecoderBlock):
    """In evaluation mode the memory of an earlier call seems to be used again.

    Revisit what may be kept between calls: in evaluation mode, too, the next memory is another one.
    """

    def forward(
        self, x: Tensor, memory: Tensor, target_visible: Tensor, source_visible: Tensor
    ) -> Tensor:
        if not self.training:
            if not hasattr(self, "kept") or self.kept.shape != memory.shape:
                self.kept = memory
            memory = self.kept
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, target_visible)[0]
        x = x + self.cross_attention(self.cross_attention_norm(x), memory, source_visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))
