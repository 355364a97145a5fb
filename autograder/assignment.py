"""Reads `assignment.toml`, and says in a line what is wrong with it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fastjsonschema

from autograder.errors import HomeworkError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VISIBILITIES = ("visible", "after_due_date", "after_published", "hidden")
"""When students see how a hidden case went; Gradescope's words."""
SECONDS = {"type": "number", "exclusiveMinimum": 0}
COUNT = {"type": "integer", "minimum": 1}
QUESTIONS = {
    "type": "array",
    "items": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_]*$"},
    "uniqueItems": True,
}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["title", "questions", "requirements"],
    "properties": {
        "title": {"type": "string", "minLength": 1},
        "questions": {**QUESTIONS, "minItems": 1},
        "numbers": {
            "type": "array",
            "items": {"type": "string", "pattern": "^[0-9]+[a-z]?$"},
            "uniqueItems": True,
        },
        "stretch": QUESTIONS,
        "requirements": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "hidden_cases": {"enum": list(VISIBILITIES)},
        "limits": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "load_seconds": SECONDS,
                "case_seconds": SECONDS,
                "total_seconds": SECONDS,
                "memory_mb": COUNT,
                "file_mb": COUNT,
                "threads": COUNT,
                "output_characters": COUNT,
                "case_seconds_of": {"type": "object", "additionalProperties": SECONDS},
            },
        },
    },
}


@functools.cache
def _validator() -> Callable[[object], object]:
    """Compile the schema, which takes longer than reading a file."""
    checked: Callable[[object], object] = fastjsonschema.compile(SCHEMA)
    return checked


def read_assignment(path: Path) -> dict[str, Any]:
    """Return what the file says; its keys and their types are as `SCHEMA` has them.

    Raises:
        HomeworkError: if it is no TOML, or says something else or contradicts itself.
    """
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        _validator()(data)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HomeworkError(f"{path}: this is no TOML: {error}") from error
    except fastjsonschema.JsonSchemaValueException as error:
        told = error.message.removeprefix("data.").replace("data ", "the file ", 1)
        raise HomeworkError(f"{path}: {told}") from error
    questions, limits = data["questions"], data.get("limits", {})
    for name in [*data.get("stretch", ()), *limits.get("case_seconds_of", ())]:
        if name not in questions:
            raise HomeworkError(f"{path}: {name!r} is none of the questions")
    if len(data.get("numbers", questions)) != len(questions):
        raise HomeworkError(f"{path}: `numbers` must have one for each question")
    return data
