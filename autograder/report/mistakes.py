"""The misconception map: which known mistake, its hint, how many show it, and whose answers do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from autograder.report.items import is_unanswered
from autograder.report.reading import Case, Class, Graded


@dataclass(frozen=True)
class Mistake:
    """A known mistake that some answers show.

    Attributes:
        hint: what students read: what was probably done, and which idea to revisit.
        names: of the submissions.
        lost: the points that they lost in this question, on average.
    """

    question: str
    name: str
    hint: str
    names: tuple[str, ...]
    lost: float


@dataclass(frozen=True)
class Unexplained:
    """What went wrong in a question and is no known mistake.

    Attributes:
        names: of the submissions.
        titles: of the cases that they failed first, each with how many did.
        example: the message that stands there most often.
    """

    question: str
    names: tuple[str, ...]
    titles: tuple[tuple[str, int], ...]
    example: str


def known_mistakes(group: Class) -> list[Mistake]:
    """List the mistakes that answers show, those of most submissions first."""
    found: dict[tuple[str, str], list[tuple[Graded, str]]] = {}
    for result in group.graded:
        for (question, mistake), hint in _shown(result).items():
            found.setdefault((question, mistake), []).append((result, hint))
    mistakes = [_mistake(*key, some) for key, some in found.items()]
    order = {name: number for number, name in enumerate(group.questions)}
    return sorted(mistakes, key=lambda m: (-len(m.names), order[m.question], m.name))


def _shown(result: Graded) -> dict[tuple[str, str], str]:
    """Return the mistakes that a submission shows, each with its hint."""
    shown: dict[tuple[str, str], str] = {}
    for case in result.cases:
        if case.mistake:
            key = case.question, case.mistake
            shown[key] = shown.get(key) or case.hint
    return shown


def _mistake(question: str, name: str, some: list[tuple[Graded, str]]) -> Mistake:
    lost = sum(result.most[question] - result.points[question] for result, _ in some)
    return Mistake(
        question=question,
        name=name,
        hint=next((hint for _, hint in some if hint), ""),
        names=tuple(result.name for result, _ in some),
        lost=lost / len(some),
    )


def unexplained(group: Class) -> list[Unexplained]:
    """List the questions in which answers failed that show no known mistake."""
    found = [_unexplained(name, list(_first_failures(group, name))) for name in group.questions]
    return sorted((one for one in found if one.names), key=lambda one: -len(one.names))


def _first_failures(group: Class, question: str) -> Iterator[tuple[str, Case]]:
    """Find answers without a known mistake; yields each with the first case that it failed."""
    for result in group.graded:
        failed = [c for c in result.cases if c.question == question and not c.passed]
        known = any(case.mistake for case in failed)
        if failed and not known and not is_unanswered(result, question):
            yield result.name, failed[0]


def _unexplained(question: str, some: list[tuple[str, Case]]) -> Unexplained:
    titles = Counter(case.title for _, case in some)
    messages = Counter(case.message for _, case in some)
    return Unexplained(
        question=question,
        names=tuple(name for name, _ in some),
        titles=tuple(titles.most_common(3)),
        example=messages.most_common(1)[0][0] if messages else "",
    )
