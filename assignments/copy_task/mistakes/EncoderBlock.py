"""Known wrong answers to `EncoderBlock`: each docstring is the student's hint.

A class derives from the right answer and holds only what differs.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.copy_task import EncoderBlock


class normalises_after_adding(EncoderBlock):
    """Each sublayer seems to be normalised after the addition, as in the paper of 2017.

    Revisit where the norm stands in the docstring: before the sublayer, not after it.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        mixed, _ = self.attention(x, x, visible)
        x = self.attention_norm(x + mixed)
        return self.feed_forward_norm(x + self.feed_forward(x))


class normalises_results_of_sublayers(EncoderBlock):
    """The norms seem to act on what the sublayers return.

    Revisit what is normalised: what a sublayer reads, not what it says.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        mixed, _ = self.attention(x, x, visible)
        y = x + self.attention_norm(mixed)
        return y + self.feed_forward_norm(self.feed_forward(y))


class adds_attention_to_normed(EncoderBlock):
    """Attention seems to be added to the normalised x, so that x itself is lost.

    Revisit what runs past the sublayer: the stream as it was before the norm.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        x = self.attention_norm(x)
        mixed, _ = self.attention(x, x, visible)
        y = x + mixed
        return y + self.feed_forward(self.feed_forward_norm(y))


class adds_feed_forward_to_normed(EncoderBlock):
    """The feed-forward result seems to be added to the normalised y, so that y itself is lost.

    Revisit which y stands before the plus sign in the docstring.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        mixed, _ = self.attention(normed, normed, visible)
        y = self.feed_forward_norm(x + mixed)
        return y + self.feed_forward(y)


class adds_everything_to_normed(EncoderBlock):
    """Both sublayers seem to be added to the normalised stream, and the stream itself to be lost.

    Revisit the two sums in the docstring: x and y come into them as they are.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        x = self.attention_norm(x)
        x = x + self.attention(x, x, visible)[0]
        x = self.feed_forward_norm(x)
        return x + self.feed_forward(x)


class forgets_first_addition(EncoderBlock):
    """What attention returns seems to replace x instead of being added to it.

    Revisit y = x + ..., the first of the two sums.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y, _ = self.attention(normed, normed, visible)
        return y + self.feed_forward(self.feed_forward_norm(y))


class forgets_second_addition(EncoderBlock):
    """What the feed-forward network returns seems to replace y instead of being added to it.

    Revisit the second of the two sums in the docstring.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        mixed, _ = self.attention(normed, normed, visible)
        return self.feed_forward(self.feed_forward_norm(x + mixed))


class forgets_both_additions(EncoderBlock):
    """The sublayers seem to follow one another without anything running past them.

    Revisit the word "added" in the docstring: each result is added to the stream.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        mixed, _ = self.attention(normed, normed, visible)
        return self.feed_forward(self.feed_forward_norm(mixed))


class adds_x_in_place_of_y(EncoderBlock):
    """The feed-forward result seems to be added to x, so that attention reaches it only inside.

    Revisit what stands before the plus sign of the last sum.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        mixed, _ = self.attention(normed, normed, visible)
        return x + self.feed_forward(self.feed_forward_norm(x + mixed))


class adds_x_twice(EncoderBlock):
    """x seems to be added a second time at the end.

    Revisit what y holds already.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        mixed, _ = self.attention(normed, normed, visible)
        y = x + mixed
        return x + y + self.feed_forward(self.feed_forward_norm(y))


class forgets_first_norm(EncoderBlock):
    """Attention seems to read x as it is, without `attention_norm`.

    Revisit what Norm₁ is applied to.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        y = x + self.attention(x, x, visible)[0]
        return y + self.feed_forward(self.feed_forward_norm(y))


class forgets_second_norm(EncoderBlock):
    """The feed-forward network seems to read y as it is, without `feed_forward_norm`.

    Revisit what Norm₂ is applied to.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        return y + self.feed_forward(y)


class swaps_norms(EncoderBlock):
    """Each norm seems to stand before the other's sublayer.

    Revisit the names of the two norms.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.feed_forward_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        return y + self.feed_forward(self.attention_norm(y))


class uses_first_norm_twice(EncoderBlock):
    """`attention_norm` seems to stand before both sublayers.

    Revisit why there are two norms: each has gains and biases of its own.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        return y + self.feed_forward(self.attention_norm(y))


class normalises_without_gain_and_bias(EncoderBlock):
    """The vectors seem to be normalised, but not scaled and shifted by what the norms have learned.

    Revisit what `self.attention_norm` does beside bringing mean and variance to 0 and 1.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = F.layer_norm(x, x.shape[-1:])
        y = x + self.attention(normed, normed, visible)[0]
        return y + self.feed_forward(F.layer_norm(y, y.shape[-1:]))


class normalises_over_positions(EncoderBlock):
    """The mean seems to be taken over the positions of a sequence, not over the entries of a vector.

    Revisit which axis a layer norm works on: tokens do not mix there.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        def norm(layer: torch.nn.LayerNorm, rows: Tensor) -> Tensor:
            centred = rows - rows.mean(dim=1, keepdim=True)
            variance = rows.var(dim=1, keepdim=True, unbiased=False)
            return centred / (variance + layer.eps).sqrt() * layer.weight + layer.bias

        normed = norm(self.attention_norm, x)
        y = x + self.attention(normed, normed, visible)[0]
        return y + self.feed_forward(norm(self.feed_forward_norm, y))


class normalises_queries_only(EncoderBlock):
    """The queries seem to come from the normalised x, keys and values from x as it is.

    Revisit what self-attention is given: the same vectors twice.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        mixed, _ = self.attention(self.attention_norm(x), x, visible)
        y = x + mixed
        return y + self.feed_forward(self.feed_forward_norm(y))


class normalises_keys_only(EncoderBlock):
    """The queries seem to come from x as it is, keys and values from the normalised x.

    Revisit what self-attention is given: the same vectors twice.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        mixed, _ = self.attention(x, self.attention_norm(x), visible)
        y = x + mixed
        return y + self.feed_forward(self.feed_forward_norm(y))


class runs_sublayers_side_by_side(EncoderBlock):
    """Both sublayers seem to read x, and the feed-forward network not to see what attention found.

    Revisit what Norm₂ is applied to: y, not x.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        mixed, _ = self.attention(normed, normed, visible)
        return x + mixed + self.feed_forward(self.feed_forward_norm(x))


class begins_with_feed_forward(EncoderBlock):
    """The feed-forward network seems to come first and attention second.

    Revisit the order of the two sums in the docstring.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        x = x + self.feed_forward(self.feed_forward_norm(x))
        normed = self.attention_norm(x)
        return x + self.attention(normed, normed, visible)[0]


class forgets_feed_forward(EncoderBlock):
    """The block seems to end after attention.

    Revisit the second sublayer.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        return x + self.attention(normed, normed, visible)[0]


class forgets_attention(EncoderBlock):
    """The block seems to hold the feed-forward network alone.

    Revisit the first sublayer: without it no token sees another.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        return x + self.feed_forward(self.feed_forward_norm(x))


class attends_twice(EncoderBlock):
    """Attention seems to run twice in one block.

    Revisit how often the docstring names it.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        for _ in range(2):
            normed = self.attention_norm(x)
            x = x + self.attention(normed, normed, visible)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class shows_all_keys(EncoderBlock):
    """Attention seems to see every key, those too that `visible` hides.

    Revisit what you pass to attention as its mask.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, torch.ones_like(visible))[0]
        return y + self.feed_forward(self.feed_forward_norm(y))


class turns_mask_round(EncoderBlock):
    """The mask seems to be turned round on its way to attention.

    Revisit what True means, here and in `MultiHeadAttention`: it is the same.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, ~visible)[0]
        return y + self.feed_forward(self.feed_forward_norm(y))


class hides_the_future(EncoderBlock):
    """Later tokens seem to be hidden, as in a decoder.

    Revisit what an encoder may see: all that `visible` shows, before and after.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        length = x.size(1)
        causal = torch.ones(length, length, dtype=torch.bool).tril() & visible
        causal = causal | torch.eye(length, dtype=torch.bool)
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, causal)[0]
        return y + self.feed_forward(self.feed_forward_norm(y))


class takes_mask_of_one_query_for_all(EncoderBlock):
    """The mask of the last query seems to hold for all queries.

    Revisit the shapes that `visible` may have: it may differ from query to query.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible[..., -1:, :])[0]
        return y + self.feed_forward(self.feed_forward_norm(y))


class clears_hidden_tokens(EncoderBlock):
    """The vectors of hidden tokens seem to be set to 0 at the end.

    Revisit what a mask hides: keys, while a query that is padding is treated as any other.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        y = y + self.feed_forward(self.feed_forward_norm(y))
        seen = visible.expand(x.size(0), self.attention.heads, x.size(1), x.size(1))[:, 0, -1]
        return y * seen.unsqueeze(-1)


class returns_weights_too(EncoderBlock):
    """The weights of attention seem to be returned along with the result.

    Revisit what the block returns: one tensor (B, S, D).
    """

    def forward(self, x: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        normed = self.attention_norm(x)
        mixed, weights = self.attention(normed, normed, visible)
        y = x + mixed
        return y + self.feed_forward(self.feed_forward_norm(y)), weights


class normalises_at_the_end(EncoderBlock):
    """The result seems to be normalised once more.

    Revisit what the block returns: the sum itself, which the model normalises later.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        return self.feed_forward_norm(y + self.feed_forward(self.feed_forward_norm(y)))


class adds_another_relu(EncoderBlock):
    """A ReLU seems to follow the feed-forward network, so that it can only add.

    Revisit what `self.feed_forward` holds already.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        return y + F.relu(self.feed_forward(self.feed_forward_norm(y)))


class drops_at_random(EncoderBlock):
    """Parts of what the sublayers return seem to be dropped at random.

    Revisit the docstring: this block has no dropout.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + F.dropout(self.attention(normed, normed, visible)[0], 0.1, self.training)
        return y + F.dropout(self.feed_forward(self.feed_forward_norm(y)), 0.1, self.training)


class adds_in_place(EncoderBlock):
    """The results seem to be added to x in place, so that the caller's x changes.

    Revisit the difference between `x = x + y` and `x += y`.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        x += self.attention(normed, normed, visible)[0]
        x += self.feed_forward(self.feed_forward_norm(x))
        return x


class detaches_attention(EncoderBlock):
    """No gradient seems to flow back through attention, so that it never learns.

    Revisit where you detach, or switch gradients off.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        with torch.no_grad():
            mixed, _ = self.attention(normed, normed, visible)
        y = x + mixed
        return y + self.feed_forward(self.feed_forward_norm(y))


class answers_in_float32(EncoderBlock):
    """The result seems to be float32, whatever the dtype of x is.

    Revisit where you convert: the result has the dtype of x.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        return (y + self.feed_forward(self.feed_forward_norm(y))).float()


class keeps_what_attention_found(EncoderBlock):
    """What attention returned seems to be kept, and added to another x of the same shape, too.

    Revisit what may be kept between calls: nothing.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        kept = self.__dict__.setdefault("kept", {})
        if x.shape not in kept:
            normed = self.attention_norm(x)
            kept[x.shape] = self.attention(normed, normed, visible)[0]
        y = x + kept[x.shape]
        return y + self.feed_forward(self.feed_forward_norm(y))


class averages_stream_and_sublayer(EncoderBlock):
    """The sums seem to be halved, as if stream and sublayer were averaged.

    Revisit the two plus signs: nothing is scaled.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = (x + self.attention(normed, normed, visible)[0]) / 2
        return (y + self.feed_forward(self.feed_forward_norm(y))) / 2


class keeps_its_answer_in_evaluation(EncoderBlock):
    """In evaluation mode the result of an earlier call seems to be returned again.

    Revisit what may be kept between calls: in evaluation mode, too, the next input is another one.
    """

    def forward(self, x: Tensor, visible: Tensor) -> Tensor:
        if not self.training and hasattr(self, "kept") and self.kept.shape == x.shape:
            return self.kept
        normed = self.attention_norm(x)
        y = x + self.attention(normed, normed, visible)[0]
        output = y + self.feed_forward(self.feed_forward_norm(y))
        if not self.training:
            self.kept = output
        return output
