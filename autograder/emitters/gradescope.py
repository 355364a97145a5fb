"""Gradescope's `results.json`: one test for each case.

As published under "Autograder Specifications" of Gradescope's documentation. What students read as
`output` of a test is plain text, so that nothing in it can be markup; `output` of the whole is
Markdown where there are points to tell.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from autograder.emitters.markdown import escaped
from autograder.grading.results import CaseResult, Result
from autograder.text import one_line

MAX_MESSAGE = 2000
MAX_WARNINGS = 40
PROBLEM = "Nothing could be graded: "
FAULT = "The grader failed: "
LATER = {
    "after_due_date": "are shown after the due date",
    "after_published": "are shown when grades are published",
    "hidden": "are not shown",
}


def as_dict(result: Result, hidden_cases: str = "visible") -> dict[str, Any]:
    """Return the result in Gradescope's schema; what is ours stands under `extra_data`.

    Args:
        result: of one submission.
        hidden_cases: when students see hidden cases, one of `homework.VISIBILITIES`.
    """
    found = {
        "score": result.score,
        "output": _problem(result),
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [_test(case) for case in result.cases],
        "extra_data": {
            "homework": result.homework,
            "version": result.version,
            "seed": result.seed,
            "isolation": result.isolation,
            "warnings": _warnings(result),
            "seconds": round(result.seconds, 3),
        },
    }
    return published(found, hidden_cases)


def published(found: dict[str, Any], hidden_cases: str) -> dict[str, Any]:
    """Return a result as students may see it: all of it, or hidden cases only later or never.

    Args:
        found: a result in Gradescope's schema.
        hidden_cases: one of `homework.VISIBILITIES`.
    """
    tests = [
        {**test, "visibility": hidden_cases if test["extra_data"]["hidden"] else "visible"}
        for test in found["tests"]
    ]
    found = {**found, "tests": tests}
    if not found["output"].startswith(PROBLEM):
        found |= {"output": "\n".join(_overview(found, hidden_cases)), "output_format": "md"}
    return found


def stored(result: Result, hidden_cases: str = "visible") -> dict[str, Any]:
    """Return what `results.json` holds here: more than hosts have a use for.

    Each test that failed has `failure`: the `file` that was graded, the `cell` and the `line` in it
    (from 1, None where unknown; in a script `cell` is None and `line` the file's), and the `hint`
    of the known mistake, which `output` ends with.
    """
    found = as_dict(result, hidden_cases)
    tests = [
        test if case.passed else {**test, "failure": _failure(case, result)}
        for test, case in zip(found["tests"], result.cases, strict=True)
    ]
    return {**found, "tests": tests}


def write(result: Result, folder: Path) -> Path:
    """Write `<folder>/<submission>/results.json`, whole or not at all."""
    return write_dict(stored(result), folder / result.submission)


def write_dict(found: dict[str, Any], folder: Path) -> Path:
    """Write `<folder>/results.json`, whole or not at all."""
    path = folder / "results.json"
    text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False)
    write_atomically(path, text + "\n")
    return path


def write_atomically(path: Path, text: str) -> None:
    """Write a text file such that a reader sees the old one or the new one, nothing between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, encoding="utf-8", newline="\n", delete=False
    ) as file:
        file.write(text)
    os.chmod(file.name, 0o644)  # noqa: PTH101
    Path(file.name).replace(path)


def _problem(result: Result) -> str:
    if result.problem is None:
        return ""
    return f"{PROBLEM}{one_line(result.problem, MAX_MESSAGE)}."


def _overview(found: dict[str, Any], hidden_cases: str) -> Iterator[str]:
    """Tell the points of each question and the warnings, as Markdown."""
    told = [test for test in found["tests"] if test["visibility"] == "visible"]
    for question, tests in groupby(told, key=lambda test: test["extra_data"]["question"]):
        yield f"- `{question}`: {points_of(list(tests))}"
    if len(told) < len(found["tests"]):
        yield f"\nThese are the public cases. Hidden cases {LATER[hidden_cases]}."
    if warnings := found["extra_data"]["warnings"]:
        yield "\nNotes:\n"
        yield from (f"- {escaped(warning)}" for warning in warnings)


def points_of(tests: Sequence[dict[str, Any]]) -> str:
    """Say how many points some tests have, and how many there are."""
    has, most = (sum(test[key] for test in tests) for key in ("score", "max_score"))
    return f"{has} of {most} points"


def _warnings(result: Result) -> list[str]:
    told = [*(FAULT + fault for fault in result.faults), *result.warnings]
    return [one_line(warning, 500) for warning in told[:MAX_WARNINGS]]


def _test(result: CaseResult) -> dict[str, Any]:
    case = result.case
    return {
        "name": f"{case.question}: {case.title}",
        "number": case.number,
        "score": result.score,
        "max_score": case.points,
        "status": "passed" if result.passed else "failed",
        "output": one_line(result.message, MAX_MESSAGE),
        "output_format": "text",
        "tags": [case.question, "hidden" if case.hidden else "public"],
        "extra_data": {
            "question": case.question,
            "case": case.name,
            "hidden": case.hidden,
            "misconception": result.misconception,
            "seconds": round(result.seconds, 4),
        },
    }


def _failure(case: CaseResult, result: Result) -> dict[str, Any]:
    place = case.place
    return {
        "file": result.file,
        "cell": place.cell if place is not None else None,
        "line": place.line if place is not None else None,
        "hint": one_line(case.hint, MAX_MESSAGE),
    }
