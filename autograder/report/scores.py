"""How the points are spread, without those who handed in nothing that could be graded."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.report.reading import Class

BARS = 10
MOST_BARS = 30


@dataclass(frozen=True)
class Bar:
    """How many submissions have so many points.

    Attributes:
        label: the points, as in "91–100".
        beyond: whether these are more than full marks.
    """

    label: str
    count: int
    beyond: bool


@dataclass(frozen=True)
class Spread:
    """The points of a class.

    Attributes:
        quartiles: the lower one, the median, the upper one.
        full: how many have full marks or more.
    """

    count: int
    mean: float
    quartiles: tuple[float, float, float]
    least: float
    best: float
    full: int
    bars: tuple[Bar, ...]


def spread(group: Class) -> Spread | None:
    """Describe the points of all that could be graded; None if nothing could."""
    scores = [result.score for result in group.graded]
    if not scores:
        return None
    cut = statistics.quantiles(scores, method="inclusive") if len(scores) > 1 else scores * 3
    return Spread(
        count=len(scores),
        mean=statistics.fmean(scores),
        quartiles=(cut[0], cut[1], cut[2]),
        least=min(scores),
        best=max(scores),
        full=sum(score >= group.full_marks for score in scores),
        bars=tuple(_bars(scores, group.full_marks)),
    )


def _bars(scores: Sequence[float], most: float) -> list[Bar]:
    """Count scores in steps of about a tenth of full marks; none at all is a step of its own."""
    step = max(1, round(most / BARS))
    counts = Counter(min(max(0, math.ceil(score / step)), MOST_BARS) for score in scores)
    last = max(math.ceil(most / step), *counts)
    return [Bar(_label(n, step), counts[n], (n - 1) * step >= most) for n in range(last + 1)]


def _label(number: int, step: int) -> str:
    low, high = (number - 1) * step + 1, number * step
    if number == 0:
        return "0"
    return str(high) if step == 1 else f"{low}–{high}"
