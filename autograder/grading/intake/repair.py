"""Undoes what happens to cells in an editor: retyped, tagged, copied and reordered ones.

Each repair only adds what would be lost: a cell of another type counts if no code cell defines what
it defines, and imports move up only if a cell before them uses their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograder.grading.intake.documents import Part
from autograder.grading.intake.facts import Cell
from autograder.grading.intake.source import (
    bound,
    conflict_line,
    defined,
    is_setup,
    is_stub,
    parsed,
    uses,
)
from autograder.student.pointing import first_line


def graded_cells(parts: Sequence[Part], questions: Sequence[str]) -> tuple[list[Cell], list[str]]:
    """Return the cells to run, in order, and what was repaired, a line each.

    Args:
        parts: all cells of the notebook.
        questions: the names of the questions.
    """
    counted, notes = _counted(parts, questions)
    notes.extend(_copies(counted, questions))
    notes.extend(_conflicts(counted))
    ordered, moved = _imports_first(counted, questions)
    if moved:
        notes.append(
            f"the imports of {_places(moved)} stand after code that needs them: they were run first"
        )
    return [part.cell for part in ordered], notes


def _counted(parts: Sequence[Part], questions: Sequence[str]) -> tuple[list[Part], list[str]]:
    """Take the code cells, and others that hold what no code cell defines."""
    code = [part for part in parts if part.kind == "code" and not part.ignored]
    there = {name for part in code for name in defined(part.source)}
    wanted = set(questions) - there
    has_setup = any(is_setup(part.source) for part in code)
    counted, notes = [], []
    for part in parts:
        if part.kind == "code" and not part.ignored:
            counted.append(part)
        elif names := sorted(_answered(part) & wanted):
            counted.append(part)
            notes.append(f"{_described(part)} defines `{'`, `'.join(names)}`: it was run as code")
        elif part.kind != "code" and not has_setup and is_setup(part.source):
            counted.append(part)
            notes.append(f"{_described(part)} holds the imports: it was run as code")
    return counted, notes


def _answered(part: Part) -> set[str]:
    """Name what a cell defines; prose that quotes a definition is no answer."""
    lines = part.source.splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    starts = re.match(r"(async def|def|class|import|from) |@", first) is not None
    if parsed(part.source) is None and not starts:
        return set()
    return defined(part.source)


def _described(part: Part) -> str:
    kind = "tagged to be ignored" if part.kind == "code" else f"of type {part.kind[:20]}"
    return f"cell {part.number + 1} is {kind}, but"


def _copies(cells: Sequence[Part], questions: Sequence[str]) -> Iterator[str]:
    for name in questions:
        defining = [cell for cell in cells if name in defined(cell.source)]
        if len(defining) > 1:
            stub = is_stub(defining[-1].source, name)
            told = " and it is not filled in" if stub else ""
            yield f"`{name}` is defined in {_places(defining, name)}: the last one counts{told}"


def _conflicts(cells: Sequence[Part]) -> Iterator[str]:
    for cell in cells:
        line = conflict_line(cell.source)
        if line is not None:
            yield f"a merge conflict's mark stands in {cell.cell.at(line)}: settle it"


def _places(parts: Sequence[Part], name: str = "") -> str:
    """Name cells, or the lines of a script in which they begin or define a name."""
    lines = [part.cell.line_in_script(first_line(part.source, name) or 1) for part in parts]
    in_script = None not in lines
    *others, last = map(str, lines if in_script else [part.number + 1 for part in parts])
    kind = "line" if in_script else "cell"
    return f"{kind}s {', '.join(others)} and {last}" if others else f"{kind} {last}"


def _imports_first(
    cells: Sequence[Part], questions: Sequence[str]
) -> tuple[list[Part], list[Part]]:
    """Move setup cells to the front that stand after a definition which uses their names."""
    moved = []
    known: set[str] = set()
    before: list[str] = []
    for cell in cells:
        names = bound(cell.source)
        if is_setup(cell.source) and not names & set(questions):
            if any(uses(source, names - known) for source in before):
                moved.append(cell)
        elif defined(cell.source) & set(questions):
            before.append(cell.source)
        known |= names
    return [*moved, *(cell for cell in cells if cell not in moved)], moved
