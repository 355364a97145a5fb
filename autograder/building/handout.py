"""Composes the notebooks of a homework from its percent script and its reference solutions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.building.added_cells import progress_cells, setup_cell
from autograder.building.definitions import Definitions, replace_solutions, without_marks
from autograder.building.errors import BuildError
from autograder.building.headings import demand_headings
from autograder.homework import Homework


def compose(
    homework: Homework, definitions: Definitions, beside: Mapping[str, bytes], *, solved: bool
) -> str:
    """Return the text of a notebook: the solved one, or the starter.

    Args:
        homework: the homework.
        definitions: its reference solutions.
        beside: files that the notebook needs beside it; it writes those that are missing.
        solved: whether answers stand in it.

    Raises:
        BuildError: if the script misplaces a question or a mark.
    """
    cells = list(_cells(homework, definitions, solved=solved))
    for number, cell in enumerate(cells):
        cell["id"] = (
            cell["id"] if cell["id"].startswith(("answer-", "check-")) else f"cell-{number:03}"
        )
    first = next(n for n, cell in enumerate(cells) if cell["cell_type"] == "code")
    progress = progress_cells(homework.question_names, homework.slow_names)
    notebook = new_notebook(
        cells=[*cells[:first], setup_cell(beside), *cells[first:], *progress],
        metadata={
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "otter": {"assignment_name": homework.name},
        },
    )
    nbformat.validate(notebook)
    return f"{nbformat.writes(notebook)}\n"


def _cells(homework: Homework, definitions: Definitions, *, solved: bool) -> Iterator[Any]:
    path = homework.folder / "notebook.py"
    if not path.is_file():
        raise BuildError(f"{path}: there is no handout")
    script = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent")
    placed = [cell["metadata"].get("question") for cell in script["cells"]]
    _demand_order(path, list(filter(None, placed)), homework.question_names)
    demand_headings(path, script["cells"], homework)
    for number, cell in enumerate(script["cells"], 1):
        question = cell["metadata"].get("question")
        if question is None:
            yield _plain_cell(cell, definitions, f"{path}, cell {number}", solved=solved)
            continue
        text = definitions.answer(question) if solved else definitions.stub(question)
        yield new_code_cell(text, id=f"answer-{question}")
        yield new_code_cell(f'grader.check("{question}")', id=f"check-{question}")
    if not any("grader = " in cell["source"] for cell in script["cells"]):
        raise BuildError(f"{path}: no cell makes the `grader` that the checks need")


def _demand_order(path: object, placed: list[str], names: tuple[str, ...]) -> None:
    if unknown := [name for name in placed if name not in names]:
        raise BuildError(f"{path}: places {unknown[0]!r}, which is none of the questions")
    for name in names:
        if placed.count(name) != 1:
            raise BuildError(f"{path}: places the question {name!r} {placed.count(name)} times")
    for name, expected in zip(placed, names, strict=False):
        if name != expected:
            raise BuildError(f"{path}: places {name!r} where {expected!r} should come")


def _plain_cell(cell: Any, definitions: Definitions, path: object, *, solved: bool) -> Any:
    """Copy a cell: a given definition, or its text without solutions, or without their marks."""
    given = cell["metadata"].get("given")
    if given is not None:
        return new_code_cell(definitions.given(given))
    source = cell["source"]
    text = without_marks(source, path) if solved else replace_solutions(source, None, path)
    if cell["cell_type"] == "markdown":
        return new_markdown_cell(text)
    tags = cell["metadata"].get("tags")
    return new_code_cell(text, metadata={"tags": list(tags)} if tags else {})
