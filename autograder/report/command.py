"""What `autograder report` does: reads, writes the page, and says the most important in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.emitters.gradescope import write_atomically
from autograder.report import running
from autograder.report.changes import Cause, Changes, compare
from autograder.report.mistakes import Lesson, lessons
from autograder.report.names import pseudonyms
from autograder.report.page import ANONYMOUS, Openness, page, points
from autograder.report.reading import Class, ReportError, read_class
from autograder.report.scores import spread
from autograder.report.sheet import sheet

MOST = 5
MOST_REASONS = 4


@dataclass(frozen=True)
class Wish:
    """What is to be reported.

    Attributes:
        folder: of the results.
        html: where the page goes.
        csv: where the figures go, or None.
        against: an earlier folder of results, or None.
        is_anonymous: whether pseudonyms take the place of names.
    """

    folder: Path
    html: Path
    csv: Path | None
    against: Path | None
    is_anonymous: bool


def report(wish: Wish) -> Iterator[tuple[str, bool]]:
    """Write a report; yields lines to print, each with whether it tells of something wrong.

    Raises:
        ReportError: if there are no results.
    """
    group = read_class(wish.folder)
    old = read_class(wish.against, group.name) if wish.against is not None else None
    if old is not None and not {r.name for r in old.results} & {r.name for r in group.results}:
        raise ReportError(_no_name_in_common(group, old))
    unread = [*group.unread, *(old.unread if old is not None else ())]
    yield from ((line, True) for line in [*unread, *group.replaced])
    notes = tuple(_notes(group, len(unread)))
    yield from ((note, True) for note in notes)
    openness = Openness(wish.html.parent)
    if wish.is_anonymous:
        group, old = _anonymous(group, old)
        openness = ANONYMOUS
    changes = compare(old, group) if old is not None else None
    _write(wish.html, page(group, changes, openness, notes))
    if wish.csv is not None:
        _write(wish.csv, sheet(group))
    yield from ((line, False) for line in _told(group, changes))
    yield f"report in {wish.html}", False
    if wish.csv is not None:
        yield f"figures in {wish.csv}", False


def _no_name_in_common(group: Class, old: Class) -> str:
    told = f"{old.folder}: no submission in it is called as one in {group.folder}"
    return f"{told}; name earlier results of the same class"


def _anonymous(group: Class, old: Class | None) -> tuple[Class, Class | None]:
    """Give everybody a pseudonym, the same in both classes."""
    both = [*group.results, *(old.results if old is not None else ())]
    names = pseudonyms(result.name for result in both)
    return _renamed(group, names), None if old is None else _renamed(old, names)


def _renamed(group: Class, names: dict[str, str]) -> Class:
    results = [replace(result, name=names[result.name], students="") for result in group.results]
    return replace(group, results=tuple(sorted(results, key=lambda result: result.name)))


def _notes(group: Class, unread: int) -> Iterator[str]:
    """Say what keeps the figures from being about the class and the homework as they are."""
    if unread:
        yield f"{unread} {'file' if unread == 1 else 'files'} could not be taken as results"
    found = running.versions(group)
    again = "`grade --resume` brings them up to date"
    if len(found) > 1:
        yield f"the results are of {len(found)} versions of the homework: {again}"
    elif group.homework is not None and found[0][0] != group.homework.version:
        yield f"the homework has changed since these results were made: {again}"
    if group.homework is None:
        yield f"there is no homework {group.name!r} here: its title and stretch are not known"


def _write(path: Path, text: str) -> None:
    """Write a file whole.

    Raises:
        ReportError: if that is not possible.
    """
    try:
        write_atomically(path, text)
    except OSError as error:
        raise ReportError(f"{path}: it cannot be written: {error.strerror}") from error


def _told(group: Class, changes: Changes | None) -> Iterator[str]:
    """Say the most important in a few lines."""
    ungraded = len(group.results) - len(group.graded)
    more = f", {ungraded} could not be graded" if ungraded else ""
    yield f"{group.title}: {len(group.results)} submissions{more}"
    if (found := spread(group)) is not None:
        median = f"median {points(found.quartiles[1])} of {points(group.full_marks)} points"
        yield f"{median}; {found.full} of {found.count} have full marks"
    found_lessons = lessons(group)
    if found_lessons:
        yield "teach again:"
    yield from (f"  {_lesson(lesson)}" for lesson in found_lessons[:MOST])
    if len(found_lessons) > MOST:
        yield f"  and {len(found_lessons) - MOST} more questions"
    if changes is not None:
        yield f"points changed in {len(changes.changes)}, stayed in {changes.same}"
        yield from (_cause(cause) for cause in changes.causes)


def _lesson(lesson: Lesson) -> str:
    """Say in a line what was lost in a question, and mostly why."""
    told = [f"{reason} ({count})" for reason, count in lesson.reasons]
    if len(told) > MOST_REASONS:
        told[MOST_REASONS - 1 :] = [f"and {len(told) - MOST_REASONS + 1} more reasons"]
    lost = f"{len(lesson.names)} of {lesson.count} lost {points(lesson.lost)} points"
    return f"{lesson.question}: {lost}: {', '.join(told)}"


def _cause(cause: Cause) -> str:
    return f"  {cause.reason}: {cause.more} have more, {cause.fewer} fewer"
