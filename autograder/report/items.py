"""How hard each question and each case is, and how well it tells strong work from weak.

Difficulty is the mean share of the points that there are. Discrimination is the corrected
item-total correlation, which is the point-biserial one where an item is passed or failed: between
the points of the item and those of all the rest, the item itself taken out so that it does not
correlate with itself (Henrysson, "Correction of item-total correlations in item analysis",
Psychometrika 28, 1963).
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.report.reading import Case, Class, Graded

FEWEST = 10
"""With fewer submissions a correlation says nothing."""
LOW = 0.2
"""Below this, what an item measures has little to do with the rest."""


@dataclass(frozen=True)
class Discrimination:
    """A correlation from −1 to 1, or why there is none."""

    value: float | None
    reason: str = ""

    @property
    def is_low(self) -> bool:
        """Whether the item tells strong work from weak badly, or the wrong way round."""
        return self.value is not None and self.value < LOW


@dataclass(frozen=True)
class QuestionItem:
    """How a question went.

    Attributes:
        number: what the handout calls it, such as 4a.
        points: that there are.
        share: the mean share of them that was reached, from 0 to 1.
        full: how many submissions have all of them.
        none: how many have none of them.
        unanswered: how many have not answered at all.
        count: of all submissions in which there was something to grade.
    """

    number: str
    name: str
    is_stretch: bool
    points: float
    share: float
    full: int
    none: int
    unanswered: int
    count: int
    discrimination: Discrimination


@dataclass(frozen=True)
class CaseItem:
    """How a case went.

    Attributes:
        number: of its question and its own, as in 4a.2.
        failed: how many submissions failed it.
        count: how many there are that it belongs to.
    """

    number: str
    question: str
    name: str
    title: str
    hidden: bool
    points: float
    failed: int
    count: int
    discrimination: Discrimination

    @property
    def share(self) -> float:
        """Which part of the submissions failed it, from 0 to 1."""
        return self.failed / self.count


def discrimination(item: Sequence[float], rest: Sequence[float]) -> Discrimination:
    """Correlate what each submission has for an item with what it has for the rest."""
    if len(item) < FEWEST:
        return Discrimination(None, f"fewer than {FEWEST} submissions")
    if min(item) == max(item):
        return Discrimination(None, "all have the same points")
    if min(rest) == max(rest):
        return Discrimination(None, "all have the same points in the rest")
    return Discrimination(statistics.correlation(item, rest))


def question_items(group: Class) -> list[QuestionItem]:
    """Describe each question, by the submissions in which there was something to grade."""
    return [_question(group, name) for name in group.questions]


def _question(group: Class, name: str) -> QuestionItem:
    asked = [result for result in group.graded if name in result.points]
    points = [result.points[name] for result in asked]
    shares = [_share(result.points[name], result.most[name]) for result in asked]
    rest = [_rest(group, result, name) for result in asked]
    return QuestionItem(
        number=group.numbers[name],
        name=name,
        is_stretch=name in group.stretch,
        points=max(result.most[name] for result in group.results if name in result.most),
        share=statistics.fmean(shares) if shares else 0.0,
        full=sum(share >= 1 for share in shares),
        none=sum(share <= 0 for share in shares),
        unanswered=sum(is_unanswered(result, name) for result in asked),
        count=len(asked),
        discrimination=discrimination(points, rest),
    )


def case_items(group: Class) -> list[CaseItem]:
    """Describe each case that any of these submissions was graded by."""
    found: dict[tuple[str, str], list[tuple[float, Case]]] = {}
    for result in group.graded:
        total = group.counted(result.points)
        for case in result.cases:
            rest = total if case.question in group.stretch else total - case.score
            found.setdefault((case.question, case.name), []).append((rest, case))
    ordered = sorted(found.values(), key=lambda some: group.questions.index(some[0][1].question))
    counts: Counter[str] = Counter()
    items = []
    for some in ordered:
        question = some[0][1].question
        counts[question] += 1
        items.append(_case(f"{group.numbers[question]}.{counts[question]}", some))
    return items


def _case(number: str, some: Sequence[tuple[float, Case]]) -> CaseItem:
    """Describe a case; each time it comes with the points of all the rest."""
    last = some[-1][1]
    passed = [float(case.passed) for _, case in some]
    return CaseItem(
        number=number,
        question=last.question,
        name=last.name,
        title=last.title,
        hidden=last.hidden,
        points=last.points,
        failed=passed.count(0.0),
        count=len(some),
        discrimination=discrimination(passed, [rest for rest, _ in some]),
    )


def _share(points: float, most: float) -> float:
    return points / most if most else 1.0


def _rest(group: Class, result: Graded, question: str) -> float:
    """Return the points of the other questions, without the stretch."""
    return group.counted({name: has for name, has in result.points.items() if name != question})


def is_unanswered(result: Graded, question: str) -> bool:
    """Tell whether there was no function of this name, or nothing in it but the stub's `raise`."""
    cases = [case for case in result.cases if case.question == question]
    absent = f"`{question}` is not "
    return not any(case.passed for case in cases) and any(absent in c.message for c in cases)
