"""Which files a place offers, and their bytes; nothing is unpacked to disk.

Links out of a student's folder are not followed, pipes and devices are not opened, and no more
than `MAX_BYTES` of a file is read, whatever a zip says about its size.
"""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.grading.intake.facts import Found, IntakeError, shown
from autograder.homework import support_modules

MAX_BYTES = 64 << 20
MAX_MEMBERS = 50_000
LIMIT = f"{MAX_BYTES >> 20} MB"
IGNORED_PARTS = {"__macosx", ".ipynb_checkpoints", "__pycache__", "site-packages", "node_modules"}
MEMBER = b"PK\x01\x02"
"""What each entry of a zip's directory begins with."""
BROKEN_ZIP = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError)
BROKEN_MEMBER = (*BROKEN_ZIP, zlib.error, OSError)


class Kind(Enum):
    """What a file is, going by its name."""

    NOTEBOOK = "notebook"
    SCRIPT = "script"
    ZIP = "zip"


SUFFIXES = {
    Kind.NOTEBOOK: re.compile(r"\.ipynb(\.txt|\.json)?( ?\(\d+\))?$", re.IGNORECASE),
    Kind.SCRIPT: re.compile(r"\.py(\.txt)?( ?\(\d+\))?$", re.IGNORECASE),
    Kind.ZIP: re.compile(r"\.zip$", re.IGNORECASE),
}
"""Also the names that browsers and mail programs make of them."""


@dataclass(frozen=True)
class Offer:
    """A file that may be the submission: its path within the place, and how to read it."""

    path: PurePosixPath
    read: Callable[[], bytes]

    @property
    def kind(self) -> Kind | None:
        """What it is, going by its name."""
        return kind_of(self.path.name)


def kind_of(name: str) -> Kind | None:
    """Tell by its name what a file is; None if it is nothing to hand in."""
    return next((kind for kind, pattern in SUFFIXES.items() if pattern.search(name)), None)


def is_ignored(path: PurePosixPath) -> bool:
    """Tell the hidden files and folders that programs leave behind."""
    return any(part.casefold() in IGNORED_PARTS or part.startswith(".") for part in path.parts)


def handed_out() -> set[str]:
    """Name the Python files that students get with a starter, and hand in with it."""
    return {path.name for path in support_modules()}


def offers(found: Found) -> list[Offer]:
    """List what a place offers: its notebooks, or else its scripts, or else what a zip in it holds.

    Raises:
        IntakeError: if there is nothing that can be handed in, or a zip is broken.
        OSError: if a folder cannot be listed.
    """
    wanted = [as_path(name) for name in found.files]
    if found.path.is_dir():
        return _of_folder(found.path, wanted)
    if not found.path.exists():
        raise IntakeError(f"there is no file {found.path}: check the path")
    kind = kind_of(found.path.name)
    if kind is None:
        raise IntakeError(f"{shown(found.path.name)} is no .ipynb, .py or .zip file")
    if kind is Kind.ZIP:
        return _of_zip(found.path, wanted)
    name = PurePosixPath(found.path.name)
    return [Offer(name, partial(_read_file, found.path))]


def hands_in(folder: Path) -> bool:
    """Tell whether there is anything in a folder that can be handed in."""
    try:
        return bool(_best(list(_in_folder(folder))))
    except OSError:
        return True  # reading it will say what is wrong


def _of_folder(folder: Path, wanted: list[PurePosixPath]) -> list[Offer]:
    for path in wanted:
        _file_in(path, folder)
    best = _best(_among(_in_folder(folder), wanted))
    if not best or best[0].kind is not Kind.ZIP:
        return best
    if len(best) > 1:
        raise IntakeError(f"the folder holds {len(best)} zips: hand in one notebook")
    return _of_zip(_file_in(best[0].path, folder), [])


def _of_zip(path: Path, wanted: list[PurePosixPath]) -> list[Offer]:
    best = _best(_among(in_zip(path), wanted))
    if best and best[0].kind is Kind.ZIP:
        inner = shown(best[0].path.name)
        raise IntakeError(f"the zip holds another zip ({inner}): hand in the notebook itself")
    return best


def _among(offered: Iterable[Offer], wanted: list[PurePosixPath]) -> list[Offer]:
    chosen = set(wanted)
    return [offer for offer in offered if not chosen or offer.path in chosen]


def _best(offered: list[Offer]) -> list[Offer]:
    """Keep notebooks, else scripts, else zips; saved copies count only where nothing else is."""
    kinds = {kind: [o for o in offered if o.kind is kind] for kind in Kind}
    notebooks = kinds[Kind.NOTEBOOK]
    originals = [o for o in notebooks if not o.path.stem.endswith("-checkpoint")]
    scripts = [o for o in kinds[Kind.SCRIPT] if _is_own(o.path)]
    return originals or notebooks or scripts or kinds[Kind.ZIP]


def _is_own(path: PurePosixPath) -> bool:
    return path.name not in handed_out() and "tests" not in path.parts


def held(found: Found) -> list[str]:
    """Name the files of a submission's folder or zip, whatever they are."""
    path, wanted = found.path, [as_path(name) for name in found.files]
    offered = _all_in_folder(path) if path.is_dir() else in_zip(path)
    return [str(offer.path) for offer in _among(offered, wanted)]


def _in_folder(folder: Path) -> Iterator[Offer]:
    """List the files of a student's folder that may be handed in."""
    for offer in _all_in_folder(folder):
        if offer.kind and not _repeats(folder / offer.path, folder):
            yield offer


def _all_in_folder(folder: Path) -> Iterator[Offer]:
    """List the files of a student's folder. Linked folders are not entered."""
    for place, folders, names in os.walk(folder, onerror=_fail):
        here = PurePosixPath(Path(place).relative_to(folder).as_posix())
        folders[:] = sorted(name for name in folders if not is_ignored(PurePosixPath(name)))
        for path in (here / name for name in sorted(names)):
            if not is_ignored(path):
                yield Offer(path, partial(_read_inside, path, folder))


def _fail(error: OSError) -> None:
    raise error


def _repeats(path: Path, folder: Path) -> bool:
    """Tell a link to a file that stands in the same folder anyway."""
    return path.is_symlink() and path.exists() and leads_inside(path, folder)


def leads_inside(path: Path, folder: Path) -> bool:
    """Tell whether a path, its links followed, is within a folder."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links that lead in a circle
        return False


def _read_inside(path: PurePosixPath, folder: Path) -> bytes:
    return _read_file(_file_in(path, folder))


def _file_in(path: PurePosixPath, folder: Path) -> Path:
    """Return a file of a student's folder, unless it is a link to somewhere else."""
    file = folder / path
    if not leads_inside(file, folder):
        raise IntakeError(
            f"{shown(path.name)} is a link to a place outside the folder: hand in the file itself"
        )
    return file


def _read_file(path: Path) -> bytes:
    demand_regular(path)
    with path.open("rb") as stream:
        return _limited(stream, path.name)


def demand_regular(path: Path) -> None:
    """Raise `IntakeError` for a pipe, a device or a link to nothing: opening it could wait forever.

    Raises:
        IntakeError: if it is no regular file.
    """
    if not path.is_file():
        raise IntakeError(f"{shown(path.name)} is not an ordinary file")


def _limited(stream: IO[bytes], name: str) -> bytes:
    data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise IntakeError(f"{shown(name)} is larger than {LIMIT}: clear the outputs and save")
    return data


def as_path(member: str) -> PurePosixPath:
    """Take a zip's member name, with the slashes of any system, as a path that is never opened."""
    return PurePosixPath(member.replace("\\", "/"))


def in_zip(path: Path) -> list[Offer]:
    """List the files in a zip, hidden ones and folders left out.

    Raises:
        IntakeError: if it cannot be opened, or holds too many files.
    """
    demand_regular(path)
    _demand_few_members(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if not m.is_dir()]
    except BROKEN_ZIP as error:
        raise IntakeError(f"the zip cannot be opened: {shown(error)}") from error
    named = [(as_path(member.filename), member) for member in members]
    return [
        Offer(name, partial(_read_member, path, member))
        for name, member in named
        if not is_ignored(PurePosixPath(*(part for part in name.parts if part != "..")))
    ]


def _demand_few_members(path: Path) -> None:
    """Count before `zipfile` reads the directory: a million entries would fill the memory."""
    with path.open("rb") as stream:
        blocks = iter(lambda: stream.read(1 << 20), b"")
        if sum(block.count(MEMBER) for block in blocks) > MAX_MEMBERS:
            raise IntakeError(f"the zip holds more than {MAX_MEMBERS} files: hand in one notebook")


def _read_member(path: Path, member: zipfile.ZipInfo) -> bytes:
    name = as_path(member.filename).name
    if member.flag_bits & 1:
        raise IntakeError("the zip is locked with a password: hand in the notebook itself")
    if member.file_size > MAX_BYTES:
        raise IntakeError(f"{shown(name)} in the zip is larger than {LIMIT}")
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as stream:
            return _limited(stream, f"{name} in the zip")
    except BROKEN_MEMBER as error:
        raise IntakeError(f"the zip is damaged: {shown(error)}") from error
