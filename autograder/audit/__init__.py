"""Measures how often the cases are wrong: every known mistake and every right answer on every case.

All of it is trusted code and runs in this process.
"""

from __future__ import annotations

import contextlib
import inspect
import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import FrameType
from typing import Any

from autograder.bank import MISTAKES, VARIANTS, Known, left_alone, read_bank
from autograder.checking import RNG, case_arguments, explain
from autograder.homework import Case, Homework, Question

LESSON = "The lesson's"
"""How the titles of cases begin that ask for nothing but figures which the lesson has published."""
GRACE = 3.0
"""A mistake may never come to an end; it is given so many seconds, or the case's own."""


class TooSlow(BaseException):
    """The time of a case is up. No `except Exception` of an answer catches it."""


@dataclass(frozen=True)
class Trial:
    """A bank's function on all cases of its question.

    Attributes:
        complaints: for each seed, what the cases that failed said.
    """

    known: Known
    complaints: tuple[Mapping[str, str], ...]

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
    def first_complaint(self) -> str:
        """What a case said that failed, or nothing."""
        told = next(filter(None, self.complaints), {"": ""})
        return ": ".join(next(iter(told.items())))


@dataclass(frozen=True)
class QuestionAudit:
    """What the banks show about the cases of one question.

    Attributes:
        cases: names of all, in order.
        lesson: names of those that only ask for the lesson's own figures.
    """

    question: str
    cases: tuple[str, ...]
    lesson: frozenset[str]
    mistakes: tuple[Trial, ...]
    variants: tuple[Trial, ...]

    @property
    def accepted(self) -> list[Trial]:
        """Wrong answers that pass all cases under some seed."""
        return [trial for trial in self.mistakes if trial.accepting_seeds]

    @property
    def refused(self) -> list[Trial]:
        """Right answers that fail a case under some seed."""
        return [trial for trial in self.variants if any(trial.complaints)]

    @property
    def lesson_accepts(self) -> int:
        """How many wrong answers the lesson's own figures would let pass."""
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
    tried = {}
    for kind in (MISTAKES, VARIANTS):
        rounds: list[list[dict[str, str]]] = []
        for seed in range(seeds):
            bank = read_bank(homework, kind, question.name)  # anew: some keep things between calls
            before = rounds[0] if rounds else [{}] * len(bank)
            rounds.append([])
            for known, said in zip(bank, before, strict=True):
                rounds[-1].append(_complaints(question, known, seed, said))
                tick()
        bank = read_bank(homework, kind, question.name)
        tried[kind] = tuple(map(Trial, bank, zip(*rounds, strict=True)))
    return QuestionAudit(question.name, names, frozenset(lesson), tried[MISTAKES], tried[VARIANTS])


def _complaints(
    question: Question, known: Known, seed: int, before: Mapping[str, str]
) -> dict[str, str]:
    """Run all cases in order; one that draws nothing says what it said before, and is not run."""
    told = {}
    for case in question.cases:
        name = case.facts.name
        again = seed > 0 and not _draws(case) and not known.keeps_state
        told[name] = before.get(name) if again else complaint(case, question, known.function, seed)
    return {name: text for name, text in told.items() if text is not None}


def _draws(case: Case) -> bool:
    return RNG in inspect.signature(case.test_func).parameters


def complaint(case: Case, question: Question, function: Any, seed: int) -> str | None:
    """Run a case on a function of this process; return what a student would be told."""
    arguments = case_arguments(case.test_func, {question.name: function}, seed)
    try:
        with left_alone(), _limited(max(GRACE, question.case_seconds)):
            case.test_func(**arguments)
    except TooSlow:
        return "it does not come to an end"
    except Exception as error:  # whatever a wrong answer does
        return explain(error, case.facts.hidden)
    return None


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `TooSlow` when the time is up, where there are alarms (not on Windows)."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
