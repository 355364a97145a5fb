"""Compares the headings of a handout, `## 4a · Masks (6 points)`, with what the homework says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from string import ascii_lowercase
from typing import Any

from autograder.building.errors import BuildError
from autograder.homework import Homework

HEADING = re.compile(r"^#+ (?P<number>\d+[a-z]?) · .*\(\+?(?P<points>\d+) points?\b.*\)$", re.M)


def demand_headings(path: object, cells: Iterable[Any], homework: Homework) -> None:
    """Refuse headings that give a question another number, or other points, than it has.

    Args:
        path: of the handout.
        cells: its cells, of which those of questions say so in their metadata.
        homework: the homework. Headings of other forms are its author's own affair.

    Raises:
        BuildError: what the first wrong heading says, and what it should.
    """
    of_number: dict[str, int] = {}
    for question in homework.questions:
        number = homework.numbers[question.name]
        for part in {number, number.rstrip(ascii_lowercase)}:
            of_number[part] = of_number.get(part, 0) + question.points
    for heading, question_below in _headings(cells):
        number, points = heading["number"], int(heading["points"])
        told = f"{path}: the heading {heading[0]!r}"
        if question_below and homework.numbers[question_below] != number:
            right = homework.numbers[question_below]
            raise BuildError(f"{told} stands over {question_below}, which has the number {right}")
        if of_number.get(number) != points:
            raise BuildError(
                f"{told} says {points} points; its cases have {of_number.get(number, 0)}"
            )


def _headings(cells: Iterable[Any]) -> Iterator[tuple[re.Match[str], str | None]]:
    """Yield each heading with a number, and the question that stands below it before the next."""
    marks: list[re.Match[str] | str | None] = []
    for cell in cells:
        if cell["cell_type"] == "markdown":
            marks += HEADING.finditer(cell["source"])
        elif question := cell["metadata"].get("question"):
            marks.append(question)
    for mark, below in pairwise([*marks, None]):
        if isinstance(mark, re.Match):
            yield mark, below if isinstance(below, str) else None
