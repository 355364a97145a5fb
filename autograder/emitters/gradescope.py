"""Gradescope's `results.json`: one test for each case."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from autograder.grading.results import CaseResult, Result
from autograder.text import one_line

MAX_MESSAGE = 2000
MAX_WARNINGS = 40
PROBLEM = "Nothing could be graded: "
FAULT = "The grader failed: "


def as_dict(result: Result) -> dict[str, Any]:
    """Return the result in Gradescope's schema; what is ours stands under `extra_data`."""
    return {
        "score": result.score,
        "output": _summary(result),
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


def write(result: Result, folder: Path) -> Path:
    """Write `<folder>/<submission>/results.json`, whole or not at all."""
    path = folder / result.submission / "results.json"
    text = json.dumps(as_dict(result), indent=2, ensure_ascii=False, allow_nan=False)
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


def _summary(result: Result) -> str:
    if result.problem is not None:
        return f"{PROBLEM}{one_line(result.problem, MAX_MESSAGE)}."
    return "\n".join(f"Note: {warning}" for warning in _warnings(result))


def _warnings(result: Result) -> list[str]:
    told = [*(FAULT + fault for fault in result.faults), *result.warnings]
    return [one_line(warning, 500) for warning in told[:MAX_WARNINGS]]


def _test(result: CaseResult) -> dict[str, Any]:
    case = result.case
    return {
        "name": f"{case.question}: {case.title}",
        "score": result.score,
        "max_score": case.points,
        "status": "passed" if result.passed else "failed",
        "output": one_line(result.message, MAX_MESSAGE),
        "output_format": "text",
        "visibility": "visible",
        "tags": [case.question, "hidden" if case.hidden else "public"],
        "extra_data": {
            "question": case.question,
            "case": case.name,
            "hidden": case.hidden,
            "misconception": result.misconception,
            "seconds": round(result.seconds, 4),
        },
    }
