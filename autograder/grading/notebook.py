"""A submission's cells in a live worker: what they define, what failed, what was skipped."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from typing import Any

from autograder.checking import Absent, not_written
from autograder.grading.intake import Cell, Submission
from autograder.grading.launchers import Launcher
from autograder.grading.results import Place
from autograder.grading.session import (
    Loaded,
    RemoteFunction,
    Session,
    StudentError,
    TimedOut,
    WorkerEnded,
)
from autograder.homework import Homework
from autograder.student.pointing import first_line
from autograder.worker.wire import Opaque

MAX_SKIPPED_CELLS = 3
PRINTED = "it printed"
BUILTIN_EXCEPTIONS = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}
"""A class of the student's own is called by its nearest builtin base: its name may tell inputs."""


class LoadError(Exception):
    """The notebook's cells cannot be run to the end, even without those that end the process."""


class Notebook:
    """A submission's cells in a live worker; a new worker takes the place of one that ended.

    Attributes:
        used: whether anything but the cells has run in the present worker.
    """

    def __init__(
        self, submission: Submission, homework: Homework, launcher: Launcher, seed: int
    ) -> None:
        self.used = False
        self._launcher = launcher
        self._cells = {cell.number: cell for cell in submission.cells}
        self._homework = homework
        self._seed = seed
        self._skipped: dict[int, str] = {}
        self._session: Session | None = None
        self._loaded: Loaded | None = None
        self._failure: LoadError | None = None
        self._printed = 0

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
        session = Session(self._launcher, self._homework.limits, self._seed)
        self.used = False
        cells = [(n, c.source) for n, c in self._cells.items() if n not in self._skipped]
        try:
            names, data = self._homework.question_names, self._homework.data
            self._loaded = session.load(cells, names, data)
            self._session = session
        except WorkerEnded as error:
            self._skip(session.cell, error)
        except BaseException:
            session.close()
            raise

    def _skip(self, cell: int | None, error: WorkerEnded) -> None:
        """Leave a cell out next time: the one that was running, if what the worker said is true."""
        believable = cell in self._cells and cell not in self._skipped
        if cell is None or not believable or len(self._skipped) >= MAX_SKIPPED_CELLS:
            self._failure = LoadError(f"the notebook cannot be run: {error.reason}")
            return
        limit = f"ran for more than {self._homework.limits.load_seconds:g} s"
        reason = limit if isinstance(error, TimedOut) else f"ended the process ({error.reason})"
        piece = self._cells[cell]
        told = f"cell {cell + 1}" if piece.start is None else f"what begins in {piece.at(1)}"
        self._skipped[cell] = f"{told} {reason} and was skipped"

    def environment(self, stand_ins: dict[str, Any]) -> dict[str, Any]:
        """Return the student's functions by name; those that are not there say why when called.

        Args:
            stand_ins: what replaces other functions of the student's while one of them runs.
        """
        session, loaded = self.session(), self._loaded
        assert loaded is not None
        names = loaded.functions - loaded.stubs
        found: dict[str, Any] = {name: RemoteFunction(session, name, stand_ins) for name in names}
        for name in set(self._homework.question_names) - names:
            if name in loaded.stubs:
                found[name] = Absent(not_written(name))
            elif name in loaded.kinds:
                found[name] = Opaque(loaded.kinds[name])
            elif (reason := self._why_undefined(name, loaded)) is not None:
                found[name] = Absent(reason)
        return found

    def _why_undefined(self, name: str, loaded: Loaded) -> str | None:
        """Say which failing cell was to define the function, if one was."""
        for failure in loaded.failures:
            cell = self._cells.get(-1 if failure.cell is None else failure.cell)
            if cell is not None and _defines(cell, name):
                return f"`{name}` is not defined: its code failed with {self.locate(failure)}"
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
        return f"{kind} in {cell.at(error.line)}: `{line[:120]}`"

    def raised_at(self, error: StudentError) -> Place | None:
        """Find the student's own line that raised, if what the worker says of it can be true."""
        cell = self._cells.get(-1 if error.cell is None else error.cell)
        if cell is None or error.line is None:
            return None
        within = 0 < error.line <= cell.source.count("\n") + 1
        return _place(cell, error.line) if within else None

    def stands_at(self, name: str) -> Place | None:
        """Find a question's answer: the line that failed before it was defined, or its first."""
        failures = self._loaded.failures if self._loaded is not None else []
        for cell in reversed(self._cells.values()):
            if (line := first_line(cell.source, name)) is not None:
                failed = (self.raised_at(f) for f in failures if f.cell == cell.number)
                return next(filter(None, failed), _place(cell, line))
        return None

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
        if self._printed > (most := self._homework.limits.output_characters):
            yield f"{PRINTED} {self._printed:,} characters, where {most:,} are enough"

    def drop(self) -> None:
        """End the worker; the next case gets a new one, in which only the cells have run."""
        if self._session is not None:
            self._session.close()
            self._printed = max(self._printed, self._session.printed)
        self._session = None


def _place(cell: Cell, line: int) -> Place:
    in_script = cell.line_in_script(line)
    return Place(cell.number + 1, line) if in_script is None else Place(None, in_script)


def _defines(cell: Cell, name: str) -> bool:
    return re.search(rf"^\s*(def|class)\s+{name}\b", cell.source, re.MULTILINE) is not None
