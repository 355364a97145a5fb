"""What a submission is called: by those who handed it in, where an export names them.

A name of Gradescope's, `submission_90010`, tells nobody whose it is. So a result has the people as
`people` under `extra_data`; where nothing is known there is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograder.grading.intake.facts import Person
from autograder.text import one_line

MAX_NAME = 80
PEOPLE = "people"
FACTS = ("name", "email", "sid", "canvas")


def stated(people: tuple[Person, ...]) -> list[dict[str, str]]:
    """Return people as they stand in `results.json`."""
    told = [{fact: getattr(person, fact) for fact in FACTS} for person in people]
    return [{fact: value for fact, value in person.items() if value} for person in told]


def people_of(result: Mapping[str, Any]) -> tuple[Person, ...]:
    """Read who handed in; nobody, if the result does not say so."""
    told = result["extra_data"].get(PEOPLE)
    people = (
        [person for person in told if isinstance(person, dict)] if isinstance(told, list) else ()
    )
    return tuple(Person(**{fact: str(p.get(fact, "")) for fact in FACTS}) for p in people)


def names_of(result: Mapping[str, Any]) -> str:
    """Return the names of those who handed a result's submission in; empty if not known."""
    names = [one_line(person.name, MAX_NAME) for person in people_of(result)]
    return "; ".join(name for name in names if name.strip())


def label(submission: str, names: str) -> str:
    """Call a submission by people's names, and by its own after them."""
    return f"{names} ({submission})" if names else submission


def labels(results: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    """Return what each of some results is called, in their order."""
    return [label(name, names_of(result)) for name, result in results.items()]
