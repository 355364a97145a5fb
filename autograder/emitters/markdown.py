"""Markdown that shows students' text as it is: nothing in it becomes markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escaped(text: object) -> str:
    """Return a text that Markdown shows letter by letter; it stays in one line."""
    line = " ".join(str(text).split())
    line = "".join(ENTITIES.get(letter, letter) for letter in line)
    line = re.sub(r"([\\`*_{}\[\]#|~$!])", r"\\\1", line)
    line = re.sub(r"^([-+])", r"\\\1", line)
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", line)


def row(cells: Sequence[object]) -> str:
    """Return a line of a table; the cells are Markdown already."""
    return f"| {' | '.join(map(str, cells))} |"


def header(cells: Sequence[object], numbers: int) -> str:
    """Return the two lines that a table begins with; the last `numbers` columns hold numbers."""
    marks = ["---"] * (len(cells) - numbers) + ["---:"] * numbers
    return f"{row(cells)}\n{row(marks)}"
