"""Whose a submission is, where an export says so: what it is called, and which of several counts.

A name of Gradescope's, `submission_90010`, tells nobody whose it is. So a result has the people as
`people` under `extra_data`; where nothing is known there is none. Of somebody who handed in several
times, the latest counts; `upload`, the export's number, tells which that is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from autograder.grading.intake.facts import Found, Person
from autograder.text import one_line, printable

MAX_NAME = 80
Identity: TypeAlias = tuple[str, str]
PEOPLE = "people"
FACTS = ("name", "email", "sid", "canvas")
TELLING = ("canvas", "sid", "email")
"""Facts that no two people share, the most telling first."""
UPLOAD = "upload"
"""Under `extra_data`: the export's number of the submission, which grows with time."""


def stated(place: Found) -> dict[str, Any]:
    """Return who handed in, and the upload's number, as they stand under `extra_data`."""
    told = [{fact: getattr(person, fact) for fact in FACTS} for person in place.people]
    people = [{fact: value for fact, value in person.items() if value} for person in told]
    facts = {PEOPLE: people, UPLOAD: place.upload}
    return {name: value for name, value in facts.items() if value}


def with_owners(place: Found, result: Mapping[str, Any]) -> Found:
    """Take who handed in from a result, where the place itself does not say so."""
    if place.people:
        return place
    number = result["extra_data"].get(UPLOAD)
    upload = number if isinstance(number, int) else 0
    return replace(place, people=_people_of(result), upload=upload)


def _people_of(result: Mapping[str, Any]) -> tuple[Person, ...]:
    told = result["extra_data"].get(PEOPLE)
    people = (
        [person for person in told if isinstance(person, dict)] if isinstance(told, list) else ()
    )
    return tuple(Person(**{fact: str(p.get(fact, "")) for fact in FACTS}) for p in people)


def replaced(places: Iterable[Found]) -> dict[str, str]:
    """Find submissions in whose place later ones count: those of people who all have a later one.

    Returns:
        by name, the name of a later submission.
    """
    owners = [(_identities(place.people), place) for place in places if place.upload]
    latest: dict[Identity, Found] = {}
    for who, place in sorted(owners, key=lambda owner: owner[1].upload):
        latest |= dict.fromkeys(who, place)
    return {
        place.name: latest[min(who)].name
        for who, place in owners
        if who and all(latest[one].upload > place.upload for one in who)
    }


def not_counted(name: str, later: str) -> str:
    """Say that another submission counts in the place of one."""
    told = f"does not count, as {printable(later)} is a later one of the same student"
    return f"{printable(name)}: {told}"


def _identities(people: Iterable[Person]) -> set[Identity]:
    """Return for each of some people, as far as they can be told apart, a fact and its value."""
    told = ([(fact, getattr(p, fact)) for fact in TELLING if getattr(p, fact)] for p in people)
    return {facts[0] for facts in told if facts}


def names_of(result: Mapping[str, Any]) -> str:
    """Return the names of those who handed a result's submission in; empty if not known."""
    names = [one_line(person.name, MAX_NAME) for person in _people_of(result)]
    return "; ".join(name for name in names if name.strip())


def label(submission: str, names: str) -> str:
    """Call a submission by people's names, and by its own after them."""
    return f"{names} ({submission})" if names else submission


def labels(results: Mapping[str, Mapping[str, Any]]) -> Iterable[str]:
    """Return what each of some results is called, in their order."""
    return [label(name, names_of(result)) for name, result in results.items()]
