"""Unusual right answers to `training_loss`, which must get full marks."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

Model = Callable[[Tensor, Tensor], Tensor]


def with_reshaped_logits(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The lesson's own way."""
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), target.reshape(-1), ignore_index=0)


def with_transposed_logits(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The classes on axis 1, where the library looks for them."""
    return F.cross_entropy(model(source, decoder_input).movedim(-1, 1), target, ignore_index=0)


def with_library_module(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The loss as a module."""
    criterion = nn.CrossEntropyLoss(ignore_index=0, reduction="mean")
    logits = model(source, decoder_input)
    return criterion(logits.view(-1, logits.size(-1)), target.view(-1))


def with_kept_positions(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Only what counts goes into the loss."""
    kept = target.ne(0)
    return F.cross_entropy(model(source, decoder_input)[kept], target[kept])


def with_class_weights(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The class PAD has the weight 0; the library divides by the sum of the weights."""
    logits = model(source, decoder_input)
    weight = torch.ones(logits.size(-1))
    weight[0] = 0.0
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), weight=weight)


def with_gathered_logs(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The log-probability of each target, and a masked mean."""
    logs = torch.log_softmax(model(source, decoder_input), dim=-1)
    losses = -logs.gather(2, target.unsqueeze(2)).squeeze(2)
    counts = (target != 0).to(losses.dtype)
    return (losses * counts).sum() / counts.sum()


def with_logsumexp(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The logsumexp less the target's logit."""
    logits = model(source, decoder_input)
    right = torch.take_along_dim(logits, target[..., None], dim=-1)[..., 0]
    losses = logits.logsumexp(dim=-1) - right
    return torch.masked_select(losses, target != 0).mean()


def position_by_position(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Loops and a list of losses."""
    logits = model(source, decoder_input)
    losses = []
    for scores, wanted in zip(logits, target.tolist(), strict=True):
        for position, token in enumerate(wanted):
            if token != 0:
                losses.append(-F.log_softmax(scores[position], dim=0)[token])
    return sum(losses) / len(losses)


def row_by_row_with_sums(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Sums for each row, divided once."""
    logits = model(source, decoder_input)
    total = torch.zeros(())
    for scores, wanted in zip(logits, target, strict=True):
        total = total + F.cross_entropy(scores, wanted, ignore_index=0, reduction="sum")
    return total / torch.count_nonzero(target)


def with_log_softmax_first(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """A log-softmax before the loss changes nothing: its own finds a sum of 1."""
    logs = model(source, decoder_input).log_softmax(-1)
    return F.cross_entropy(logs.flatten(0, 1), target.flatten(), ignore_index=0)


def with_nll_loss(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The second half of the library's loss."""
    logs = nn.LogSoftmax(dim=2)(model(source, decoder_input))
    return nn.NLLLoss(ignore_index=0)(logs.permute(0, 2, 1), target)


def with_marked_copy(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """PAD is marked in a copy of the target."""
    wanted = torch.where(target == 0, -100, target)
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(end_dim=-2), wanted.flatten())


def with_one_hot_targets(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """An Einstein sum with one-hot targets, whose column of PAD is empty."""
    logits = model(source, decoder_input)
    wanted = F.one_hot(target, logits.size(-1)).to(logits.dtype)
    wanted[..., 0] = 0
    total = torch.einsum("btv,btv->", wanted, logits.log_softmax(-1))
    return -total / wanted.sum()


def with_a_distribution(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The library's distribution over classes."""
    scores = torch.distributions.Categorical(logits=model(source, decoder_input))
    return -scores.log_prob(target)[target > 0].mean()


def in_double_precision(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """float64, shifted by the largest logit by hand."""
    logits = model(source, decoder_input).double()
    shifted = logits - logits.amax(dim=-1, keepdim=True).detach()
    logs = shifted - shifted.exp().sum(dim=-1, keepdim=True).log()
    rows, columns = (target != 0).nonzero(as_tuple=True)
    return -logs[rows, columns, target[rows, columns]].mean()


def on_the_models_own_logits(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The model's tensor is shifted where it is."""
    logits = model(source, decoder_input)
    logits -= logits.max(dim=-1, keepdim=True).values.detach()
    return F.cross_entropy(logits[target != 0], target[target != 0], reduction="mean")
