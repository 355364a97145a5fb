"""Grades one submission: runs every case of every question on its functions."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch

from autograder.bank import MISTAKES, Known, read_bank
from autograder.checking import Mismatch, Missing, case_arguments, not_written, seeded
from autograder.diagnosis import diagnose
from autograder.diagnosis.calls import Call, Recorded
from autograder.grading.intake import Submission
from autograder.grading.launchers import Launcher, StartError, one_core, open_launcher
from autograder.grading.notebook import LoadError, Notebook
from autograder.grading.results import CaseResult, Outcome, Place, Result
from autograder.grading.session import StudentError, TimedOut, WorkerEnded
from autograder.homework import Case, CaseFacts, Homework, Question

MAX_TIMEOUTS = 2
OUT_OF_TIME = "the submission has used up all its time"


def grade(
    submission: Submission,
    homework: Homework,
    seed: int | None = None,
    launcher: Launcher | None = None,
    only: Collection[str] | None = None,
) -> Result:
    """Grade a submission; the result is complete whatever the submission does.

    Args:
        submission: what was handed in.
        homework: the homework that it belongs to.
        seed: where hidden inputs are drawn from; None derives it from the submission and the build.
        launcher: starts the workers; None opens one for this submission alone.
        only: names of the questions that are graded; None means all of them.

    Raises:
        StartError: if this machine cannot start a worker at all.
    """
    started = time.monotonic()
    seed = seed if seed is not None else derived_seed(submission, homework.version)
    isolation = launcher.isolation if launcher is not None else "nothing was run"
    questions = [q for q in homework.questions if only is None or q.name in only]
    cases = _ungraded(submission, questions)
    warnings: list[str] = []
    faults: list[str] = []
    if submission.problem is None:
        own = open_launcher() if launcher is None else contextlib.nullcontext(launcher)
        with own as opened, one_core():
            isolation = opened.isolation
            examination = _examination(submission, homework, opened, seed)
            cases, warnings, faults = examination.grade(questions)
    return Result(
        submission=submission.name,
        homework=homework.name,
        version=homework.version,
        seed=seed,
        isolation=isolation,
        cases=tuple(cases),
        problem=submission.problem,
        warnings=(*submission.warnings, *warnings),
        faults=tuple(faults),
        seconds=time.monotonic() - started,
        file=submission.file,
    )


def derived_seed(submission: Submission, version: str) -> int:
    """Make a seed of the submission's code and the build: the same pair has the same one."""
    mixed = submission.digest + version.encode()
    return int.from_bytes(hashlib.sha256(mixed).digest()[:6], "big")


def _examination(
    submission: Submission, homework: Homework, launcher: Launcher, seed: int
) -> _Examination:
    # The worker gets a seed of its own: with the grader's it could draw the hidden inputs itself.
    own_seed = int(torch.randint(1 << 31, (), generator=seeded(seed, "worker")))
    notebook = Notebook(submission, homework, launcher, own_seed)
    deadline = time.monotonic() + homework.limits.total_seconds
    return _Examination(notebook, homework, (seed, own_seed), deadline)


def _ungraded(submission: Submission, questions: Iterable[Question]) -> list[CaseResult]:
    reason = submission.problem or ""
    return [_not_run(case.facts, reason) for q in questions for case in q.cases]


class _Stop(Exception):
    """No case of this question can pass: there is no function, or no worker to run it in.

    Args:
        message: what the student reads at the first case.
        reason: why the others are not run.
    """

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason or message


@dataclass(frozen=True)
class _End:
    """How a case ended, what the student reads, and which line of theirs raised."""

    outcome: Outcome
    message: str = ""
    raised_at: Place | None = None


class _Examination:
    """Runs cases and turns whatever happens into results."""

    def __init__(
        self, notebook: Notebook, homework: Homework, seeds: tuple[int, int], deadline: float
    ) -> None:
        self._notebook = notebook
        self._homework = homework
        self._seed, self._workers_seed = seeds
        self._deadline = deadline
        self._calls: list[Call] = []
        self.faults: list[str] = []

    def grade(self, questions: Iterable[Question]) -> tuple[list[CaseResult], list[str], list[str]]:
        """Run the cases of questions; return how they went, warnings, and faults of the grader."""
        try:
            results = [result for question in questions for result in self.question(question)]
        finally:
            self._notebook.drop()
        return results, list(self._notebook.warnings()), self.faults

    def question(self, question: Question) -> list[CaseResult]:
        """Run a question's cases so that no other question's deeds can cost it points.

        If a case fails in a worker that earlier questions have used, the question begins again in a
        fresh one, and that counts. What a failing question leaves behind is not passed on, either.
        """
        used = self._notebook.used
        results = []
        for result in self._cases(question):
            results.append(result)
            if used and result.outcome.may_be_others_fault:
                self._notebook.drop()
                results = list(self._cases(question))
                break
        self._notebook.used = True
        if any(result.outcome.may_be_others_fault for result in results):
            self._notebook.drop()
            return self._diagnosed(question, results)
        return results

    def _diagnosed(self, question: Question, results: list[CaseResult]) -> list[CaseResult]:
        """Name the known mistake that answers as the student's function did; hint at it once."""
        failed = [r.case.name for r in results if r.outcome in (Outcome.WRONG, Outcome.RAISED)]
        bank = self._homework.bank(MISTAKES, question.name)
        if not failed or question.is_slow or not bank.is_file():
            return results
        try:
            mistakes = read_bank(self._homework, MISTAKES, question.name)
            reference = self._homework.reference(question.name)
            mistake = diagnose(self._calls, mistakes, reference)
        except Exception as error:  # costs no points, but somebody has to look
            self.faults.append(f"diagnosis of {question.name}: {type(error).__name__}: {error}")
            return results
        return results if mistake is None else _hinted(results, failed, mistake)

    def _cases(self, question: Question) -> Iterator[CaseResult]:
        """Run a question's cases; after a reason that holds for all of them, run no more."""
        timeouts = 0
        reason = ""
        self._calls.clear()
        for case in question.cases:
            if reason:
                yield _not_run(case.facts, reason, self._notebook.stands_at(question.name))
                continue
            started = time.monotonic()
            try:
                end = self._case(case, question.case_seconds)
            except _Stop as stop:
                end, reason = _End(Outcome.MISSING, str(stop)), stop.reason
            timeouts += end.outcome is Outcome.TIMED_OUT
            if timeouts == MAX_TIMEOUTS:
                reason = f"{MAX_TIMEOUTS} cases of this question have timed out"
            seconds = time.monotonic() - started
            yield CaseResult(
                case.facts, end.outcome, end.message, seconds, place=self._place(case, end)
            )

    def _place(self, case: Case, end: _End) -> Place | None:
        """Say which line of the student's a failure is about."""
        if end.outcome is Outcome.PASSED:
            return None
        return end.raised_at or self._notebook.stands_at(case.facts.question)

    def _case(self, case: Case, seconds: float) -> _End:
        """Run one case; return how it went and what the student reads."""
        try:
            self._run(case, seconds)
        except (Missing, LoadError) as error:
            raise _Stop(str(error), str(error).partition(":")[0]) from error
        except Mismatch as error:
            return _End(Outcome.WRONG, error.brief if case.facts.hidden else str(error))
        except StudentError as error:
            told = self._student_error(error, case.facts)
            return _End(Outcome.RAISED, told, self._notebook.raised_at(error))
        except WorkerEnded as error:
            self._notebook.drop()
            if isinstance(error, TimedOut):
                told = f"timed out after {seconds:g} s: is there an endless loop?"
                return _End(Outcome.TIMED_OUT, told)
            told = f"your code ended the process that runs it: {error.reason}"
            return _End(Outcome.ENDED, told)
        except (_Stop, StartError):
            raise
        except Exception as error:
            place = f"{case.facts.question}, {case.facts.name}"
            self.faults.append(f"{place}: {type(error).__name__}: {error}")
            told = "the grader itself failed on this case: tell your instructor"
            return _End(Outcome.FAULT, told)
        return _End(Outcome.PASSED)

    def _run(self, case: Case, seconds: float) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _Stop(f"not run: {OUT_OF_TIME}", OUT_OF_TIME)
        environment = self._notebook.environment(case.stand_ins)
        name = case.facts.question
        if hasattr(environment.get(name), "drive"):
            environment[name] = Recorded(environment[name], self._calls, self._workers_seed)
        self._notebook.session().allow(min(seconds, left))
        case.test_func(**case_arguments(case.test_func, environment, self._seed))

    def _student_error(self, error: StudentError, case: CaseFacts) -> str:
        if "NotImplementedError" in error.kinds and error.message == case.question:
            reason = f"`{case.question}` is not written yet"
            raise _Stop(not_written(case.question), reason) from error
        if "MemoryError" in error.kinds or "can't allocate memory" in error.message:
            return f"your code ran out of memory: {self._notebook.locate(error)}"
        told = f"your code raised {self._notebook.locate(error)}"
        return told if case.hidden or not error.message else f"{told}: {error.message}"


def _hinted(
    results: Sequence[CaseResult], failed: Sequence[str], mistake: Known
) -> list[CaseResult]:
    """Name a mistake with every case that failed, and give its hint with the first."""
    hinted = []
    for result in results:
        if result.case.name == failed[0]:
            message = f"{result.message}. {mistake.hint}"
            result = dataclasses.replace(result, message=message, hint=mistake.hint)  # noqa: PLW2901
        if result.case.name in failed:
            result = dataclasses.replace(result, misconception=mistake.name)  # noqa: PLW2901
        hinted.append(result)
    return hinted


def _not_run(case: CaseFacts, reason: str, place: Place | None = None) -> CaseResult:
    return CaseResult(case, Outcome.NOT_RUN, f"not run: {reason}", seconds=0.0, place=place)
