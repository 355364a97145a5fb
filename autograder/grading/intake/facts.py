"""The plain facts that intake is about: places, submissions, cells, and how names are shown."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from autograder.text import printable

MAX_SHOWN = 80


class IntakeError(Exception):
    """A file cannot be taken as a submission: one line for the student."""


@dataclass(frozen=True)
class Cell:
    """A code cell of a notebook, or a piece of a script.

    Attributes:
        number: its place among all cells of the notebook, from 0.
        start: of a script, the file's line in which it begins, from 1; no cells are counted.
    """

    number: int
    source: str
    start: int | None = None

    def line_in_script(self, line: int) -> int | None:
        """Return which line of the script a line of the piece is; None in a notebook."""
        return None if self.start is None else self.start + line - 1

    def at(self, line: int) -> str:
        """Say where a line of it stands."""
        in_script = self.line_in_script(line)
        return f"cell {self.number + 1}, line {line}" if in_script is None else f"line {in_script}"


@dataclass(frozen=True)
class Person:
    """Who has handed something in, as an export says. What it does not say is empty.

    Attributes:
        sid: the student's number at the school.
        canvas: Canvas's user id, or what stands for it in an anonymous export.
    """

    name: str = ""
    email: str = ""
    sid: str = ""
    canvas: str = ""

    def __str__(self) -> str:
        """Say it in a line."""
        email = f"<{self.email}>" if self.email else ""
        return " ".join(filter(None, (self.name, email, self.sid, self.canvas)))


@dataclass(frozen=True)
class Found:
    """A place where a submission should be, and the name it goes by.

    Attributes:
        name: unique among those found together, and fit for a folder of that name.
        path: a notebook, a script, a zip or a folder.
        files: which files in the zip or folder are this student's; empty means all of them.
        people: who handed it in, as far as an export says so.
        warnings: what had to be decided to find it.
        upload: the export's number of it, which grows with time; 0 if there is none.
    """

    name: str
    path: Path
    files: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()
    warnings: tuple[str, ...] = ()
    upload: int = 0

    @property
    def owner(self) -> str | None:
        """Who handed it in, in a line: name, email and SID, or Canvas's user id."""
        return "; ".join(map(str, self.people)) or None


@dataclass(frozen=True)
class Submission:
    """What a student handed in. Where `problem` is not None there is nothing to grade.

    Attributes:
        cells: the code, in the order in which it runs.
        problem: why there is nothing to grade, or None.
        warnings: what was repaired or decided, a line each.
        owner: see `Found`.
        file: the file that was read: its name, or its path in the folder or zip.
    """

    name: str
    cells: tuple[Cell, ...] = ()
    problem: str | None = None
    warnings: tuple[str, ...] = ()
    owner: str | None = None
    file: str | None = None

    @property
    def digest(self) -> bytes:
        """Depends on the code, or why there is none: not on outputs, prose or the file's name."""
        code = json.dumps([cell.source for cell in self.cells])
        return hashlib.sha256(f"{code}{self.problem or ''}".encode()).digest()


def shown(text: object) -> str:
    """Make a name of a student's fit for one line: printable, and not too long."""
    line = printable(str(text))
    return line if len(line) <= MAX_SHOWN else f"{line[: MAX_SHOWN - 1]}…"


def listed(names: list[str]) -> str:
    """Join names for a line: the first three of them."""
    return ", ".join(map(shown, names[:3])) + (", …" if len(names) > 3 else "")
