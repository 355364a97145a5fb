"""Known wrong answers to `EncoderBlock`: each docstring is the student's hint.

A class derives from the right answer and holds only what differs.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from solutions.digit_reader import EncoderBlock


class normalises_before(EncoderBlock):
    """Each sublayer seems to read a normalised copy, and its sum to be left as it is (pre-norm).

    Revisit what is normalised here: the sum.
    """

    def forward(self, x: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        x = x + self.attention(normed, normed, normed, need_weights=False)[0]
        return x + self.feed_forward(self.feed_forward_norm(x))


class normalises_what_is_said(EncoderBlock):
    """What a sublayer says seems to be normalised before it is added.

    Revisit the order: add first, then normalise the sum.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = x + self.attention_norm(self.attention(x, x, x, need_weights=False)[0])
        return y + self.feed_forward_norm(self.feed_forward(y))


class normalises_before_and_after(EncoderBlock):
    """A sublayer seems to read a normalised copy, and its sum to be normalised as well.

    Revisit how often each norm is used: once.
    """

    def forward(self, x: Tensor) -> Tensor:
        normed = self.attention_norm(x)
        y = self.attention_norm(x + self.attention(normed, normed, normed, need_weights=False)[0])
        return self.feed_forward_norm(y + self.feed_forward(self.feed_forward_norm(y)))


class forgets_addition_after_attention(EncoderBlock):
    """What the attention says seems to replace x instead of being added to it.

    Revisit the first sublayer: x stays, and something is added.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(y + self.feed_forward(y))


class forgets_addition_after_feed_forward(EncoderBlock):
    """What the feed-forward network says seems to replace y instead of being added to it.

    Revisit the second sublayer: y stays, and something is added.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(self.feed_forward(y))


class forgets_both_additions(EncoderBlock):
    """Neither sublayer's input seems to be added to what it says.

    Revisit the plus signs of the formula.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(self.feed_forward(y))


class forgets_first_norm(EncoderBlock):
    """The sum after the attention seems not to be normalised.

    Revisit `attention_norm`, and where it is used.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = x + self.attention(x, x, x, need_weights=False)[0]
        return self.feed_forward_norm(y + self.feed_forward(y))


class forgets_last_norm(EncoderBlock):
    """The sum after the feed-forward network seems not to be normalised.

    Revisit `feed_forward_norm`, and where it is used.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return y + self.feed_forward(y)


class forgets_both_norms(EncoderBlock):
    """Nothing seems to be normalised.

    Revisit the two norms that `__init__` makes.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = x + self.attention(x, x, x, need_weights=False)[0]
        return y + self.feed_forward(y)


class normalises_only_at_the_end(EncoderBlock):
    """Both sublayers seem to read x, and only the sum of everything to be normalised.

    Revisit what the second sublayer reads: y.
    """

    def forward(self, x: Tensor) -> Tensor:
        mixed, _ = self.attention(x, x, x, need_weights=False)
        return self.feed_forward_norm(x + mixed + self.feed_forward(x))


class swaps_norms(EncoderBlock):
    """The two norms seem to be exchanged.

    Revisit their names: each has learned numbers of its own.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.feed_forward_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.attention_norm(y + self.feed_forward(y))


class uses_first_norm_twice(EncoderBlock):
    """`attention_norm` seems to be used for both sums.

    Revisit the second norm.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.attention_norm(y + self.feed_forward(y))


class uses_last_norm_twice(EncoderBlock):
    """`feed_forward_norm` seems to be used for both sums.

    Revisit the first norm.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.feed_forward_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(y + self.feed_forward(y))


class normalises_without_gains(EncoderBlock):
    """The sums seem to be normalised without the numbers that the norms have learned.

    Revisit the norms: call the layers that `__init__` makes.
    """

    def forward(self, x: Tensor) -> Tensor:
        width = x.shape[-1:]
        y = F.layer_norm(x + self.attention(x, x, x, need_weights=False)[0], width)
        return F.layer_norm(y + self.feed_forward(y), width)


class feeds_forward_from_x(EncoderBlock):
    """The feed-forward network seems to read x instead of y.

    Revisit the second half of the formula: y stands there twice.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(y + self.feed_forward(x))


class adds_x_again(EncoderBlock):
    """The second sublayer's result seems to be added to x instead of to y.

    Revisit the second half of the formula: y stands there twice.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(x + self.feed_forward(y))


class adds_x_twice(EncoderBlock):
    """x seems to be added a second time, beside y.

    Revisit what the second sublayer adds to.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(x + y + self.feed_forward(y))


class feeds_forward_first(EncoderBlock):
    """The feed-forward network seems to come before the attention.

    Revisit the order of the two sublayers.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.feed_forward_norm(x + self.feed_forward(x))
        return self.attention_norm(y + self.attention(y, y, y, need_weights=False)[0])


class forgets_attention(EncoderBlock):
    """The vectors seem not to look at each other.

    Revisit the first sublayer.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x)
        return self.feed_forward_norm(y + self.feed_forward(y))


class forgets_feed_forward(EncoderBlock):
    """The feed-forward network seems not to be used.

    Revisit the second sublayer.
    """

    def forward(self, x: Tensor) -> Tensor:
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(y)


class stops_after_attention(EncoderBlock):
    """The first sublayer's result seems to be returned.

    Revisit what comes after it: the feed-forward network, and its norm.
    """

    def forward(self, x: Tensor) -> Tensor:
        return self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])


class hides_later_vectors(EncoderBlock):
    """A vector seems to see only itself and those before it.

    Revisit who sees whom: in the encoder everybody sees everybody.
    """

    def forward(self, x: Tensor) -> Tensor:
        length = x.size(1)
        mask = torch.full((length, length), -torch.inf, dtype=x.dtype).triu(1)
        y = self.attention_norm(x + self.attention(x, x, x, attn_mask=mask, need_weights=False)[0])
        return self.feed_forward_norm(y + self.feed_forward(y))


class looks_across_the_batch(EncoderBlock):
    """The vectors at one place of all images seem to look at each other, instead of those of one image.

    Revisit which axis is the sequence; the attention knows that the batch comes first.
    """

    def forward(self, x: Tensor) -> Tensor:
        across = x.transpose(0, 1)
        mixed = self.attention(across, across, across, need_weights=False)[0].transpose(0, 1)
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y))


class looks_with_one_head(EncoderBlock):
    """The attention seems to be computed with one head over the whole width.

    Revisit `heads`: call the layer that `__init__` makes.
    """

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = F.linear(
            x, self.attention.in_proj_weight, self.attention.in_proj_bias
        ).chunk(3, dim=-1)
        mixed = self.attention.out_proj(F.scaled_dot_product_attention(query, key, value))
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y))


class forgets_output_projection(EncoderBlock):
    """The heads seem to be put side by side without the layer that mixes them.

    Revisit `out_proj`: call the attention as a whole.
    """

    def forward(self, x: Tensor) -> Tensor:
        query, key, value = (
            part.unflatten(-1, (self.attention.num_heads, -1)).transpose(1, 2)
            for part in F.linear(
                x, self.attention.in_proj_weight, self.attention.in_proj_bias
            ).chunk(3, dim=-1)
        )
        mixed = F.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y))


class feeds_forward_with_relu(EncoderBlock):
    """A ReLU seems to stand in the feed-forward network instead of its GELU.

    Revisit what `__init__` makes, and call it.
    """

    def forward(self, x: Tensor) -> Tensor:
        up, _, down = self.feed_forward
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(y + down(up(y).relu()))


class feeds_forward_without_gelu(EncoderBlock):
    """The two layers of the feed-forward network seem to be used without what is between them.

    Revisit what `__init__` makes, and call it.
    """

    def forward(self, x: Tensor) -> Tensor:
        up, _, down = self.feed_forward
        y = self.attention_norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.feed_forward_norm(y + down(up(y)))


class drops_out(EncoderBlock):
    """Something seems to be set to 0 at random while training.

    Revisit the formula: there is no dropout in it.
    """

    def forward(self, x: Tensor) -> Tensor:
        mixed, _ = self.attention(x, x, x, need_weights=False)
        y = self.attention_norm(x + F.dropout(mixed, 0.1, self.training))
        return self.feed_forward_norm(y + F.dropout(self.feed_forward(y), 0.1, self.training))


class returns_the_pair(EncoderBlock):
    """A pair seems to be returned, the result and the weights of the attention.

    Revisit what is asked for: one tensor.
    """

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        mixed, weights = self.attention(x, x, x)
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y)), weights


class changes_its_argument(EncoderBlock):
    """x seems to be changed in place.

    Revisit `+=`: it writes into the tensor of whoever called.
    """

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            x += self.attention(x, x, x, need_weights=False)[0]
        y = self.attention_norm(x)
        return self.feed_forward_norm(y + self.feed_forward(y))


class stops_gradients(EncoderBlock):
    """No gradient seems to come back through the attention.

    Revisit `detach` and `no_grad`: the block is to be trained.
    """

    def forward(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            mixed, _ = self.attention(x, x, x, need_weights=False)
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y))


class goes_through_numpy(EncoderBlock):
    """The result seems to have gone through NumPy, or to have been detached: no gradient comes back.

    Revisit how weights learn: all that they do stays in torch.
    """

    def forward(self, x: Tensor) -> Tensor:
        mixed, _ = self.attention(x, x, x, need_weights=False)
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y)).detach()


class answers_float32(EncoderBlock):
    """The result seems to be float32, whatever x is.

    Revisit the dtype of the result: that of `x`.
    """

    def forward(self, x: Tensor) -> Tensor:
        mixed, _ = self.attention(x, x, x, need_weights=False)
        y = self.attention_norm(x + mixed)
        return self.feed_forward_norm(y + self.feed_forward(y)).float()


class keeps_its_answer_in_evaluation(EncoderBlock):
    """In evaluation mode the result of an earlier call seems to be returned again.

    Revisit what may be kept between calls: in evaluation mode, too, the next input is another one.
    """

    def forward(self, x: Tensor) -> Tensor:
        if not self.training and hasattr(self, "kept") and self.kept.shape == x.shape:
            return self.kept
        mixed, _ = self.attention(x, x, x, need_weights=False)
        y = self.attention_norm(x + mixed)
        output = self.feed_forward_norm(y + self.feed_forward(y))
        if not self.training:
            self.kept = output
        return output
