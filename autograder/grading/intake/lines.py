"""Where a cell's lines stand in the file that was handed in, for reports that point at them.

Graders and messages count cells, and lines within a cell. A host shows the raw file: a script, or
the JSON text of a notebook, in which the lines of a cell are strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from autograder.grading.intake.documents import first_sides, opened, script_parts
from autograder.grading.intake.facts import IntakeError
from autograder.grading.intake.files import Kind

SPACE = re.compile(r"[ \t\r\n]*")


def line_in_file(data: bytes, name: str, cell: int, line: int) -> int | None:
    """Return the line of the file, from 1, where a line of a cell stands.

    Args:
        data: the file's content.
        name: the file's name.
        cell: the number of the cell among all, from 1.
        line: the line in the cell, from 1.

    Returns:
        None where it cannot be told: the file has changed, or its format is one of long ago.
    """
    try:
        kind, text = opened(data, name, [])
        find = _in_script if kind is Kind.SCRIPT else _in_notebook
        return find(_with_plain_ends(text), cell - 1, line - 1)
    except (IntakeError, ValueError, LookupError, RecursionError):
        return None


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _in_script(text: str, number: int, skipped: int) -> int | None:
    """Find a line of a cell, after `skipped` others; cells stand in the file in their order."""
    end = 0
    for part in script_parts(text):
        at = text.find(part.source, end)
        end = end if at < 0 else at + len(part.source)
        if part.number == number:
            return None if at < 0 else text.count("\n", 0, at) + 1 + skipped
    return None


def _in_notebook(text: str, number: int, skipped: int) -> int | None:
    """Find the string of JSON that holds a line of a cell, after `skipped` others."""
    try:
        json.loads(text)
    except ValueError:
        text = first_sides(text)[0]
    cells = _members(text, _after_space(text, 0))["cells"]
    source = _members(text, list(_items(text, cells))[number])["source"]
    strings = _items(text, source) if text[source] == "[" else iter([source])
    for at in strings:
        written = _decoded(text, at)[0]
        if not isinstance(written, str):
            return None
        written = _with_plain_ends(written)
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
