"""Unusual right answers to `check_future_tokens`, which must get full marks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor


def with_allclose(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """torch.testing compares; targets are drawn anew for each length."""
    torch.random.manual_seed(1)
    for _ in range(2):
        for length in (2, 4, 7, 9):
            source, target = torch.randint(4, 12, (4, 4)), torch.randint(4, 12, (4, length))
            source[1, 2:] = 0
            target[:, 0] = 1
            before = model(source, target)
            model(source.flip(0), target.flip(0))
            for t in range(1, length):
                changed = torch.cat([target[:, :t], torch.randint(4, 12, (4, length - t))], dim=1)
                changed[:, t] = (target[:, t] - 3) % 8 + 4
                after = model(source, changed)
                torch.testing.assert_close(after[:, :t], before[:, :t], atol=5e-5, rtol=0)


def with_numpy(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The logits become arrays; the future is all PAD, then all EOS."""
    for length in (3, 6, 10):
        source = np.array([[4, 5, 6, 7], [11, 8, 0, 0], [9, 0, 0, 0]])
        target = np.resize(np.arange(4, 12), (3, length))
        target[:, 0] = 1
        ask = lambda s, t: model(torch.from_numpy(s), torch.from_numpy(t)).numpy().copy()
        before = ask(source, target)
        ask(source[::-1].copy(), target)
        for t, other in [(t, other) for t in range(1, length) for other in (0, 2, 5)]:
            changed = target.copy()
            changed[:, t:] = other
            gap = np.abs(ask(source, changed)[:, :t] - before[:, :t]).max()
            if not gap < 6e-5:
                raise AssertionError(f"the future from {t} on moves the past by {gap}")


def one_token_at_a_time(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Each token is changed alone, each pair of positions compared."""
    source = torch.tensor([[4, 7, 9, 5], [6, 0, 0, 0], [10, 11, 0, 0]])
    other = torch.tensor([[8, 8, 8, 8], [9, 4, 0, 0], [5, 6, 7, 0]])
    target = torch.tensor([[1, 4, 7, 9, 5, 8, 6], [1, 6, 2, 0, 0, 0, 0], [1, 10, 11, 4, 8, 2, 0]])
    before, elsewhere = model(source, target), model(other, target)
    for position in range(1, 7):
        for source_now, expected in ((source, before), (other, elsewhere)):
            changed = target.clone()
            changed[:, position] = (target[:, position] - 2) % 8 + 4
            found = model(source_now, changed)
            for earlier in range(position):
                worst = float((found[:, earlier] - expected[:, earlier]).abs().max())
                assert worst < 1e-4, f"token {position} reaches back to {earlier}: {worst}"


def rows_one_by_one(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Only one row changes; all rows must stay as they were."""
    source = torch.tensor([[4, 7, 9], [6, 0, 0], [10, 11, 0], [5, 5, 5]])
    target = torch.tensor(
        [[1, 4, 7, 9, 6, 8], [1, 6, 2, 0, 0, 0], [1, 10, 11, 2, 0, 0], [1, 5, 5, 5, 2, 0]]
    )
    model(source.flip(0), target)
    before = model(source, target)
    model(source.flip(0), target)  # what it keeps of other sources shows from now on
    for row in range(4):
        for t in range(5):
            changed = target.clone()
            changed[row, t + 1 :] = torch.tensor([11, 4, 9, 7, 10])[: 5 - t]
            after = model(source, changed)
            others = torch.arange(4) != row
            same = torch.allclose(after[row, : t + 1], before[row, : t + 1], rtol=0, atol=5e-5)
            same &= torch.allclose(after[others], before[others], rtol=0, atol=5e-5)
            if not same:
                raise AssertionError("a later token is seen, in its own row or in another")


def collects_complaints(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """All faults are gathered and told at the end."""
    complaints = []
    generator = torch.Generator().manual_seed(3)
    answers = {}
    for round_number in range(2):
        for length in (1, 3, 5, 8):
            drawn = torch.Generator().manual_seed(length)
            source = torch.randint(4, 12, (6, 3), generator=drawn)
            target = torch.randint(4, 12, (6, length), generator=drawn)
            target[:, 0] = 1
            if round_number == 0:
                answers[length] = model(source, target)
                continue
            for t in range(length - 1):
                changed = target.clone()
                shift = torch.randint(1, 8, (6, length - t - 1), generator=generator)
                changed[:, t + 1 :] = (changed[:, t + 1 :] - 4 + shift) % 8 + 4
                gap = (model(source, changed) - answers[length])[:, : t + 1].abs().amax(dim=(1, 2))
                complaints += [
                    f"row {i}, after {t}: {g}" for i, g in enumerate(gap.tolist()) if g > 4e-5
                ]
    assert not complaints, "; ".join(complaints[:3])


def with_a_ragged_future(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Targets end in EOS and PAD; the rest is exchanged between rows."""

    def batch(seed: int, length: int) -> tuple[Tensor, Tensor]:
        drawn = torch.Generator().manual_seed(seed)
        source = torch.randint(4, 12, (6, 5), generator=drawn)
        source[torch.arange(5) > torch.arange(6)[:, None]] = 0
        target = torch.randint(4, 12, (6, length), generator=drawn)
        target[:, 0] = 1
        return source, target

    cases = [(*batch(seed, 6 + seed), seed) for seed in range(3)]
    first = [model(source, target).clone() for source, target, _ in cases]
    for (source, target, seed), before in zip(cases, first):
        for t in range(target.size(1) - 1):
            changed = target.clone()
            changed[:, t + 1] = 2
            changed[:, t + 2 :] = 0
            for altered in (
                changed,
                torch.cat([target[:, : t + 1], target.roll(1, 0)[:, t + 1 :]], 1),
            ):
                gap = (model(source, altered)[:, : t + 1] - before[:, : t + 1]).abs().max().item()
                if not gap <= 5e-5:
                    raise AssertionError(f"batch {seed}: what comes after {t} is read ({gap:.2g})")


def with_unittest(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The standard library compares lists of rounded numbers... by their distance."""
    import unittest

    case = unittest.TestCase()
    sources = [
        torch.tensor([[4, 5, 6], [7, 0, 0], [8, 9, 0]]),
        torch.tensor([[11, 0, 0], [4, 4, 4], [5, 9, 0]]),
    ]
    targets = [
        torch.tensor([[1, 5, 9, 4, 8, 7, 6], [1, 11, 10, 9, 8, 7, 6], [1, 4, 4, 5, 5, 6, 6]])[:, :n]
        for n in (4, 7)
    ]
    before = {(i, j): model(s, t) for i, s in enumerate(sources) for j, t in enumerate(targets)}
    for (i, j), expected in before.items():
        source, target = sources[i], targets[j]
        for start in range(1, target.size(1)):
            changed = target.clone()
            changed[:, start:] = 15 - changed[:, start:]
            found = model(source, changed)
            gap = (found - expected)[:, :start].abs().max()
            case.assertLess(gap.item(), 1e-4, "a later token has an influence")


def in_one_large_batch(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Every change stands in a row of its own, all of one batch; then singly."""
    generator = torch.Generator().manual_seed(4)
    source, target = (
        torch.randint(4, 12, (1, 3), generator=generator),
        torch.randint(4, 12, (1, 8), generator=generator),
    )
    target[:, 0] = 1
    copies = [target.clone() for _ in range(8)]
    for start in range(1, 8):
        copies[start][:, start:] = 15 - target[:, start:]
    rows = torch.cat(copies)
    everything = model(source.expand(8, -1), rows)
    reversed_order = model(source.expand(8, -1), rows.flip(0)).flip(0)
    other = model((source - 2) % 8 + 4, target)
    assert not torch.allclose(other, other + 1), "the logits are not numbers"
    for start in range(1, 8):
        alone = model(source, copies[start])
        twice = model(source.repeat(2, 1), copies[start].repeat(2, 1))
        for found in (everything[start], reversed_order[start], alone[0], twice[1]):
            gap = (found[:start] - everything[0, :start]).abs().max().item()
            if not gap < 8e-5:
                raise AssertionError(f"a change from {start} on is seen before it")
