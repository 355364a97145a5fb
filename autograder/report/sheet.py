"""The figures of questions, cases and known mistakes as CSV, for spreadsheets and statistics."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.emitters.spreadsheet import csv_text
from autograder.report.items import Discrimination, case_items, question_items
from autograder.report.mistakes import known_mistakes
from autograder.report.reading import Class

COLUMNS = (
    *("kind", "question", "name", "title", "hidden", "points", "submissions"),
    *("mean_share", "affected", "discrimination", "undefined_because"),
)


def sheet(group: Class) -> str:
    """Return a row for each question, each case and each known mistake that answers show.

    `affected` is how many have not all points of a question, failed a case, or show a mistake;
    `mean_share` is of the points, from 0 to 1.
    """
    return csv_text([COLUMNS, *_questions(group), *_cases(group), *_mistakes(group)])


def _questions(group: Class) -> Iterator[list[object]]:
    for item in question_items(group):
        named = ["question", item.name, item.name, "", "", item.points, item.count]
        affected = item.count - item.full
        yield [*named, _figure(item.share), affected, *_correlation(item.discrimination)]


def _cases(group: Class) -> Iterator[list[object]]:
    for item in case_items(group):
        hidden = "yes" if item.hidden else "no"
        named = ["case", item.question, item.name, item.title, hidden, item.points, item.count]
        yield [*named, _figure(1 - item.share), item.failed, *_correlation(item.discrimination)]


def _mistakes(group: Class) -> Iterator[list[object]]:
    for mistake in known_mistakes(group):
        named = ["mistake", mistake.question, mistake.name, mistake.hint, "", "", len(group.graded)]
        yield [*named, "", len(mistake.names), "", ""]


def _correlation(found: Discrimination) -> tuple[object, str]:
    return ("" if found.value is None else _figure(found.value)), found.reason


def _figure(value: float) -> float:
    """Round a figure, which stays a number: text that begins with a minus is guarded."""
    return round(value, 4) + 0.0  # no -0.0
