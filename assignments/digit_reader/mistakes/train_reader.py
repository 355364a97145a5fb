"""Known wrong answers to `train_reader`: each docstring is the student's hint."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.digit_reader import compose, decoder_tensors


def learns_three_digits_alone(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """All numbers that the model learns from seem to have three digits.

    Revisit how `lengths` reaches `compose`.
    """
    wide, targets = compose(images, labels, 6000, seed, (3,))
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def forgets_the_lengths(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The numbers seem to have one to three digits whatever `lengths` says.

    Revisit how `lengths` reaches `compose`.
    """
    wide, targets = compose(images, labels, 6000, seed)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def leaves_end_out(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """END seems not to be among the targets that count, so the model never learns to say it.

    Revisit what the loss is to leave out: PAD alone.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            decoder_target = decoder_target.masked_fill(decoder_target == 11, 12)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def cuts_the_last_position(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The last position seems to be cut off, where a full number says END.

    Revisit how many positions the decoder has.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            decoder_input, decoder_target = decoder_input[:, :-1], decoder_target[:, :-1]
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def ends_in_the_last_column(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """END seems to be learned in the last column, after the PADs of a short number.

    Revisit what the decoder must say right after the last digit.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            decoder_target = F.pad(targets[chosen], (0, 1), value=11)
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def feeds_what_is_to_be_said(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The model seems to be fed at each position the token that it must say there.

    Revisit which of the two tensors is fed.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_target)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def asks_for_what_is_fed(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The model seems to learn to say the token that it is fed, and not the next one.

    Revisit which of the two tensors the loss compares with.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            decoder_input = decoder_input.masked_fill(decoder_input == 10, 12)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_input.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def learns_from_few_composites(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The model seems to learn from a few hundred composites only.

    Revisit how many there are: what is seen too often is learned by heart.
    """
    wide, targets = compose(images, labels, 200, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def trains_for_one_epoch(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """One epoch seems to be trained, whatever `epochs` says.

    Revisit how often the model goes through all composites.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(1):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def takes_one_batch_of_each_epoch(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Only the first batch of each epoch seems to be used.

    Revisit which loop the step belongs to.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
            break
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def learns_too_slowly(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The learning rate seems to be far too small.

    Revisit how fast the loss falls.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-5)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def learns_too_fast(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The learning rate seems to be far too large.

    Revisit whether the loss falls at all.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.2)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def goes_down_by_plain_gradients(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Plain gradient descent with a small rate seems to be used, which takes far more steps.

    Revisit how fast the loss falls.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def never_steps(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The weights seem never to change.

    Revisit what `backward` does, and what `step` does.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def trains_a_copy(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """A copy of the model seems to be trained, while the model itself stays as it was.

    Revisit which model is to have learned something afterwards.
    """
    model = copy.deepcopy(model)
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def mixes_up_images_and_numbers(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Each image seems to be learned with the number of another.

    Revisit whether images and targets come in the same order.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen.flip(0)], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def shows_no_image(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The images seem to be blank.

    Revisit what the model is called with.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(torch.zeros_like(wide[chosen]), decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def returns_the_last_loss(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The loss of the last step seems to be returned for each epoch.

    Revisit which mean is asked for.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(steps[-1])
        if after_epoch is not None:
            after_epoch()
    return losses


def returns_sums(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The losses of an epoch seem to be summed.

    Revisit which mean is asked for.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def returns_every_loss(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The losses of all steps seem to be returned.

    Revisit how many losses are asked for.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses += steps
        if after_epoch is not None:
            after_epoch()
    return losses


def returns_tensors(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Tensors seem to be returned.

    Revisit the type of a loss.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.detach())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def returns_one_mean(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """One mean over all epochs seems to be returned.

    Revisit how many losses are asked for.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return sum(losses) / len(losses)


def never_begins_a_new_mean(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The mean seems to run over all epochs so far.

    Revisit where the list of an epoch begins.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses, steps = [], []
    for _ in range(epochs):
        model.train()
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def returns_bits(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The losses seem to be in bits.

    Revisit the unit.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps) / 0.6931)
        if after_epoch is not None:
            after_epoch()
    return losses


def shares_the_loss_among_all_positions(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """PADs seem to be counted when the loss is divided.

    Revisit over which positions the mean is taken.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            each = F.cross_entropy(logits.mT, decoder_target, ignore_index=12, reduction="none")
            loss = each.mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def returns_nothing(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Nothing seems to be returned.

    Revisit what the call returns.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return None


def calls_after_all_epochs(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """`after_epoch` seems to be called once, when all epochs are over.

    Revisit which loop the call belongs to.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
    if after_epoch is not None:
        after_epoch()
    return losses


def never_calls_after_epoch(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """`after_epoch` seems never to be called.

    Revisit what the argument is for.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
    return losses


def calls_before_the_epoch(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """`after_epoch` seems to be called before the epoch.

    Revisit when it is to be called.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        if after_epoch is not None:
            after_epoch()
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
    return losses


def calls_it_always(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """`after_epoch` seems to be called where there is none.

    Revisit what None means.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        after_epoch()
    return losses


def sets_the_mode_once(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The model seems to be put into training mode once, before the first epoch.

    Revisit what `after_epoch` may do.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    model.train()
    for _ in range(epochs):
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def never_sets_the_mode(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The model seems to be trained in the mode in which it comes.

    Revisit in which mode each step is made.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def trains_in_evaluation_mode(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The model seems to be trained in evaluation mode.

    Revisit in which mode each step is made.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.eval()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def orders_by_the_global_state(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The order of the batches seems to be drawn from the global random state.

    Revisit what the seed decides.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide)).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def seeds_the_global_state(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The global random state of torch seems to be set.

    Revisit what others draw after the call.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide)).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def seeds_numpys_global_state(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The global random state of NumPy seems to be set.

    Revisit what others draw after the call.
    """
    wide, targets = compose(images, labels, 6000, seed, lengths)
    np.random.seed(seed % 2**32)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.from_numpy(np.random.permutation(len(wide))).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def ignores_the_seed(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The seed seems to be ignored.

    Revisit what it decides.
    """
    wide, targets = compose(images, labels, 6000, 0, lengths)
    generator = torch.Generator().manual_seed(0)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            decoder_input, decoder_target = decoder_tensors(targets[chosen])
            logits = model(wide[chosen], decoder_input)
            loss = F.cross_entropy(logits.flatten(0, 1), decoder_target.flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses
