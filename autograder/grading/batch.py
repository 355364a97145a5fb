"""Grades many submissions, several at a time, and writes each result as it comes."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from autograder.emitters import gradescope
from autograder.emitters.people import stated, with_owners
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
from autograder.grading.work import Work
from autograder.homework import load_homework
from autograder.worker.forkserver import Forked

FEW = 2
"""So many submissions are graded sooner if the fork server imports only what each of them needs."""
PATIENCE = 5
"""Seconds that jobs have to finish what they are at, once a batch is interrupted."""
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
class Graded:
    """A submission that is done, its result as `results.json` has it, and what was done."""

    name: str
    result: dict[str, Any]
    work: Work


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
        """Say it in a line; where they are not confined, also why not."""
        if not self.is_none:
            return f"isolation: {self.level} (confined; README, Isolation)"
        return f"isolation: {self.level}" + "".join(f"; not {reason}" for reason in self.reasons)


def _say_nothing(_isolation: Isolation) -> None:
    """Leave out how workers are confined."""


def grade_all(
    found: Sequence[Found],
    order: Order,
    jobs: int,
    tell: Callable[[Isolation], None] = _say_nothing,
) -> Iterator[Graded]:
    """Grade submissions; yields each once its result is written.

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
                if number == 0 and graded.result["extra_data"]["isolation"] == launcher.isolation:
                    connection.send(Isolation(launcher.isolation, tuple(launcher.reasons)))
                connection.send(graded)
    except PlainError as error:
        with contextlib.suppress(OSError):  # another process has said it, and nobody listens
            connection.send(error)
    except (ConnectionError, EOFError, KeyboardInterrupt):  # the batch has ended without this job
        return


def _grade_each(found: Iterable[Found], order: Order, launcher: Launcher) -> Iterator[Graded]:
    from autograder.grading import regrade

    homework = load_homework(order.homework)
    homework.questions  # noqa: B018 (reads all checks, before anything is graded)
    shown = order.hidden_cases or homework.hidden_cases
    for place in found:
        submission = read_submission(place, homework)
        earlier = regrade.earlier_result(order.out / place.name) if order.resume else regrade.NEW
        plan = regrade.plan(submission, homework, earlier, order.seed, launcher.isolation)
        fresh = regrade.carry_out(plan, submission, homework, launcher, shown)
        told = place if isinstance(earlier, str) else with_owners(place, earlier)
        fresh["extra_data"] |= stated(told)
        if fresh != earlier:
            gradescope.write_dict(fresh, order.out / place.name)
        before = None if isinstance(earlier, str) else sum(t["score"] for t in earlier["tests"])
        work = Work(plan.reason, plan.questions, before, fresh["score"])
        yield Graded(place.name, fresh, work)


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
        for connection in self.jobs:
            connection.close()
        deadline = time.monotonic() + PATIENCE
        for process in self.jobs.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0, deadline - time.monotonic()))
            if process.poll() is None:
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
    with contextlib.suppress(EOFError, ConnectionResetError):
        while True:
            yield connection.recv()
