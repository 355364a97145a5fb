"""How long grading took, how students' code was confined, and what was unusual."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.report.reading import Class, Graded

SLOWEST = 5


@dataclass(frozen=True)
class Times:
    """Seconds for a submission, and what took longest.

    Attributes:
        slowest: names of submissions, each with its seconds.
        cases: question and title of a case, each with the seconds that it takes on average.
    """

    median: float
    most: float
    total: float
    slowest: tuple[tuple[str, float], ...]
    cases: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True)
class Warned:
    """A kind of warning: one of its kind as it stands there, and whose results have it."""

    example: str
    names: tuple[str, ...]


def times(group: Class) -> Times:
    """Tell how long grading took, by all results."""
    seconds = [result.seconds for result in group.results]
    slowest = sorted(group.results, key=lambda result: -result.seconds)[:SLOWEST]
    return Times(
        median=statistics.median(seconds),
        most=max(seconds),
        total=sum(seconds),
        slowest=tuple((result.name, result.seconds) for result in slowest),
        cases=tuple(_slowest_cases(group)),
    )


def _slowest_cases(group: Class) -> list[tuple[str, str, float]]:
    found: dict[tuple[str, str], list[float]] = {}
    for result in group.graded:
        for case in result.cases:
            found.setdefault((case.question, case.title), []).append(case.seconds)
    means = [(*place, statistics.fmean(seconds)) for place, seconds in found.items()]
    return sorted(means, key=lambda mean: -mean[2])[:SLOWEST]


def isolations(group: Class) -> list[tuple[str, int]]:
    """Count how submissions were confined, the most frequent first."""
    return Counter(result.isolation for result in group.results).most_common()


def versions(group: Class) -> list[tuple[str, int]]:
    """Count the versions of the homework, the most frequent first."""
    return Counter(result.version for result in group.results).most_common()


def warned(group: Class) -> list[Warned]:
    """Put warnings that differ in names and numbers only together, the most frequent first."""
    kinds: dict[str, list[tuple[str, str]]] = {}
    for result in group.results:
        for warning in _told(result):
            kinds.setdefault(_kind(warning), []).append((warning, result.name))
    found = [
        Warned(some[0][0], tuple(dict.fromkeys(name for _, name in some)))
        for some in kinds.values()
    ]
    return sorted(found, key=lambda kind: -len(kind.names))


def _told(result: Graded) -> Iterator[str]:
    if result.problem:
        yield f"Nothing could be graded: {result.problem}"
    yield from result.warnings


def _kind(warning: str) -> str:
    """Leave out what is quoted, named as a file, or a number."""
    without = re.sub(r"`[^`]*`?|'[^']*'|\S+\.(ipynb|py|zip)\b|\d+", "…", warning)
    return " ".join(without.split())
