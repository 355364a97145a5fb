"""Known wrong answers to `DecoderBlock`: each docstring is the student's hint.

A class derives from the right answer and holds only what differs.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.digit_reader import DecoderBlock


class normalises_before(DecoderBlock):
    """Each sublayer seems to read a normalised copy, and its sum to be left as it is (pre-norm).

    Revisit what is normalised here: the sum.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        normed = self.self_attention_norm(x)
        x = x + self.self_attention(normed, normed, normed, attn_mask=mask, need_weights=False)[0]
        mixed, weights = self.cross_attention(
            self.cross_attention_norm(x), memory, memory, need_weights=want_weights
        )
        x = x + mixed
        return x + self.feed_forward(self.feed_forward_norm(x)), weights


class normalises_what_is_said(DecoderBlock):
    """What a sublayer says seems to be normalised before it is added.

    Revisit the order: add first, then normalise the sum.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(mixed) + x
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(mixed) + x
        return x + self.feed_forward_norm(self.feed_forward(x)), weights


class forgets_addition_after_self_attention(DecoderBlock):
    """What the self-attention says seems to replace x instead of being added to it.

    Revisit the first sublayer: x stays, and something is added.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class forgets_addition_after_cross_attention(DecoderBlock):
    """What the cross-attention says seems to replace the vectors instead of being added to them.

    Revisit the second sublayer: what it reads stays, and something is added.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class forgets_addition_after_feed_forward(DecoderBlock):
    """What the feed-forward network says seems to replace the vectors instead of being added to them.

    Revisit the third sublayer: what it reads stays, and something is added.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(self.feed_forward(x)), weights


class forgets_all_additions(DecoderBlock):
    """No sublayer's input seems to be added to what it says.

    Revisit the formula: Norm(x + Sublayer(x)).
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(mixed)
        return self.feed_forward_norm(self.feed_forward(x)), weights


class forgets_norm_after_self_attention(DecoderBlock):
    """The sum after the self-attention seems not to be normalised.

    Revisit `self_attention_norm`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = x + mixed
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class forgets_norm_after_cross_attention(DecoderBlock):
    """The sum after the cross-attention seems not to be normalised.

    Revisit `cross_attention_norm`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = x + mixed
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class forgets_norm_after_feed_forward(DecoderBlock):
    """The last sum seems not to be normalised.

    Revisit `feed_forward_norm`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return x + self.feed_forward(x), weights


class forgets_all_norms(DecoderBlock):
    """Nothing seems to be normalised.

    Revisit the three norms that `__init__` makes.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = x + mixed
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = x + mixed
        return x + self.feed_forward(x), weights


class swaps_norms_of_attentions(DecoderBlock):
    """The norms of the two attentions seem to be exchanged.

    Revisit the names of the norms.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.cross_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.self_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class uses_one_norm_for_all(DecoderBlock):
    """One norm seems to be used after all three sublayers.

    Revisit why there are three: each has learned numbers of its own.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.self_attention_norm(x + mixed)
        return self.self_attention_norm(x + self.feed_forward(x)), weights


class ends_with_wrong_norm(DecoderBlock):
    """The norm of the cross-attention seems to be used at the end, too.

    Revisit the last of the three norms.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.cross_attention_norm(x + self.feed_forward(x)), weights


class normalises_without_gains(DecoderBlock):
    """The sums seem to be normalised without the numbers that the norms have learned.

    Revisit the norms: call the layers that `__init__` makes.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = F.layer_norm(x + mixed, x.shape[-1:])
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = F.layer_norm(x + mixed, x.shape[-1:])
        return F.layer_norm(x + self.feed_forward(x), x.shape[-1:]), weights


class normalises_memory(DecoderBlock):
    """The memory seems to be normalised once more before it is read.

    Revisit what the cross-attention is given: `memory` as it is.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        known = self.cross_attention_norm(memory)
        mixed, weights = self.cross_attention(x, known, known, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class begins_with_cross_attention(DecoderBlock):
    """The cross-attention seems to come first and the self-attention second.

    Revisit the order of the three sublayers.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class attends_side_by_side(DecoderBlock):
    """Both attentions seem to read the x that came in.

    Revisit what the second sublayer reads: what the first one left.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        own, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        found, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.self_attention_norm(x + own)
        x = self.cross_attention_norm(x + found)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class adds_first_x_to_all(DecoderBlock):
    """The x that came in seems to be added after every sublayer.

    Revisit what each sublayer adds to: what it has read itself.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        y = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(y, memory, memory, need_weights=want_weights)
        y = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(y)), weights


class feeds_forward_between_attentions(DecoderBlock):
    """The feed-forward network seems to stand between the two attentions.

    Revisit the order of the three sublayers.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        x = self.feed_forward_norm(x + self.feed_forward(x))
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        return self.cross_attention_norm(x + mixed), weights


class forgets_self_attention(DecoderBlock):
    """The positions seem not to see each other.

    Revisit the first sublayer.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        x = self.self_attention_norm(x)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class forgets_cross_attention(DecoderBlock):
    """The block seems never to look at the memory for its output.

    Revisit the second sublayer: without it the image has no say.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        _, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class forgets_feed_forward(DecoderBlock):
    """The block seems to end after the cross-attention.

    Revisit the third sublayer, and its norm.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return x, weights


class forgets_feed_forward_but_not_its_norm(DecoderBlock):
    """The feed-forward network seems not to be used, but its norm is.

    Revisit the third sublayer.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x), weights


class uses_self_attention_twice(DecoderBlock):
    """`self_attention` seems to do the work of `cross_attention`, too.

    Revisit why there are two: each has weights of its own.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.self_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class swaps_attentions(DecoderBlock):
    """The two attentions seem to be exchanged: each does the other's work.

    Revisit their names.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.cross_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.self_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class crosses_with_itself(DecoderBlock):
    """The cross-attention seems to take its keys and values from the target.

    Revisit where they come from: from `memory`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, x, x, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class looks_at_memory_first(DecoderBlock):
    """The self-attention seems to look at the memory.

    Revisit what the first sublayer looks at: the target alone.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, memory, memory, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class ignores_mask(DecoderBlock):
    """The self-attention seems to see everything, whatever the mask says.

    Revisit `mask`: torch's attention takes it as `attn_mask`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class makes_a_mask_of_its_own(DecoderBlock):
    """The self-attention seems to be causal, whatever the mask says.

    Revisit `mask`: the block obeys the one that it gets, and `is_causal` may leave it aside.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        length = x.size(1)
        own = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        mixed, _ = self.self_attention(x, x, x, attn_mask=own, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class turns_mask_around(DecoderBlock):
    """The mask seems to have queries and keys exchanged.

    Revisit its axes: queries by keys.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask.mT, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class takes_zero_for_hidden(DecoderBlock):
    """The mask seems to be read as its opposite: what is 0 is hidden.

    Revisit the mask: 0 lets a key be seen, −inf hides it.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mask = torch.zeros_like(mask).masked_fill(mask == 0, -torch.inf)
        mask = mask.masked_fill(torch.eye(len(mask)).bool(), 0.0)
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class multiplies_by_mask(DecoderBlock):
    """The mask seems to be used in other ways than being added to the scores.

    Revisit what `attn_mask` does in torch with floats.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask.exp(), need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class masks_after_the_softmax(DecoderBlock):
    """Hidden keys seem to be taken out after the softmax: the weights of the others no longer sum to 1.

    Revisit where the mask acts: on the scores.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        many = self.self_attention.num_heads
        rows = F.linear(x, self.self_attention.in_proj_weight, self.self_attention.in_proj_bias)
        q, k, v = rows.unflatten(-1, (3, many, -1)).permute(2, 0, 3, 1, 4)
        looked = (q @ k.mT / q.size(-1) ** 0.5).softmax(dim=-1) * mask.exp()
        mixed = self.self_attention.out_proj((looked @ v).transpose(1, 2).flatten(2))
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class weighs_with_unscaled_scores(DecoderBlock):
    """The weights seem to come from scores that are not divided by the root of a head's width.

    Revisit the weights: the attention returns them if it is asked.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, _ = self.cross_attention(x, memory, memory, need_weights=False)
        weights = None
        if want_weights:
            width, many = x.size(-1), self.cross_attention.num_heads
            w, b = self.cross_attention.in_proj_weight, self.cross_attention.in_proj_bias
            q = F.linear(x, w[:width], b[:width]).unflatten(-1, (many, -1)).transpose(1, 2)
            k = F.linear(memory, w[width : 2 * width], b[width : 2 * width])
            k = k.unflatten(-1, (many, -1)).transpose(1, 2)
            weights = (q @ k.mT).softmax(dim=-1).mean(dim=1)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class returns_weights_of_self_attention(DecoderBlock):
    """The weights seem to be those of the self-attention.

    Revisit which of the two attentions is asked about.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, weights = self.self_attention(x, x, x, attn_mask=mask, need_weights=want_weights)
        x = self.self_attention_norm(x + mixed)
        mixed, _ = self.cross_attention(x, memory, memory, need_weights=False)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class returns_weights_always(DecoderBlock):
    """The weights seem to be returned even where they are not wanted.

    Revisit `want_weights`: without it None stands there.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class returns_weights_never(DecoderBlock):
    """None seems to be returned even where the weights are wanted.

    Revisit `want_weights`, and `need_weights` of torch's attention.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, _ = self.cross_attention(x, memory, memory, need_weights=False)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), None


class wants_weights_if_not_wanted(DecoderBlock):
    """`want_weights` seems to be used the wrong way round.

    Revisit when the weights are returned.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=not want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class returns_weights_of_each_head(DecoderBlock):
    """The weights seem to be those of each head.

    Revisit their shape (B, T, S): a mean over the heads.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(
            x, memory, memory, need_weights=want_weights, average_attn_weights=False
        )
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class returns_weights_of_first_head(DecoderBlock):
    """The weights seem to be those of the first head.

    Revisit their shape (B, T, S): a mean over the heads.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(
            x, memory, memory, need_weights=want_weights, average_attn_weights=False
        )
        weights = None if weights is None else weights[:, 0]
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class sums_over_heads(DecoderBlock):
    """The weights of the heads seem to be added up.

    Revisit the mean over the heads: each row sums to 1.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(
            x, memory, memory, need_weights=want_weights, average_attn_weights=False
        )
        weights = None if weights is None else weights.sum(dim=1)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class takes_largest_of_heads(DecoderBlock):
    """The largest weight of any head seems to be taken.

    Revisit the mean over the heads.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(
            x, memory, memory, need_weights=want_weights, average_attn_weights=False
        )
        weights = None if weights is None else weights.amax(dim=1)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class averages_over_the_batch(DecoderBlock):
    """The weights seem to be a mean over the images, too.

    Revisit their shape (B, T, S).
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        if weights is not None:
            weights = weights.mean(dim=0, keepdim=True).expand_as(weights)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class returns_weights_first(DecoderBlock):
    """The two parts of the pair seem to stand in the wrong order.

    Revisit what is returned: output, then weights.
    """

    def forward(  # type: ignore[override]
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor | None, Tensor]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return weights, self.feed_forward_norm(x + self.feed_forward(x))


class returns_output_alone(DecoderBlock):
    """The output alone seems to be returned.

    Revisit what is returned: a pair, whose second part may be None.
    """

    def forward(  # type: ignore[override]
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> Tensor:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x))


class returns_output_alone_at_times(DecoderBlock):
    """The output alone seems to be returned where no weights are wanted.

    Revisit what is returned: a pair in any case.
    """

    def forward(  # type: ignore[override]
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> Tensor | tuple[Tensor, Tensor]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        output = self.feed_forward_norm(x + self.feed_forward(x))
        return (output, weights) if want_weights else output


class asks_again_at_the_end(DecoderBlock):
    """The weights seem to be those of a second call, with the vectors that the block leaves.

    Revisit which call the weights come from: the one whose result is added.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        output = self.feed_forward_norm(x + self.feed_forward(x))
        if want_weights:
            _, weights = self.cross_attention(output, memory, memory)
        return output, weights


class mixes_no_values_for_weights(DecoderBlock):
    """While weights are wanted, the output seems to be another one.

    Revisit `want_weights`: it changes what is returned beside the output, and nothing else.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        if not want_weights:
            x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class looks_with_one_head(DecoderBlock):
    """The self-attention seems to be computed with one head over the whole width.

    Revisit `heads`: call the layer that `__init__` makes.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        rows = F.linear(x, self.self_attention.in_proj_weight, self.self_attention.in_proj_bias)
        q, k, v = rows.chunk(3, dim=-1)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.self_attention_norm(x + self.self_attention.out_proj(mixed))
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class feeds_forward_with_relu(DecoderBlock):
    """A ReLU seems to stand in the feed-forward network instead of its GELU.

    Revisit what `__init__` makes, and call it.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        up, _, down = self.feed_forward
        return self.feed_forward_norm(x + down(up(x).relu())), weights


class changes_its_argument(DecoderBlock):
    """x seems to be changed in place.

    Revisit `+=`: it writes into the tensor of whoever called.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        with torch.no_grad():
            x += self.self_attention(x, x, x, attn_mask=mask, need_weights=False)[0]
        x = self.self_attention_norm(x)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class stops_gradients_to_memory(DecoderBlock):
    """No gradient seems to come back to the memory.

    Revisit `detach` and `no_grad`: the encoder learns through the memory.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        memory = memory.detach()
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class stops_gradients(DecoderBlock):
    """No gradient seems to come back.

    Revisit `detach` and `no_grad`: the block is to be trained.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)).detach(), weights


class answers_float32(DecoderBlock):
    """The output seems to be float32, whatever x is.

    Revisit the dtype of the output: that of `x`.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)).float(), weights


class keeps_the_first_memory(DecoderBlock):
    """The memory of the first call seems to be used for later ones.

    Revisit what is kept in `self`: nothing needs to be.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        if getattr(self, "kept", memory).shape != memory.shape or not hasattr(self, "kept"):
            self.kept = memory.detach()
        mixed, weights = self.cross_attention(x, self.kept, self.kept, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class drops_out(DecoderBlock):
    """Something seems to be set to 0 at random while training.

    Revisit the formula: there is no dropout in it.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + F.dropout(mixed, 0.1, self.training))
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights


class keeps_memory_in_evaluation(DecoderBlock):
    """In evaluation mode the memory of an earlier call seems to be used again.

    Revisit what may be kept between calls: in evaluation mode, too, the next memory is another one.
    """

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, want_weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        if not self.training:
            if not hasattr(self, "kept") or self.kept.shape != memory.shape:
                self.kept = memory
            memory = self.kept
        mixed, _ = self.self_attention(x, x, x, attn_mask=mask, need_weights=False)
        x = self.self_attention_norm(x + mixed)
        mixed, weights = self.cross_attention(x, memory, memory, need_weights=want_weights)
        x = self.cross_attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x)), weights
