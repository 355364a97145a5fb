"""Unusual right answers to `check_source_padding`, which must get full marks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor


def with_assert_close(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """torch.testing compares; rows are stripped of their PADs."""
    torch.random.manual_seed(2)
    batches = []
    for width in (1, 3, 3, 6):
        source, target = torch.randint(4, 12, (5, width)), torch.randint(4, 12, (5, 6))
        source[torch.arange(width) > torch.arange(5)[:, None]] = 0
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))
    for source, target, before in batches:
        wide = torch.cat([source, torch.zeros(5, 3, dtype=torch.long)], dim=1)
        torch.testing.assert_close(model(wide, target), before, atol=6e-5, rtol=0)
        for i, row in enumerate(source):
            alone = model(row[row > 0].unsqueeze(0), target[i : i + 1])
            torch.testing.assert_close(alone[0], before[i], atol=6e-5, rtol=0)


def with_numpy(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Arrays, and widths from just enough to far too many."""
    rows = [[4], [5, 6], [7, 8, 9], [10, 11, 4, 5], [6, 6]]
    others = [[9], [9, 4], [5, 4, 4], [6, 7, 8, 9], [11, 10]]
    target = torch.tensor(
        [[1, 5, 7, 9, 11], [1, 6, 2, 0, 0], [1, 4, 4, 4, 2], [1, 2, 0, 0, 0], [1, 8, 9, 2, 0]]
    )

    def padded(rows: list, width: int) -> Tensor:
        return torch.tensor([row + [0] * (width - len(row)) for row in rows])

    expected = {}
    for name, these in (("rows", rows), ("others", others)):
        for width in range(4, 9):
            found = model(padded(these, width), target).numpy().copy()
            expected.setdefault(name, found)
            assert np.abs(found - expected[name]).max() < 1e-4, (
                f"a width of {width} gives other logits"
            )
    for name, these in (("others", others), ("rows", rows)):
        for i, row in enumerate(these):
            for width in (len(row), len(row) + 1, 7):
                found = model(padded([row], width), target[i : i + 1]).numpy()[0]
                gap = np.abs(found - expected[name][i]).max()
                assert gap < 1e-4, f"row {i} alone in a width of {width}: {gap}"


def each_row_alone_is_right(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The right answer is that of each row by itself; batches of every width must give it."""
    generator = torch.Generator().manual_seed(6)
    rows = [torch.randint(4, 12, (n,), generator=generator) for n in (3, 1, 2, 5, 1, 4)]
    target = torch.randint(4, 12, (6, 7), generator=generator)
    target[:, 0] = 1
    alone = torch.cat([model(row[None], target[i, None]) for i, row in enumerate(rows)])
    for order in (list(range(6)), [3, 0, 5, 1, 4, 2]):
        batch = torch.nn.utils.rnn.pad_sequence([rows[i] for i in order], batch_first=True)
        for extra in (0, 1, 3, 8):
            wide = F.pad(batch, (0, extra), value=0)
            gap = (model(wide, target[order]) - alone[order]).abs().amax(dim=(1, 2))
            for i, g in zip(order, gap.tolist()):
                if not g <= 7e-5:
                    raise AssertionError(f"row {i} with {extra} more columns is off by {g}")


def collects_complaints(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """All faults are gathered and told at the end."""
    complaints: list[str] = []

    def compare(what: str, found: Tensor, expected: Tensor) -> None:
        gap = (found - expected).abs().max().item()
        if not gap < 5e-5:
            complaints.append(f"{what}: {gap:.3g}")

    sources = [
        torch.tensor(s)
        for s in (
            [[4, 7, 9], [6, 0, 0], [5, 8, 0]],
            [[8, 0, 0], [9, 9, 9], [4, 11, 0]],
            [[4, 5, 6, 7, 8], [6, 0, 0, 0, 0], [9, 8, 7, 0, 0]],
        )
    ]
    target = torch.tensor([[1, 4, 7, 9, 2, 0], [1, 6, 2, 0, 0, 0], [1, 5, 8, 11, 10, 4]])
    answers = [model(source, target) for source in sources]
    for source, answer in zip(sources, answers):
        for n in (1, 2, 3, 6):
            compare(f"{n} PADs", model(F.pad(source, (0, n)), target), answer)
        for i in range(3):
            length = int((source[i] != 0).sum())
            compare(
                f"row {i} alone", model(source[i : i + 1, :length], target[i : i + 1]), answer[i]
            )
        pair = source[1:, : int((source[1:] != 0).sum(1).max())]
        compare("the last two rows", model(pair, target[1:]), answer[1:])
    if complaints:
        raise AssertionError("; ".join(complaints[:4]))


def with_new_zeros(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """PADs are added column by column."""
    generator = torch.Generator().manual_seed(11)
    saved = []
    for width, length in ((4, 3), (2, 8), (4, 3), (1, 2)):
        source = torch.randint(4, 12, (4, width), generator=generator)
        for i in range(4):
            source[i, 1 + i :] = 0
        target = torch.randint(4, 12, (4, length), generator=generator)
        target[:, 0] = 1
        saved.append((source, target, model(source, target).double()))
    for source, target, before in saved:
        for _ in range(5):
            source = torch.hstack([source, source.new_zeros(4, 1)])
            worst = (model(source, target).double() - before).abs().max()
            if worst.item() > 5e-5 or bool(worst.isnan()):
                raise AssertionError("one PAD more makes a difference")
        for i in range(4):
            short = source[i][source[i].nonzero().squeeze(1)].unsqueeze(0)
            worst = (model(short, target[i].unsqueeze(0)).double()[0] - before[i]).abs().max()
            if worst.item() > 5e-5:
                raise AssertionError("a row without its PADs makes a difference")


def with_a_helper_that_compares_batches(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """Two layouts of the same sources, in two orders and two companies."""

    def same(a: Tensor, b: Tensor) -> bool:
        return bool(torch.isclose(a, b, rtol=0, atol=8e-5).all())

    generator = torch.Generator().manual_seed(12)
    target = torch.randint(4, 12, (4, 9), generator=generator)
    target[:, 0] = 1
    first = torch.tensor([[4, 5, 0, 0], [6, 0, 0, 0], [7, 8, 9, 10], [11, 4, 5, 0]])
    second = torch.tensor([[10, 0, 0, 0], [9, 8, 7, 0], [6, 5, 0, 0], [4, 4, 4, 4]])
    expected = [model(first, target), model(second, target)]
    for source, before in ((second, expected[1]), (first, expected[0])):
        assert same(model(F.pad(source, (0, 1)), target), before), "one PAD is seen"
        assert same(model(F.pad(source, (0, 7)), target), before), "seven PADs are seen"
        turned = model(source.flip(0), target.flip(0)).flip(0)
        assert same(turned, before), "the company of other rows is seen"
        for i in range(4):
            n = int(source[i].count_nonzero())
            for width in (n, n + 2):
                row = F.pad(source[i : i + 1, :n], (0, width - n))
                assert same(model(row, target[i : i + 1])[0], before[i]), (
                    f"row {i} is alone and differs"
                )


def with_unittest(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The standard library asserts."""
    import unittest

    case = unittest.TestCase()
    rows = {
        (4, 7, 9): (1, 4, 7, 9, 5),
        (6,): (1, 6, 2, 0, 0),
        (5, 8): (1, 5, 8, 2, 0),
        (11, 10, 11, 10): (1, 7, 8, 9, 10),
    }
    for names in (list(rows), list(rows)[::-1]):
        targets = torch.tensor([rows[name] for name in names])
        answers = {}
        for width in (4, 5, 9):
            source = torch.tensor([[*name, *[0] * (width - len(name))] for name in names])
            for name, logits in zip(names, model(source, targets)):
                reference = answers.setdefault(name, logits)
                case.assertLess(
                    (logits - reference).abs().max().item(), 1e-4, f"{name} in {width} columns"
                )
        for name, target in rows.items():
            logits = model(torch.tensor([name]), torch.tensor([target]))[0]
            case.assertLess((logits - answers[name]).abs().max().item(), 1e-4, f"{name} alone")


def sums_of_squares(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """The largest norm of a difference over positions decides."""
    generator = torch.Generator().manual_seed(13)
    batches = []
    for width in (3, 5, 3):
        source = torch.randint(4, 12, (6, width), generator=generator)
        source = source * (torch.arange(width) < 1 + torch.arange(6)[:, None] % width)
        target = torch.cat(
            [torch.ones(6, 1, dtype=torch.long), torch.randint(4, 12, (6, 6), generator=generator)],
            1,
        )
        batches.append((source, target))
    before = [model(*batch) for batch in batches]
    for (source, target), wanted in zip(batches, before):
        for layout in (F.pad(source, (0, 1)), F.pad(source, (0, 2)), F.pad(source, (0, 6))):
            norm = (model(layout, target) - wanted).pow(2).sum(-1).sqrt()
            assert (norm < 2e-4).all(), (
                f"PADs move logits at {(norm >= 2e-4).nonzero()[0].tolist()}"
            )
        for i in range(6):
            trimmed = source[i : i + 1, : 1 + i % source.size(1)]
            norm = (model(trimmed, target[i : i + 1])[0] - wanted[i]).pow(2).sum(-1).sqrt()
            assert (norm < 2e-4).all(), f"row {i} alone is another"


def rows_alone_against_the_batch(model: Callable[[Tensor, Tensor], Tensor]) -> None:
    """No PADs are added: each row has fewer alone than beside longer ones."""
    generator = torch.Generator().manual_seed(0)
    batches = []
    for width, length in ((3, 4), (5, 7)):
        source = torch.randint(4, 12, (5, width), generator=generator)
        source[1, 1:] = source[3, 2:] = 0
        target = torch.randint(4, 12, (5, length), generator=generator)
        target[:, 0] = 1
        batches.append((source, target, model(source, target)))

    for source, target, before in batches:
        for row in range(5):
            kept = source[row : row + 1, source[row] != 0]
            difference = (model(kept, target[row : row + 1]) - before[row]).abs().max()
            if difference > 1e-4:
                raise AssertionError(f"row {row} alone has other logits")
