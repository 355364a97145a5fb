"""The class as a table: `gradebook.csv`, and the same on the terminal.

Both are made from results as they stand in `results.json`, so that a batch that was resumed gives
the same table as one that was not.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from autograder.emitters.gradescope import PROBLEM, write_atomically
from autograder.emitters.spreadsheet import csv_text
from autograder.homework import Homework

Results = Mapping[str, dict[str, Any]]
"""Results by the submission's name, in the order of the table."""


def write(results: Results, homework: Homework, folder: Path) -> Path:
    """Write `<folder>/gradebook.csv`: a row for each submission, a column for each question."""
    rows: list[list[object]] = [
        ["submission", "score", "max_score", *homework.question_names, "remark"]
    ]
    for name, result in results.items():
        points = question_points(result, homework)
        rows.append([name, result["score"], full_marks(result, homework), *points, remark(result)])
    path = folder / "gradebook.csv"
    write_atomically(path, csv_text(rows))
    return path


def question_points(
    result: dict[str, Any], homework: Homework, key: str = "score"
) -> tuple[int, ...]:
    """Add a result's points up by question: those it has, or with `max_score` all there are."""
    sums = dict.fromkeys(homework.question_names, 0)
    for test in result["tests"]:
        sums[test["extra_data"]["question"]] += test[key]
    return tuple(sums.values())


def full_marks(result: dict[str, Any], homework: Homework) -> int:
    """Add up all points but those of the stretch; every result lists all cases."""
    points = question_points(result, homework, "max_score")
    asked = zip(homework.question_names, points, strict=True)
    return sum(most for name, most in asked if name not in homework.stretch)


def problem(result: dict[str, Any]) -> str | None:
    """Say why nothing of a submission could be graded, if nothing could."""
    told = str(result["output"])
    return told.removeprefix(PROBLEM).rstrip(".") if told.startswith(PROBLEM) else None


def remark(result: dict[str, Any]) -> str:
    """Say in a line what is unusual about a result."""
    return problem(result) or "; ".join(result["extra_data"]["warnings"])


def table(results: Results, homework: Homework) -> Table:
    """Show the class: points by question, the total, and the first thing to know."""
    count = "1 submission" if len(results) == 1 else f"{len(results)} submissions"
    shown = Table(title=f"{homework.title}: {count}", title_justify="left")
    shown.add_column("submission", no_wrap=True)
    some: dict[str, Any] = next(iter(results.values()), {"tests": []})
    for number, most in enumerate(question_points(some, homework, "max_score"), 1):
        shown.add_column(f"{number}\n/{most}", justify="right")
    shown.add_column(f"score\n/{full_marks(some, homework)}", justify="right", style="bold")
    shown.add_column("remark", overflow="ellipsis", no_wrap=True, max_width=48)
    for name, result in results.items():
        points = map(str, question_points(result, homework))
        shown.add_row(name, *points, str(result["score"]), remark(result))
    return shown
