"""The report as a page that stands alone: no other file, no network; its script is a comfort."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.emitters.pages import environment
from autograder.report import items, running
from autograder.report.changes import Changes
from autograder.report.mistakes import lessons
from autograder.report.reading import RESULTS, Class, Graded
from autograder.report.scores import spread

PACKAGE = "autograder.report"
FEEDBACK = "feedback.html"
FIRST = 3
"""In so many questions mistakes are shown at once, in the others on demand."""


@dataclass(frozen=True)
class Row:
    """A line of the students' table.

    Attributes:
        link: to the page or the file of this result, from where the report lies; or empty.
        mistakes: names of the known mistakes that the answers show.
        note: what is unusual about the result.
    """

    result: Graded
    link: str
    mistakes: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class Openness:
    """What a report may show of single students, beyond points.

    Attributes:
        folder: where the report lies, so that it can link to results; None is for no links.
        texts: whether messages and warnings stand there: they quote students' code and files.
        seeds: whether seeds stand there: they tell which submission they belong to.
    """

    folder: Path | None
    texts: bool = True
    seeds: bool = True


ANONYMOUS = Openness(None, texts=False, seeds=False)


def page(
    group: Class, changes: Changes | None, openness: Openness, notes: tuple[str, ...] = ()
) -> str:
    """Return the report as HTML.

    Args:
        group: whose results are reported.
        changes: since an earlier folder of results, or None.
        openness: what stands there of single students.
        notes: what the reader should know first, a line each.
    """
    found = environment([PACKAGE])
    found.filters |= {
        "points": points,
        "signed": signed,
        "percent": percent,
        "duration": duration,
    }
    script = found.get_template("report.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    template = found.get_template("report.html.j2")
    shown = {"script": script, "script_hash": f"sha256-{digest}", "notes": notes}
    return template.render(**shown, **_facts(group, changes, openness))


def _facts(group: Class, changes: Changes | None, openness: Openness) -> dict[str, Any]:
    questions, cases = items.question_items(group), items.case_items(group)
    asked = [item for item in questions if not item.is_stretch and item.count]
    rows = list(_rows(group, openness))
    warned = running.warned(group)
    return {
        "group": group,
        "changes": changes,
        "graded": len(group.graded),
        "ungraded": [result for result in group.results if result.problem],
        "spread": spread(group),
        "lessons": lessons(group),
        "labels": _labels(group, changes),
        "questions": questions,
        "hardest": min(asked, key=lambda item: item.share, default=None),
        "first": FIRST,
        "cases": cases,
        "unfailed": [case for case in cases if case.failed == 0],
        "unpassed": [case for case in cases if case.failed == case.count],
        "students": rows,
        "rows": {row.result.name: number for number, row in enumerate(rows, 1)},
        "times": running.times(group),
        "isolations": running.isolations(group),
        "versions": running.versions(group),
        "warned": warned,
        "warned_count": len({name for kind in warned for name in kind.names}),
        "linked": openness.folder is not None,
        "messages": openness.texts,
        "seeds": openness.seeds,
        "low": items.LOW,
        "fewest": items.FEWEST,
    }


def _labels(group: Class, changes: Changes | None) -> dict[str, tuple[str, str]]:
    """Return people's names and the submission's, by the latter; those who are gone, too."""
    gone = changes.gone_students if changes is not None else {}
    known = {result.name: result.students for result in group.results}
    return {name: (students, name) for name, students in {**gone, **known}.items()}


def _rows(group: Class, openness: Openness) -> Iterator[Row]:
    for result in group.results:
        link = "" if openness.folder is None else _link(result, openness.folder)
        shown = [case.mistake for case in result.cases if case.mistake]
        note = _note(result) if openness.texts else _short_note(result)
        yield Row(result, link, tuple(dict.fromkeys(shown)), note)


def _link(result: Graded, folder: Path) -> str:
    """Point to the student's page, or else to the result, as seen from a folder."""
    name = FEEDBACK if (result.folder / FEEDBACK).is_file() else RESULTS
    return quote(os.fsencode(os.path.relpath(result.folder / name, folder)))


def _note(result: Graded) -> str:
    if result.problem or not result.warnings:
        return result.problem
    more = f" (and {len(result.warnings) - 1} more)" if len(result.warnings) > 1 else ""
    return f"{result.warnings[0]}{more}"


def _short_note(result: Graded) -> str:
    if result.problem:
        return "could not be graded"
    count = len(result.warnings)
    return f"{count} {'warning' if count == 1 else 'warnings'}" if count else ""


def points(value: float) -> str:
    """Write points: a fraction with at most two digits."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−")


def signed(value: float) -> str:
    """Write a change of points with its sign."""
    return f"+{points(value)}" if value > 0 else points(value)


def percent(share: float) -> str:
    """Write a share as a percentage; only none and all are 0 and 100."""
    whole = round(100 * share)
    inner = min(max(whole, 1), 99)
    return f"{whole if share in (0, 1) or share > 1 else inner} %"


def duration(seconds: float) -> str:
    """Write a time in the unit that fits."""
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
