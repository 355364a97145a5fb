"""Measures how often the cases are wrong: every known mistake and every right answer on every case.

All of it is trusted code and runs in this process. The right answer is tried first: where a case
refuses it, the case itself is broken.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import signal
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import FrameType, ModuleType
from typing import Any

import numpy as np
from torch import Tensor

from autograder.bank import MISTAKES, VARIANTS, Known, left_alone, read_bank
from autograder.checking import RNG, LocalFunction, Mismatch, case_arguments, explain
from autograder.errors import last_line_within
from autograder.homework import Case, Homework, Question

LESSON = "The lesson's"
"""How the titles of cases begin that ask for nothing but figures which the lesson has published."""
GRACE = 3.0
"""A mistake may never come to an end; it is given so many seconds, or the case's own."""
ENDLESS = "it does not come to an end"
WRONG_CALL = re.compile(r"[\w.]+\(\) (takes|missing|got) ")
"""How Python says that a function does not take the arguments that it is given."""
STUDENTS_SIDE = (LocalFunction.__call__.__code__, LocalFunction.drive.__code__)
"""What calls an answer: where an error comes from below, it is none of the case's own."""


class TooSlow(BaseException):
    """The time of a case is up. No `except Exception` of an answer catches it."""


@dataclass(frozen=True)
class Complaint:
    """What came of a case that an answer fails.

    Attributes:
        told: what a student would read.
        error: what was raised, in words that keep nothing back.
        where: the last line of the homework's own files that ran, as FILE:LINE.
        of_check: whether the case itself raised, which is nobody's mistake but its author's.
        of_text: whether the answer raised because it is miswritten: for a name that is not there,
            or as it cannot be called as the question is.
    """

    told: str
    error: str
    where: str = ""
    of_check: bool = False
    of_text: bool = False

    @property
    def place(self) -> str:
        """Say where it was raised, if that is known."""
        return f" at {self.where}" if self.where else ""


@dataclass(frozen=True)
class Trial:
    """A bank's function on all cases of its question.

    Attributes:
        complaints: for each seed, what became of the cases that failed.
    """

    known: Known
    complaints: tuple[Mapping[str, Complaint], ...]

    @property
    def caught_by(self) -> set[str]:
        """Cases that failed under every seed."""
        return set.intersection(*map(set, self.complaints))

    @property
    def caught_at_times_by(self) -> set[str]:
        """Cases that failed under some seeds only."""
        return set().union(*self.complaints) - self.caught_by

    @property
    def accepting_seeds(self) -> list[int]:
        """Seeds under which no case failed."""
        return [seed for seed, told in enumerate(self.complaints) if not told]

    @property
    def failures(self) -> list[tuple[str, Complaint]]:
        """Each case that failed, and what came of it, seed by seed."""
        return [failure for told in self.complaints for failure in told.items()]

    @property
    def first_complaint(self) -> str:
        """What a case said that failed, and where, or nothing."""
        return next((f"`{case}`{found.place}: {found.error}" for case, found in self.failures), "")

    def slip(self, cases: int) -> Complaint | None:
        """Return what shows that its text is broken: a name that is not there, at any case.

        What may be meant, such as a method that is missing, must stop it at all of so many cases.
        """
        slips = [found for _, found in self.failures if found.of_text]
        for found in slips:
            if found.error.startswith(NameError.__name__):
                return found
        return slips[0] if len(slips) == cases * len(self.complaints) else None


@dataclass(frozen=True)
class QuestionAudit:
    """What the banks show about the cases of one question.

    Attributes:
        cases: names of all, in order.
        lesson: names of those that only ask for the lesson's own figures.
        reference: the right answer; where it is refused, nothing else is tried.
    """

    question: str
    cases: tuple[str, ...]
    lesson: frozenset[str]
    reference: Trial
    mistakes: tuple[Trial, ...]
    variants: tuple[Trial, ...]

    @property
    def accepted(self) -> list[Trial]:
        """Wrong answers that pass all cases under some seed."""
        return [trial for trial in self.mistakes if trial.accepting_seeds]

    @property
    def miswritten(self) -> list[tuple[Trial, Complaint]]:
        """Mistakes that fail for what they are not about, and what shows it."""
        slips = [(trial, trial.slip(len(self.cases))) for trial in self.mistakes]
        return [(trial, slip) for trial, slip in slips if slip is not None]

    @property
    def broken_cases(self) -> dict[str, Complaint]:
        """Cases that raise of themselves, at some answer: the grader would fail on them."""
        tried = (self.reference, *self.mistakes, *self.variants)
        failures = [failure for trial in tried for failure in trial.failures]
        return {case: found for case, found in reversed(failures) if found.of_check}

    @property
    def refused(self) -> list[Trial]:
        """Right answers that fail a case under some seed."""
        return [trial for trial in self.variants if any(trial.complaints)]

    @property
    def lesson_accepts(self) -> int:
        """How many wrong answers the lesson's own figures, if there are any, would let pass."""
        return sum(not self.lesson & trial.caught_by for trial in self.mistakes)

    def caught_only_by(self, case: str) -> list[str]:
        """Name the mistakes that would slip through without a case."""
        return [t.known.name for t in self.mistakes if t.caught_by == {case}]

    @property
    def idle(self) -> list[str]:
        """Name the cases that catch nothing which another does not."""
        return [case for case in self.cases if not self.caught_only_by(case)]


def _no_tick() -> None:
    """Show no progress."""


def audit_question(
    homework: Homework, question: Question, seeds: int = 1, tick: Callable[[], None] = _no_tick
) -> QuestionAudit:
    """Try a question's banks on its cases.

    Args:
        homework: whose question it is.
        question: with its cases.
        seeds: under how many seeds; cases that draw nothing are tried once.
        tick: called for each function and seed.
    """
    names = tuple(case.facts.name for case in question.cases)
    lesson = [case.facts.name for case in question.cases if case.facts.title.startswith(LESSON)]
    (reference,) = _tried(homework, question, lambda: _references(homework, question), seeds, tick)
    tried: dict[str, tuple[Trial, ...]] = {MISTAKES: (), VARIANTS: ()}
    if not reference.failures:
        for kind in tried:
            read = partial(read_bank, homework, kind, question.name)
            tried[kind] = _tried(homework, question, read, seeds, tick)
    return QuestionAudit(question.name, names, frozenset(lesson), reference, *tried.values())


def _references(homework: Homework, question: Question) -> list[Known]:
    return [Known(question.name, "", homework.reference(question.name), keeps_state=False)]


def _tried(
    homework: Homework,
    question: Question,
    read: Callable[[], list[Known]],
    seeds: int,
    tick: Callable[[], None],
) -> tuple[Trial, ...]:
    """Try what is read, which is read anew for each seed: some keep things between calls."""
    rounds: list[list[dict[str, Complaint]]] = []
    for seed in range(seeds):
        bank = read()
        before = rounds[0] if rounds else [{}] * len(bank)
        rounds.append([])
        for known, said in zip(bank, before, strict=True):
            rounds[-1].append(_complaints(homework, question, known, seed, said))
            tick()
    return tuple(map(Trial, read(), zip(*rounds, strict=True)))


def _complaints(
    homework: Homework,
    question: Question,
    known: Known,
    seed: int,
    before: Mapping[str, Complaint],
) -> dict[str, Complaint]:
    """Run all cases in order; one that draws nothing says what it said before, and is not run."""
    told = {}
    for case in question.cases:
        name, function = case.facts.name, known.function
        again = seed > 0 and not _draws(case) and not known.keeps_state
        told[name] = (
            before.get(name) if again else complaint(homework, case, question, function, seed)
        )
    return {name: found for name, found in told.items() if found is not None}


def _draws(case: Case) -> bool:
    return RNG in inspect.signature(case.test_func).parameters


def complaint(
    homework: Homework, case: Case, question: Question, function: Any, seed: int
) -> Complaint | None:
    """Run a case on a function of this process; return what came of it, unless it passed."""
    arguments = case_arguments(case.test_func, {question.name: function}, seed)
    try:
        with left_alone(), _limited(max(GRACE, question.case_seconds)):
            case.test_func(**arguments)
    except TooSlow:
        return Complaint(ENDLESS, ENDLESS)
    except Exception as error:  # whatever a wrong answer does
        return _understood(homework, case, error)
    return None


def _understood(homework: Homework, case: Case, error: Exception) -> Complaint:
    """Tell whose fault an error is, and where it was raised."""
    told, where = explain(error, case.facts.hidden), _authored_line(homework, error)
    if isinstance(error, Mismatch):
        return Complaint(told, str(error), where)
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    of_check = not any(code in STUDENTS_SIDE for code in codes)
    of_text = not of_check and _shows_slip(error)
    return Complaint(told, f"{type(error).__name__}: {error}", where, of_check, of_text)


def _shows_slip(error: Exception) -> bool:
    """Tell errors of a text from those that a wrong computation makes."""
    if isinstance(error, TypeError):
        return WRONG_CALL.match(str(error)) is not None
    if isinstance(error, AttributeError):
        own = type(error.obj).__module__.startswith(f"{MISTAKES}.")
        return own or isinstance(error.obj, Tensor | np.ndarray | ModuleType)
    return isinstance(error, NameError)


def _authored_line(homework: Homework, error: Exception) -> str:
    """Find the last line of the homework's own files that ran."""
    found = last_line_within(error, homework.folder, *homework.modules)
    return f"{found[0].relative_to(homework.folder.parents[1])}:{found[1]}" if found else ""


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` when the time is up, where there are alarms (not on Windows).

    It is the processor's time, so that no case fails because the machine has other work.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
