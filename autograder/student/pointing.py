"""Points at lines: where a cell's line stands in a notebook's file, and how GitHub is told.

Messages count cells, and lines within a cell. A host shows the raw file: the JSON text of a
notebook, in which the lines of a cell are strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SPACE = re.compile(r"[ \t\r\n]*")
MAX_ANNOTATIONS = 10
"""GitHub shows so many errors of a step."""


@dataclass(frozen=True)
class Annotation:
    """An error to show on GitHub; `file` is empty and `line` None where unknown."""

    title: str
    message: str
    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        """Write it as a workflow command."""
        facts = {"file": self.file, "line": self.line, "title": self.title}
        told = ",".join(f"{key}={in_property(str(fact))}" for key, fact in facts.items() if fact)
        return f"::error {told}::{in_data(self.message)}"


def in_data(text: str) -> str:
    """Escape a workflow command's message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def in_property(text: str) -> str:
    """Escape the value of a workflow command's property."""
    return in_data(text).replace(":", "%3A").replace(",", "%2C")


def first_line(source: str, name: str) -> int | None:
    """Return the line of a cell, from 1, where it last defines a name or assigns to it."""
    pattern = rf"^[ \t]*((async[ \t]+)?(def|class)[ \t]+{name}\b|{name}[ \t]*=[^=])"
    starts = [match.start(1) for match in re.finditer(pattern, source, re.MULTILINE)]
    return source.count("\n", 0, starts[-1]) + 1 if starts else None


def with_plain_ends(text: str) -> str:
    """End all lines by LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_in_notebook(text: str, cell: int, line: int) -> int | None:
    """Return the line of a notebook's file, from 1, that holds a line of a cell.

    Args:
        text: the notebook's JSON, its lines ended by LF.
        cell: the number of the cell among all, from 1.
        line: the line in the cell, from 1.

    Raises:
        ValueError, LookupError: if the notebook has no such cell, or is none.
    """
    skipped = line - 1
    cells = _members(text, _after_space(text, 0))["cells"]
    source = _members(text, list(_items(text, cells))[cell - 1])["source"]
    strings = _items(text, source) if text[source] == "[" else iter([source])
    for at in strings:
        written = _decoded(text, at)[0]
        if not isinstance(written, str):
            return None
        written = with_plain_ends(written)
        newlines = written.count("\n")
        if newlines > skipped or (newlines == skipped and not written.endswith("\n")):
            return text.count("\n", 0, at) + 1
        skipped -= newlines
    return None


def _items(text: str, at: int) -> Iterator[int]:
    """Yield where each item of the array begins that begins at `at`."""
    at = _after_space(text, at + 1)
    while text[at] != "]":
        yield at
        at = _next(text, at)


def _members(text: str, at: int) -> dict[str, int]:
    """Tell where each value of the object begins that begins at `at`, by its key."""
    found = {}
    at = _after_space(text, at + 1)
    while text[at] != "}":
        key, end = _decoded(text, at)
        at = _after_space(text, text.index(":", end) + 1)
        found[key] = at
        at = _next(text, at)
    return found


def _next(text: str, at: int) -> int:
    """Return where the value ends that begins at `at`, and the comma after it."""
    end = _after_space(text, _decoded(text, at)[1])
    return _after_space(text, end + 1) if text[end] == "," else end


def _decoded(text: str, at: int) -> tuple[Any, int]:
    return json.JSONDecoder().raw_decode(text, at)


def _after_space(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    return at if match is None else match.end()
