"""The class as a table: `gradebook.csv`, and the same on the terminal.

Both are made from results as they stand in `results.json`, so that a batch that was resumed gives
the same table as one that was not.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from autograder.emitters.gradescope import PROBLEM, write_atomically
from autograder.homework import Homework

Results = Mapping[str, dict[str, Any]]
"""Results by the submission's name, in the order of the table."""


def write(results: Results, homework: Homework, folder: Path) -> Path:
    """Write `<folder>/gradebook.csv`: a row for each submission, a column for each question."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["submission", "score", "max_score", *homework.question_names, "remark"])
    for name, result in results.items():
        points = question_points(result, homework.question_names)
        row = [name, result["score"], homework.points, *points, remark(result)]
        writer.writerow([neutral(cell) for cell in row])
    path = folder / "gradebook.csv"
    write_atomically(path, text.getvalue())
    return path


def question_points(result: dict[str, Any], names: Sequence[str]) -> list[int]:
    """Add a result's points up by question."""
    scores = [(test["extra_data"]["question"], test["score"]) for test in result["tests"]]
    return [sum(score for question, score in scores if question == name) for name in names]


def problem(result: dict[str, Any]) -> str | None:
    """Say why nothing of a submission could be graded, if nothing could."""
    told = str(result["output"])
    return told.removeprefix(PROBLEM).rstrip(".") if told.startswith(PROBLEM) else None


def remark(result: dict[str, Any]) -> str:
    """Say in a line what is unusual about a result."""
    return problem(result) or "; ".join(result["extra_data"]["warnings"])


def neutral(cell: object) -> object:
    """Keep a spreadsheet from taking a student's text for a formula."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{cell}"
    return cell


def table(results: Results, homework: Homework) -> Table:
    """Show the class: points by question, the total, and the first thing to know."""
    shown = Table(title=f"{homework.title}: {len(results)} submissions", title_justify="left")
    shown.add_column("submission", no_wrap=True)
    for number, question in enumerate(homework.questions, 1):
        shown.add_column(f"{number}\n/{question.points}", justify="right")
    shown.add_column(f"score\n/{homework.points}", justify="right", style="bold")
    shown.add_column("remark", overflow="ellipsis", no_wrap=True, max_width=48)
    for name, result in results.items():
        points = map(str, question_points(result, homework.question_names))
        shown.add_row(name, *points, str(result["score"]), remark(result))
    return shown
