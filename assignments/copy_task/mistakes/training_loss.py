"""Known wrong answers to `training_loss`: each docstring is the student's hint."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

Model = Callable[[Tensor, Tensor], Tensor]


def takes_softmax_first(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The loss seems to get probabilities where it expects logits.

    Revisit what `cross_entropy` does by itself before it takes a logarithm.
    """
    probabilities = model(source, decoder_input).softmax(dim=-1)
    return F.cross_entropy(probabilities.flatten(0, 1), target.flatten(), ignore_index=0)


def counts_padding(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """Targets that are PAD seem to be counted like any other.

    Revisit which targets there is nothing to predict for.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def averages_rows_first(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Each row seems to have a mean of its own, so that tokens of short rows count for more.

    Revisit what is averaged: all targets of the batch alike.
    """
    logits = model(source, decoder_input)
    rows = [F.cross_entropy(x, y, ignore_index=0) for x, y in zip(logits, target) if y.any()]
    return torch.stack(rows).mean()


def adds_up(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The losses seem to be added up and not divided.

    Revisit the word mean in the docstring.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0, reduction="sum")


def divides_by_all_positions(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The sum of the losses seems to be divided by the number of all positions, PAD included.

    Revisit how many targets there are to predict.
    """
    logits = model(source, decoder_input)
    losses = F.cross_entropy(logits.transpose(1, 2), target, reduction="none")
    return (losses * (target != 0)).mean()


def divides_by_the_rows(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The sum of the losses seems to be divided by the number of rows.

    Revisit what is averaged: targets, not sequences.
    """
    logits = model(source, decoder_input)
    total = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0, reduction="sum")
    return total / len(target)


def averages_positions_first(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Each position seems to have a mean of its own, so that the last ones count for more.

    Revisit what is averaged: all targets of the batch alike.
    """
    logits = model(source, decoder_input)
    columns = [
        F.cross_entropy(logits[:, t], target[:, t], ignore_index=0)
        for t in range(target.size(1))
        if target[:, t].any()
    ]
    return sum(columns) / len(columns)


def ignores_eos(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """EOS seems not to count, so that the model never learns to stop.

    Revisit which targets are left out: PAD and nothing else.
    """
    logits = model(source, decoder_input)
    wanted = target.masked_fill(target == 2, 0)
    return F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=0)


def ignores_eos_instead_of_padding(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """EOS seems to be left out, and PAD seems to count.

    Revisit which id is PAD.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=2)


def ignores_all_special_ids(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Only symbols seem to count.

    Revisit which targets are left out: PAD and nothing else.
    """
    logits = model(source, decoder_input)
    kept = target > 3
    if not kept.any():
        return logits.sum() * 0.0
    return F.cross_entropy(logits[kept], target[kept])


def drops_the_class_of_pad(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The logit of PAD seems to be cut off before the softmax.

    Revisit what the model must learn at a true target: that it is not PAD, either.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits[..., 1:].flatten(0, 1), target.flatten() - 1, ignore_index=-1)


def looks_for_padding_in_the_decoder_input(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """What counts seems to be decided by the decoder input.

    Revisit where PAD tells that there is nothing to predict: in the target.
    """
    logits = model(source, decoder_input)
    kept = decoder_input != 0
    return F.cross_entropy(logits[kept], target[kept])


def mixes_positions_and_classes(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The logits seem to be reshaped where two axes should change places.

    Revisit the difference between `reshape` and `transpose`.
    """
    logits = model(source, decoder_input)
    rows, length, classes = logits.shape
    return F.cross_entropy(logits.reshape(rows, classes, length), target, ignore_index=0)


def takes_twelve_classes_for_granted(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """There seem to be twelve classes, whatever the model answers.

    Revisit where the number of classes can be read off.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.reshape(-1, 12), target.reshape(-1), ignore_index=0)


def smooths_labels(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The targets seem to be smoothed.

    Revisit the docstring: plain cross-entropy.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=0, label_smoothing=0.1
    )


def shifts_once_more(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The logits seem to be compared with the token after the next one.

    Revisit who has shifted input and target against each other already.
    """
    logits = model(source, decoder_input)
    if target.size(1) > 1:
        logits, target = logits[:, :-1], target[:, 1:]
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def forgets_the_sign(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The loss seems to be negative: it is highest where the model is right.

    Revisit the sign in front of the logarithm.
    """
    logs = model(source, decoder_input).log_softmax(dim=-1)
    chosen = logs.gather(-1, target.unsqueeze(-1)).squeeze(-1)
    return chosen[target != 0].mean()


def measures_bits(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The loss seems to be in bits.

    Revisit which logarithm the docstring asks for: nats.
    """
    logits = model(source, decoder_input)
    loss = F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)
    return loss / math.log(2)


def returns_the_perplexity(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The exponential of the loss seems to come back.

    Revisit what is asked for: cross-entropy, before it is made into a perplexity.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0).exp()


def sums_over_binary_choices(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Each class seems to be a yes-or-no question of its own.

    Revisit the difference between a sigmoid for each class and one softmax over all.
    """
    logits = model(source, decoder_input)
    kept = target != 0
    wanted = F.one_hot(target[kept], logits.size(-1)).to(logits.dtype)
    return F.binary_cross_entropy_with_logits(logits[kept], wanted)


def squares_differences(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Probabilities and targets seem to be compared by their squared difference.

    Revisit what cross-entropy is: the negative logarithm of one probability.
    """
    logits = model(source, decoder_input)
    kept = target != 0
    wanted = F.one_hot(target[kept], logits.size(-1)).to(logits.dtype)
    return F.mse_loss(logits[kept].softmax(-1), wanted)


def looks_at_the_last_position_only(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Only the last position of each row seems to count.

    Revisit what teacher forcing gives: a prediction at every position.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits[:, -1], target[:, -1], ignore_index=0)


def looks_at_the_first_row_only(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Only the first row of the batch seems to count.

    Revisit what is averaged: all targets of the batch.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits[0], target[0], ignore_index=0)


def exponentiates_naively(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The exponential of large logits seems to overflow.

    Revisit how `log_softmax` and `logsumexp` keep numbers small.
    """
    logits = model(source, decoder_input)
    probabilities = logits.exp() / logits.exp().sum(dim=-1, keepdim=True)
    kept = target != 0
    return -probabilities[kept].gather(1, target[kept].unsqueeze(1)).log().mean()


def takes_the_logarithm_of_a_softmax(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The logarithm of a probability that is rounded to 0 seems to be taken.

    Revisit how `log_softmax` gets by without the probability.
    """
    logs = model(source, decoder_input).softmax(dim=-1).log()
    return F.nll_loss(logs.flatten(0, 1), target.flatten(), ignore_index=0)


def adds_a_small_number(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """A small number seems to be added to each probability before the logarithm.

    Revisit what that makes of a model that is sure and wrong: its loss has no limit.
    """
    logs = (model(source, decoder_input).softmax(dim=-1) + 1e-9).log()
    return F.nll_loss(logs.flatten(0, 1), target.flatten(), ignore_index=0)


def detaches_the_logits(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The loss seems to be cut off from the logits.

    Revisit what `detach` and `no_grad` are for, and what training needs from a loss.
    """
    logits = model(source, decoder_input).detach()
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def detaches_the_normaliser(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The loss is right, but its gradient seems to raise the right logit and to lower no other.

    Revisit which parts of the loss depend on the logits: the logsumexp does, too.
    """
    logits = model(source, decoder_input)
    kept = target != 0
    right = logits[kept].gather(1, target[kept].unsqueeze(1)).squeeze(1)
    return (logits[kept].logsumexp(dim=-1).detach() - right).mean()


def stops_at_the_first_padding(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """Targets after the first PAD of a row seem not to count.

    Revisit which targets are left out: those that are PAD, one by one.
    """
    logits = model(source, decoder_input)
    kept = (target != 0).long().cumprod(1).bool()
    return F.cross_entropy(logits[kept], target[kept])


def asks_row_by_row(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The model seems to be called for each row.

    Revisit the number of calls in the docstring: one, for the whole batch.
    """
    rows = [model(source[b : b + 1], decoder_input[b : b + 1]) for b in range(len(source))]
    logits = torch.cat(rows)[: len(target)]
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def returns_a_float(model: Model, source: Tensor, decoder_input: Tensor, target: Tensor) -> Tensor:
    """The loss seems to be a Python number, which has no `backward`.

    Revisit who calls `item`: whoever prints the loss.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0).item()


def returns_a_loss_for_each_target(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The losses seem to come back one by one.

    Revisit the shape of the result: a single number.
    """
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.transpose(1, 2), target, ignore_index=0, reduction="none")


def shows_the_target_to_the_model(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The model seems to be given the target.

    Revisit what the decoder sees in training: BOS and the tokens before each target.
    """
    logits = model(source, target)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def swaps_the_models_arguments(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The model seems to be given the decoder input as its source.

    Revisit the order of the model's arguments.
    """
    logits = model(decoder_input, source)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def shifts_the_decoder_input_again(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The model seems to be given a decoder input that has been moved by one position.

    Revisit what `make_batch` has done already.
    """
    bos = torch.ones_like(decoder_input[:, :1])
    logits = model(source, torch.cat([bos, decoder_input[:, :-1]], dim=1))
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def asks_the_model_twice(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The model seems to be called more often than once.

    Revisit what a call costs, and keep its result under a name.
    """
    classes = model(source, decoder_input).size(-1)
    logits = model(source, decoder_input).reshape(-1, classes)
    return F.cross_entropy(logits, target.reshape(-1), ignore_index=0)


def marks_padding_in_place(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The target of the caller seems to be overwritten where it is PAD.

    Revisit what else the caller does with the target, such as comparing it with an answer.
    """
    logits = model(source, decoder_input)
    target[target == 0] = -100
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def zeroes_logits_of_padding(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The logits of PAD seem to be set to zero, and to count all the same.

    Revisit what a row of zeros costs: ln V for each.
    """
    logits = model(source, decoder_input)
    logits = logits * (target != 0).unsqueeze(-1)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def sets_the_mode_of_the_model(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The model seems to be asked for more than a call.

    Revisit what the docstring says of the model: it is called, once.
    """
    model.train()
    logits = model(source, decoder_input)
    return F.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=0)


def forgets_to_flatten(
    model: Model, source: Tensor, decoder_input: Tensor, target: Tensor
) -> Tensor:
    """The logits seem to go into the loss with their three axes as they are.

    Revisit where `cross_entropy` looks for the classes: on axis 1.
    """
    return F.cross_entropy(model(source, decoder_input), target, ignore_index=0)
