"""What a submission is called: by those who handed it in, where an export names them.

A name of Gradescope's, `submission_90010`, tells nobody whose it is. The names stand in a result
as `students` under `extra_data`, and are left out where nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from autograder.text import one_line

if TYPE_CHECKING:
    from autograder.grading.intake import Found

MAX_NAME = 80
STUDENTS = "students"


def with_students(result: Mapping[str, Any], found: Found) -> dict[str, Any]:
    """Return a result with the names of those who handed it in, as far as they are known."""
    names = [one_line(person.name, MAX_NAME) for person in found.people if person.name.strip()]
    facts = {key: value for key, value in result["extra_data"].items() if key != STUDENTS}
    return {**result, "extra_data": facts | ({STUDENTS: names} if names else {})}


def names_of(result: Mapping[str, Any]) -> str:
    """Return the names of those who handed a result's submission in; empty if not known."""
    return "; ".join(result["extra_data"].get(STUDENTS, ()))


def label(submission: str, names: str) -> str:
    """Call a submission by people's names, and by its own after them."""
    return f"{names} ({submission})" if names else submission


def labels(results: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    """Return what each of some results is called, in their order."""
    return [label(name, names_of(result)) for name, result in results.items()]
