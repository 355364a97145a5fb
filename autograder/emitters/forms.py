"""What forms are made of: results as they stand in `results.json`, and where they come from.

So a batch that was resumed gives the same as one that was not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.emitters.gradescope import points_of
from autograder.homework import Homework

if TYPE_CHECKING:
    from autograder.grading.intake import Found


@dataclass(frozen=True)
class Batch:
    """The results of one run.

    Attributes:
        results: by the submission's name, as `results.json` has them, in the order of the table.
        found: by the same names, where each was handed in and by whom.
        folder: where results are written.
    """

    homework: Homework
    results: Mapping[str, dict[str, Any]]
    found: Mapping[str, Found]
    folder: Path


def visible(result: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the tests of a result that students may see now."""
    return [test for test in result["tests"] if test.get("visibility", "visible") == "visible"]


def to_mend(result: Mapping[str, Any], homework: Homework) -> list[dict[str, Any]]:
    """List the failed tests that students may see, without a stretch that nobody has begun."""
    from autograder.checking import not_written  # which imports torch

    groups = by_question(failed(visible(result)))
    left_alone = {
        name for name in homework.stretch & groups.keys()
        if groups[name][0]["output"] == not_written(name)
    }  # fmt: skip
    return [test for name, tests in groups.items() if name not in left_alone for test in tests]


def place_of(test: Mapping[str, Any]) -> str:
    """Say which line of the file a failure is about, as messages do; nothing where unknown."""
    cell, line = (test.get("failure", {}).get(key) for key in ("cell", "line"))
    if line is None:
        return ""
    return f"line {line}" if cell is None else f"cell {cell}, line {line}"


def by_question(tests: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Group tests by the question that they are about, in order."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for test in tests:
        groups.setdefault(test["extra_data"]["question"], []).append(test)
    return groups


def title_of(test: Mapping[str, Any]) -> str:
    """Return the case's title: the test's name without the question before it."""
    return str(test["name"]).removeprefix(f"{test['extra_data']['question']}: ")


def failed(tests: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """List the tests that did not pass."""
    return [test for test in tests if test["status"] != "passed"]


def total(result: Mapping[str, Any], homework: Homework) -> str:
    """Say how many points there are: of full marks, or of the cases that students may see."""
    tests = visible(result)
    if len(tests) < len(result["tests"]):
        return f"{points_of(tests)} in the cases shown"
    asked = (test for test in tests if test["extra_data"]["question"] not in homework.stretch)
    return f"{result['score']} of {sum(test['max_score'] for test in asked)} points"


def replay(homework: Homework, result: Mapping[str, Any], file: str) -> str:
    """Return the command that grades a file again with the same hidden inputs."""
    seed = result["extra_data"]["seed"]
    return f"autograder grade {homework.name} {file} --out replay --seed {seed}"
