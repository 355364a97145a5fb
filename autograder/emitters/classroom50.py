"""Classroom 50's `result.json`, schema `classroom50/result/v1`, one for each submission.

As published in `schemas/result-v1.schema.json` and on the page "Advanced Autograding" of its
project. An autograder there exits with 0 whenever it has run to the end, as `grade` does, and its
files are open to the public: so public cases alone are in it, and count.

Who and what is graded stands in variables that Classroom 50's runner sets. The runner stamps them
anew into what it reads; elsewhere, where they are missing, `local` stands in their place.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from typing import Any

from autograder.emitters.forms import Batch
from autograder.emitters.gradescope import write_atomically

LOCAL = "local"
VARIABLES = {
    "classroom": ("CLASSROOM",),
    "assignment": ("ASSIGNMENT",),
    "owner": ("OWNER", "USERNAME"),
    "commit": ("COMMIT_URL",),
    "release": ("RELEASE_URL",),
    "review": ("REVIEW_URL", "COMMIT_URL"),
}


def emit(batch: Batch) -> Iterator[str]:
    """Write `<submission>/result.json`."""
    identity = _identity(os.environ)
    for name, result in batch.results.items():
        text = json.dumps({**identity, **_points(result)}, indent=2, ensure_ascii=False)
        write_atomically(batch.folder / name / "result.json", f"{text}\n")
    yield f"classroom50 in {batch.folder}/<submission>/result.json"
    if LOCAL in identity.values():
        missing = ", ".join(key for key, value in identity.items() if value == LOCAL)
        yield f"classroom50: its runner has not said what is graded; '{LOCAL}' stands for {missing}"


def _identity(environment: Mapping[str, str]) -> dict[str, str]:
    """Say what is graded, as the runner does."""
    named = {
        key: next(filter(None, map(environment.get, names)), LOCAL)
        for key, names in VARIABLES.items()
    }
    return {
        "schema": "classroom50/result/v1",
        **named,
        "assignment_type": environment.get("ASSIGNMENT_TYPE") or "individual",
        "submission": environment.get("SUBMISSION_TAG") or f"submit/{LOCAL}",
        "datetime": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def _points(result: dict[str, Any]) -> dict[str, Any]:
    tests = [_test(test) for test in result["tests"] if not test["extra_data"]["hidden"]]
    sums = {key: sum(test[key] for test in tests) for key in ("score", "max-score")}
    return {**sums, "tests": tests}


def _test(test: dict[str, Any]) -> dict[str, Any]:
    return {
        "test-name": test["name"],
        "passed": test["status"] == "passed",
        "score": int(test["score"]),
        "max-score": int(test["max_score"]),
        "output": test["output"],
    }
