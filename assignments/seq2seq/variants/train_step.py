"""Unusual right answers to `train_step`, which must get full marks."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.seq2seq import causal_mask, shift_targets, smoothed_cross_entropy


def with_transposed_logits(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The classes move to axis 1, where the library's loss looks for them."""
    optimizer.zero_grad(set_to_none=False)
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.shape[1]))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    loss.backward()
    optimizer.step()
    return loss.item()


def with_flat_logits(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """All positions in one row for a loss module."""
    model.train(True)
    inputs, labels = target[:, :-1], target[:, 1:]
    logits = model(source, inputs, causal_mask(inputs.size(1)))
    criterion = nn.CrossEntropyLoss(ignore_index=-1 if pad is None else pad)
    loss = criterion(logits.reshape(-1, logits.size(-1)), labels.reshape(-1))
    model.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss)


def with_own_loss(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The loss of an earlier question with no smoothing."""
    model.train()
    inputs, labels = shift_targets(target)
    optimizer.zero_grad()
    logits = model(source, inputs, causal_mask(inputs.size(1)))
    loss = smoothed_cross_entropy(logits, labels, 0.0, pad)
    loss.backward()
    optimizer.step()
    return loss.detach().item()


def with_own_mask(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """A mask made on the spot, and log-probabilities gathered at the labels."""
    model.train()
    size = target.size(1) - 1
    mask = torch.full((size, size), -math.inf).triu(1)
    log_probabilities = model(source, target[:, :-1].clone(), mask).log_softmax(dim=-1)
    losses = -log_probabilities.gather(2, target[:, 1:].unsqueeze(2)).squeeze(2)
    if pad is not None:
        losses = losses[target[:, 1:] != pad]
    loss = losses.mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def with_weighted_mean(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Weights of 0 and 1 and a division by their sum."""
    model.train()
    inputs, labels = shift_targets(target)
    logits = model(source, inputs, causal_mask(inputs.size(1)))
    kept = torch.ones(labels.shape) if pad is None else labels.ne(pad).float()
    losses = F.cross_entropy(logits.permute(0, 2, 1), labels, reduction="none")
    loss = (losses * kept).sum() / kept.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def with_closure(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The optimizer calls a closure, which returns the loss."""
    model.train()
    inputs, labels = shift_targets(target)

    def closure() -> Tensor:
        optimizer.zero_grad()
        logits = model(source, inputs, causal_mask(inputs.size(1)))
        ignored = -100 if pad is None else pad
        loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=ignored)
        loss.backward()
        return loss

    return float(optimizer.step(closure))


def with_sum_divided(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The sum of the losses over the count of the labels that are not padding."""
    model.train()
    inputs, labels = shift_targets(target)
    count = labels.numel() if pad is None else int((labels != pad).sum())
    logits = model(source, inputs, causal_mask(inputs.size(1)))
    ignored = -100 if pad is None else pad
    total = F.cross_entropy(logits.mT, labels, ignore_index=ignored, reduction="sum")
    loss = total / count
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def gradients_dropped_by_hand(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Old gradients are set to None parameter by parameter."""
    model.train()
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    inputs, labels = shift_targets(target.clone())
    with torch.enable_grad():
        logits = model(source, inputs, causal_mask(inputs.size(1)))
        if pad is not None:
            logits, labels = logits[labels != pad], labels[labels != pad]
        loss = F.nll_loss(F.log_softmax(logits, -1).reshape(-1, logits.size(-1)), labels.flatten())
        loss.backward()
    optimizer.step()
    return loss.item()


def zeroes_before_and_after(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Gradients are cleared before the backward pass and once more after the step."""
    model.train()
    optimizer.zero_grad()
    inputs, labels = shift_targets(target)
    labels = labels.clone()
    if pad is not None:
        labels[labels == pad] = -100
    logits = model(source, inputs, causal_mask(inputs.size(1)))
    loss = F.cross_entropy(logits.transpose(1, 2), labels)
    value = loss.item()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return value


def label_by_label(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Losses of kept positions in a Python list, stacked for the mean."""
    model.train()
    inputs, labels = shift_targets(target)
    logits = model(source, inputs, causal_mask(inputs.size(1)))
    losses = [
        scores.logsumexp(dim=0) - scores[label]
        for sentence, words in zip(logits, labels.tolist(), strict=True)
        for scores, label in zip(sentence, words, strict=True)
        if pad is None or label != pad
    ]
    loss = torch.stack(losses).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
