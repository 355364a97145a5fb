"""Known wrong answers to `attention_masks`: each docstring is the student's hint."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def marks_hidden_with_true(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """True and False seem to have changed places.

    Revisit what True means here: the query may attend to the key.
    """
    length = target_prefix.size(1)
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    return (source == 0)[:, None, None, :], (target_prefix == 0)[:, None, None, :] | future


def makes_masks_to_be_added(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The masks seem to hold 0 and −∞, to be added to scores.

    Revisit the dtype and the meaning of the masks of this lesson.
    """
    length = target_prefix.size(1)
    seen = (target_prefix != 0)[:, None, None, :] & torch.ones(length, length).tril().bool()
    source_mask = torch.zeros(source.shape).masked_fill(source == 0, -math.inf)
    target_mask = torch.zeros(seen.shape).masked_fill(~seen, -math.inf)
    return source_mask[:, None, None, :], target_mask


def forgets_the_future(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The target seems to see its own future.

    Revisit what a query must not know when the next token is predicted.
    """
    length = target_prefix.size(1)
    target_visible = (target_prefix != 0)[:, None, None, :].expand(-1, 1, length, -1)
    return (source != 0)[:, None, None, :], target_visible


def forgets_the_targets_padding(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """PAD seems to be visible in the target.

    Revisit the two conditions for a key of the target: both must hold.
    """
    rows, length = target_prefix.shape
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], causal.expand(rows, 1, -1, -1)


def leaves_out_the_batch(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """One mask seems to serve all rows of the target, without a look at their PAD.

    Revisit the shape of the second mask, and what differs from row to row.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], causal[None, None]


def forgets_the_sources_padding(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """All of the source seems to be visible, PAD too.

    Revisit what stands behind the symbols of a short source.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_visible = torch.ones_like(source, dtype=torch.bool)[:, None, None, :]
    return source_visible, (target_prefix != 0)[:, None, None, :] & causal


def makes_the_source_causal(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The source seems to be hidden from the queries before it, as if it were a target.

    Revisit when the source is known: all of it, before the first token is written.
    """
    size, length = source.size(1), target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    causal_source = torch.ones(size, size, dtype=torch.bool).tril()
    source_visible = (source != 0)[:, None, None, :] & causal_source
    return source_visible, (target_prefix != 0)[:, None, None, :] & causal


def hides_the_query_itself(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """A query seems not to see its own token, which leaves the first one nothing to see.

    Revisit "not later than the query": the query's own position is not later.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril(-1)
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def shows_the_next_token(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Each query seems to see one token too many: the very one that it should predict.

    Revisit where the diagonal lies.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril(1)
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def hides_the_past(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The wrong triangle seems to be visible: each query sees its future and not its past.

    Revisit which axis is the query, and which one is the key.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).triu()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def hides_queries_that_are_pad(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Queries that are PAD seem to see nothing.

    Revisit what a softmax makes of a row in which nothing is visible; only keys are hidden.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    seen = target_prefix != 0
    target_visible = seen[:, None, None, :] & seen[:, None, :, None] & causal
    return (source != 0)[:, None, None, :], target_visible


def hides_queries_instead_of_keys(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """In the target PAD seems to be hidden as a query and visible as a key.

    Revisit which of the last two axes is the key.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, :, None] & causal


def takes_either_condition(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """A key of the target seems to be visible if one of the two conditions holds.

    Revisit how the two are joined: both must hold.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] | causal


def adds_the_conditions(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The two conditions seem to be added, so that entries may be 2.

    Revisit how to join conditions so that both must hold.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length).tril().int()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] + causal


def takes_the_sources_padding_for_both(
    source: Tensor, target_prefix: Tensor
) -> tuple[Tensor, Tensor]:
    """The padding of the source seems to be hidden in the target.

    Revisit which tensor tells which key of the target is PAD.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_visible = (source != 0)[:, None, None, :]
    return source_visible, source_visible[..., :1, :length] & causal


def takes_the_targets_padding_for_both(
    source: Tensor, target_prefix: Tensor
) -> tuple[Tensor, Tensor]:
    """The padding of the target seems to be hidden in the source.

    Revisit which tensor tells which key of the source is PAD.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    visible = (target_prefix != 0)[:, None, None, :]
    return visible, visible & causal


def measures_the_source_for_the_target(
    source: Tensor, target_prefix: Tensor
) -> tuple[Tensor, Tensor]:
    """The causal part seems to be as large as the source.

    Revisit what the two axes of that triangle count.
    """
    length = source.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def takes_four_tokens_for_granted(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The causal part seems to be made for four tokens.

    Revisit targets of other lengths: while a model generates, they grow from one token on.
    """
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def sees_symbols_only(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """BOS and EOS seem to be hidden like PAD.

    Revisit which ids are no token: PAD alone.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source > 3)[:, None, None, :], (target_prefix > 3)[:, None, None, :] & causal


def hides_bos(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """BOS seems to be hidden like PAD.

    Revisit which ids are no token: PAD alone.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source > 1)[:, None, None, :], (target_prefix > 1)[:, None, None, :] & causal


def hides_eos(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """EOS seems to be hidden like PAD.

    Revisit which ids are no token: PAD alone.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_seen = (source != 0) & (source != 2)
    target_seen = (target_prefix != 0) & (target_prefix != 2)
    return source_seen[:, None, None, :], target_seen[:, None, None, :] & causal


def hides_all_after_eos(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """What comes after EOS seems to be hidden, whatever it is.

    Revisit the rule, which knows no id but PAD.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    ended = (target_prefix == 2).long()
    seen = (target_prefix != 0) & (ended.cumsum(1) - ended == 0)
    return (source != 0)[:, None, None, :], seen[:, None, None, :] & causal


def looks_back_four_tokens(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """A query of the target seems to see a few keys before it, and none that are farther away.

    Revisit which keys of the past are hidden: PAD alone.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril().triu(-3)
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def hides_all_after_the_first_pad(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Everything after the first PAD seems to be hidden.

    Revisit the rule, which looks at each key by itself.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_seen = (source != 0).long().cumprod(1).bool()
    target_seen = (target_prefix != 0).long().cumprod(1).bool()
    return source_seen[:, None, None, :], target_seen[:, None, None, :] & causal


def counts_tokens_from_the_left(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """As many keys seem to be visible as there are tokens, counted from the left.

    Revisit rows where PAD does not stand on the right: the rule looks at each key by itself.
    """
    size, length = source.size(1), target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_seen = torch.arange(size) < (source != 0).sum(1, keepdim=True)
    target_seen = torch.arange(length) < (target_prefix != 0).sum(1, keepdim=True)
    return source_seen[:, None, None, :], target_seen[:, None, None, :] & causal


def hides_padding_at_the_end_only(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """PAD seems to be hidden only after the last token of a row.

    Revisit the rule, which looks at each key by itself.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_seen = (source != 0).flip(1).long().cummax(1).values.flip(1).bool()
    target_seen = (target_prefix != 0).flip(1).long().cummax(1).values.flip(1).bool()
    return source_seen[:, None, None, :], target_seen[:, None, None, :] & causal


def lets_every_query_see_itself(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """A query that is PAD seems to see itself.

    Revisit the rule for keys: one that is PAD is visible to nobody.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    target_visible = (target_prefix != 0)[:, None, None, :] & causal
    return (source != 0)[:, None, None, :], target_visible | torch.eye(length, dtype=torch.bool)


def opens_rows_that_see_nothing(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Where nothing is visible, everything seems to be shown instead.

    Revisit what these masks promise: they tell the truth, and attention must cope with it.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_visible = (source != 0)[:, None, None, :]
    target_visible = (target_prefix != 0)[:, None, None, :] & causal
    source_visible = source_visible | ~source_visible.any(-1, keepdim=True)
    return source_visible, target_visible | ~target_visible.any(-1, keepdim=True)


def refuses_rows_of_pad(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Rows of nothing but PAD seem to be refused.

    Revisit who raises where a query may attend to nothing: the attention, not the masks.
    """
    if not (source != 0).any(dim=1).all() or not (target_prefix != 0).any(dim=1).all():
        raise ValueError("a row has no token")
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def shows_the_first_key_always(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The first key seems to be visible even if it is PAD.

    Revisit whether the first token is an exception to the rule.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_seen, target_seen = source != 0, target_prefix != 0
    source_seen[:, 0] = target_seen[:, 0] = True
    return source_seen[:, None, None, :], target_seen[:, None, None, :] & causal


def leaves_the_source_flat(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The first mask seems to have no axes for heads and queries.

    Revisit its shape, and what it must broadcast with.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return source != 0, (target_prefix != 0)[:, None, None, :] & causal


def leaves_out_the_heads(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The masks seem to have no axis for the heads.

    Revisit the shapes: four axes each.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, :], (target_prefix != 0)[:, None, :] & causal


def repeats_the_source_for_each_query(
    source: Tensor, target_prefix: Tensor
) -> tuple[Tensor, Tensor]:
    """The first mask seems to be repeated for each query.

    Revisit its shape: an axis of size 1 broadcasts by itself, to any number of queries.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_visible = (source != 0)[:, None, None, :].expand(-1, 1, length, -1)
    return source_visible, (target_prefix != 0)[:, None, None, :] & causal


def repeats_masks_for_four_heads(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The masks seem to be repeated for four heads.

    Revisit their shapes: an axis of size 1 broadcasts by itself, to any number of heads.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    source_visible = (source != 0)[:, None, None, :].expand(-1, 4, -1, -1)
    target_visible = (target_prefix != 0)[:, None, None, :] & causal
    return source_visible, target_visible.expand(-1, 4, -1, -1)


def puts_the_heads_before_the_batch(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The axis for the heads seems to come before the batch.

    Revisit the order of the four axes.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[None, :, None, :], (target_prefix != 0)[None, :, None, :] & causal


def takes_the_first_row_for_all(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The padding of the first row seems to be that of all rows.

    Revisit what differs from row to row in a batch.
    """
    rows, length = target_prefix.shape
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    target_visible = (target_prefix[:1] != 0)[:, None, None, :] & causal
    source_visible = (source[:1] != 0)[:, None, None, :]
    return source_visible.expand(rows, -1, -1, -1), target_visible.expand(rows, -1, -1, -1)


def returns_zeros_and_ones(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The masks seem to be made of the numbers 0 and 1.

    Revisit the dtype in the docstring: `~` and `masked_fill` want bool.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.long).tril()
    source_visible = (source != 0).long()[:, None, None, :]
    return source_visible, (target_prefix != 0).long()[:, None, None, :] * causal


def returns_floats(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The second mask seems to be made of floating-point numbers.

    Revisit the dtype in the docstring, and that of `torch.ones`.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length).tril()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] * causal


def squeezes_axes_of_size_one(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """Axes seem to be lost where a batch has one row, or a row one token.

    Revisit what `squeeze` does with every axis of size 1.
    """
    source, target_prefix = source.squeeze(), target_prefix.squeeze()
    length = target_prefix.shape[-1]
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (source != 0)[:, None, None, :], (target_prefix != 0)[:, None, None, :] & causal


def writes_into_the_tokens(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The tokens of the caller seem to be overwritten.

    Revisit the difference between `source[…] = …` and making a new tensor.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    for tokens in (source, target_prefix):
        tokens[tokens != 0] = 1
    return source.bool()[:, None, None, :], target_prefix.bool()[:, None, None, :] & causal


def swaps_the_masks(source: Tensor, target_prefix: Tensor) -> tuple[Tensor, Tensor]:
    """The two masks seem to have changed places.

    Revisit the order of what is returned.
    """
    length = target_prefix.size(1)
    causal = torch.ones(length, length, dtype=torch.bool).tril()
    return (target_prefix != 0)[:, None, None, :] & causal, (source != 0)[:, None, None, :]
