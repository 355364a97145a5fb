"""`long.csv`: a row for each submission and case, for spreadsheets and statistics."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.emitters.forms import Batch
from autograder.emitters.gradescope import write_atomically
from autograder.emitters.people import names_of
from autograder.emitters.spreadsheet import csv_text

COLUMNS = (
    *("student", "question", "case", "misconception", "points", "seconds"),
    *("max_points", "hidden", "name"),
)


def emit(batch: Batch) -> Iterator[str]:
    """Write `long.csv`; `student` is the submission's name, `name` a person's; times in seconds."""
    path = batch.folder / "long.csv"
    write_atomically(path, csv_text([COLUMNS, *_rows(batch)]))
    yield f"long in {path}"


def _rows(batch: Batch) -> Iterator[list[object]]:
    for name, result in batch.results.items():
        people = names_of(result)
        for test in result["tests"]:
            facts = test["extra_data"]
            named = [facts["question"], facts["case"], facts["misconception"] or ""]
            hidden = "yes" if facts["hidden"] else "no"
            points = [test["score"], facts["seconds"], test["max_score"]]
            yield [name, *named, *points, hidden, people]
