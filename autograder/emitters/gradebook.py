"""The class as a table: `gradebook.csv`, and the same on the terminal."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from autograder.emitters.gradescope import write_atomically
from autograder.grading.results import Result
from autograder.homework import Homework


def write(results: Sequence[Result], homework: Homework, folder: Path) -> Path:
    """Write `<folder>/gradebook.csv`: a row for each submission, a column for each question."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["submission", "score", "max_score", *homework.question_names, "remark"])
    for result in results:
        points = [result.question_score(name) for name in homework.question_names]
        row = [result.submission, result.score, homework.points, *points, remark(result)]
        writer.writerow([neutral(cell) for cell in row])
    path = folder / "gradebook.csv"
    write_atomically(path, text.getvalue())
    return path


def remark(result: Result) -> str:
    """Say in a line what is unusual about a result."""
    if result.problem is not None:
        return result.problem
    return "; ".join([*result.faults, *result.warnings])


def neutral(cell: object) -> object:
    """Keep a spreadsheet from taking a student's text for a formula."""
    if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{cell}"
    return cell


def table(results: Sequence[Result], homework: Homework) -> Table:
    """Show the class: points by question, the total, and the first thing to know."""
    shown = Table(title=f"{homework.title}: {len(results)} submissions", title_justify="left")
    shown.add_column("submission", no_wrap=True)
    for number, question in enumerate(homework.questions, 1):
        shown.add_column(f"{number}\n/{question.points}", justify="right")
    shown.add_column(f"score\n/{homework.points}", justify="right", style="bold")
    shown.add_column("remark", overflow="ellipsis", no_wrap=True, max_width=48)
    for result in results:
        points = [str(result.question_score(name)) for name in homework.question_names]
        shown.add_row(result.submission, *points, str(result.score), remark(result))
    return shown
