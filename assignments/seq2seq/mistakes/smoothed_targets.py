"""Known wrong answers to `smoothed_targets`: each docstring is the student's hint."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def smooths_over_other_classes(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The mass ε seems to be shared among the other classes only.

    Revisit who receives a share: the label is one of the classes too.
    """
    smooth = torch.full((*labels.shape, num_classes), epsilon / (num_classes - 1))
    return smooth.scatter(-1, labels.unsqueeze(-1), 1 - epsilon)


def forgets_share_of_label(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The label seems to give ε away without its own share of it, so rows sum to less than 1.

    Revisit the two terms on the label, and add up a row.
    """
    smooth = torch.full((*labels.shape, num_classes), epsilon / num_classes)
    return smooth.scatter(-1, labels.unsqueeze(-1), 1 - epsilon)


def takes_nothing_from_label(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The label seems to keep the whole 1 while the others receive their share, so rows exceed 1.

    Revisit where the mass ε comes from, and add up a row.
    """
    smooth = torch.full((*labels.shape, num_classes), epsilon / num_classes)
    return smooth.scatter(-1, labels.unsqueeze(-1), 1.0)


def gives_each_class_all_of_epsilon(
    labels: Tensor, num_classes: int, epsilon: float = 0.1
) -> Tensor:
    """Every class seems to receive ε itself and not a share of it.

    Revisit among how many classes ε is divided, and add up a row.
    """
    return F.one_hot(labels, num_classes).float() * (1 - epsilon) + epsilon


def mixes_the_two_denominators(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The label seems to count itself among the classes, while the others leave it out.

    Revisit the two values of the formula, which divide by the same number.
    """
    smooth = torch.full((*labels.shape, num_classes), epsilon / max(num_classes - 1, 1))
    return smooth.scatter(-1, labels.unsqueeze(-1), 1 - epsilon + epsilon / num_classes)


def swaps_epsilon_and_the_rest(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The label seems to keep ε and to give the rest away.

    Revisit what ε = 0 should leave of the one-hot target.
    """
    return F.one_hot(labels, num_classes).float() * epsilon + (1 - epsilon) / num_classes


def hard_codes_five_classes(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The share of each class seems to be that of the lesson's five classes.

    Revisit where V comes from.
    """
    return F.one_hot(labels, num_classes).float() * (1 - epsilon) + epsilon / 5


def hard_codes_epsilon_of_lesson(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The smoothing seems to be 0.1 whatever ε is given.

    Revisit the difference between a default and a constant.
    """
    return F.one_hot(labels, num_classes).float() * 0.9 + 0.1 / num_classes


def takes_zero_epsilon_for_missing(
    labels: Tensor, num_classes: int, epsilon: float = 0.1
) -> Tensor:
    """An ε of 0 seems to be taken for "not given" and replaced by the default.

    Revisit which values count as false in a condition, and what ε = 0 asks for.
    """
    epsilon = epsilon or 0.1
    return F.one_hot(labels, num_classes).float() * (1 - epsilon) + epsilon / num_classes


def returns_one_hot_targets(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The targets seem to be one-hot, without any smoothing.

    Revisit what ε takes from the label, and to whom it gives it.
    """
    return F.one_hot(labels, num_classes).float()


def accepts_only_a_row_of_labels(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The labels seem to be expected in a single row, so one label or a batch of rows fails.

    Revisit the shape (…), which stands for any number of axes and for none.
    """
    smooth = torch.full((len(labels), num_classes), epsilon / num_classes)
    smooth[torch.arange(len(labels)), labels] += 1 - epsilon
    return smooth


def flattens_labels(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The targets seem to come as one long list, whatever the shape of the labels.

    Revisit the shape of the result, which is that of the labels with one more axis.
    """
    one_hot = F.one_hot(labels.reshape(-1), num_classes).float()
    return one_hot * (1 - epsilon) + epsilon / num_classes


def puts_classes_in_axis_one(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The classes seem to stand on axis 1, which is the last one only for a row of labels.

    Revisit where the docstring puts the new axis.
    """
    smooth = F.one_hot(labels, num_classes).float() * (1 - epsilon) + epsilon / num_classes
    return smooth.movedim(-1, min(1, labels.dim()))


def puts_classes_first(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The classes seem to stand in front of the labels' axes.

    Revisit where the docstring puts the new axis.
    """
    classes = torch.arange(num_classes).reshape(-1, *[1] * labels.dim())
    return (classes == labels).float() * (1 - epsilon) + epsilon / num_classes


def returns_float64(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The targets seem to come from NumPy in float64.

    Revisit the dtype in the docstring.
    """
    one_hot = np.eye(num_classes)[labels.numpy()]
    return torch.as_tensor(one_hot * (1 - epsilon) + epsilon / num_classes)


def counts_classes_from_labels(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The number of classes seems to be guessed from the largest label.

    Revisit which argument says how wide the result is, even if some classes do not occur.
    """
    one_hot = F.one_hot(labels).float()
    return one_hot * (1 - epsilon) + epsilon / one_hot.size(-1)


def counts_classes_from_one(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The mass seems to sit one class too low, as if the first class had the number 1.

    Revisit which number the first class has.
    """
    one_hot = F.one_hot((labels - 1) % num_classes, num_classes).float()
    return one_hot * (1 - epsilon) + epsilon / num_classes


def empties_row_of_label_zero(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Label 0 seems to be taken for padding, and its row is emptied.

    Revisit the docstring: every label in 0 … V − 1 is a class, and every row sums to 1.
    """
    smooth = F.one_hot(labels, num_classes).float() * (1 - epsilon) + epsilon / num_classes
    return smooth * (labels != 0).unsqueeze(-1)


def reshapes_labels_in_place(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The labels of the caller seem to gain an axis during the call.

    Revisit which methods change a tensor where it stands, and how their names show it.
    """
    smooth = torch.full((*labels.shape, num_classes), epsilon / num_classes)
    index = labels.unsqueeze_(-1)
    return smooth.scatter_add(-1, index, torch.full(index.shape, 1 - epsilon))


def passes_targets_through_softmax(
    labels: Tensor, num_classes: int, epsilon: float = 0.1
) -> Tensor:
    """The finished targets seem to pass through a softmax, which makes them almost even.

    Revisit whether numbers that already sum to 1 need to be normalised again.
    """
    smooth = F.one_hot(labels, num_classes).float() * (1 - epsilon) + epsilon / num_classes
    return torch.softmax(smooth, dim=-1)


def smooths_to_neighbours(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The mass seems to go to the classes next to the label, as if their numbers were distances.

    Revisit who shares ε: the numbers of classes are names, and none is nearer than another.
    """
    one_hot = F.one_hot(labels, num_classes).float()
    neighbours = one_hot.roll(1, dims=-1) + one_hot.roll(-1, dims=-1)
    return one_hot * (1 - epsilon) + neighbours * epsilon / 2


def adds_up_over_calls(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """A table from an earlier call seems to be used again with its old labels still in it.

    Revisit what the result may depend on: the arguments of this call and nothing else.
    """
    tables = globals().setdefault("_tables_of_targets", {})
    shape = (*labels.shape, num_classes)
    smooth = tables.setdefault(shape, torch.full(shape, epsilon / num_classes))
    smooth.scatter_(-1, labels.unsqueeze(-1), 1 - epsilon + epsilon / num_classes)
    return smooth.clone()


def sets_one_label_for_all(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """Every row seems to receive the mass of every label, because whole columns are written.

    Revisit how to address one entry in each row.
    """
    smooth = torch.full((*labels.shape, num_classes), epsilon / num_classes)
    smooth[..., labels.reshape(-1)] = 1 - epsilon + epsilon / num_classes
    return smooth


def rounds_to_two_decimals(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The targets seem to be rounded to the digits that the lesson prints.

    Revisit the difference between a number and how it is shown.
    """
    smooth = F.one_hot(labels, num_classes).float() * (1 - epsilon) + epsilon / num_classes
    return smooth.round(decimals=2)


def returns_a_row_for_each_label(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """A single label seems to get an axis of its own, as if it were a list of one.

    Revisit the shape in the docstring: that of the labels, with one axis more.
    """
    rows = torch.atleast_1d(labels)
    return F.one_hot(rows, num_classes).float() * (1 - epsilon) + epsilon / num_classes


def takes_at_least_two_classes(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The smallest number of classes seems to be treated as if there were more.

    Revisit the formula with a single class, and what each row must add up to.
    """
    share = epsilon / max(num_classes, 2)
    return F.one_hot(labels, num_classes).float() * (1 - epsilon) + share


def flattens_labels_by_view(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The labels seem to be flattened by `view`, which fails for a slice of a larger batch.

    Revisit the difference between `view` and `reshape`, and what `shift_targets` hands out.
    """
    rows = F.one_hot(labels.view(-1), num_classes).float() * (1 - epsilon) + epsilon / num_classes
    return rows.reshape(*labels.shape, num_classes)


def smooths_rest_of_one_hot(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The mass epsilon seems to be shared among the other classes only.

    Revisit who receives a share of it, and what a row holds then where the label is.
    """
    hard = F.one_hot(labels, num_classes).float()
    return hard * (1 - epsilon) + (1 - hard) * torch.tensor(epsilon) / (num_classes - 1)


def adds_share_on_top(labels: Tensor, num_classes: int, epsilon: float = 0.1) -> Tensor:
    """The label seems to keep all of its mass, and the shares come on top.

    Revisit what each row must add up to, and where epsilon is taken from.
    """
    return F.one_hot(labels, num_classes).float() + epsilon / num_classes


def keeps_integers_without_smoothing(
    labels: Tensor, num_classes: int, epsilon: float = 0.1
) -> Tensor:
    """The targets seem to come back as integers where there is nothing to smooth.

    Revisit the dtype of each way through the function.
    """
    hard = F.one_hot(labels, num_classes)
    return hard if epsilon == 0 else hard * (1 - epsilon) + epsilon / num_classes
