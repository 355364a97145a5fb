"""Known wrong answers to `smoothed_cross_entropy`: each docstring is the student's hint."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def sums_over_positions(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The losses of the positions seem to be added up.

    Revisit what makes the losses of a short and of a long batch comparable.
    """
    ignored = -100 if ignore_index is None else ignore_index
    logits, labels = logits.reshape(-1, logits.size(-1)), labels.reshape(-1)
    return F.cross_entropy(
        logits, labels, ignore_index=ignored, label_smoothing=epsilon, reduction="sum"
    )


def averages_over_classes_too(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The mean seems to run over the classes too, so the loss is V times too small.

    Revisit over which axis a cross-entropy sums, and over which axes the mean is taken afterwards.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * torch.log_softmax(logits, dim=-1)).mean()


def forgets_smoothing(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to be plain cross-entropy, whatever ε is.

    Revisit what the targets are: the label is asked for less than certainty.
    """
    ignored = -100 if ignore_index is None else ignore_index
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)), labels.reshape(-1), ignore_index=ignored
    )


def smooths_over_other_classes(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The mass ε seems to be shared among the other classes only.

    Revisit the targets of the previous question, where the label has a share too.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    one_hot = F.one_hot(labels, classes)
    targets = one_hot * (1 - epsilon) + (1 - one_hot) * epsilon / (classes - 1)
    return -(targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1).mean()


def forgets_share_of_label(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The label seems to give ε away without its own share of it, so rows sum to less than 1.

    Revisit the two terms on the label.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    one_hot = F.one_hot(labels, classes)
    targets = one_hot * (1 - epsilon) + (1 - one_hot) * epsilon / classes
    return -(targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1).mean()


def adds_sum_instead_of_mean_of_classes(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The smooth part of the loss seems to weigh each class with the whole of ε.

    Revisit how much of ε a single class receives.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    negative = -torch.log_softmax(logits, dim=-1)
    plain = negative.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
    return ((1 - epsilon) * plain + epsilon * negative.sum(dim=-1)).mean()


def takes_log_of_softmax(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The logarithm seems to be taken of finished probabilities, some of which have become 0.

    Revisit how to reach log-probabilities without passing through probabilities.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * torch.softmax(logits, dim=-1).log()).sum(dim=-1).mean()


def adds_a_little_before_the_log(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """A small constant seems to keep the logarithm finite, so very wrong answers cost too little.

    Revisit how to reach log-probabilities without passing through probabilities.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * torch.log(torch.softmax(logits, dim=-1) + 1e-9)).sum(dim=-1).mean()


def exponentiates_raw_logits(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The normalising constant seems to come from exponentials of raw logits, which overflow.

    Revisit which number can be taken out of all logits of a position before the exponential.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    log_probabilities = logits - logits.exp().sum(dim=-1, keepdim=True).log()
    return -(targets * log_probabilities).sum(dim=-1).mean()


def takes_logits_for_log_probabilities(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The raw logits seem to be used as if they were log-probabilities.

    Revisit what is missing between raw scores and a distribution.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * logits).sum(dim=-1).mean()


def applies_softmax_before_the_loss(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The logits seem to pass through a softmax before a loss that makes one itself.

    Revisit what the loss of PyTorch expects as its first argument.
    """
    ignored = -100 if ignore_index is None else ignore_index
    probabilities = torch.softmax(logits, dim=-1).reshape(-1, logits.size(-1))
    return F.cross_entropy(
        probabilities, labels.reshape(-1), ignore_index=ignored, label_smoothing=epsilon
    )


def normalises_over_positions(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The softmax seems to run over the first axis.

    Revisit which numbers compete at a position: its classes.
    """
    classes = logits.size(-1)
    log_probabilities = torch.log_softmax(logits, dim=0)
    if ignore_index is not None:
        kept = labels != ignore_index
        log_probabilities, labels = log_probabilities[kept], labels[kept]
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * log_probabilities).sum(dim=-1).mean()


def normalises_over_axis_one(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The softmax seems to run over axis 1, which holds the classes only for one row of labels.

    Revisit how to name the last axis for any number of axes in front.
    """
    classes = logits.size(-1)
    log_probabilities = torch.log_softmax(logits, dim=1)
    if ignore_index is not None:
        kept = labels != ignore_index
        log_probabilities, labels = log_probabilities[kept], labels[kept]
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * log_probabilities).sum(dim=-1).mean()


def accepts_only_a_row_of_labels(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The logits seem to go to PyTorch's loss as they are, which looks for the classes on axis 1.

    Revisit the shapes: how can a batch of sentences become one row of positions?
    """
    ignored = -100 if ignore_index is None else ignore_index
    return F.cross_entropy(logits, labels, ignore_index=ignored, label_smoothing=epsilon)


def takes_zero_for_no_index(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """An ignored id of 0 seems to be taken for "none given", so padding with id 0 counts.

    Revisit which values count as false in a condition, and how to ask for None itself.
    """
    if ignore_index:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)), labels.reshape(-1), label_smoothing=epsilon
    )


def always_ignores_zero(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Label 0 seems to be ignored even when nothing should be.

    Revisit what None means here: every position counts, and 0 is a class like any other.
    """
    ignored = 0 if ignore_index is None else ignore_index
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)),
        labels.reshape(-1),
        ignore_index=ignored,
        label_smoothing=epsilon,
    )


def never_ignores(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The id to ignore seems to have no effect.

    Revisit which positions enter the mean.
    """
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1).mean()


def divides_by_all_positions(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Ignored positions seem to add nothing to the sum and still count in its divisor.

    Revisit the mean: over how many positions is it taken?
    """
    ignored = -100 if ignore_index is None else ignore_index
    losses = F.cross_entropy(
        logits.reshape(-1, logits.size(-1)),
        labels.reshape(-1),
        ignore_index=ignored,
        label_smoothing=epsilon,
        reduction="none",
    )
    return losses.mean()


def indexes_before_ignoring(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Labels seem to be used as class numbers before the ignored ones are out of the way.

    Revisit the order of these two steps for an ignored id such as −100, which is no class.
    """
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    losses = -(targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1)
    return losses.mean() if ignore_index is None else losses[labels != ignore_index].mean()


def zeroes_ignored_logits(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The logits of ignored positions seem to be set to 0, which costs log V and not nothing.

    Revisit what "does not count" means for a mean.
    """
    if ignore_index is not None:
        ignored = labels == ignore_index
        logits = logits.masked_fill(ignored.unsqueeze(-1), 0.0)
        labels = labels.masked_fill(ignored, 0)
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)), labels.reshape(-1), label_smoothing=epsilon
    )


def gives_ignored_class_no_mass(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The ignored class seems to lose its share of ε in the targets of the other positions.

    Revisit what is ignored: positions, while all V classes keep their share at those that count.
    """
    classes = logits.size(-1)
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    if ignore_index is not None and 0 <= ignore_index < classes:
        targets[..., ignore_index] = 0.0
    return -(targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1).mean()


def averages_rows_first(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """A mean seems to be taken for each sentence and then over the sentences.

    Revisit how much each token should weigh when sentences differ in length.
    """
    classes = logits.size(-1)
    kept = labels != (-100 if ignore_index is None else ignore_index)
    targets = F.one_hot(labels.masked_fill(~kept, 0), classes) * (1 - epsilon) + epsilon / classes
    losses = -(targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1) * kept
    return (losses.sum(dim=-1) / kept.sum(dim=-1).clamp(min=1)).mean()


def divides_by_number_of_sentences(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The sum of the losses seems to be divided by the number of sentences.

    Revisit what is averaged: positions.
    """
    ignored = -100 if ignore_index is None else ignore_index
    total = F.cross_entropy(
        logits.reshape(-1, logits.size(-1)),
        labels.reshape(-1),
        ignore_index=ignored,
        label_smoothing=epsilon,
        reduction="sum",
    )
    return total / (len(labels) if labels.dim() else 1)


def detaches_result(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to be a number without a history, so nothing can be learned from it.

    Revisit what must survive until the backward pass.
    """
    ignored = -100 if ignore_index is None else ignore_index
    loss = F.cross_entropy(
        logits.reshape(-1, logits.size(-1)),
        labels.reshape(-1),
        ignore_index=ignored,
        label_smoothing=epsilon,
    )
    return torch.tensor(loss.item())


def computes_in_numpy(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The numbers seem to pass through NumPy, which knows nothing of gradients.

    Revisit what autograd must see in order to differentiate the loss.
    """
    x, y = logits.detach().numpy(), labels.numpy()
    if ignore_index is not None:
        x, y = x[y != ignore_index], y[y != ignore_index]
    shifted = x - x.max(axis=-1, keepdims=True)
    log_probabilities = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    targets = np.eye(x.shape[-1])[y] * (1 - epsilon) + epsilon / x.shape[-1]
    return torch.as_tensor(-(targets * log_probabilities).sum(axis=-1).mean())


def returns_loss_of_each_position(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """A loss seems to come back for each position.

    Revisit the shape in the docstring: one number for the whole batch.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return -(targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1)


def subtracts_the_floor(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to be the divergence between the two distributions, so its floor is 0.

    Revisit how cross-entropy and divergence differ: by the entropy of the targets.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    log_probabilities = torch.log_softmax(logits, dim=-1)
    divergence = F.kl_div(log_probabilities, targets.to(logits.dtype), reduction="none")
    return divergence.sum(dim=-1).mean()


def forgets_minus_sign(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to be negative, so that training would make it worse.

    Revisit the sign of a logarithm of a probability.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return (targets * torch.log_softmax(logits, dim=-1)).sum(dim=-1).mean()


def measures_in_bits(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to be measured in bits.

    Revisit which logarithm gives nats.
    """
    ignored = -100 if ignore_index is None else ignore_index
    loss = F.cross_entropy(
        logits.reshape(-1, logits.size(-1)),
        labels.reshape(-1),
        ignore_index=ignored,
        label_smoothing=epsilon,
    )
    return loss / math.log(2)


def takes_zero_epsilon_for_missing(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """An ε of 0 seems to be taken for "not given" and replaced by the default.

    Revisit which values count as false in a condition, and what ε = 0 asks for.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)), labels.reshape(-1), label_smoothing=epsilon or 0.1
    )


def overwrites_ignored_labels(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The labels of the caller seem to be changed: ignored ones hold another id after the call.

    Revisit whose tensor it is that an assignment by index writes into.
    """
    if ignore_index is not None:
        labels[labels == ignore_index] = -100
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)), labels.reshape(-1), label_smoothing=epsilon
    )


def shifts_all_logits_in_place(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The logits of the caller seem to be shifted where they stand.

    Revisit the difference between making a new tensor and writing into the one that came in.
    """
    logits -= logits.max(dim=-1, keepdim=True).values
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)), labels.reshape(-1), label_smoothing=epsilon
    )


def clamps_logits(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Large logits seem to be cut off, which makes confident mistakes too cheap.

    Revisit how log-probabilities are made stable without changing their values.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    logits = logits.clamp(-50, 50)
    return F.cross_entropy(
        logits.reshape(-1, logits.size(-1)), labels.reshape(-1), label_smoothing=epsilon
    )


def smooths_twice(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Targets that are smoothed already seem to go to a loss that smooths them again.

    Revisit which of the two should do the smoothing.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return F.cross_entropy(
        logits.reshape(-1, classes),
        targets.to(logits.dtype).reshape(-1, classes),
        label_smoothing=epsilon,
    )


def compares_with_mean_squares(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The distance between the two distributions seems to be measured by squares.

    Revisit the definition of cross-entropy, where a logarithm meets the targets.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    return (targets - torch.softmax(logits, dim=-1)).square().sum(dim=-1).mean()


def needs_an_axis_of_positions(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to fail for a single position, which has no axis of positions.

    Revisit which shapes the docstring allows, and try the smallest.
    """
    rows, wanted = logits.flatten(0, -2), labels.flatten()
    kept = torch.ones_like(wanted, dtype=torch.bool)
    if ignore_index is not None:
        kept = wanted != ignore_index
    return F.cross_entropy(rows[kept], wanted[kept], label_smoothing=epsilon)


def refuses_epsilon_one(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The largest value of epsilon seems to be refused.

    Revisit the range that is given for it, with both ends.
    """
    if not 0 <= epsilon < 1:
        raise ValueError("epsilon must be in [0, 1)")
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    return F.cross_entropy(logits.reshape(-1, classes), labels.reshape(-1), label_smoothing=epsilon)


def takes_numpy_of_logits(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """NumPy seems to be asked for logits that gradients must flow through, and refuses.

    Revisit what autograd must see in order to differentiate the result.
    """
    z, y = logits.numpy().reshape(-1, logits.shape[-1]), labels.numpy().reshape(-1)
    if ignore_index is not None:
        z, y = z[y != ignore_index], y[y != ignore_index]
    z = z - z.max(axis=-1, keepdims=True)
    logs = z - np.log(np.exp(z).sum(axis=-1, keepdims=True))
    hit = logs[np.arange(len(y)), y]
    return torch.tensor((-(1 - epsilon) * hit - epsilon * logs.mean(axis=-1)).mean())


def returns_a_float(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to come back as a plain number, through which no gradient flows.

    Revisit what is done with a loss next.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    loss = F.cross_entropy(logits.reshape(-1, classes), labels.reshape(-1), label_smoothing=epsilon)
    return float(loss)


def overflows_in_its_own_softmax(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The exponentials of the logits seem to be taken as they are, which overflows for large ones.

    Revisit which number can be subtracted from all logits of a row without changing the loss.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    classes = logits.size(-1)
    targets = F.one_hot(labels, classes) * (1 - epsilon) + epsilon / classes
    probabilities = logits.exp() / logits.exp().sum(dim=-1, keepdim=True)
    return -(targets * probabilities.log()).sum(dim=-1).mean()


def forgets_to_ignore_without_smoothing(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """Ignored positions seem to count where there is no smoothing.

    Revisit the shortcut for epsilon 0, and what else it leaves out.
    """
    classes = logits.size(-1)
    if epsilon > 0 and ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    return F.cross_entropy(logits.reshape(-1, classes), labels.reshape(-1), label_smoothing=epsilon)


def needs_two_positions(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The loss seems to fail where exactly one position is kept.

    Revisit what squeezing does to a list of one.
    """
    rows, wanted = logits.reshape(-1, logits.size(-1)), labels.reshape(-1)
    if ignore_index is not None:
        kept = (wanted != ignore_index).nonzero().squeeze()
        rows, wanted = rows[kept], wanted[kept]
    logs = rows.log_softmax(dim=-1)
    hit = logs[torch.arange(len(wanted)), wanted]
    return -((1 - epsilon) * hit + epsilon * logs.mean(dim=-1)).mean()


def shifts_logits_in_place(
    logits: Tensor, labels: Tensor, epsilon: float = 0.1, ignore_index: int | None = None
) -> Tensor:
    """The logits of the caller seem to be changed on the way.

    Revisit the difference between making a new tensor and writing into the one that came in.
    """
    if ignore_index is not None:
        logits, labels = logits[labels != ignore_index], labels[labels != ignore_index]
    with torch.no_grad():
        logits -= logits.amax(dim=-1, keepdim=True)
    classes = logits.size(-1)
    return F.cross_entropy(logits.reshape(-1, classes), labels.reshape(-1), label_smoothing=epsilon)
