"""Begins a homework: writes a small whole one, to be changed into what its author wants."""

from __future__ import annotations

from pathlib import Path

from autograder.building.errors import BuildError
from autograder.homework import ROOT

TEMPLATES = ROOT / "autograder" / "building" / "templates" / "new"
SUFFIX = ".txt"
STAND_IN = "new_homework"
"""Stands in the templates where the name belongs."""


def begin_homework(name: str) -> list[Path]:
    """Write the authored files of a homework with two questions; return their paths.

    Args:
        name: of the homework, fit for a Python module.

    Raises:
        BuildError: if the name cannot be used, or something of that name is there.
    """
    if not (name.isidentifier() and name.isascii() and name.islower()):
        raise BuildError(
            f"{name!r} cannot be a homework's name: call it like a module, my_homework"
        )
    templates = sorted(TEMPLATES.rglob(f"*{SUFFIX}"))
    texts = {_place(name, path): path.read_text(encoding="utf-8") for path in templates}
    if taken := [path for path in texts if path.exists()]:
        raise BuildError(f"{taken[0]}: is there already; nothing was written")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(STAND_IN, name), encoding="utf-8")
    return list(texts)


def _place(name: str, template: Path) -> Path:
    """Tell where a file goes: `solutions.py` among the others, the rest beside the notebook."""
    place = template.relative_to(TEMPLATES).with_suffix("")
    if place.name == "solutions.py":
        return ROOT / "solutions" / f"{name}.py"
    return ROOT / "assignments" / name / place
