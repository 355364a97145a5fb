"""From paths to submissions: finds them, reads their cells, and says what is wrong with them.

Nothing of a submission is unpacked to disk or executed here; a zip is read in memory. What can be
repaired is, and becomes a warning; what cannot becomes the submission's `problem`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from autograder.grading.intake.documents import Document, read_document
from autograder.grading.intake.facts import (
    Cell,
    Found,
    IntakeError,
    Submission,
    listed,
    shown,
)
from autograder.grading.intake.files import Kind, Offer, held, offers
from autograder.grading.intake.finding import OUTPUTS, find_submissions
from autograder.grading.intake.repair import graded_cells
from autograder.grading.intake.source import defined, may_bind
from autograder.homework import Homework
from autograder.text import printable

__all__ = [
    "OUTPUTS",
    "Cell",
    "Found",
    "IntakeError",
    "Submission",
    "find_submissions",
    "read_submission",
]

MAX_COMPARED = 20
MAX_WARNINGS = 30


def read_submission(found: Found, homework: Homework) -> Submission:
    """Read a submission's cells; what is wrong with it becomes its `problem`."""
    try:
        return _read(found, homework)
    except IntakeError as error:
        problem = printable(str(error))
    except OSError as error:
        problem = f"the file cannot be read: {error.strerror or shown(error)}"
    return Submission(found.name, (), problem, found.warnings, found.owner)


def _read(found: Found, homework: Homework) -> Submission:
    file, document, notes = _document(found, homework)
    if document.homework is not None and document.homework != homework.name:
        raise IntakeError(
            f"this is the homework {shown(document.homework)!r}, not {homework.name!r}"
        )
    cells, repairs = graded_cells(document.parts, homework.question_names)
    notes += [*document.warnings, *repairs, *_doubts(cells, homework)]
    if len(notes) > MAX_WARNINGS:
        notes[MAX_WARNINGS:] = [f"… and {len(notes) - MAX_WARNINGS} more of the kind"]
    warnings = tuple(printable(note) for note in (*found.warnings, *notes))
    return Submission(found.name, tuple(cells), None, warnings, found.owner, file)


def _document(found: Found, homework: Homework) -> tuple[str | None, Document, list[str]]:
    """Read the file that is the submission; return its path in the place, and what was decided."""
    offered = offers(found)
    container = "folder" if found.path.is_dir() else "zip"
    if not offered:
        only = f", only {listed(there)}" if (there := held(found)) else ""
        raise IntakeError(f"the {container} holds no notebook{only}: hand in the .ipynb file")
    if len(offered) == 1:
        return _path(offered[0]), read_document(offered[0].read(), offered[0].path.name), []
    names = [str(offer.path) for offer in offered]
    kind = "scripts" if offered[0].kind is Kind.SCRIPT else "notebooks"
    told = f"the {container} holds {len(names)} {kind} ({listed(names)})"
    fitting = [] if len(offered) > MAX_COMPARED else list(_fitting(offered, homework))
    if len(fitting) != 1:
        raise IntakeError(f"{told}: hand in one")
    offer, document = fitting[0]
    counts = f"{told}: only {shown(offer.path)} belongs to this homework, and it counts"
    return _path(offer), document, [counts]


def _path(offer: Offer) -> str | None:
    """Return a file's path, unless results cannot hold it as it is."""
    path = str(offer.path)
    return path if path == printable(path) else None


def _fitting(offered: list[Offer], homework: Homework) -> list[tuple[Offer, Document]]:
    """Pick the files that can be read and belong to the homework."""
    fitting = []
    for offer in offered:
        try:
            document = read_document(offer.read(), offer.path.name)
        except (IntakeError, OSError):
            continue
        if _belongs(document, homework):
            fitting.append((offer, document))
    return fitting


def _belongs(document: Document, homework: Homework) -> bool:
    if document.homework is not None:
        return document.homework == homework.name
    return any(defined(part.source) & set(homework.question_names) for part in document.parts)


def _doubts(cells: list[Cell], homework: Homework) -> Iterator[str]:
    """Warn if no question seems to be answered.

    Raises:
        IntakeError: if there is no code at all, or none that has to do with the homework.
    """
    if not any(cell.source.strip() for cell in cells):
        raise IntakeError("the notebook has no code: save your work and hand it in again")
    names = homework.question_names
    if any(may_bind(cell.source, name) for cell in cells for name in names):
        return
    told = f"none of the questions of {homework.name!r}"
    if not any(re.search(rf"\b{name}\b", cell.source) for cell in cells for name in names):
        raise IntakeError(f"{told} is in it: is it the right file?")
    yield f"{told} is defined in it: the cells with the answers are gone"
