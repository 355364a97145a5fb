"""Unusual right answers to `train_reader`, which must get full marks."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from solutions.digit_reader import compose, decoder_tensors, exact_sequence, read


def with_a_constant_rate(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Adam at a rate that stays as it is."""
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


def with_a_rate_that_rises_and_falls(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """AdamW and the one-cycle policy."""
    wide, targets = compose(images, labels, 6000, seed, lengths)
    fed, said = decoder_tensors(targets)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    count = -(-len(wide) // 64)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=epochs * count)
    history = []
    for _ in range(epochs):
        model.train()
        total = 0.0
        for chosen in torch.randperm(len(wide), generator=generator).chunk(count):
            optimizer.zero_grad(set_to_none=True)
            loss = nn.CrossEntropyLoss(ignore_index=12)(
                model(wide[chosen], fed[chosen]).mT, said[chosen]
            )
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss)
        history.append(total / count)
        if after_epoch:
            after_epoch()
    return history


def draws_anew_in_each_epoch(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Other composites in each epoch."""
    losses = []
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        wide, targets = compose(images, labels, 6000, 1000 * seed + epoch, lengths)
        fed, said = decoder_tensors(targets)
        model.train()
        steps = []
        for start in range(0, len(wide), 64):
            batch = slice(start, start + 64)
            logits = model(wide[batch], fed[batch])
            loss = F.cross_entropy(logits.transpose(1, 2), said[batch], ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(statistics.fmean(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def picks_what_counts(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The targets that count are picked by a mask; NumPy shuffles, and the rate halves."""
    wide, targets = compose(images, labels, 6000, seed, lengths)
    rng = np.random.default_rng(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2.5e-3)
    halves = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)
    losses = []
    for _ in range(epochs):
        steps = []
        for chosen in np.array_split(rng.permutation(len(wide)), len(wide) // 60):
            model.train()
            fed, said = decoder_tensors(targets[chosen])
            counts = said != 12
            loss = F.cross_entropy(model(wide[chosen], fed)[counts], said[counts])
            model.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.detach())
        halves.step()
        losses.append(torch.stack(steps).mean().item())
        if after_epoch is not None:
            after_epoch()
    return losses


def sorts_by_length(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Batches of numbers of one length, without any PAD."""
    wide, targets = compose(images, labels, 6000, seed, lengths)
    count = (targets != 12).sum(1)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        order = torch.randperm(len(wide), generator=generator)
        batches = [
            (length, part)
            for length in sorted(set(lengths))
            for part in order[count[order] == length].split(64)
            if len(part)
        ]
        mixed = torch.randperm(len(batches), generator=generator).tolist()
        model.train()
        steps = []
        for length, part in (batches[number] for number in mixed):
            fed, said = decoder_tensors(targets[part, :length])
            loss = F.cross_entropy(model(wide[part], fed).flatten(0, 1), said.flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def smooths_labels(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """Smoothed targets, and END in the place of PAD, which does no harm."""
    wide, targets = compose(images, labels, 6000, seed, lengths)
    fed, said = decoder_tensors(targets)
    said = said.clamp(max=11)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.NAdam(model.parameters(), lr=2e-3)
    losses = []
    for _ in range(epochs):
        model.train()
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(50):
            logits = model(wide[chosen], fed[chosen])
            loss = F.cross_entropy(
                logits.flatten(0, 1), said[chosen].flatten(), label_smoothing=0.02
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if after_epoch is not None:
            after_epoch()
    return losses


def forks_the_global_state(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """The global state is seeded within `fork_rng`; a loader makes the batches."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        wide, targets = compose(images, labels, 6000, seed, lengths)
        data = torch.utils.data.TensorDataset(wide, *decoder_tensors(targets))
        loader = torch.utils.data.DataLoader(data, batch_size=64, shuffle=True)
        optimizer = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.98))
        losses = []
        for _ in range(epochs):
            model.train()
            steps = []
            for some, fed, said in loader:
                loss = F.cross_entropy(model(some, fed).mT, said, ignore_index=12)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                steps.append(loss.item())
            losses.append(float(np.mean(steps)))
            if after_epoch is not None:
                after_epoch()
    return losses


def looks_how_it_goes(
    model: nn.Module,
    images: Tensor,
    labels: Tensor,
    seed: int = 0,
    lengths: Sequence[int] = (1, 2, 3),
    epochs: int = 8,
    after_epoch: Callable[[], object] | None = None,
) -> list[float]:
    """A tenth of the images is kept apart, and read after each epoch."""
    kept = max(1, len(images) // 10)
    held_out = compose(images[:kept], labels[:kept], 100, seed, lengths)
    wide, targets = compose(images[kept:], labels[kept:], 6000, seed, lengths)
    fed, said = decoder_tensors(targets)
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses, read_right = [], []
    for _ in range(epochs):
        steps = []
        for chosen in torch.randperm(len(wide), generator=generator).split(64):
            model.train()
            logits = model(wide[chosen], fed[chosen])
            loss = F.cross_entropy(logits.flatten(0, 1), said[chosen].flatten(), ignore_index=12)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            steps.append(loss.item())
        losses.append(sum(steps) / len(steps))
        if hasattr(model, "encode"):
            read_right.append(exact_sequence(model, *held_out))
            assert read(model, held_out[0], max_digits=max(lengths)).shape == (
                100,
                max(lengths) + 1,
            )
        if after_epoch is not None:
            after_epoch()
    return losses
