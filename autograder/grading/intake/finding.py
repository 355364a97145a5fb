"""From paths to places of submissions, each under a name that is unique and fit for a folder."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from autograder.grading.intake import exports
from autograder.grading.intake.facts import Found
from autograder.grading.intake.files import (
    Kind,
    handed_out,
    hands_in,
    is_ignored,
    kind_of,
    leads_inside,
)
from autograder.text import printable

MAX_NAME = 100
MAX_NAME_BYTES = 200
OUTPUTS = ("gradebook.csv", "junit.xml", "summary.md", "scores.csv", "long.csv", "report.html")
"""What grading and the report write beside the submissions' folders."""
WINDOWS_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def find_submissions(paths: Iterable[Path]) -> list[Found]:
    """List the submissions at the given paths, under names that are unique.

    A notebook, a .py file or a zip is one. A folder that holds such files holds a submission in
    each, and one in each subfolder with such files; a starter folder as a whole is one. Exports of
    Gradescope and Canvas, unpacked or as zips, hold a submission for each student; of several
    uploads of one student, which Canvas names alike, one counts wherever they are listed together.
    """
    taken = {_compared(name) for name in OUTPUTS}
    return [replace(place, name=_unique(_fit(place.name), taken)) for place in _places(paths)]


def _places(paths: Iterable[Path]) -> Iterator[Found]:
    """Go through the paths in order; files that lie side by side are looked at together."""
    listed = [path for path in paths if path.name != exports.METADATA]
    done: set[Path] = set()
    for path in listed:
        if _is_folder(path):
            yield from _in_folder(path)
        elif students := _in_zip(path):
            yield from students
        elif path.parent not in done:
            done.add(path.parent)
            beside = [p for p in listed if p.parent == path.parent]
            yield from _files([p for p in beside if not _is_folder(p) and not _in_zip(p)])


def _in_zip(path: Path) -> list[Found]:
    return exports.in_zip(path) if kind_of(path.name) is Kind.ZIP else []


def _files(paths: list[Path]) -> Iterator[Found]:
    """Take files of one folder: those of a student of Canvas together, others each alone."""
    students, theirs = exports.canvas(paths[0].parent, [path.name for path in paths])
    by_first = {(s.files or (s.path.name,))[0]: s for s in students}
    for path in paths:
        if path.name in by_first:
            yield by_first[path.name]
        elif path.name not in theirs:
            yield Found(path.stem, path)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _in_folder(folder: Path) -> Iterator[Found]:
    if _is_one_submission(folder):
        yield Found(folder.resolve().name if folder.name in ("", "..") else folder.name, folder)
        return
    if alone := exports.one_of_gradescope(folder):
        yield alone
        return
    try:
        children = [c for c in folder.iterdir() if not is_ignored(PurePosixPath(c.name))]
    except OSError:
        yield Found(folder.name, folder)  # reading it will say what is wrong
        return
    if exports.is_gradescope(folder):
        yield from exports.gradescope(folder)
    elif len(children) == 1 and not children[0].is_symlink() and exports.is_gradescope(children[0]):
        yield from exports.gradescope(children[0])
    else:
        yield from sorted(_in_class(folder, children), key=lambda found: found.name)


def _in_class(folder: Path, children: list[Path]) -> Iterator[Found]:
    links = [c for c in children if c.is_symlink() and not leads_inside(c, folder)]
    for link in links:
        if kind_of(link.name) or _is_folder(link):
            yield Found(link.stem, folder, (link.name,))  # reading it will say that it is a link
    children = [child for child in children if child not in links]
    files = [child for child in children if not _is_folder(child)]
    students, theirs = exports.canvas(folder, [file.name for file in files])
    yield from students
    others = [f for f in files if f.name not in theirs and f.name not in handed_out()]
    yield from (Found(f.stem, f) for f in others if kind_of(f.name))
    yield from (Found(c.name, c) for c in children if _is_folder(c) and hands_in(c))


def _is_one_submission(folder: Path) -> bool:
    """Tell whether this is a starter folder with a student's notebook in it."""
    return (folder / "checking.py").is_file() and (folder / "tests").is_dir()


def _fit(name: str) -> str:
    """Make a name fit for a folder on any system, changing as little as possible."""
    fit = printable(name.replace("/", "_")).strip(" ").rstrip(". ")
    if not fit or fit.startswith(".") or (os.name == "nt" and WINDOWS_DEVICES.match(fit)):
        fit = f"_{fit}"
    if len(fit) <= MAX_NAME and len(fit.encode()) <= MAX_NAME_BYTES:
        return fit
    digest = hashlib.sha256(fit.encode()).hexdigest()[:8]
    cut = fit[: MAX_NAME - 9].encode()[: MAX_NAME_BYTES - 9].decode(errors="ignore")
    return f"{cut}-{digest}"


def _unique(name: str, taken: set[str]) -> str:
    candidate, number = name, 1
    while _compared(candidate) in taken:
        number += 1
        candidate = f"{name}-{number}"
    taken.add(_compared(candidate))
    return candidate


def _compared(name: str) -> str:
    """Some file systems tell neither case nor the ways to write an accent."""
    return unicodedata.normalize("NFC", name).casefold()
