"""CSV that spreadsheets read as it is meant: students' text does not become a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

FORMULAS = ("=", "+", "-", "@", "\t", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that some program takes for a formula."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Write rows as CSV, its lines ended by LF; numbers must come as numbers, not as text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([neutral(_with_plain_ends(cell)) for cell in row] for row in rows)
    return text.getvalue()


def neutral(cell: object) -> object:
    """Keep a spreadsheet from taking a student's text for a formula."""
    if isinstance(cell, str) and cell.lstrip(" ").startswith(FORMULAS):
        return f"'{cell}"
    return cell


def _with_plain_ends(cell: object) -> object:
    """End lines within a cell by LF: up to Python 3.12, csv does not quote a cell for a CR."""
    return cell.replace("\r\n", "\n").replace("\r", "\n") if isinstance(cell, str) else cell
