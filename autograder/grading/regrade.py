"""What of an earlier result still holds, what has to run anew, and why.

A result says under `made_of` what it was made of: a digest of the submission's code, the version
that its seed was drawn for, and digests of everything that decides about each question. Where only
parts of some questions have changed, these run anew, in a process in which the cells have run and
nothing since, and the others keep what they have. The seed stays: points change for what has
changed, not for other luck with hidden inputs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.emitters import gradescope
from autograder.emitters.forms import by_question
from autograder.grading.engine import OUT_OF_TIME, derived_seed, grade
from autograder.grading.intake import Submission
from autograder.grading.launchers import Launcher
from autograder.grading.notebook import PRINTED
from autograder.homework import KNOWN_MISTAKES, Homework

NEW = "new"
UNREADABLE = "the result that was there cannot be read"
UNKNOWN = "the result that was there does not say what it was made of"
OTHER_CODE = "the submission has changed"
OTHER_SEED = "the seed is another one"


@dataclass(frozen=True)
class Plan:
    """What is to be done about a submission.

    Attributes:
        seed: where hidden inputs are drawn from.
        drawn_for: the version that the seed was drawn for; None if it was given.
        reason: why anything is to be graded; empty if nothing is.
        kept: the result of which the other questions are kept; None if all are graded.
        questions: those that are to be graded, if `kept` is there, each with what of it changed.
    """

    seed: int
    drawn_for: str | None
    reason: str
    kept: dict[str, Any] | None = None
    questions: Mapping[str, str] = field(default_factory=dict)


def made_of(submission: Submission, homework: Homework, drawn_for: str | None) -> dict[str, Any]:
    """Return what a result depends on, as it stands in `results.json`."""
    return {
        "code": submission.digest.hex()[:16],
        "seed_version": drawn_for,
        "shared": homework.shared_parts,
        "questions": {name: homework.question_parts(name) for name in homework.question_names},
    }


def earlier_result(folder: Path) -> dict[str, Any] | str:
    """Read the result that is there, or say why there is none to build on."""
    path = folder / "results.json"
    if not path.is_file():
        return NEW
    try:
        result: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        facts = result["extra_data"]
        known = [(facts["seed"], facts["isolation"]), *map(_facts_of, result["tests"])]
    except (ValueError, KeyError, TypeError, AttributeError):
        return UNREADABLE
    were = facts.get("made_of")
    says = isinstance(were, dict) and isinstance(were.get("questions"), dict)
    return result if known and says else UNKNOWN


def _facts_of(test: dict[str, Any]) -> tuple[object, ...]:
    return test["extra_data"]["question"], test["extra_data"]["seconds"] + test["score"]


def plan(
    submission: Submission,
    homework: Homework,
    earlier: dict[str, Any] | str,
    seed: int | None,
    isolation: str,
) -> Plan:
    """Decide what has to be graded.

    Args:
        submission: what was handed in.
        homework: as it is now.
        earlier: the result that is there, or why there is none.
        seed: one that was given, or None.
        isolation: how the submission would be confined.
    """
    anew = Plan(seed, None, "") if seed is not None else _drawn(submission, homework.version)
    if isinstance(earlier, str):
        return replace(anew, reason=earlier)
    facts = earlier["extra_data"]
    were, now = facts["made_of"], made_of(submission, homework, None)
    if were.get("code") != now["code"]:
        return replace(anew, reason=OTHER_CODE)
    same = anew if seed is not None else _drawn(submission, str(were.get("seed_version")))
    if same.seed != facts["seed"]:
        return replace(anew, reason=OTHER_SEED)
    if changed := _changed(were.get("shared"), now["shared"]):
        return replace(same, reason=f"{', '.join(changed)} changed")
    return _by_question(replace(same, kept=earlier), now, isolation)


def _drawn(submission: Submission, version: str) -> Plan:
    return Plan(derived_seed(submission, version), version, "")


def _by_question(kept: Plan, now: Mapping[str, Any], isolation: str) -> Plan:
    """Find the questions that something of their own has touched."""
    assert kept.kept is not None
    facts, tests = kept.kept["extra_data"], kept.kept["tests"]
    failed = {t["extra_data"]["question"] for t in tests if t.get("status") != "passed"}
    touched = {}
    for question, parts in now["questions"].items():
        changed = _changed(facts["made_of"]["questions"].get(question), parts)
        if set(changed) - ({KNOWN_MISTAKES} if question not in failed else set()):
            touched[question] = ", ".join(changed)
    reason = "; ".join(f"{changed} of {name} changed" for name, changed in touched.items())
    if touched and _hangs_together(kept.kept, isolation):
        return replace(kept, reason=reason, kept=None)
    return replace(kept, reason=reason, questions=touched)


def _changed(before: object, after: Mapping[str, str]) -> list[str]:
    """Name the parts that are not as they were."""
    were = before if isinstance(before, dict) else {}
    return [name for name in {**after, **were} if after.get(name) != were.get(name)]


def _hangs_together(result: Mapping[str, Any], isolation: str) -> bool:
    """Tell whether how one question went may have cost another: then all of them run again."""
    facts = result["extra_data"]
    signs = (gradescope.FAULT, PRINTED)
    return (
        facts["isolation"] != isolation
        or str(result.get("output")).startswith(gradescope.PROBLEM)
        or any(str(warning).startswith(signs) for warning in facts.get("warnings", ()))
        or any(OUT_OF_TIME in str(test.get("output")) for test in result["tests"])
    )


def carry_out(
    plan: Plan, submission: Submission, homework: Homework, launcher: Launcher, shown: str
) -> dict[str, Any]:
    """Grade what is to be graded; return the result as `results.json` has it.

    Args:
        plan: of this submission.
        submission: what was handed in.
        homework: the homework that it belongs to.
        launcher: starts the workers.
        shown: when students see hidden cases, one of `homework.VISIBILITIES`.

    Raises:
        StartError: if this machine cannot start a worker.
    """
    if plan.kept is not None and not plan.reason:
        found = plan.kept
    else:
        only = plan.questions if plan.kept is not None else None
        result = grade(submission, homework, plan.seed, launcher, only)
        found = gradescope.stored(result, shown)
        if plan.kept is not None:
            found = _merged(plan.kept, found, homework)
    parts = made_of(submission, homework, plan.drawn_for)
    facts = {**found["extra_data"], "version": homework.version, "made_of": parts}
    return gradescope.published({**found, "extra_data": facts}, shown)


def _merged(kept: dict[str, Any], fresh: dict[str, Any], homework: Homework) -> dict[str, Any]:
    """Put what was graded anew in place of what it replaces."""
    anew, before = by_question(fresh["tests"]), by_question(kept["tests"])
    names = homework.question_names
    tests = [test for name in names for test in anew.get(name, before.get(name, []))]
    seconds = kept["extra_data"]["seconds"] + _seconds(tests) - _seconds(kept["tests"])
    facts = {**fresh["extra_data"], "seconds": round(max(seconds, 0.0), 3)}
    score = sum(test["score"] for test in tests)
    return {**fresh, "score": score, "tests": tests, "extra_data": facts}


def _seconds(tests: Iterable[Mapping[str, Any]]) -> float:
    return sum(float(test["extra_data"]["seconds"]) for test in tests)
