"""Pages for people: where their templates are, and how students' text becomes part of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import jinja2

COMMON = "autograder.emitters"
"""Has the templates that all pages share."""


def environment(packages: Sequence[str] = ()) -> jinja2.Environment:
    """Return what finds and fills in templates; it escapes all text.

    Args:
        packages: have templates of their own, and see the common ones.
    """
    found = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(p) for p in (*packages, COMMON)]),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    found.filters["pieces"] = pieces
    return found


def pieces(text: str) -> list[tuple[str, bool]]:
    """Cut a message at its backticks; each piece comes with whether it is code."""
    cut = re.split(r"`([^`]+)`", text)
    return [(piece, number % 2 == 1) for number, piece in enumerate(cut) if piece]
