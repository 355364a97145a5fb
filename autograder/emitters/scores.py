"""`scores.csv`, with the columns of Gradescope's "Download Grades".

A row for each person who handed in, as far as the export names people; else one for each
submission. What only Gradescope knows, such as times, stays empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from autograder.emitters.forms import Batch
from autograder.emitters.gradebook import full_marks, question_points
from autograder.emitters.gradescope import write_atomically
from autograder.emitters.spreadsheet import csv_text
from autograder.homework import Homework

if TYPE_CHECKING:
    from autograder.grading.intake import Found

PERSON = ("Name", "SID", "Email")
COLUMNS = (
    *("Total Score", "Max Points", "Status", "Submission ID", "Submission Time"),
    *("Lateness (H:M:S)", "View Count", "Submission Count"),
)
GRADESCOPES = re.compile(r"submission_(\d+)")


def emit(batch: Batch) -> Iterator[str]:
    """Write `scores.csv`."""
    rows = [_header(batch), *_rows(batch)]
    path = batch.folder / "scores.csv"
    write_atomically(path, csv_text(rows))
    yield f"scores in {path}"


def _header(batch: Batch) -> list[object]:
    some: dict[str, Any] = next(iter(batch.results.values()), {"tests": []})
    points = question_points(some, batch.homework, "max_score")
    numbers, names = batch.homework.numbers, batch.homework.question_names
    asked = zip(names, points, strict=True)
    questions = [f"{numbers[name]}: {name} ({most:.1f} pts)" for name, most in asked]
    return [*PERSON, *COLUMNS, *questions]


def _rows(batch: Batch) -> Iterator[list[object]]:
    for name, result in batch.results.items():
        rest = [*_facts(name, result, batch.homework), *_questions(result, batch.homework)]
        yield from ([*person, *rest] for person in _people(name, batch.found[name]))


def _people(name: str, found: Found) -> list[tuple[str, str, str]]:
    """List name, SID and email of those who handed in; the submission's name where unknown."""
    people = [(p.name or name, p.sid, p.email) for p in found.people]
    return people or [(name, "", "")]


def _facts(name: str, result: dict[str, Any], homework: Homework) -> list[object]:
    match = GRADESCOPES.fullmatch(name)
    score, most = (round(float(n), 1) for n in (result["score"], full_marks(result, homework)))
    return [score, most, "Graded", match[1] if match else name, "", "", "", ""]


def _questions(result: dict[str, Any], homework: Homework) -> list[object]:
    return [round(float(points), 1) for points in question_points(result, homework)]
