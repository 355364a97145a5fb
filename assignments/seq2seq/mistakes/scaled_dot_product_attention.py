"""Known wrong answers to `scaled_dot_product_attention`: each docstring is the student's hint."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def divides_by_d_k(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scores seem to be divided by the whole width d_k, which leaves the weights too even.

    Revisit how the spread of a sum of d_k independent products grows with d_k.
    """
    scores = query @ key.transpose(-2, -1) / query.size(-1)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def does_not_scale(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scores seem to go into the softmax without being scaled.

    Revisit the word "scaled" in the name, and why wide vectors would saturate the softmax.
    """
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores + mask
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def scales_by_width_of_values(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scale seems to be taken from the width of the values, which may differ from d_k.

    Revisit which two vectors are multiplied to make a score, and how wide those are.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(value.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def scales_by_number_of_keys(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scale seems to follow the number of keys instead of their width.

    Revisit which axis a dot product sums over, for that axis makes the scores large.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.size(-2))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def multiplies_by_root_d_k(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scores seem to be made larger by the scale where they should become smaller.

    Revisit what the scale is for: it keeps the softmax away from its flat, saturated ends.
    """
    scores = query @ key.transpose(-2, -1) * math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def hard_codes_width_of_lesson(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scale seems to be the constant that suits the lesson's example and no other width.

    Revisit where d_k can be read from the tensors that come in.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(8)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def scales_weights_after_softmax(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scale seems to come after the softmax, so the weights of a query no longer sum to 1.

    Revisit the order of the steps: which quantity is too large, and before what must it shrink?
    """
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1) / math.sqrt(query.size(-1))
    return weights @ value, weights


def scales_mask_too(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to be added before the scaling, so a finite bias shrinks with the scores.

    Revisit the order in the formula: what stands under the fraction, and what is added to it?
    """
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores / math.sqrt(query.size(-1)), dim=-1)
    return weights @ value, weights


def masks_after_softmax(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Hidden keys seem to be removed after the softmax, so what remains sums to less than 1.

    Revisit when a key must disappear so that its share goes to the keys that are left.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(mask == -math.inf, 0.0)
    return weights @ value, weights


def renormalises_after_zeroing(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to be a yes or no per key, applied to finished weights that are then rescaled.

    Revisit what an additive mask can say besides "seen" and "hidden".
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * (mask == 0)
        weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ value, weights


def hides_where_mask_is_zero(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to be read as 1 for "seen" and 0 for "hidden".

    Revisit what adding 0 to a score does to it.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def hides_where_mask_is_not_zero(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Every key with a mask other than 0 seems to be hidden altogether.

    Revisit the additive mask: a finite number makes a key less or more likely and hides nothing.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask != 0, -1e9)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def hides_where_mask_is_negative(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A key seems to be hidden as soon as its mask is below 0, and a positive mask has no effect.

    Revisit what is meant by a mask that is added, and try one with a small bias such as −0.5.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = torch.where(mask < 0, torch.full_like(scores, -math.inf), scores)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def forgets_finite_biases(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Only the entries −∞ of the mask seem to count, and finite biases are lost.

    Revisit how the mask enters the formula: as a term of a sum, whatever its value.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores.masked_fill(mask == float("-inf"), float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def forgets_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to have no effect at all.

    Revisit where in the formula the mask is added, and what it does to a softmax.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def subtracts_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to enter with the wrong sign, so that hidden keys attract everything.

    Revisit which scores the softmax turns into 0.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores - mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def multiplies_scores_by_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The scores seem to be multiplied by the mask.

    Revisit the word "additive", and what a factor of 0 would do to the keys that may be seen.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores * mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def hides_with_minus_ten_thousand(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Hidden keys seem to get −10,000, which is not low when the scores themselves are that large.

    Revisit how far below every possible score a hidden key must lie.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask.clamp(min=-1e4)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def replaces_hidden_scores_with_minus_hundred(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A hidden key seems to keep a score that is merely small, so some weight may leak to it.

    Revisit which score makes a weight exactly 0, whatever the other scores are.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = torch.where(mask == -math.inf, torch.full_like(scores, -100.0), scores + mask)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def normalises_over_queries(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The softmax seems to run over the queries, so the columns sum to 1 instead of the rows.

    Revisit who chooses among whom: each query spreads its attention over the keys.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-2)
    return weights @ value, weights


def normalises_over_axis_one(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The softmax seems to run over axis 1, which holds the keys only while there is no batch.

    Revisit how to count axes from the end, so that batches and heads in front change nothing.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=1)
    return weights @ value, weights


def transposes_first_two_axes(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The keys seem to be transposed on axes 0 and 1, which are the right two only without a batch.

    Revisit which two axes must change places when batches and heads stand in front of them.
    """
    scores = query @ key.transpose(0, 1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def transposes_axes_one_and_two(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The keys seem to be transposed as if there were always exactly one batch axis.

    Revisit how to name the last two axes for any number of axes in front.
    """
    scores = query @ key.transpose(1, 2) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def reverses_all_axes_of_keys(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The keys seem to be transposed with all their axes, the batch included.

    Revisit what a transpose means for a stack of matrices, where only the last two axes swap.
    """
    scores = query @ key.permute(*range(key.dim() - 1, -1, -1)) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def reshapes_keys_instead_of_transposing(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The keys seem to be reshaped to (…, d_k, n_k), which mixes the numbers of different keys.

    Revisit the difference between swapping two axes and reading the same numbers in another shape.
    """
    scores = query @ key.reshape(*key.shape[:-2], key.size(-1), key.size(-2))
    scores = scores / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def accepts_only_matrices(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The formula seems to be written for plain matrices, without axes for batches or heads.

    Revisit how to leave room for any number of axes in front of the last two.
    """
    scores = torch.einsum("qd,kd->qk", query, key) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("qk,kv->qv", weights, value), weights


def exponentiates_raw_scores(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The softmax seems to exponentiate the scores as they are, which overflows for large ones.

    Revisit which number can be subtracted from all scores of a row without changing its softmax.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    exponentials = torch.exp(scores)
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return weights @ value, weights


def subtracts_one_maximum_for_all(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """One maximum seems to be subtracted from all rows, so rows of lower scores become 0 / 0.

    Revisit which scores share a softmax, for each of these groups needs a maximum of its own.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    exponentials = torch.exp(scores - scores.max())
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    return weights @ value, weights


def clamps_scores(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Large scores seem to be cut off before the softmax, which makes unequal keys equal.

    Revisit how a softmax is made stable without changing its result.
    """
    scores = (query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))).clamp(-50, 50)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def mixes_with_transposed_weights(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The values seem to be mixed with the transposed weights, so keys and queries change roles.

    Revisit which axis of the weights belongs to the keys, for that one must meet the values.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights.transpose(-2, -1) @ value, weights


def mixes_keys(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The output seems to be a mixture of the keys.

    Revisit the three roles: queries ask, keys are compared, and something else is handed over.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ key, weights


def gives_output_shape_of_query(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The output seems to be put into the shape of the queries.

    Revisit what decides the width of the output, and try values that are wider than the keys.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return (weights @ value).reshape(query.shape), weights


def scales_query_in_place(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The query of the caller seems to be scaled where it stands, so it is smaller after the call.

    Revisit the difference between making a new tensor and writing into the one that came in.
    """
    query /= math.sqrt(query.size(-1))
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def overwrites_infinities_of_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask of the caller seems to be changed: its infinities are other numbers after the call.

    Revisit whose tensor it is that an assignment by index writes into.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        mask[mask == -math.inf] = -1e9
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def detaches_weights(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The weights seem to be cut from the graph, so queries and keys can learn nothing.

    Revisit which operations stop the gradient, and follow it back from the output to the query.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1).detach()
    return weights @ value, weights


def detaches_returned_weights(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The weights that are returned seem to carry no gradient, although the output does.

    Revisit what a caller may wish to do with the weights: a loss on them must reach the query.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights.detach()


def leaves_torch_for_numpy(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The numbers seem to leave autograd's sight on the way: in NumPy, or where gradients are off.

    Revisit what autograd must see in order to differentiate the result.
    """
    q, k, v = (tensor.detach().numpy() for tensor in (query, key, value))
    scores = q @ np.swapaxes(k, -2, -1) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask.detach().numpy()
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return torch.from_numpy(weights @ v), torch.from_numpy(weights)


def casts_to_float32(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Everything seems to be cast to float32, whatever came in.

    Revisit the dtype that the results should have when the inputs are float64.
    """
    query, key, value = query.float(), key.float(), value.float()
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask.float()
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def returns_float64(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The softmax seems to be computed in float64 for safety and never brought back.

    Revisit the dtype that the caller expects, which is the one of the inputs.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1, dtype=torch.float64)
    return weights @ value.double(), weights


def returns_scores_for_weights(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The second result seems to be the scores from before the softmax.

    Revisit which of the two is a distribution whose rows sum to 1.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    return torch.softmax(scores, dim=-1) @ value, scores


def swaps_output_and_weights(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The two results seem to come in the other order.

    Revisit what the docstring promises first.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights, weights @ value


def applies_softmax_twice(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The softmax seems to be taken twice, which makes the weights nearly even.

    Revisit what a softmax expects, and whether weights that already sum to 1 are that.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = F.softmax(torch.softmax(scores, dim=-1), dim=-1)
    return weights @ value, weights


def always_hides_the_future(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A causal mask seems to be applied even when nobody asked for one.

    Revisit who decides what may be seen: an encoder attends to both sides.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    scores = scores + torch.full_like(scores, -math.inf).triu(diagonal=1)
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def reports_weights_without_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The output seems to respect the mask, but the weights are computed again without it.

    Revisit the tie between the two results: the output is the values mixed with just these weights.
    """
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    weights = torch.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.size(-1)), dim=-1)
    return output, weights


def drops_axes_of_size_one(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Axes of size 1 seem to be squeezed away, so a single query or a batch of one loses an axis.

    Revisit the shapes in the docstring for n_q = 1.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return (weights @ value).squeeze(), weights.squeeze()


def adds_batch_axis_to_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to get an axis for the batch at all times, and the results inherit it.

    Revisit how broadcasting lines shapes up, and from which end.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask.unsqueeze(0)
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def crops_first_axes_of_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to be cut to n_q by n_k on its first two axes, which may be batch and head.

    Revisit which axes of a mask hold queries and keys when it has more than two.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask[: query.size(-2), : key.size(-2)]
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def keeps_first_mask_of_each_shape(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """A mask seems to be remembered from one call to the next.

    Revisit what the result may depend on: the arguments of this call and nothing else.
    """
    remembered = globals().setdefault("_remembered_masks", {})
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + remembered.setdefault((scores.shape, mask.shape), mask.clone())
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def drops_weights_at_random(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Dropout seems to be part of the function, so its results change from call to call.

    Revisit the formula, which has nothing random in it.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = F.dropout(torch.softmax(scores, dim=-1), p=0.1)
    return weights @ value, weights


def squeezes_single_columns(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """An axis seems to disappear from the output where the values have only one column.

    Revisit which shape the docstring promises, and whether any axis of size one should go.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return (weights @ value).squeeze(-1), weights


def passes_through_half_precision(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The computation seems to run with fewer digits than the inputs have.

    Revisit in which dtype each step works, and what a cast on the way cannot give back.
    """
    scores = (query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))).half()
    if mask is not None:
        scores = scores + mask.half()
    weights = torch.softmax(scores.to(query.dtype), dim=-1)
    return weights @ value, weights


def passes_through_float32(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The digits beyond float32 seem to be lost, although float64 comes in and goes out.

    Revisit in which dtype each step works, and what a cast on the way cannot give back.
    """
    scores = query.float() @ key.float().transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask.float()
    weights = torch.softmax(scores, dim=-1).to(query.dtype)
    return weights @ value, weights


def takes_numpy_of_inputs(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """NumPy seems to be asked for tensors that gradients must flow through, and refuses.

    Revisit what autograd must see in order to differentiate the result.
    """
    q, k, v = query.numpy(), key.numpy(), value.numpy()
    scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + mask.numpy()
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return torch.from_numpy(weights @ v), torch.from_numpy(weights)


def subtracts_maximum_before_the_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The largest score seems to be subtracted before the mask is added, so it may be a hidden one.

    Revisit which scores enter the softmax, for the largest of these keeps it stable.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    scores = scores - scores.amax(dim=-1, keepdim=True)
    if mask is not None:
        scores = scores + mask
    weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    return weights @ value, weights


def cuts_off_large_biases(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Large finite numbers in the mask seem to be cut off, or to hide their key altogether.

    Revisit what an additive mask may hold: any number, and only an infinite one hides.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + torch.where(mask == float("-inf"), mask, mask.clamp(-10, 10))
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def detaches_mask(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The mask seems to be cut from the graph, so a bias in it could never be learned.

    Revisit which operations stop the gradient, and which inputs may need one.
    """
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask.detach()
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights


def flattens_axes_by_view(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The axes in front seem to be merged by `view`, which fails for slices and transposed tensors.

    Revisit the difference between `view` and `reshape`, and where heads come from.
    """
    front = query.shape[:-2]
    q, k = query.view(-1, *query.shape[-2:]), key.view(-1, *key.shape[-2:])
    scores = (q @ k.transpose(-2, -1)).reshape(*front, query.size(-2), key.size(-2))
    scores = scores / math.sqrt(query.size(-1))
    if mask is not None:
        scores = scores + mask
    weights = torch.softmax(scores, dim=-1)
    return weights @ value, weights
