"""Results in the forms that people and hosts expect; one module for each form.

A form is a module of this package, called after the form, with a function `emit(batch)`. It writes
its files below the folder of results, and yields lines to print.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.emitters.forms import Batch

ALWAYS = ("gradescope", "gradebook")
"""These two are written in any case: `results.json` and `gradebook.csv`."""
FORMS = {
    "junit": "junit.xml",
    "github": "summary.md",
    "classroom50": "<submission>/result.json",
    "scores": "scores.csv",
    "long": "long.csv",
    "feedback": "<submission>/feedback.html",
}
"""The others, each with the file that it writes below the folder of results."""
HOST = "github"
"""This one prints commands to a host as well."""


def forms_in(folder: Path) -> list[str]:
    """List the forms that lie in a folder of results, but for the one that speaks to a host."""
    patterns = {form: file.replace("<submission>", "*") for form, file in FORMS.items()}
    return [form for form, file in patterns.items() if form != HOST and any(folder.glob(file))]


def emit(form: str, batch: Batch) -> Iterable[str]:
    """Write results in a form, if they are not in it anyway; yields lines to print."""
    if form in ALWAYS:
        return ()
    lines: Iterable[str] = importlib.import_module(f"{__name__}.{form}").emit(batch)
    return lines
