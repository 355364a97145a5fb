"""Known wrong answers to `MultiHeadAttention`: each docstring is the student's hint.

A class derives from the right answer and holds only what differs.
"""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.copy_task import MultiHeadAttention


class divides_by_root_of_whole_width(MultiHeadAttention):
    """The scores seem to be divided by √D, the width before it is split into heads.

    Revisit how many products are summed up in one score of one head.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(x.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class divides_by_width_of_head(MultiHeadAttention):
    """The scores seem to be divided by D/H itself, which leaves the weights too even.

    Revisit how the spread of a sum of independent products grows with their number.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        batch, n_q, width = x.shape
        d = width // self.heads
        q = self.query(x).view(batch, n_q, self.heads, d).transpose(1, 2)
        k = self.key(memory).view(batch, -1, self.heads, d).transpose(1, 2)
        v = self.value(memory).view(batch, -1, self.heads, d).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) / d
        scores = scores.masked_fill(~visible, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        joined = (weights @ v).transpose(1, 2).reshape(batch, n_q, width)
        return self.output(joined), weights


class does_not_scale(MultiHeadAttention):
    """The scores seem to go into the softmax as they are, without the division by √(D/H).

    Revisit the formula in the docstring, term by term.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = (q @ k.mT).masked_fill(~visible, -math.inf)
        weights = scores.softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class hard_codes_scale_of_handout(MultiHeadAttention):
    """The scale seems to be √8, which suits a width of 32 and four heads, but no others.

    Revisit where the width of a head can be read from the tensors that come in.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(8)
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class scales_by_number_of_heads(MultiHeadAttention):
    """The scale seems to be √H, the number of heads, instead of the root of a head's width.

    Revisit what D/H means: how wide the queries and keys of one head are.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.heads)
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class splits_without_transposing(MultiHeadAttention):
    """The heads seem to be cut out of positions: a reshape to (B, H, n, D/H) moves no axis.

    Revisit which numbers lie side by side in memory, and do the reshape and the transpose in turn.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        batch, n_q, width = x.shape
        n_k, d = memory.size(1), width // self.heads
        q = self.query(x).view(batch, self.heads, n_q, d)
        k = self.key(memory).view(batch, self.heads, n_k, d)
        v = self.value(memory).view(batch, self.heads, n_k, d)
        scores = q @ k.transpose(-2, -1) / math.sqrt(d)
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).reshape(batch, n_q, width)), weights


class splits_and_joins_without_transposing(MultiHeadAttention):
    """Reshapes alone seem to split and to join the heads, which mixes the positions.

    Revisit which columns belong to a head, and follow one position through your reshapes.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        batch, n_q, width = x.shape
        d = width // self.heads
        q, k, v = (
            rows.reshape(batch, self.heads, -1, d)
            for rows in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(d)
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).reshape(batch, n_q, width)), weights


class joins_without_transposing(MultiHeadAttention):
    """The heads' outputs seem to be joined by a reshape of (B, H, n, D/H), before H moves back.

    Revisit which two axes must lie side by side before they become one.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).reshape(x.shape)), weights


class deals_columns_out_to_heads(MultiHeadAttention):
    """Neighbouring columns seem to go to different heads, as cards are dealt.

    Revisit which columns the docstring gives to head h, and the order of H and D/H in the split.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            rows.unflatten(-1, (-1, self.heads)).permute(0, 3, 1, 2)
            for rows in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).permute(0, 2, 3, 1).flatten(2)), weights


class joins_heads_in_another_order(MultiHeadAttention):
    """The columns of the heads seem to alternate where they are joined.

    Revisit what "side by side" means: all columns of head 0 come before those of head 1.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).permute(0, 2, 3, 1).flatten(2)), weights


class adds_heads_up(MultiHeadAttention):
    """Each head seems to fill all columns, and their outputs to be averaged instead of joined.

    Revisit how wide the output of one head is, and how H of them make D columns.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unsqueeze(1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).mean(dim=1)), weights


class uses_a_single_head(MultiHeadAttention):
    """All columns seem to belong to one head, so that there is one row of weights per query.

    Revisit what `self.heads` is for, and the shape that the weights should have.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = self.query(x), self.key(memory), self.value(memory)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.unsqueeze(1).masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v.unsqueeze(1)).squeeze(1)), weights


class averages_weights_over_heads(MultiHeadAttention):
    """The weights seem to be averaged over the heads before they are returned.

    Revisit the shape of the weights: each head has its own.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights.mean(dim=1)


class forgets_output_projection(MultiHeadAttention):
    """The joined heads seem to be returned without passing through `self.output`.

    Revisit the last step of the docstring, and which layers of `__init__` you use.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return (weights @ v).transpose(1, 2).flatten(2), weights


class forgets_projections_of_inputs(MultiHeadAttention):
    """Queries, keys and values seem to be the vectors themselves, not projections of them.

    Revisit what `self.query`, `self.key` and `self.value` are for.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = x.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = memory.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ k).transpose(1, 2).flatten(2)), weights


class forgets_projection_of_values(MultiHeadAttention):
    """The values seem to be the vectors of the memory as they are.

    Revisit which three layers make queries, keys and values.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = memory.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class mixes_keys_in_place_of_values(MultiHeadAttention):
    """The weights seem to mix the projected keys, and the values are not used.

    Revisit what is compared and what is mixed: these are two projections of the memory.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ k).transpose(1, 2).flatten(2)), weights


class swaps_projections_of_query_and_key(MultiHeadAttention):
    """`self.key` seems to project x, and `self.query` the memory.

    Revisit which of the two inputs asks, and which one is asked.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.key(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.query(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class attends_to_x_itself(MultiHeadAttention):
    """Keys and values seem to be made from x, and the memory is not looked at.

    Revisit where keys and values come from when x and memory are not the same.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class takes_values_from_x(MultiHeadAttention):
    """The values seem to be made from x, although the keys come from the memory.

    Revisit what a weight says: how much of which vector of the memory goes into the result.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class swaps_x_and_memory(MultiHeadAttention):
    """The queries seem to come from the memory, the keys and values from x.

    Revisit which of the two looks and which one is looked at.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class hides_visible_keys(MultiHeadAttention):
    """The mask seems to be taken the wrong way round: visible keys are hidden.

    Revisit what True means in `visible`.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class ignores_mask(MultiHeadAttention):
    """Every key seems to be visible: the mask is not used.

    Revisit what must happen to the score of a key that is hidden.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class hides_with_zero(MultiHeadAttention):
    """A hidden key seems to get the score 0, which is a score like any other.

    Revisit which score the softmax turns into the weight 0.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = (scores * visible).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class adds_mask_to_scores(MultiHeadAttention):
    """The mask seems to be added as it is, so that a visible key gains 1 and none is hidden.

    Revisit what a mask of True and False has to become before it can be added.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1)) + visible
        weights = scores.softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class hides_with_minus_ten(MultiHeadAttention):
    """Hidden keys seem to keep a small weight, as if their scores were low but not low enough.

    Revisit which score gives the weight 0 exactly.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -10.0).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class hides_with_minus_ten_thousand(MultiHeadAttention):
    """A hidden key seems to get a low score, but visible ones can have lower ones.

    Revisit which score is lower than any other.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -1e4).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class subtracts_from_hidden_scores(MultiHeadAttention):
    """A constant seems to be taken off the scores of hidden keys, so that large ones still count.

    Revisit what the score of a hidden key should be, whatever it was before.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = (scores - 1e3 * (~visible)).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class masks_after_softmax(MultiHeadAttention):
    """Hidden keys seem to lose their weight after the softmax, and what remains sums to less than 1.

    Revisit when a key must disappear so that the visible ones share all of the weight.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(dim=-1)
        weights = weights.masked_fill(~visible, 0.0)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class rescales_after_softmax(MultiHeadAttention):
    """The softmax seems to run over all keys, and what is left of the visible ones to be rescaled.

    Revisit what is left of them beside a hidden key whose score is very large.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        weights = (q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))).softmax(dim=-1) * visible
        weights = weights / weights.sum(dim=-1, keepdim=True)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class masks_weights_of_output_only(MultiHeadAttention):
    """The weights that are returned seem to be others than those that mix the values.

    Revisit which tensor you return: hidden keys have the weight 0 there, too.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        return self.output(mixed.transpose(1, 2).flatten(2)), scores.softmax(dim=-1)


class masks_one_row_for_all(MultiHeadAttention):
    """The mask of the first row of the batch seems to hold for all rows.

    Revisit the first axis of `visible`: each row has keys of its own to hide.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        shown = visible[:1] if visible.dim() == 4 else visible
        weights = scores.masked_fill(~shown, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class takes_mask_for_one_row_of_keys(MultiHeadAttention):
    """The mask seems to be cut down to one row of keys, the same for all heads and queries.

    Revisit the shapes that broadcast to (B, H, n_q, n_k): a mask may differ along each axis.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        batch, n_k = memory.shape[:2]
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        shown = visible.expand(batch, self.heads, x.size(1), n_k)[:, :1, -1:]
        weights = scores.masked_fill(~shown, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class adds_an_axis_for_heads(MultiHeadAttention):
    """The mask seems to get one more axis, although it has one for the heads already.

    Revisit the shape of `visible`, and that of the scores which it meets.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible.unsqueeze(1), -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class hides_the_future_always(MultiHeadAttention):
    """A causal mask seems to be added to the one that is given.

    Revisit who decides what is visible: `visible` holds all of it.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        shown = visible & torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
        weights = scores.masked_fill(~shown, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class normalises_over_queries(MultiHeadAttention):
    """The weights of a key seem to sum to 1 over the queries.

    Revisit over which axis a query shares out its attention.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -1e9).softmax(dim=-2)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class normalises_over_heads(MultiHeadAttention):
    """The weights seem to sum to 1 over the heads.

    Revisit which axis of (B, H, n_q, n_k) the softmax runs over.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -1e9).softmax(dim=1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class returns_output_alone(MultiHeadAttention):
    """Only the output seems to be returned.

    Revisit the two parts of the result.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> Tensor:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        return self.output(mixed.transpose(1, 2).flatten(2))


class returns_weights_first(MultiHeadAttention):
    """The two parts of the result seem to stand in the wrong order.

    Revisit which one comes first: the output, then the weights.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return weights, self.output((weights @ v).transpose(1, 2).flatten(2))


class returns_scores(MultiHeadAttention):
    """The scores seem to be returned in the place of the weights.

    Revisit what the softmax has made of the scores: that is what mixes the values.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(~visible, -math.inf)
        output = self.output((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(2))
        return output, scores


class adds_x_to_the_output(MultiHeadAttention):
    """The stream seems to be added to the result already here.

    Revisit who adds: attention returns what it found, and the block adds it to x.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return x + self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class drops_weights_at_random(MultiHeadAttention):
    """Some weights seem to be dropped at random, others in each call.

    Revisit the docstring: this model has no dropout.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        weights = F.dropout(weights, 0.1, self.training)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class makes_new_layers(MultiHeadAttention):
    """New layers seem to be made in each call, whose weights are random and never learn.

    Revisit what `__init__` is for: the layers are made there, once.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        width = x.size(-1)
        query, key, value = (nn.Linear(width, width) for _ in range(3))
        q = query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class leaves_torch_for_numpy(MultiHeadAttention):
    """The computation seems to leave torch, so that no gradient can flow back.

    Revisit the word "differentiable": all steps must be torch's.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            rows.detach().unflatten(-1, (self.heads, -1)).transpose(1, 2).numpy()
            for rows in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = np.where(visible.numpy(), q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1]), -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = weights / weights.sum(axis=-1, keepdims=True)
        mixed = torch.from_numpy(weights @ v).transpose(1, 2).flatten(2)
        return self.output(mixed), torch.from_numpy(weights)


class detaches_weights(MultiHeadAttention):
    """The weights seem to be cut off from the gradient, so that queries and keys never learn.

    Revisit where you detach: both parts of the result are differentiable.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        with torch.no_grad():
            weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class answers_in_float32(MultiHeadAttention):
    """Scores and weights seem to be float32, whatever the dtype of x is.

    Revisit where you convert: everything follows the dtype of x.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2).float()
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2).float()
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2).float()
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        mixed = (weights @ v).transpose(1, 2).flatten(2).to(x.dtype)
        return self.output(mixed), weights.to(x.dtype)


class turns_the_mask_round(MultiHeadAttention):
    """The mask that was given seems to be turned round in place.

    Revisit which operations write into their tensor: the caller's mask must stay as it was.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(visible.logical_not_(), -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class keeps_keys_of_the_first_call(MultiHeadAttention):
    """Keys and values of the first memory seem to be kept, and used again for others like it.

    Revisit what may be kept between calls: nothing.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        kept = self.__dict__.setdefault("kept", {})
        if memory.shape not in kept:
            kept[memory.shape] = [
                layer(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
                for layer in (self.key, self.value)
            ]
        k, v = kept[memory.shape]
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class keeps_transposed_weights(MultiHeadAttention):
    """The weights of the first call seem to be kept, and what is learned later not to count.

    Revisit which tensors change when the model learns.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        if not hasattr(self, "w_out"):
            self.w_out = self.output.weight.detach().clone().T
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return (weights @ v).transpose(1, 2).flatten(2) @ self.w_out + self.output.bias, weights


class squeezes_the_batch(MultiHeadAttention):
    """Axes of size 1 seem to be squeezed away, in a batch of one too.

    Revisit which axis you mean to take out, and name it.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.key(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)).squeeze(), weights


class leaves_biases_out(MultiHeadAttention):
    """The projections seem to multiply by their matrices, but not to add their biases.

    Revisit what an `nn.Linear` does when it is called.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q, k, v = (
            (rows @ layer.weight.T).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer, rows in ((self.query, x), (self.key, memory), (self.value, memory))
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return (weights @ v).transpose(1, 2).flatten(2) @ self.output.weight.T, weights


class projects_keys_as_values(MultiHeadAttention):
    """The keys seem to be projected by `self.value`, and `self.key` not to be used.

    Revisit which layer makes what: there are four of them.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        q = self.query(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.value(memory).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ v).transpose(1, 2).flatten(2)), weights


class takes_three_axes_for_rows(MultiHeadAttention):
    """A mask of three axes seems to be taken for one mask a row of the batch.

    Revisit how a mask of three axes broadcasts to (B, H, n_q, n_k): its first axis is that of heads.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        visible = visible.unsqueeze(1) if visible.dim() == 3 else visible
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ value).transpose(1, 2).flatten(2)), weights


class keeps_keys_in_evaluation(MultiHeadAttention):
    """In evaluation mode the keys and values of an earlier call seem to be used again.

    Revisit what may be kept between calls: in evaluation mode, too, the next memory is another one.
    """

    def forward(self, x: Tensor, memory: Tensor, visible: Tensor) -> tuple[Tensor, Tensor]:
        if not self.training:
            if not hasattr(self, "kept") or self.kept.shape != memory.shape:
                self.kept = memory
            memory = self.kept
        query, key, value = (
            part.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in (self.query(x), self.key(memory), self.value(memory))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
        weights = scores.masked_fill(~visible, -math.inf).softmax(dim=-1)
        return self.output((weights @ value).transpose(1, 2).flatten(2)), weights
