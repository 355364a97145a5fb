"""What to teach again: by question, what the class lost, by which known mistakes, and whose."""

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
        lost: the points that they lost in this question, together.
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


@dataclass(frozen=True)
class Lesson:
    """What the class lost in a question, and why.

    Attributes:
        points: that there are for each.
        lost: by all of them together.
        names: of the submissions that lost any.
        count: of the submissions that were asked.
        mistakes: those of most submissions first.
        unanswered: names of the submissions without an answer.
        unexplained: what is no known mistake, or None.
    """

    question: str
    is_stretch: bool
    points: float
    lost: float
    names: tuple[str, ...]
    count: int
    mistakes: tuple[Mistake, ...]
    unanswered: tuple[str, ...]
    unexplained: Unexplained | None

    @property
    def share(self) -> float:
        """Which part of the points there are was lost, from 0 to 1."""
        return self.lost / (self.points * self.count) if self.points else 0.0

    @property
    def reasons(self) -> list[tuple[str, int]]:
        """Why points were lost, each with how many did for it."""
        told = [(mistake.name.replace("_", " "), len(mistake.names)) for mistake in self.mistakes]
        if self.unexplained is not None:
            told.append(("otherwise wrong", len(self.unexplained.names)))
        if self.unanswered:
            told.append(("not written", len(self.unanswered)))
        return told


def lessons(group: Class) -> list[Lesson]:
    """List the questions in which points were lost, most points first, the stretch last."""
    mistakes = known_mistakes(group)
    others = {one.question: one for one in unexplained(group)}
    found = [
        _lesson(group, name, [m for m in mistakes if m.question == name], others.get(name))
        for name in group.questions
    ]
    return sorted((one for one in found if one.names), key=lambda one: (one.is_stretch, -one.lost))


def _lesson(
    group: Class, question: str, mistakes: list[Mistake], other: Unexplained | None
) -> Lesson:
    asked = [result for result in group.graded if question in result.points]
    lost = {result.name: result.most[question] - result.points[question] for result in asked}
    return Lesson(
        question=question,
        is_stretch=question in group.stretch,
        points=max((result.most[question] for result in asked), default=0),
        lost=sum(lost.values()),
        names=tuple(name for name, points in lost.items() if points > 0),
        count=len(asked),
        mistakes=tuple(mistakes),
        unanswered=tuple(result.name for result in asked if is_unanswered(result, question)),
        unexplained=other,
    )


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
        lost=lost,
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
