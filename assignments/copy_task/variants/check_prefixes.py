"""Unusual right answers to `check_prefixes`, which must get full marks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor


def with_assert_close(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """torch.testing compares; the prefixes come from the longest to the shortest."""
    torch.random.manual_seed(2)
    batches = []
    for width, length in ((3, 4), (3, 4), (4, 9), (1, 2)):
        source, target = torch.randint(4, 12, (4, width)), torch.randint(4, 12, (4, length))
        source[2, 1:] = 0
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))
    for source, target, full in batches:
        for n in reversed(range(1, target.size(1) + 1)):
            torch.testing.assert_close(model(source, target[:, :n]), full[:, :n], atol=6e-5, rtol=0)
        for n in range(1, target.size(1) + 1):
            for i in range(4):
                alone = model(source[i : i + 1], target[i : i + 1, :n])
                torch.testing.assert_close(alone[0], full[i, :n], atol=6e-5, rtol=0)


def greedy_step_by_step(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Tokens are chosen by the model; what each step said is kept and compared with the full pass."""
    generator = torch.Generator().manual_seed(5)
    sources = [torch.randint(4, 12, (4, 4), generator=generator) for _ in range(2)]
    runs = []
    for source in sources:
        prefix, steps = torch.ones(4, 1, dtype=torch.long), []
        for step in range(7):
            logits = model(source, prefix)
            steps.append(logits)
            token = 4 + (logits[:, -1].argmax(-1) + step) % 8
            prefix = torch.cat([prefix, token[:, None]], dim=1)
        runs.append((source, prefix[:, :-1], steps))
    for source, target, steps in runs:
        full = model(source, target)
        for n, logits in enumerate(steps, 1):
            gap = (logits - full[:, :n]).abs().max().item()
            if not gap < 6e-5:
                raise AssertionError(f"step {n} saw something else than the full pass: {gap}")
        for i in range(4):
            for n in (7, 1, 4, 2):
                alone = model(source[i, None], target[i, None, :n])
                gap = (alone[0] - full[i, :n]).abs().max().item()
                if not gap < 6e-5:
                    raise AssertionError(f"row {i} alone, {n} tokens: {gap}")


def with_numpy(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Arrays; targets that end in EOS and PAD among them."""

    def ask(source: Tensor, target: Tensor) -> np.ndarray:
        return np.array(model(source, target).numpy())

    source = torch.tensor([[4, 7, 9], [6, 0, 0], [5, 8, 0], [11, 11, 4]])
    target = torch.tensor(
        [
            [1, 4, 7, 9, 5, 6, 8],
            [1, 6, 2, 0, 0, 0, 0],
            [1, 5, 8, 2, 0, 0, 0],
            [1, 9, 9, 10, 4, 2, 0],
        ]
    )
    elsewhere = source.flip(0).contiguous()
    full, other = ask(source, target), ask(elsewhere, target)
    for n in range(7, 0, -1):
        for s, f in ((source, full), (elsewhere, other)):
            assert np.abs(ask(s, target[:, :n]) - f[:, :n]).max() < 1e-4, f"prefix {n} differs"
            for i in range(4):
                one = ask(s[i : i + 1], target[i : i + 1, :n])[0]
                assert np.abs(one - f[i, :n]).max() < 1e-4, f"prefix {n} of row {i} differs"


def all_rows_of_all_lengths_at_once(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Each row alone first, then the batch."""
    generator = torch.Generator().manual_seed(9)
    source = torch.randint(4, 12, (5, 3), generator=generator)
    target = torch.randint(4, 12, (5, 8), generator=generator)
    target[:, 0] = 1
    alone = {
        (i, n): model(source[i, None], target[i, None, :n])[0]
        for n in range(1, 9)
        for i in range(5)
    }
    together = {n: model(source, target[:, :n]) for n in (8, 3, 5, 1, 2, 7, 4, 6)}
    other = model((source - 2) % 8 + 4, target)
    again = {n: model(source, target[:, :n]) for n in range(1, 9)}
    assert other.shape == together[8].shape, "the logits have another shape"
    for n in range(1, 9):
        for i in range(5):
            for found in (alone[i, n], together[n][i], again[n][i]):
                gap = float((found - together[8][i, :n]).abs().max())
                assert gap < 7e-5, f"row {i}, {n} tokens: {gap}"


def collects_complaints(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """All faults are gathered and told at the end."""
    complaints = []
    answers = {}
    for first_round in (True, False):
        for seed, length in ((0, 4), (1, 4), (2, 7)):
            drawn = torch.Generator().manual_seed(seed)
            source = torch.randint(4, 12, (5, 3), generator=drawn)
            source[torch.arange(3) > torch.arange(5)[:, None]] = 0
            target = torch.randint(4, 12, (5, length), generator=drawn)
            target[:, 0] = 1
            if first_round:
                answers[seed] = model(source, target).clone()
            for n in range(1, length + 1) if first_round else range(length, 0, -1):
                rows = slice(None) if n % 2 or first_round else slice(n % 5, n % 5 + 1)
                gap = (
                    (model(source[rows], target[rows, :n]) - answers[seed][rows, :n])
                    .abs()
                    .max()
                    .item()
                )
                if not gap < 5e-5:
                    complaints.append(f"batch {seed}, {n} tokens: {gap:.2g}")
    assert not complaints, "; ".join(complaints[:3])


def with_a_table(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Logits of each position are noted under the row and the prefix that they depend on."""
    noted: dict[tuple, Tensor] = {}

    def look(source: Tensor, target: Tensor) -> None:
        for s, t, logits in zip(source.tolist(), target.tolist(), model(source, target)):
            for position, found in enumerate(logits):
                key = (*s, -1, *t[: position + 1])
                known = noted.setdefault(key, found.clone())
                if not (found - known).abs().max() <= 8e-5:
                    raise AssertionError(
                        f"the same prefix of {position + 1} tokens has two answers"
                    )

    generator = torch.Generator().manual_seed(10)
    batches = [
        (
            torch.randint(4, 12, (4, 3), generator=generator),
            torch.randint(4, 12, (4, 7), generator=generator),
        )
        for _ in range(2)
    ]
    for source, target in batches:
        target[:, 0] = 1
        look(source, target)
    for source, target in batches:
        for n in (1, 3, 5, 7, 6, 4, 2):
            look(source, target[:, :n])
            look(source[n % 4, None], target[n % 4, None, :n])


def from_short_to_long_and_back(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Two batches take turns."""
    generator = torch.Generator().manual_seed(20)
    pairs = []
    for width in (2, 2, 4):
        source = torch.randint(4, 12, (3, width), generator=generator)
        target = torch.cat(
            [torch.ones(3, 1, dtype=torch.long), torch.randint(4, 12, (3, 6), generator=generator)],
            1,
        )
        pairs.append((source, target))
    wholes = [model(*pair) for pair in pairs]
    for n in [*range(1, 8), *range(7, 0, -1)]:
        for (source, target), whole in zip(pairs, wholes):
            for rows in ([0, 1, 2], [n % 3]):
                part = model(source[rows], target[rows][:, :n])
                if not torch.allclose(part, whole[rows][:, :n], rtol=0, atol=6e-5):
                    raise AssertionError(f"{n} tokens of rows {rows} have other logits than all")


def with_unittest(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The standard library asserts."""
    import unittest

    case = unittest.TestCase()
    source = torch.tensor([[4, 5, 6, 7], [7, 0, 0, 0], [8, 9, 0, 0]])
    turned = source.roll(1, 0)
    target = torch.tensor(
        [[1, 5, 9, 4, 8, 7, 6, 11], [1, 11, 10, 9, 8, 7, 6, 5], [1, 4, 2, 0, 0, 0, 0, 0]]
    )
    wholes = {"as is": (source, model(source, target)), "turned": (turned, model(turned, target))}
    for length in (8, 1, 6, 2, 5, 3, 7, 4):
        for name, (ids, whole) in wholes.items():
            gap = (model(ids, target[:, :length]) - whole[:, :length]).abs().max().item()
            case.assertLess(gap, 1e-4, f"{name}, {length} tokens")
            for i in range(3):
                lone = model(ids[i : i + 1], target[i : i + 1, :length])[0]
                case.assertLess(
                    (lone - whole[i, :length]).abs().max().item(), 1e-4, f"row {i} alone"
                )
