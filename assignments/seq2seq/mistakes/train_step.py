"""Known wrong answers to `train_step`: each docstring is the student's hint."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.seq2seq import causal_mask, shift_targets


def keeps_old_gradients(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The gradients of earlier steps seem to be added to the new ones.

    Revisit what backward does with gradients that are already there.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    loss.backward()
    optimizer.step()
    return loss.item()


def zeroes_gradients_after_backward(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Nothing seems to be learned: the step finds no new gradients.

    Revisit the order of clearing, backward and step, and what each leaves for the next.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


def zeroes_gradients_only_afterwards(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The gradients seem to be cleared only at the end, so those from before the call still count.

    Revisit what may have happened to the model before: a first call must start clean as well.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def steps_before_backward(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The optimizer seems to step before the new gradients exist.

    Revisit the order of the three calls, and what the optimizer reads.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    optimizer.step()
    loss.backward()
    return loss.item()


def never_steps(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The gradients seem to be computed and never used, so the loss stays where it is.

    Revisit who changes the parameters.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def steps_twice(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The optimizer seems to step twice on the same gradients.

    Revisit how many updates one call makes.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    optimizer.step()
    return loss.item()


def updates_after_each_sentence(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The model seems to be updated after each sentence of the batch.

    Revisit how many updates one call makes: a batch has one loss and one step.
    """
    model.train()
    losses = []
    for i in range(len(source)):
        decoder_input, labels = shift_targets(target[i : i + 1])
        logits = model(source[i : i + 1], decoder_input, causal_mask(decoder_input.size(1)))
        ignored = -100 if pad is None else pad
        loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


def leaves_model_in_its_mode(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The model seems to stay in the mode that it was in, so dropout may be off while it learns.

    Revisit how a model that was just evaluated is made ready for training.
    """
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def trains_in_evaluation_mode(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The model seems to be put into evaluation mode, which switches dropout off.

    Revisit which of the two modes a training step needs.
    """
    model.eval()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def passes_no_mask(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The decoder seems to be trained without a mask, so it can copy the token it should predict.

    Revisit what the decoder must not see while all positions are trained at once.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, None)
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def passes_open_mask(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The mask seems to hold only zeros, which hide nothing.

    Revisit what an additive mask holds where a position may not look.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    size = decoder_input.size(1)
    logits = model(source, decoder_input, torch.zeros(size, size))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def hides_the_past(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The mask seems to be turned around, so each position sees its future and not its past.

    Revisit which triangle of the mask is hidden.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)).T)
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def sizes_mask_by_the_target(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The mask seems to be as large as the target from before it was shifted.

    Revisit how many tokens the decoder reads.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(target.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def sizes_mask_by_the_source(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The mask seems to be as large as the source.

    Revisit which side looks at itself through this mask.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(source.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def hard_codes_mask_of_lesson(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The mask seems to have the size of the lesson's sentences, whatever the target is.

    Revisit where the number of positions can be read.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(3))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def shows_labels_to_the_decoder(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The decoder seems to read the labels themselves.

    Revisit what is known when a token is predicted: the true tokens before it.
    """
    model.train()
    labels = target[:, 1:]
    logits = model(source, labels, causal_mask(labels.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def asks_for_what_was_read(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The loss seems to compare each output with the token just read, not with the next one.

    Revisit the shift between the two halves of the target.
    """
    model.train()
    decoder_input, _ = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), decoder_input, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def feeds_its_own_predictions(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The decoder seems to read what it predicted itself, as it does after training.

    Revisit teacher forcing: whose tokens does the decoder read while it learns?
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    mask = causal_mask(decoder_input.size(1))
    with torch.no_grad():
        guess = model(source, decoder_input, mask).argmax(dim=-1)
    own_input = torch.cat([decoder_input[:, :1], guess[:, :-1]], dim=1)
    logits = model(source, own_input, mask)
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def returns_loss_after_the_update(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The loss seems to be measured again after the update.

    Revisit which loss is returned: the one that the update was made from.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    mask, ignored = causal_mask(decoder_input.size(1)), -100 if pad is None else pad
    logits = model(source, decoder_input, mask)
    optimizer.zero_grad()
    F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored).backward()
    optimizer.step()
    with torch.no_grad():
        logits = model(source, decoder_input, mask)
    return F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored).item()


def sums_over_labels(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The losses of the labels seem to be added up.

    Revisit what makes the losses of small and large batches comparable.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored, reduction="sum")
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def divides_by_number_of_sentences(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The sum of the losses seems to be divided by the number of sentences.

    Revisit what is averaged: labels.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored, reduction="sum")
    loss = loss / len(target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def averages_sentences_first(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """A mean seems to be taken for each sentence and then over the sentences.

    Revisit how much each label should weigh when sentences differ in length.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    kept = torch.ones_like(labels) if pad is None else (labels != pad).long()
    losses = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none") * kept
    loss = (losses.sum(dim=1) / kept.sum(dim=1).clamp(min=1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def smooths_the_labels(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Label smoothing seems to be left on.

    Revisit which loss this question asks for, and which default does otherwise.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(
        logits.transpose(1, 2), labels, ignore_index=ignored, label_smoothing=0.1
    )
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def takes_pad_zero_for_missing(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """A padding id of 0 seems to be taken for "none given", so padding is learned.

    Revisit which values count as false in a condition, and how to ask for None itself.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=pad or -100)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def counts_padding(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The padding seems to count like any other label.

    Revisit which labels enter the mean.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    loss = F.cross_entropy(logits.transpose(1, 2), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def always_ignores_zero(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Label 0 seems to be taken for padding even when there is none.

    Revisit what None means here, and what the lesson's token 0 stands for.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = 0 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def divides_by_padding_too(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Padding seems to add nothing to the sum and still count in its divisor.

    Revisit the mean: over how many labels is it taken?
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(
        logits.transpose(1, 2), labels, ignore_index=ignored, reduction="none"
    ).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def ignores_by_input_token(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Positions seem to be left out where the decoder reads padding, not where it must predict it.

    Revisit which of the two rows says what counts: they differ by one position.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    kept = torch.ones_like(labels, dtype=torch.bool) if pad is None else decoder_input != pad
    loss = F.cross_entropy(logits[kept], labels[kept])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def reshapes_logits_instead_of_transposing(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The logits seem to be reshaped to (B, V, T), which mixes the classes of different positions.

    Revisit the difference between moving an axis and reading the same numbers in another shape.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    logits = logits.reshape(logits.size(0), logits.size(2), logits.size(1))
    loss = F.cross_entropy(logits, labels, ignore_index=-100 if pad is None else pad)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def applies_softmax_before_the_loss(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The logits seem to pass through a softmax before a loss that makes one itself.

    Revisit what the loss expects as its first argument.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1))).softmax(dim=-1)
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def trains_on_last_label_only(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Only the last position seems to enter the loss.

    Revisit what the causal mask is for: all positions can be trained at once.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits[:, -1], labels[:, -1], ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def leaves_out_last_label(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The last label seems to be left out, so the model never learns to stop.

    Revisit how many tokens of the target are predicted.
    """
    model.train()
    decoder_input, labels = shift_targets(target[:, :-1] if target.size(1) > 2 else target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def trains_on_first_sentence_only(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """Only the first sentence of the batch seems to enter the loss.

    Revisit which axis is the batch, and how the mean reaches all of it.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    loss = F.cross_entropy(logits[0], labels[0], ignore_index=-100 if pad is None else pad)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def clips_gradients(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The gradients seem to be shortened before the step.

    Revisit what one update consists of here: nothing stands between backward and step.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    return loss.item()


def returns_running_mean(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The losses of earlier calls seem to be averaged into the result.

    Revisit what is returned: the loss of this batch alone.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history = globals().setdefault("_losses", [])
    history.append(loss.item())
    return sum(history) / len(history)


def returns_perplexity(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The loss seems to be turned into a perplexity.

    Revisit what is returned: the mean cross-entropy itself.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return math.exp(loss.item())


def overwrites_padding_of_target(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The target of the caller seems to be changed, so the next epoch reads something else.

    Revisit the labels that `shift_targets` returns: they may be a view of the target.
    """
    model.train()
    decoder_input, labels = target[:, :-1].clone(), target[:, 1:]
    if pad is not None:
        labels[labels == pad] = -100
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    loss = F.cross_entropy(logits.transpose(1, 2), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def squeezes_a_batch_of_one(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """A batch of a single sentence seems to lose its axis.

    Revisit the shapes of logits and labels, and try the smallest batch.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.squeeze(0).transpose(1, -1), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def returns_a_tensor(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The loss seems to come back as a tensor.

    Revisit how a number is taken out of a tensor, and what else hangs on to one that is not.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def rounds_the_loss(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The loss seems to be rounded to two decimals.

    Revisit the difference between a number and how it is shown.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return round(loss.item(), 2)


def clips_gradients_to_one(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    source: Tensor,
    target: Tensor,
    pad: int | None = None,
) -> float:
    """The gradients seem to be shortened to norm one before the step.

    Revisit what one update consists of here: nothing stands between backward and step.
    """
    model.train()
    decoder_input, labels = shift_targets(target)
    logits = model(source, decoder_input, causal_mask(decoder_input.size(1)))
    ignored = -100 if pad is None else pad
    loss = F.cross_entropy(logits.transpose(1, 2), labels, ignore_index=ignored)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.item()
