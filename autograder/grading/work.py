"""What a batch has kept, what it has graded and why: the lines that `--resume` ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

MAX_SHOWN = 20


@dataclass(frozen=True)
class Work:
    """What was done about a submission, and why.

    Attributes:
        reason: why anything was graded; empty if nothing was.
        questions: those that were graded, each with what of it changed; empty where it was the
            whole submission.
        before: the points that there were, or None.
        after: the points that there are now.
    """

    reason: str
    questions: Mapping[str, str] = field(default_factory=dict)
    before: float | None = None
    after: float | None = None


def told(works: Mapping[str, Work]) -> Iterator[str]:
    """Say in a few lines what was kept, what was graded and why, and whose points changed."""
    kept = sum(not work.reason for work in works.values())
    yield f"kept {kept} of {len(works)} {'result' if len(works) == 1 else 'results'}"
    whole = Counter(w.reason for w in works.values() if w.reason and not w.questions)
    parts = Counter(item for work in works.values() for item in work.questions.items())
    yield from (f"graded {count}: {reason}" for reason, count in whole.items())
    for (question, changed), count in parts.items():
        yield f"graded {question} of {count}: {changed} changed"
    moved = {n: w for n, w in works.items() if w.before is not None and w.before != w.after}
    yield from _points(list(moved.items()))


def _points(moved: Sequence[tuple[str, Work]]) -> Iterator[str]:
    if moved:
        yield f"points changed in {len(moved)}:"
    for name, work in moved[:MAX_SHOWN]:
        yield f"    {name}: {work.before} → {work.after}"
    if len(moved) > MAX_SHOWN:
        yield f"    … and in {len(moved) - MAX_SHOWN} more: see `report --against`"
