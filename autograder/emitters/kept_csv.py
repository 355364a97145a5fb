"""CSV that is read such that it can be written again to the letter, but for single cells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MARK = "\ufeff"
"""Unicode's byte order mark."""


@dataclass(frozen=True)
class Line:
    """A row as it is written: its cells with their quotes, and the end of the line."""

    cells: list[str]
    end: str

    def value(self, column: int) -> str:
        """Return what a cell says; nothing, where there is none."""
        return _said(self.cells[column]) if column < len(self.cells) else ""

    def put(self, column: int, value: str) -> None:
        """Write a value into a cell, in quotes if it had any; it must not need them otherwise."""
        self.cells.extend([""] * (column + 1 - len(self.cells)))
        quote = '"' if self.cells[column].startswith('"') else ""
        self.cells[column] = f"{quote}{value}{quote}"


@dataclass(frozen=True)
class Sheet:
    """A file of CSV; `mark` is the byte order mark or nothing."""

    mark: str
    separator: str
    lines: list[Line]

    def text(self) -> str:
        """Return the file's content."""
        return self.mark + "".join(self.separator.join(row.cells) + row.end for row in self.lines)


def read_sheet(text: str) -> Sheet:
    """Take CSV apart; semicolons separate if the first line has more of them than commas."""
    mark = MARK if text.startswith(MARK) else ""
    text = text.removeprefix(MARK)
    first = text.partition("\n")[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    return Sheet(mark, separator, list(_lines(text, separator)))


def _lines(text: str, separator: str) -> Iterator[Line]:
    quoted = r'(?:"[^"]*(?:""[^"]*)*")?'
    cell = re.compile(rf"({quoted}[^{separator}\r\n]*)({separator}|\r\n|\r|\n|\Z)")
    at = 0
    cells: list[str] = []
    while at < len(text) or cells:
        match = cell.match(text, at)
        assert match is not None  # any text begins with a cell, if only an empty one
        at = match.end()
        cells.append(match[1])
        if match[2] != separator:
            yield Line(cells, match[2])
            cells = []


def _said(cell: str) -> str:
    """Return what a cell says, without quotes, and without the guard `="…"` against formulas."""
    if cell.startswith('"'):
        within, _, rest = cell[1:].rpartition('"')
        cell = within.replace('""', '"') + rest
    guarded = re.fullmatch(r'="(.*)"', cell, re.DOTALL)
    return guarded[1] if guarded else cell
