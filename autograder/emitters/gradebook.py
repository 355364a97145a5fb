"""The class as a table: `gradebook.csv`, and the same on the terminal.

Both are made from results as they stand in `results.json`, so that a batch that was resumed gives
the same table as one that was not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from autograder.emitters.gradescope import PROBLEM, write_atomically
from autograder.emitters.people import labels, names_of
from autograder.emitters.spreadsheet import csv_text
from autograder.homework import Homework

Results = Mapping[str, dict[str, Any]]
"""Results by the submission's name, in the order of the table."""
BESIDE = 3
"""A column of the terminal's table takes so many characters more than what stands in it."""
LEAST_NAME, LEAST_REMARK, MAX_REMARK = 32, 12, 48
"""Characters for a submission and a remark, where there is not room for all."""


def write(results: Results, homework: Homework, folder: Path) -> Path:
    """Write `<folder>/gradebook.csv`: a row for each submission, a column for each question."""
    rows: list[list[object]] = [
        ["submission", "score", "max_score", *homework.question_names, "remark", "name"]
    ]
    for name, result in results.items():
        points = question_points(result, homework)
        most, last = full_marks(result, homework), (remark(result), names_of(result))
        rows.append([name, result["score"], most, *points, *last])
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


def table(results: Results, homework: Homework, width: int) -> Table:
    """Show the class: points by question, the total, and the first thing to know.

    Where not all of it has room, questions are left out; numbers are never cut.

    Args:
        results: of the class.
        homework: that it is about.
        width: of the terminal, in characters.
    """
    names, remarks = list(labels(results)), [remark(result) for result in results.values()]
    longest = max(map(cell_len, ["submission", *names]))
    told = min(MAX_REMARK, max(map(cell_len, ["", *remarks])))
    least = min(LEAST_REMARK, told) + BESIDE if told else 0
    columns = list(_columns(results, homework))
    if min(longest, LEAST_NAME) + least > _room(columns, width):
        columns = columns[-1:]
    left = _room(columns, width)
    if min(longest, LEAST_NAME) + least > left:
        told = least = 0
    folded = max(LEAST_NAME, left - told - BESIDE) if told else left
    name_width = min(longest, folded, left - least)
    count = "1 submission" if len(results) == 1 else f"{len(results)} submissions"
    shown = Table(title=f"{homework.title}: {count}", title_justify="left")
    shown.add_column("submission", overflow="fold", width=name_width)
    for head, *_ in columns:
        shown.add_column(head, justify="right", style="bold" if "score" in head else None)
    if told:
        most = min(MAX_REMARK, left - name_width - BESIDE)
        shown.add_column("remark", overflow="ellipsis", no_wrap=True, max_width=most)
    last = [remarks] if told else []
    for row in zip(names, *(column[1:] for column in columns), *last, strict=True):
        shown.add_row(*map(Text, row))
    return shown


def _columns(results: Results, homework: Homework) -> Iterator[list[str]]:
    """Yield the columns with numbers, the score last; each begins with its head."""
    some: dict[str, Any] = next(iter(results.values()), {"tests": []})
    points = [question_points(result, homework) for result in results.values()]
    most = question_points(some, homework, "max_score")
    for place, name in enumerate(homework.question_names):
        head = f"{homework.numbers[name]}\n/{most[place]}"
        yield [head, *(str(row[place]) for row in points)]
    scores = [str(result["score"]) for result in results.values()]
    yield [f"score\n/{full_marks(some, homework)}", *scores]


def _room(columns: Sequence[Sequence[str]], width: int) -> int:
    """Return how many characters numbers leave to what stands beside them."""
    lines = [[line for cell in column for line in cell.split("\n")] for column in columns]
    return width - 1 - sum(max(map(len, column)) + BESIDE for column in lines) - BESIDE
