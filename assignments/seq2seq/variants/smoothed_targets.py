"""Unusual right answers to `smoothed_targets`, which must get full marks."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def with_scatter(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """A constant tensor with the labels scattered into it."""
    share = epsilon / num_classes
    smooth = torch.full((*labels.shape, num_classes), share, dtype=torch.float32)
    return smooth.scatter_(-1, labels.unsqueeze(-1), 1 - epsilon + share)


def rows_of_identity(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Rows of a smoothed identity matrix, chosen by the labels."""
    table = (1 - epsilon) * torch.eye(num_classes) + epsilon / num_classes
    return table[labels]


def with_embedding(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """A table looked up as an embedding."""
    table = torch.full((num_classes, num_classes), epsilon / num_classes)
    table.fill_diagonal_(1 - epsilon + epsilon / num_classes)
    return F.embedding(labels, table)


def with_numpy(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """NumPy in float64, float32 at the end."""
    one_hot = np.eye(num_classes)[labels.numpy()]
    smooth = one_hot * (1 - epsilon) + epsilon / num_classes
    return torch.tensor(smooth, dtype=torch.float32)


def with_comparison(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Labels are compared with all classes by broadcasting."""
    hit = labels[..., None] == torch.arange(num_classes)
    return torch.where(hit, 1 - epsilon + epsilon / num_classes, epsilon / num_classes).float()


def with_lerp(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """A point on the way from one-hot to uniform."""
    one_hot = F.one_hot(labels, num_classes).float()
    uniform = torch.full_like(one_hot, 1 / num_classes)
    return torch.lerp(one_hot, uniform, epsilon)


def with_lists(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Python lists, one label at a time."""
    rows = []
    for label in labels.reshape(-1).tolist():
        row = [epsilon / num_classes] * num_classes
        row[label] += 1 - epsilon
        rows.append(row)
    return torch.tensor(rows).reshape(*labels.shape, num_classes)


def with_index_put(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Flat rows in which each label's entry is raised."""
    flat = labels.flatten()
    smooth = torch.zeros(flat.numel(), num_classes) + epsilon / num_classes
    smooth[torch.arange(flat.numel()), flat] += 1 - epsilon
    return smooth.view(*labels.shape, num_classes)


def by_recursion(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Recursion over the axes until a single label is left."""

    def smooth(part: Tensor) -> Tensor:
        if part.dim():
            return torch.stack([smooth(item) for item in part])
        row = torch.full((num_classes,), epsilon / num_classes)
        row[int(part)] += 1 - epsilon
        return row

    return smooth(labels)


def mass_taken_and_returned(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """One-hot, less ε at the label, plus a share of ε everywhere."""
    one_hot = torch.zeros(*labels.shape, num_classes)
    one_hot.scatter_add_(-1, labels.unsqueeze(-1), torch.ones(*labels.shape, 1))
    return one_hot - epsilon * one_hot + torch.ones(num_classes) * (epsilon / num_classes)
