"""Where a cell's lines stand in the file that was handed in, for reports that point at them.

Graders and messages count cells, and lines within a cell. A host shows the raw file: a script, or
the JSON text of a notebook, in which the lines of a cell are strings.
"""

from __future__ import annotations

import json

from autograder.grading.intake.documents import first_sides, opened, script_parts
from autograder.grading.intake.facts import IntakeError
from autograder.grading.intake.files import Kind
from autograder.student.pointing import line_in_notebook, with_plain_ends


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
        return find(with_plain_ends(text), cell, line)
    except (IntakeError, ValueError, LookupError, RecursionError):
        return None


def _in_script(text: str, cell: int, line: int) -> int | None:
    """Find a line of a cell; cells stand in the file in their order."""
    end = 0
    for part in script_parts(text):
        at = text.find(part.source, end)
        end = end if at < 0 else at + len(part.source)
        if part.number == cell - 1:
            return None if at < 0 else text.count("\n", 0, at) + line
    return None


def _in_notebook(text: str, cell: int, line: int) -> int | None:
    """Find a line of a cell in the JSON, or in what is left of it after a merge's conflicts."""
    try:
        json.loads(text)
    except ValueError:
        text = first_sides(text)[0]
    return line_in_notebook(text, cell, line)
