"""Errors that are meant for a person: the command line prints them as one line, with its place."""

import traceback
from pathlib import Path


class PlainError(Exception):
    """What is wrong, where, and what to do, in one line."""


class HomeworkError(PlainError):
    """A homework does not exist, or its files contradict each other: one line for its author."""


def last_line_within(error: Exception, *places: Path) -> tuple[Path, int] | None:
    """Find the last line of these files, or of files in these folders, that ran before an error."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [(Path(frame.f_code.co_filename), line) for frame, line in frames]
    found = [(path, line) for path, line in lines if any(map(path.is_relative_to, places))]
    return found[-1] if found else None
