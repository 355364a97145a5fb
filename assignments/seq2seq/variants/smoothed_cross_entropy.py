"""Unusual right answers to `smoothed_cross_entropy`, which must get full marks."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def with_library_loss(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The library's loss with smoothing, over flat positions."""
    ignored = -100 if ignore_index is None else ignore_index
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)),
        labels.reshape(-1),
        ignore_index=ignored,
        label_smoothing=epsilon,
    )


def with_library_module(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The library's loss as a module, after ignored positions are gone."""
    flat, wanted = logits.flatten(0, -2) if logits.dim() > 1 else logits[None], labels.flatten()
    if ignore_index is not None:
        kept = wanted.ne(ignore_index)
        flat, wanted = flat[kept], wanted[kept]
    return nn.CrossEntropyLoss(label_smoothing=epsilon)(flat, wanted)


def plain_and_uniform_part(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Plain loss and loss against the uniform distribution, mixed by ε."""
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    log_probabilities = F.log_softmax(logits, dim=-1)
    plain = -log_probabilities.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    uniform = -log_probabilities.mean(dim=-1)
    return ((1 - epsilon) * plain + epsilon * uniform).mean()


def weighted_by_kept(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Weights of 0 and 1 and a division by their sum."""
    kept = torch.ones_like(labels) if ignore_index is None else (labels != ignore_index).long()
    safe = torch.where(kept == 1, labels, torch.zeros_like(labels))
    classes = logits.size(-1)
    targets = F.one_hot(safe, classes) * (1 - epsilon) + epsilon / classes
    losses = -(targets * logits.log_softmax(dim=-1)).sum(dim=-1)
    return (losses * kept).sum() / kept.sum()


def logsumexp_less_expected_logit(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The logsumexp less the mean logit under the targets."""
    if ignore_index is not None:
        kept = torch.nonzero(labels.reshape(-1) != ignore_index).squeeze(1)
    else:
        kept = torch.arange(labels.numel())
    x = logits.reshape(-1, logits.size(-1))[kept]
    y = labels.reshape(-1)[kept]
    shifted = x - x.max(dim=-1, keepdim=True).values.detach()
    expected = (1 - epsilon) * shifted[torch.arange(len(y)), y] + epsilon * shifted.mean(dim=-1)
    return (torch.logsumexp(shifted, dim=-1) - expected).mean()


def position_by_position(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """A loop over the positions and a list of losses."""
    losses = []
    pairs = zip(logits.reshape(-1, logits.size(-1)), labels.reshape(-1).tolist(), strict=True)
    for scores, label in pairs:
        if ignore_index is None or label != ignore_index:
            log_probabilities = scores - scores.logsumexp(dim=0)
            plain = -log_probabilities[label]
            losses.append((1 - epsilon) * plain - epsilon * log_probabilities.mean())
    return torch.stack(losses).mean()


def divergence_plus_entropy(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """KL divergence with the entropy of the targets given back."""
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    x, y = logits.reshape(-1, logits.size(-1)), labels.reshape(-1)
    targets = F.one_hot(y, x.size(-1)).to(x.dtype) * (1 - epsilon) + epsilon / x.size(-1)
    divergence = nn.KLDivLoss(reduction="batchmean")(torch.log_softmax(x, dim=1), targets)
    return divergence - torch.xlogy(targets, targets).sum(dim=-1).mean()


def with_soft_targets(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Distributions as targets of the library's loss."""
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = torch.full_like(logits, epsilon / classes, requires_grad=False)
    targets = targets.scatter_add(
        -1, labels.unsqueeze(-1), torch.full_like(logits[..., :1].detach(), 1 - epsilon)
    )
    return F.cross_entropy(logits.reshape(-1, classes), targets.reshape(-1, classes))


def with_einsum(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """An Einstein sum of kept positions, targets and log-probabilities."""
    classes = logits.size(-1)
    x, y = logits.reshape(-1, classes), labels.reshape(-1)
    kept = torch.ones_like(y, dtype=torch.bool) if ignore_index is None else y != ignore_index
    one_hot = (y.unsqueeze(1) == torch.arange(classes)).to(x.dtype)
    targets = (1 - epsilon) * one_hot + epsilon / classes
    weight = kept.to(x.dtype) / kept.sum()
    return -torch.einsum("n,nv,nv->", weight, targets, x.log_softmax(dim=1))


def with_nll_loss(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """NLLLoss for the label's part, a masked mean for the uniform part."""
    log_probabilities = torch.log_softmax(logits, dim=-1).reshape(-1, logits.size(-1))
    flat = labels.reshape(-1).clone()
    if ignore_index is not None:
        flat[flat == ignore_index] = -100
    plain = F.nll_loss(log_probabilities, flat, ignore_index=-100)
    uniform = -log_probabilities.mean(dim=-1).masked_select(flat != -100).mean()
    return torch.lerp(plain, uniform, epsilon)


def total_over_count(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The library's sum of losses divided by the number of kept labels."""
    ignored = -100 if ignore_index is None else ignore_index
    count = (labels != ignored).sum()
    x = logits if logits.dim() > 1 else logits.unsqueeze(0)
    total = F.cross_entropy(
        x.movedim(-1, 1),
        labels.reshape(x.shape[:-1]),
        ignore_index=ignored,
        label_smoothing=epsilon,
        reduction="sum",
    )
    return total / count
