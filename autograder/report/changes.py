"""Whose points differ from those of an earlier report, by how much, in which cases, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.homework import KNOWN_MISTAKES
from autograder.report.reading import Case, Class, Graded


@dataclass(frozen=True)
class CaseChange:
    """A case that has other points than before; None where there was, or is, no such case."""

    question: str
    title: str
    before: float | None
    after: float | None


@dataclass(frozen=True)
class Change:
    """A submission whose points are not what they were.

    Attributes:
        reasons: what is known to have changed.
    """

    name: str
    before: float
    after: float
    cases: tuple[CaseChange, ...]
    reasons: tuple[str, ...]

    @property
    def by(self) -> float:
        """How many points there are more."""
        return self.after - self.before

    @property
    def by_question(self) -> dict[str, list[CaseChange]]:
        """The cases, each with its question."""
        groups: dict[str, list[CaseChange]] = {}
        for case in self.cases:
            groups.setdefault(case.question, []).append(case)
        return groups


@dataclass(frozen=True)
class Cause:
    """A reason, and how many have more or fewer points for it, perhaps among others."""

    reason: str
    more: int
    fewer: int
    equal: int


@dataclass(frozen=True)
class Changes:
    """Two classes compared.

    Attributes:
        changes: the largest first.
        causes: those of most submissions first.
        same: how many have the same points in each case.
        new: names that only the later class has.
        gone: names that only the earlier class has.
        gone_students: by these names, those who handed in, where they are known.
    """

    changes: tuple[Change, ...]
    causes: tuple[Cause, ...]
    same: int
    new: tuple[str, ...]
    gone: tuple[str, ...]
    gone_students: Mapping[str, str]


def compare(old: Class, new: Class) -> Changes:
    """Compare the results of the same names in two folders."""
    before = {result.name: result for result in old.results}
    after = {result.name: result for result in new.results}
    both = [name for name in after if name in before]
    found = [change for name in both if (change := _change(before[name], after[name]))]
    gone = {name: before[name].students for name in before if name not in after}
    found.sort(key=lambda change: (-abs(change.by), change.name))
    return Changes(
        changes=tuple(found),
        causes=tuple(_causes(found)),
        same=len(both) - len(found),
        new=tuple(name for name in after if name not in before),
        gone=tuple(gone),
        gone_students=gone,
    )


def _change(old: Graded, new: Graded) -> Change | None:
    cases = tuple(_case_changes(old, new))
    if not cases and old.score == new.score:
        return None
    questions = list(dict.fromkeys(case.question for case in cases))
    return Change(new.name, old.score, new.score, cases, tuple(_reasons(old, new, questions)))


def _case_changes(old: Graded, new: Graded) -> Iterator[CaseChange]:
    before, after = _by_name(old), _by_name(new)
    for key in {**after, **before}:
        was, now = before.get(key), after.get(key)
        points = [None if case is None else case.score for case in (was, now)]
        case = now or was
        if points[0] != points[1] and case is not None:
            yield CaseChange(case.question, case.title, *points)


def _by_name(result: Graded) -> dict[tuple[str, str], Case]:
    return {(case.question, case.name): case for case in result.cases}


def _reasons(old: Graded, new: Graded, questions: Sequence[str]) -> Iterator[str]:
    """Say what of all that decides about these questions is not what it was."""
    told = [
        *_made_otherwise(old, new, questions),
        *_differs("isolation", f"isolation was {old.isolation} and is {new.isolation}", old, new),
        *_differs("problem", "what could be graded at all has changed", old, new),
    ]
    points = sum(case.score for case in new.cases)
    if new.score != points or old.score != sum(case.score for case in old.cases):
        told.append("the sum was changed by hand")
    yield from told or ["nothing that is recorded: it may go otherwise each time it is graded"]


def _made_otherwise(old: Graded, new: Graded, questions: Sequence[str]) -> Iterator[str]:
    if not (old.made_of and new.made_of):
        yield from _differs("version", "the homework has changed", old, new)
        yield from _differs("seed", "the submission or its seed has changed", old, new)
        return
    if old.made_of.get("code") != new.made_of.get("code"):
        yield "the submission has changed"
    else:
        yield from _differs("seed", "the seed has changed", old, new)
    for part in _differing(old.made_of.get("shared"), new.made_of.get("shared")):
        yield f"{part} has changed"
    was, now = (_mapping(result.made_of.get("questions")) for result in (old, new))
    for question in questions:
        for part in _differing(was.get(question), now.get(question)):
            yield f"{part} of {question} has changed"


def _differs(field: str, told: str, old: Graded, new: Graded) -> Iterator[str]:
    if getattr(old, field) != getattr(new, field):
        yield told


def _differing(before: Any, after: Any) -> list[str]:
    was, now = _mapping(before), _mapping(after)
    names = [name for name in {**now, **was} if was.get(name) != now.get(name)]
    return [str(name) for name in names if name != KNOWN_MISTAKES]  # these decide about hints


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _causes(changes: Sequence[Change]) -> list[Cause]:
    groups: dict[str, list[float]] = {}
    for change in changes:
        for reason in change.reasons:
            groups.setdefault(reason, []).append(change.by)
    causes = [
        Cause(reason, sum(by > 0 for by in found), sum(by < 0 for by in found), found.count(0))
        for reason, found in groups.items()
    ]
    return sorted(causes, key=lambda cause: -(cause.more + cause.fewer + cause.equal))
