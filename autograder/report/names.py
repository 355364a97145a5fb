"""Pseudonyms: the same submission has the same one throughout a report, and none in another."""

from __future__ import annotations

import secrets
from collections.abc import Iterable


def pseudonyms(names: Iterable[str]) -> dict[str, str]:
    """Give each name a number; the order is drawn, so that a list of the class tells nothing."""
    drawn = list(dict.fromkeys(names))
    secrets.SystemRandom().shuffle(drawn)
    digits = len(str(len(drawn)))
    return {name: f"student {number:0{digits}}" for number, name in enumerate(drawn, 1)}
