"""What grading finds out, as plain facts that every output format is made from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from autograder.homework import CaseFacts


class Outcome(Enum):
    """How a case ended."""

    PASSED = "passed"
    WRONG = "wrong"
    RAISED = "raised an exception"
    TIMED_OUT = "timed out"
    ENDED = "ended the process"
    MISSING = "missing"
    NOT_RUN = "not run"
    FAULT = "fault of the grader"

    @property
    def may_be_others_fault(self) -> bool:
        """Whether what ran before in the same process could have caused it."""
        return self not in (Outcome.PASSED, Outcome.MISSING, Outcome.NOT_RUN)


@dataclass(frozen=True)
class Place:
    """A line of a student's: the cell's number among all, and the line in it, both from 1.

    In a script there are no cells: `cell` is None, and the line is the file's.
    """

    cell: int | None
    line: int


@dataclass(frozen=True)
class CaseResult:
    """How one case went.

    Attributes:
        message: what the student reads, ends with the hint; empty where the case passed.
        hint: of the known mistake, with the first case that shows it.
        place: the line that raised, or else where the question's answer stands.
    """

    case: CaseFacts
    outcome: Outcome
    message: str
    seconds: float
    misconception: str | None = None
    hint: str = ""
    place: Place | None = None

    @property
    def passed(self) -> bool:
        """Whether it has its points."""
        return self.outcome is Outcome.PASSED

    @property
    def score(self) -> int:
        """The case's points, or none."""
        return self.case.points if self.passed else 0


@dataclass(frozen=True)
class Result:
    """How one submission went.

    Attributes:
        homework: its name.
        version: of the program and the homework.
        problem: why nothing could be graded, or None.
        faults: failures of the grader itself; a person has to look.
        isolation: how the student's code was confined.
        file: which file was graded: its name, or its path in the folder or zip.
    """

    submission: str
    homework: str
    version: str
    seed: int
    isolation: str
    cases: tuple[CaseResult, ...]
    problem: str | None
    warnings: tuple[str, ...]
    faults: tuple[str, ...]
    seconds: float
    file: str | None = None

    @property
    def score(self) -> int:
        """All points, those of the stretch included."""
        return sum(case.score for case in self.cases)

    def question_score(self, name: str) -> int:
        """The points of one question."""
        return sum(case.score for case in self.cases if case.case.question == name)
