"""Grades what a build would hand out as submissions are graded: the solved notebook, the starter.

The trials run in one process, where names of check files and modules are at hand that a student's
notebook does not have. So what only grading shows is found here.
"""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from autograder.building.build import files_beside
from autograder.building.definitions import Definitions
from autograder.building.errors import BuildError
from autograder.building.handout import compose
from autograder.grading.engine import grade
from autograder.grading.intake import Found, read_submission
from autograder.grading.launchers import Launcher, open_launcher
from autograder.grading.results import Outcome, Result
from autograder.homework import Homework, Question

SOLVED, STARTER = "the solved notebook", "the starter"


def notebook_faults(homework: Homework, names: Collection[str]) -> list[str]:
    """Grade some questions of both notebooks; say in lines where they lack points or have them."""
    try:
        texts = _composed(homework)
    except BuildError as error:
        return [f"the notebooks cannot be built: {error}"]
    shown = _with_public_cases(homework)
    with open_launcher() as launcher:
        graded = {kind: _graded(text, shown, names, launcher) for kind, text in texts.items()}
    return [*_lost(graded[SOLVED]), *_given(graded[STARTER])]


def _composed(homework: Homework) -> dict[str, str]:
    definitions, beside = Definitions.read(homework.solutions), files_beside(homework)
    return {
        SOLVED: compose(homework, definitions, beside, solved=True),
        STARTER: compose(homework, definitions, beside, solved=False),
    }


def _with_public_cases(homework: Homework) -> Homework:
    """Return the homework with no case hidden: the messages are for its author."""
    shown = dataclasses.replace(homework)
    vars(shown)["questions"] = tuple(map(_with_all_public, homework.questions))  # as if read
    return shown


def _with_all_public(question: Question) -> Question:
    facts = [dataclasses.replace(case.facts, hidden=False) for case in question.cases]
    cases = zip(question.cases, facts, strict=True)
    return dataclasses.replace(
        question, cases=tuple(dataclasses.replace(case, facts=own) for case, own in cases)
    )


def _graded(text: str, homework: Homework, names: Collection[str], launcher: Launcher) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{homework.name}.ipynb"
        path.write_text(text, encoding="utf-8")
        submission = read_submission(Found(homework.name, path), homework)
    return grade(submission, homework, launcher=launcher, only=names)


def _lost(result: Result) -> Iterator[str]:
    """Say what keeps the solved notebook from all points, and what went wrong meanwhile."""
    for told in (result.problem, *result.faults, *result.warnings):
        if told is not None:
            yield f"{SOLVED}: {told}"
    for found in result.cases:
        if not found.passed and found.outcome is not Outcome.FAULT:
            case, lost = found.case, _points(found.case.points)
            yield f"{SOLVED} loses {lost}: {case.question}, `{case.name}`: {found.message}"


def _given(result: Result) -> Iterator[str]:
    """Say what the starter has points for; where the grader fails, the solved notebook shows it."""
    if result.problem is not None:
        yield f"{STARTER}: {result.problem}"
    for found in result.cases:
        if found.score:
            case, given = found.case, _points(found.score)
            yield f"{STARTER} has {given}: {case.question}, `{case.name}` passes"


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"
