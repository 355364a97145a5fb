"""Where a cell's lines stand in the file that was handed in, for reports that point at them.

Graders and messages count cells, and lines within a cell. A host shows the raw file: a script, or
the JSON text of a notebook, in which the lines of a cell are strings.
"""

from __future__ import annotations

import json

from autograder.grading.intake.documents import first_sides, opened, script_parts
from autograder.grading.intake.facts import IntakeError
from autograder.grading.intake.files import Kind
from autograder.grading.intake.source import lines_of
from autograder.student.pointing import line_in_notebook, with_plain_ends


def line_in_file(data: bytes, name: str, cell: int | None, line: int) -> int | None:
    """Return the line of the file, from 1, where a line of a cell stands.

    Args:
        data: the file's content.
        name: the file's name.
        cell: the number of the cell among all, from 1; None if lines of a script are counted.
        line: the line in the cell, from 1.

    Returns:
        None where it cannot be told: the file has changed, or its format is one of long ago.
    """
    try:
        kind, text = opened(data, name, [])
        text = with_plain_ends(text)
        if cell is None:
            return line if kind is Kind.SCRIPT and line <= len(lines_of(text)) else None
        return (_in_script if kind is Kind.SCRIPT else _in_notebook)(text, cell, line)
    except (IntakeError, ValueError, LookupError, RecursionError):
        return None


def _in_script(text: str, cell: int, line: int) -> int | None:
    """Find a line of a piece, as results of earlier versions count them."""
    pieces = [part.cell for part in script_parts(text)]
    return pieces[cell - 1].line_in_script(line)


def _in_notebook(text: str, cell: int, line: int) -> int | None:
    """Find a line of a cell in the JSON, or in what is left of it after a merge's conflicts."""
    try:
        json.loads(text)
    except ValueError:
        text = first_sides(text)[0]
    return line_in_notebook(text, cell, line)
