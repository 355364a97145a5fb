"""Grades many submissions, several at a time, and writes each result as it comes."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from autograder.emitters import gradescope
from autograder.errors import PlainError
from autograder.grading.intake import Found, read_submission
from autograder.grading.launchers import (
    BEST,
    LARGE_PAGES,
    Launcher,
    can_fork,
    open_launcher,
    python,
)
from autograder.homework import Homework, load_homework
from autograder.worker.forkserver import Forked

FEW = 2
"""So many submissions are graded sooner if the fork server imports only what each of them needs."""
Graded = tuple[str, dict[str, Any]]
UNCONFINED = ("plain", "process")
"""Levels of isolation at which a student's code can do whatever this user can."""


class JobError(PlainError):
    """A grading process has ended: out of memory, or killed from outside."""


@dataclass(frozen=True)
class Order:
    """What is to be graded, and how.

    Args:
        homework: its name.
        out: the folder of results.
        seed: see `grade`.
        isolation: see `open_launcher`.
        resume: leave results alone that are there and up to date.
        hidden_cases: when students see hidden cases; None is the homework's own choice.
        folder: where relative paths start.
    """

    homework: str
    out: Path
    seed: int | None = None
    isolation: str | None = None
    resume: bool = False
    hidden_cases: str | None = None
    folder: Path = field(default_factory=Path.cwd)


@dataclass(frozen=True)
class Isolation:
    """How workers are confined, and why not more strongly."""

    level: str
    reasons: tuple[str, ...]

    @property
    def is_none(self) -> bool:
        """Whether they are not confined at all."""
        return self.level in UNCONFINED

    def __str__(self) -> str:
        """Say it in a line."""
        return f"isolation: {self.level}" + "".join(f"; not {reason}" for reason in self.reasons)


def _say_nothing(_isolation: Isolation) -> None:
    """Leave out how workers are confined."""


def grade_all(
    found: Sequence[Found],
    order: Order,
    jobs: int,
    tell: Callable[[Isolation], None] = _say_nothing,
) -> Iterator[Graded]:
    """Grade submissions; yields each name and result, as `results.json` has it, once written.

    Args:
        found: where the submissions are.
        order: how to grade them.
        jobs: how many at a time, each in a process of its own.
        tell: called once it is known how workers are confined.

    Raises:
        StartError: if no worker can be started on this machine.
        JobError: if a grading process ends; what it had graded is written.
    """
    pool = _Pool(list(found), order, tell)
    try:
        yield from pool.results(min(jobs, len(found)))
    finally:
        pool.close()


def work(connection: Connection[Any, Any], server: Forked | None, preload: str) -> None:
    """Grade what comes over the connection until it is closed; the order comes first."""
    try:
        order = connection.recv()
        os.chdir(order.folder)
        with open_launcher(order.isolation, preload, server) as launcher:
            for number, graded in enumerate(
                _grade_each(_until_closed(connection), order, launcher)
            ):
                if number == 0 and graded[1]["extra_data"]["isolation"] == launcher.isolation:
                    connection.send(Isolation(launcher.isolation, tuple(launcher.reasons)))
                connection.send(graded)
    except PlainError as error:
        connection.send(error)
    except (BrokenPipeError, EOFError, KeyboardInterrupt):
        return


def _grade_each(found: Iterable[Found], order: Order, launcher: Launcher) -> Iterator[Graded]:
    from autograder.grading.engine import derived_seed, grade

    homework = load_homework(order.homework)
    shown = order.hidden_cases or homework.hidden_cases
    for place in found:
        submission = read_submission(place, homework)
        kept = _kept(place, derived_seed(submission, homework), order, homework)
        if kept is None:
            result = grade(submission, homework, order.seed, launcher)
            fresh = gradescope.stored(result, shown)
        else:
            fresh = gradescope.published(kept, shown)
        if fresh != kept:
            gradescope.write_dict(fresh, order.out / place.name)
        yield place.name, fresh


def _kept(place: Found, seed: int, order: Order, homework: Homework) -> dict[str, Any] | None:
    """Return the result that is there already, if it is of this very submission and build.

    The seed tells: it is derived from both. A result with a seed that was given says nothing of
    them, and is made anew.
    """
    path = order.out / place.name / "results.json"
    if not order.resume or order.seed is not None or not path.is_file():
        return None
    try:
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        facts = result["extra_data"]
    except (ValueError, KeyError, TypeError):
        return None
    same = (facts.get("seed"), facts.get("version")) == (seed, homework.version)
    return result if same else None


@dataclass
class _Pool:
    """Processes that grade one submission after another."""

    waiting: list[Found]
    order: Order
    tell: Callable[[Isolation], None]
    jobs: dict[Connection[Any, Any], subprocess.Popen[bytes]] = field(default_factory=dict)

    def results(self, count: int) -> Iterator[Graded]:
        """Start `count` jobs, hand out the work, and yield what comes back."""
        preload = "first" if len(self.waiting) <= FEW else "all"
        self.waiting.reverse()
        for _ in range(count):
            self._start(preload)
        while self.jobs:
            for connection in wait(list(self.jobs)):
                assert isinstance(connection, Connection)
                received = self._receive(connection)
                if not isinstance(received, Isolation):
                    yield received

    def close(self) -> None:
        """Hang up: a job ends when it has written what it is at."""
        for connection, process in self.jobs.items():
            connection.close()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, preload: str) -> None:
        isolation = self.order.isolation
        # A container's client asks the environment where its server is; forks must not see ours.
        environment = LARGE_PAGES if can_fork(isolation) else os.environ
        ours, theirs = multiprocessing.Pipe()
        with theirs:
            arguments = ["autograder.grading.job", str(theirs.fileno()), isolation or BEST, preload]
            process = python(arguments, theirs.fileno(), None, environment)
        self.jobs[ours] = process
        ours.send(self.order)
        ours.send(self.waiting.pop())

    def _receive(self, connection: Connection[Any, Any]) -> Graded | Isolation:
        try:
            graded = connection.recv()
        except (EOFError, ConnectionResetError) as error:
            raise JobError("a grading process has ended; go on with --resume") from error
        if isinstance(graded, Exception):
            raise graded
        if isinstance(graded, Isolation):
            self.tell(graded)
            self.tell = _say_nothing
            return graded
        if self.waiting:
            connection.send(self.waiting.pop())
        else:
            connection.close()
            self.jobs.pop(connection).wait()
        return graded  # type: ignore[no-any-return]


def _until_closed(connection: Connection[Any, Any]) -> Iterator[Found]:
    with contextlib.suppress(EOFError):
        while True:
            yield connection.recv()
