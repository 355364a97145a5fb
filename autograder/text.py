"""Text that comes from students, made fit to be shown and stored."""

from __future__ import annotations

import unicodedata

TURNING = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Unicode's marks that turn the direction of the text after them."""


def one_line(text: object, most: int) -> str:
    """Return a text as one line of printable characters, cut to a length."""
    line = printable(" ".join(str(text)[: 4 * most].split()))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def printable(text: str) -> str:
    """Replace what cannot be written or would upset a terminal by underscores."""
    return "".join("_" if _upsets(character) else character for character in text)


def _upsets(character: str) -> bool:
    """Tell whether a character cannot be written, or would upset a terminal."""
    return unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") or character in TURNING
