"""Fills a homework's column in the gradebook that Canvas exports, for Canvas to import again.

Nothing else in the file changes: byte order mark, separator, quotes and line ends stay as they are.
What its columns are called, and which rows are no students, is as in `lib/gradebook_exporter.rb`
and `lib/gradebook_importer.rb` of canvas-lms.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.emitters.forms import Batch
from autograder.emitters.gradebook import full_marks, problem
from autograder.emitters.gradescope import write_atomically
from autograder.emitters.kept_csv import Line, Sheet, read_sheet
from autograder.errors import PlainError
from autograder.grading.intake.exports import beginning
from autograder.homework import Homework
from autograder.text import one_line

if TYPE_CHECKING:
    from autograder.grading.intake import Found

TITLE = re.compile(r"(.*?)(?:\s+\((\d+)\))?", re.DOTALL)
"""An assignment's header: its title, and its id in parentheses."""
KEPT = ("EX", "N/A")
"""What a cell may say instead of points: excused, not assigned to this student."""
MAX_NAMES = 10
Key = tuple[str, str]
"""A column that tells students apart, or "name", and what stands in it."""


class MergeError(PlainError):
    """A Canvas export cannot be filled: one line on what is wrong with it."""


@dataclass(frozen=True)
class Export:
    """A Canvas export.

    Attributes:
        columns: where each column is, by its header.
        column: where the homework's is.
    """

    path: Path
    sheet: Sheet
    columns: dict[str, int]
    column: int

    def students(self) -> Iterator[Line]:
        """Yield the rows of students: those with an id."""
        for line in self.sheet.lines[1:]:
            if line.value(self.columns["ID"]).strip():
                yield line

    def name(self, line: Line) -> str:
        """Return a student's name as Canvas sorts by it: last name first."""
        names = ("Student",) if "Student" in self.columns else ("LastName", "FirstName")
        return ", ".join(line.value(self.columns[name]).strip() for name in names)

    def keys(self, line: Line) -> Iterator[Key]:
        """Yield what a student may be found by."""
        for column in ("ID", "SIS User ID", "SIS Login ID"):
            if column in self.columns:
                yield column, _code(line.value(self.columns[column]))
        last, _, first = self.name(line).partition(", ")
        number = _code(line.value(self.columns["ID"]))
        yield "upload", f"{_letters(f'{last} {first}')}_{number}"
        yield "name", _plain(f"{last} {first}")
        yield "name", _plain(f"{first} {last}")


def read_export(path: Path, homework: Homework, column: str | None) -> Export:
    """Read a Canvas export and find the homework's column.

    Args:
        path: the file.
        homework: its column has its title or its name, unless `column` says otherwise.
        column: the column's header, its title without the id, or the id; None where not given.

    Raises:
        MergeError: if it cannot be read, is no such export, or has not exactly one such column.
    """
    try:
        sheet = read_sheet(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise MergeError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise MergeError(f"{path} is not UTF-8: export it from Canvas anew") from error
    header = sheet.lines[0] if sheet.lines else Line([], "")
    columns = {header.value(n).strip(): n for n in range(len(header.cells))}
    named = "Student" in columns or {"LastName", "FirstName"} <= columns.keys()
    if not named or not {"ID", "Section"} <= columns.keys():
        raise MergeError(f"{path} is no gradebook export of Canvas: its first line shows it")
    found = _columns_called(columns, [column] if column else [homework.title, homework.name])
    if len(found) != 1:
        raise MergeError(_no_column(path, columns, found, column or homework.name))
    return Export(path, sheet, columns, found[0])


def _columns_called(columns: dict[str, int], names: Sequence[str]) -> list[int]:
    """Find the assignments with one of these names, or else those whose titles hold one.

    Only assignments have an id; totals have none.
    """
    wanted = {_plain(name) for name in names}
    parts = {n: (header, *_parts(header)) for header, n in columns.items()}
    titles = {n: [_plain(part or "") for part in told] for n, told in parts.items() if told[2]}
    exact = [n for n, told in titles.items() if wanted & set(told)]
    return exact or [
        n for n, told in titles.items() if any(f" {w} " in f" {told[0]} " for w in wanted)
    ]


def _parts(header: str) -> tuple[str, str | None]:
    match = TITLE.fullmatch(header)
    return (header, None) if match is None else (match[1], match[2])


def _no_column(path: Path, columns: dict[str, int], found: list[int], name: str) -> str:
    count = f"{len(found)} columns" if found else "no column"
    there = ", ".join(f"'{header}'" for header in columns if _parts(header)[1]) or "no assignment"
    told = f"{path} has {count} for '{name}': name one by --column; there is {there}"
    return one_line(told, 500)


def _code(text: str) -> str:
    """Return an id or a login such that it compares as equal in any case of its letters."""
    return unicodedata.normalize("NFC", text).strip().casefold()


def _letters(name: str) -> str:
    """Return a name as Canvas begins the names of files with it."""
    return re.sub(r"[\W_]+", "", _code(name))


def _plain(name: str) -> str:
    """Return a name such that ways to write it compare as equal."""
    return " ".join(re.sub(r"[\s_.,-]+", " ", _code(name)).split())


def merge(export: Export, batch: Batch) -> Iterator[str]:
    """Fill in the points, and write `<folder>/<name of the export>`; yields what to know."""
    file = export.path.name
    students = list(export.students())
    by_key = _by_key(export, students)
    best: dict[int, tuple[float, str]] = {}
    for name, result in batch.results.items():
        for who, keys in _wanted(batch.found[name]):
            rows = next((by_key[key] for key in keys if key in by_key), [])
            if len(rows) != 1:
                count = f"{len(rows)} students" if rows else "no student"
                yield f"{file}: {count} for {who}: {result['score']:g} points are not in it"
                continue
            if rows[0] in best:
                yield f"{file}: {best[rows[0]][1]} and {name} are one student's: the better counts"
            best[rows[0]] = max(best.get(rows[0], (-1, "")), (result["score"], name))
    for row, (score, name) in best.items():
        yield from _fill(export, students[row], score, name)
    yield from _nothing(
        export, [students[row] for row, (_, name) in best.items() if problem(batch.results[name])]
    )
    if without := [line for row, line in enumerate(students) if row not in best]:
        told = f"no submission for {len(without)} of {len(students)} students, cells as before"
        yield f"{file}: {told}: {_names(export, without)}"
    yield from _other_maximum(export, batch)
    write_atomically(batch.folder / file, export.sheet.text())


def _by_key(export: Export, students: Sequence[Line]) -> dict[Key, list[int]]:
    """Tell to which students each key belongs."""
    found: dict[Key, list[int]] = {}
    for number, line in enumerate(students):
        for key in {key for key in export.keys(line) if key[1]}:
            found.setdefault(key, []).append(number)
    return found


def _wanted(found: Found) -> Iterator[tuple[str, list[Key]]]:
    """Yield each person who handed in, and what to look for, the surest first."""
    for person in found.people:
        told = {"ID": person.canvas, "SIS User ID": person.sid, "SIS Login ID": person.email}
        keys = [(column, _code(value)) for column, value in told.items()]
        login = _code(person.email.partition("@")[0])
        keys += [("name", _plain(person.name)), ("SIS Login ID", login)]
        yield f"{found.name} ({person})", keys
    if not found.people:
        yield found.name, _from_name(found.name)


def _from_name(name: str) -> list[Key]:
    """Tell what to look for if all that is known is what the file is called."""
    login = _code(name)
    keys = [("SIS Login ID", login), ("SIS User ID", login), ("name", _plain(name))]
    owner, _, number = (beginning(name) or "").rpartition("_")
    return [*keys, ("upload", f"{_letters(owner)}_{number}")]


def _fill(export: Export, line: Line, score: float, name: str) -> Iterator[str]:
    before = line.value(export.column).strip()
    if before.upper() in KEPT:
        told = f"'{before}' stays in place of {score:g} points"
        yield one_line(f"{export.path.name}: {name}, {export.name(line)}: {told}", 300)
    else:
        line.put(export.column, f"{score:g}")


def _nothing(export: Export, lines: Sequence[Line]) -> Iterator[str]:
    """Tell who got 0 points because nothing could be graded."""
    zero = [line for line in lines if line.value(export.column).strip().upper() not in KEPT]
    if zero:
        told = f"0 points for {len(zero)} who could not be graded"
        yield f"{export.path.name}: {told}: {_names(export, zero)}"


def _names(export: Export, lines: Sequence[Line]) -> str:
    """List the names of students, which have commas themselves: the first ten."""
    names = [one_line(export.name(line), 60) for line in lines[:MAX_NAMES]]
    more = f"; … and {len(lines) - MAX_NAMES} more" if len(lines) > MAX_NAMES else ""
    return "; ".join(names) + more


def _other_maximum(export: Export, batch: Batch) -> Iterator[str]:
    """Tell if the row "Points Possible" says something else than the homework."""
    for result in list(batch.results.values())[:1]:
        most = full_marks(result, batch.homework)
        for line in export.sheet.lines[1:]:
            stated = line.value(export.column).strip()
            if "Points Possible" in line.value(0) and not re.fullmatch(rf"{most}([.,]0*)?", stated):
                told = f"Points Possible is {stated or 'empty'}, full marks are {most}"
                yield f"{export.path.name}: {told}"
