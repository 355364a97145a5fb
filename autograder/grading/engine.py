"""Grades one submission: runs every case of every question on its functions."""

from __future__ import annotations

import builtins
import hashlib
import re
import time
from collections.abc import Iterator
from typing import Any

from autograder.checking import Absent, Mismatch, Missing, case_arguments, not_written
from autograder.grading.intake import Cell, Submission
from autograder.grading.results import CaseResult, Result
from autograder.grading.session import (
    Loaded,
    RemoteFunction,
    Session,
    StartError,
    StudentError,
    TimedOut,
    WorkerEnded,
)
from autograder.homework import Case, CaseFacts, Homework, Question
from autograder.worker.wire import Opaque


def _is_exception(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


ISOLATION = "process"
MAX_SKIPPED_CELLS = 3
MAX_TIMEOUTS = 2
BUILTIN_EXCEPTIONS = {name for name, value in vars(builtins).items() if _is_exception(value)}
"""A class of the student's own is called by its nearest builtin base: its name may tell inputs."""


class LoadError(Exception):
    """The notebook's cells cannot be run to the end, even without those that end the process."""


class Notebook:
    """A submission's cells in a live worker; a new worker takes the place of one that ended."""

    def __init__(self, submission: Submission, homework: Homework, seed: int) -> None:
        self._cells = {cell.number: cell for cell in submission.cells}
        self._homework = homework
        self._seed = seed
        self._skipped: dict[int, str] = {}
        self._session: Session | None = None
        self._loaded: Loaded | None = None
        self._failure: LoadError | None = None

    def session(self) -> Session:
        """Return the session with the cells loaded, starting one if there is none.

        Raises:
            LoadError: if too many cells end the process.
            StartError: if this machine cannot start a worker.
        """
        while self._session is None:
            if self._failure is not None:
                raise self._failure
            self._start()
        return self._session

    def _start(self) -> None:
        session = Session(self._homework.limits, self._seed)
        cells = [(n, c.source) for n, c in self._cells.items() if n not in self._skipped]
        try:
            self._loaded = session.load(cells, self._homework.question_names)
            self._session = session
        except WorkerEnded as error:
            self._skip(session.cell, error)

    def _skip(self, cell: int | None, error: WorkerEnded) -> None:
        if cell is None or len(self._skipped) >= MAX_SKIPPED_CELLS:
            self._failure = LoadError(f"the notebook cannot be run: {error.reason}")
            return
        limit = f"ran for more than {self._homework.limits.load_seconds:g} s"
        reason = limit if isinstance(error, TimedOut) else "ended the process"
        self._skipped[cell] = f"cell {cell + 1} {reason} and was skipped"

    def environment(self, stand_ins: dict[str, Any]) -> dict[str, Any]:
        """Return the student's functions by name; those that are not there say why when called.

        Args:
            stand_ins: what replaces other functions of the student's while one of them runs.
        """
        session, loaded = self.session(), self._loaded
        assert loaded is not None
        names = loaded.functions
        found: dict[str, Any] = {name: RemoteFunction(session, name, stand_ins) for name in names}
        for name in set(self._homework.question_names) - loaded.functions:
            if name in loaded.kinds:
                found[name] = Opaque(loaded.kinds[name])
            elif (reason := self._why_undefined(name, loaded)) is not None:
                found[name] = Absent(reason)
        return found

    def _why_undefined(self, name: str, loaded: Loaded) -> str | None:
        """Say which failing cell was to define the function, if one was."""
        for failure in loaded.failures:
            cell = self._cells.get(-1 if failure.cell is None else failure.cell)
            if cell is not None and _defines(cell, name):
                return f"`{name}` is not defined: its cell failed with {self.locate(failure)}"
        for number, reason in self._skipped.items():
            if _defines(self._cells[number], name):
                return f"`{name}` is not defined: {reason}"
        return None

    def locate(self, error: StudentError) -> str:
        """Name an exception's class, and the student's own line that raised it."""
        kind = next((k for k in error.kinds if k in BUILTIN_EXCEPTIONS), "Exception")
        cell = self._cells.get(-1 if error.cell is None else error.cell)
        if cell is None or error.line is None:
            return kind
        lines = cell.source.splitlines()
        line = lines[error.line - 1].strip() if 0 < error.line <= len(lines) else ""
        return f"{kind} in cell {cell.number + 1}, line {error.line}: `{line[:120]}`"

    def warnings(self) -> Iterator[str]:
        """Tell what went wrong while the cells ran."""
        yield from self._skipped.values()
        if self._failure is not None:
            yield str(self._failure)
        if self._loaded is not None:
            yield from (
                self.locate(failure)
                for failure in self._loaded.failures
                if failure.kinds[:1] != ["NotImplementedError"]
            )
            yield from self._loaded.notes

    def drop(self) -> None:
        """End the worker; the next case gets a new one."""
        if self._session is not None:
            self._session.close()
        self._session = None


def grade(submission: Submission, homework: Homework, seed: int | None = None) -> Result:
    """Grade a submission; the result is complete whatever the submission does.

    Args:
        submission: what was handed in.
        homework: the homework that it belongs to.
        seed: where hidden inputs are drawn from; None derives it from the submission and the build.

    Raises:
        StartError: if this machine cannot start a worker at all.
    """
    started = time.monotonic()
    seed = seed if seed is not None else derived_seed(submission, homework)
    cases, warnings, faults = _grade_cells(submission, homework, seed, started)
    return Result(
        submission=submission.name,
        homework=homework.name,
        version=homework.version,
        seed=seed,
        isolation=ISOLATION,
        cases=cases,
        problem=submission.problem,
        warnings=warnings,
        faults=faults,
        seconds=time.monotonic() - started,
    )


def derived_seed(submission: Submission, homework: Homework) -> int:
    """Make a seed of the submission's code and the build: the same pair has the same one."""
    mixed = submission.digest + homework.version.encode()
    return int.from_bytes(hashlib.sha256(mixed).digest()[:4], "big")


def _defines(cell: Cell, name: str) -> bool:
    return re.search(rf"^\s*(def|class)\s+{name}\b", cell.source, re.MULTILINE) is not None


def _grade_cells(
    submission: Submission, homework: Homework, seed: int, started: float
) -> tuple[tuple[CaseResult, ...], tuple[str, ...], tuple[str, ...]]:
    if submission.problem is not None:
        cases = [case.facts for question in homework.questions for case in question.cases]
        return tuple(_not_run(case, submission.problem) for case in cases), (), ()
    notebook = Notebook(submission, homework, seed)
    examination = _Examination(notebook, seed, started + homework.limits.total_seconds)
    try:
        results = [r for question in homework.questions for r in examination.question(question)]
        return tuple(results), tuple(notebook.warnings()), tuple(examination.faults)
    finally:
        notebook.drop()


class _Stop(Exception):
    """No case of this question can pass: there is no function, or no worker to run it in.

    Args:
        message: what the student reads at the first case.
        reason: why the others are not run.
    """

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message


class _Examination:
    """Runs cases and turns whatever happens into results."""

    def __init__(self, notebook: Notebook, seed: int, deadline: float) -> None:
        self._notebook = notebook
        self._seed = seed
        self._deadline = deadline
        self.faults: list[str] = []

    def question(self, question: Question) -> Iterator[CaseResult]:
        """Run a question's cases; after a reason that holds for all of them, run no more."""
        timeouts = 0
        reason = ""
        for case in question.cases:
            if reason:
                yield _not_run(case.facts, reason)
                continue
            started = time.monotonic()
            message = ""
            try:
                message = self._message(case, min(question.case_seconds, self._seconds_left()))
            except _Stop as stop:
                message, reason = str(stop), stop.reason
            except TimedOut:
                message = f"timed out after {question.case_seconds:g} s: is there an endless loop?"
                timeouts += 1
            if timeouts == MAX_TIMEOUTS:
                reason = f"{MAX_TIMEOUTS} cases of this question have timed out"
            yield CaseResult(case.facts, not message, message, time.monotonic() - started)

    def _seconds_left(self) -> float:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _Stop("not run: the submission has used up all its time")
        return left

    def _message(self, case: Case, seconds: float) -> str:
        """Run one case; return what the student reads, or nothing where all is well."""
        try:
            self._run(case, seconds)
        except (Missing, LoadError) as error:
            raise _Stop(str(error), f"`{case.facts.question}` is not there") from error
        except Mismatch as error:
            return error.brief if case.facts.hidden else str(error)
        except StudentError as error:
            return self._student_error(error, case.facts)
        except TimedOut:
            self._notebook.drop()
            raise
        except WorkerEnded as error:
            self._notebook.drop()
            return f"your code broke off the process that runs it: {error.reason}"
        except StartError:
            raise
        except Exception as error:
            place = f"{case.facts.question}, {case.facts.name}"
            self.faults.append(f"{place}: {type(error).__name__}: {error}")
            return "the grader itself failed on this case: tell your instructor"
        return ""

    def _run(self, case: Case, seconds: float) -> None:
        environment = self._notebook.environment(case.stand_ins)
        self._notebook.session().allow(seconds)
        case.test_func(**case_arguments(case.test_func, environment, self._seed))

    def _student_error(self, error: StudentError, case: CaseFacts) -> str:
        if "NotImplementedError" in error.kinds and error.message == case.question:
            reason = f"`{case.question}` is not written yet"
            raise _Stop(not_written(case.question), reason) from error
        told = f"your code raised {self._notebook.locate(error)}"
        return told if case.hidden or not error.message else f"{told}: {error.message}"


def _not_run(case: CaseFacts, reason: str) -> CaseResult:
    return CaseResult(case, passed=False, message=f"not run: {reason}", seconds=0.0)
