"""What Gradescope and Canvas give for "Download submissions", unpacked or as the zip itself.

Gradescope: a folder `assignment_1_export` with a folder `submission_2` for each submission and
`submission_metadata.yml`, which names the submitters (Ruby's YAML, keys such as `:name`).

Canvas: files `doejane_LATE_123456_7890123_hw01.ipynb`: the sortable name without spaces, LATE or
nothing, the user's and the file's id, the file's own name. A graded anonymous class has
`anon_x7Kq2` in place of name and id. A second upload of a name gets `-1`: `hw01-1.ipynb`.
(lib/content_zipper.rb of canvas-lms, `get_filename` and `add_upload_submission`.)

Which files are Canvas's is decided by each one's name, as an export may lie among other files and
single files of it may be given. Numbers that may be a date count as ids only if another file's name
says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import yaml  # type: ignore[import-untyped]

from autograder.grading.intake.facts import Found, IntakeError, Person, listed, shown
from autograder.grading.intake.files import Kind, Offer, as_path, handed_out, kind_of
from autograder.grading.intake.files import in_zip as files_in_zip
from autograder.text import printable

METADATA = "submission_metadata.yml"
SUBMISSION = re.compile(r"submission_([0-9]{4,18})")
SUBMITTERS = re.compile(r"^(\S[^\n]*):\n  :submitters:\n((?:  - .*\n|    .*\n)+)", re.MULTILINE)
CANVAS_NAME = re.compile(
    r"(?:(?P<name>\w+?)_)??(?P<late>LATE_|late_)?(?P<user>[1-9][0-9]{2,18}|anon_[A-Za-z0-9]+)"
    r"_(?P<file>[1-9][0-9]{3,18})_(?P<title>.+)"
)
DATE = re.compile(
    r"(19|20)[0-9]{2}_(1[0-2][0-3][0-9]|[1-3][0-9](0[1-9]|1[0-2])|[12][0-9][0-5][0-9])"
    r"|(19|20)[0-9]{2}(0[1-9]|1[0-2])[0-3][0-9]_[0-9]{4,6}"
)
"""Two numbers that may be a day or a time: 2024_1205, 20241205_1430."""
VERSION = re.compile(r"-[0-9]{1,9}$")


def is_gradescope(folder: Path) -> bool:
    """Tell an unpacked Gradescope export by its metadata."""
    return (folder / METADATA).is_file()


def gradescope(folder: Path) -> list[Found]:
    """List the submissions of an unpacked Gradescope export, also those without any notebook.

    Linked folders are not among them: Gradescope makes none, but a student may.
    """
    owners = _owners((folder / METADATA).read_bytes())
    return [
        Found(child.name, child, people=owners.get(child.name, ()), upload=_number(child.name))
        for child in sorted(folder.iterdir())
        if child.is_dir() and not child.is_symlink() and not child.name.startswith((".", "__"))
    ]


def one_of_gradescope(folder: Path) -> Found | None:
    """Tell a folder of a Gradescope export that is given alone: it is one submission."""
    if is_gradescope(folder):
        return None
    if folder.name and is_gradescope(folder.parent):
        return next((f for f in gradescope(folder.parent) if f.name == folder.name), None)
    return Found(folder.name, folder) if SUBMISSION.fullmatch(folder.name) else None


def canvas(folder: Path, names: Iterable[str]) -> tuple[list[Found], set[str]]:
    """List the students of Canvas among files of a folder, and which of the files are theirs."""
    students, theirs = _canvas_students(list(names))
    return [student.found(folder) for student in students], theirs


def beginning(name: str) -> str | None:
    """Return what Canvas begins a student's files with, such as `doejane_123456`, if it has."""
    match = CANVAS_NAME.fullmatch(name)
    return f"{match['name']}_{match['user']}" if match and match["name"] else None


def in_zip(path: Path) -> list[Found]:
    """List the students of an export that is still a zip; none if it is a student's own."""
    try:
        offered = files_in_zip(path)
        if metadata := [o for o in offered if o.path.name == METADATA]:
            return _gradescope_zip(path, offered, min(metadata, key=_depth))
    except (IntakeError, OSError):
        return []  # reading it as a submission will say what is wrong
    students, theirs = _canvas_students([str(o.path) for o in offered])
    others = [str(o.path) for o in offered if _is_handed_in(o.path.name)]
    others = [name for name in others if name not in theirs]
    if others and len(students) < 2:
        return []
    found = [student.found(path) for student in students]
    return [*found, *(Found(as_path(name).stem, path, (name,)) for name in others)]


def _depth(offer: Offer) -> int:
    return len(offer.path.parts)


def _gradescope_zip(path: Path, offered: list[Offer], metadata: Offer) -> list[Found]:
    owners = _owners(metadata.read())
    root = metadata.path.parent
    folders: dict[str, list[str]] = {}
    for offer in offered:
        if offer.path.is_relative_to(root) and offer.path.parent != root:
            folder = offer.path.relative_to(root).parts[0]
            folders.setdefault(folder, []).append(str(offer.path))
    return [
        Found(name, path, tuple(files), owners.get(name, ()), upload=_number(name))
        for name, files in sorted(folders.items())
    ]


def _number(folder: str) -> int:
    match = SUBMISSION.fullmatch(folder)
    return int(match[1]) if match else 0


def _owners(metadata: bytes) -> dict[str, tuple[Person, ...]]:
    """Read who submitted what; a part that cannot be read is left out.

    Only the submitters are given to the YAML parser: results and history make up nearly all of the
    file, and may hold tags of Ruby's.
    """
    text = metadata.decode("utf-8-sig", "replace").replace("\r\n", "\n") + "\n"
    found = {key.strip("'\""): _people(block) for key, block in SUBMITTERS.findall(text)}
    return {key: people for key, people in found.items() if people}


def _people(block: str) -> tuple[Person, ...]:
    try:
        people = yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 (it makes strings only)
    except (yaml.YAMLError, RecursionError):
        return ()
    return tuple(_person(p) for p in people if isinstance(p, dict))


def _person(person: dict[str, Any]) -> Person:
    name, email, sid = (
        printable(str(person.get(key) or "")) for key in (":name", ":email", ":sid")
    )
    return Person(name, email, sid)


@dataclass(frozen=True)
class _Upload:
    """A file of a Canvas export; `owner` is the student's name as it stands there."""

    name: str
    owner: str
    user: str
    id: int
    title: str

    @property
    def kind(self) -> Kind | None:
        return kind_of(self.name)

    @property
    def stem(self) -> str:
        return PurePosixPath(self.title).stem


@dataclass(frozen=True)
class _Student:
    """What a student has uploaded to Canvas: files of one kind, notebooks if there are any.

    Attributes:
        is_sure: `user` is this student's own number, and not that of a course.
    """

    user: str
    uploads: list[_Upload]
    is_sure: bool

    def found(self, container: Path) -> Found:
        """Take the newest of several versions of one file; other files are told apart later."""
        newest = self._newest()
        if newest is not None or len(self.uploads) == 1:
            chosen = [newest or self.uploads[0]]
        else:
            chosen = sorted(self.uploads, key=lambda upload: -upload.id)
        name = as_path(chosen[0].name).stem
        files = tuple(upload.name for upload in chosen)
        people = (Person(canvas=self.user),)
        if len(files) == 1 and container.is_dir():
            place = Found(name, container / files[0])
        else:
            place = Found(name, container, files)
        number = max(upload.id for upload in self.uploads) if self.is_sure else 0
        return replace(place, people=people, warnings=self._told(newest), upload=number)

    def _newest(self) -> _Upload | None:
        versions = {upload: self._version(upload) for upload in self.uploads}
        if len(versions) < 2 or None in versions.values():
            return None
        return max(self.uploads, key=lambda upload: (versions[upload] or 0, upload.id))

    def _version(self, upload: _Upload) -> int | None:
        """Return 2 for `hw01-2`, where the others are other versions of `hw01`."""
        shortest = min((other.stem for other in self.uploads), key=len)
        for base in (shortest, VERSION.sub("", shortest)):
            rests = [other.stem.removeprefix(base) for other in self.uploads]
            if all(rest == "" or VERSION.fullmatch(rest) for rest in rests):
                return int(upload.stem.removeprefix(base).lstrip("-") or 0)
        return None

    def _told(self, newest: _Upload | None) -> tuple[str, ...]:
        if newest is None:
            return ()
        names = [as_path(upload.name).name for upload in self.uploads]
        taken = shown(as_path(newest.name).name)
        return (
            f"{len(names)} versions were handed in ({listed(names)}): the newest, {taken}, counts",
        )


def _canvas_students(names: list[str]) -> tuple[list[_Student], set[str]]:
    """Find what Canvas has named; return the students, and all of their files."""
    matches = {name: CANVAS_NAME.fullmatch(as_path(name).name) for name in names}
    uploads = _uploads([(name, match) for name, match in matches.items() if match is not None])
    students: dict[tuple[str, str], list[_Upload]] = {}
    several = len({upload.owner for upload in uploads}) > 1  # else `user` may be a course's number
    for upload in sorted(uploads, key=lambda upload: upload.name):
        series = "" if several else VERSION.sub("", upload.stem)
        students.setdefault((upload.user, series), []).append(upload)
    sure = several or len(students) == 1
    found = [_Student(of[0].user, _of_best_kind(of), sure) for of in students.values()]
    return found, {upload.name for upload in uploads}


def _uploads(matches: list[tuple[str, re.Match[str]]]) -> list[_Upload]:
    """Take the names whose numbers are ids; files that nobody hands in count only beside others."""
    owners = {(m["name"], m["user"]) for _, m in matches}
    several = min(len({name for name, _ in owners}), len({user for _, user in owners})) > 1
    sure = [(name, m) for name, m in matches if several or _has_ids(m)]
    if not any(_is_handed_in(as_path(name).name) for name, _ in sure):
        return []
    return [
        _Upload(name, m["name"] or m["user"], m["user"], int(m["file"]), m["title"])
        for name, m in sure
    ]


def _has_ids(match: re.Match[str]) -> bool:
    """Tell whether a name that stands alone has Canvas's numbers, and not a date."""
    return bool(match["late"]) or not DATE.fullmatch(f"{match['user']}_{match['file']}")


def _is_handed_in(name: str) -> bool:
    return kind_of(name) is not None and name not in handed_out()


def _of_best_kind(uploads: list[_Upload]) -> list[_Upload]:
    for kind in Kind:
        if chosen := [upload for upload in uploads if upload.kind is kind]:
            return chosen
    return uploads[:1]
