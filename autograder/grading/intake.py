"""From paths to submissions: finds them, reads their cells, and says what is wrong with them.

Nothing of a submission is unpacked to disk or executed here; a zip is read in memory.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import logging
import re
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import jupytext
import nbformat

from autograder.homework import ROOT, Homework

SUFFIXES = (".ipynb", ".py", ".zip")
MAX_BYTES = 64 << 20
IGNORED_PARTS = {"__MACOSX", ".ipynb_checkpoints", "__pycache__"}


class IntakeError(Exception):
    """A file cannot be taken as a submission: one line for the student."""


@dataclass(frozen=True)
class Cell:
    """A code cell: its number among all cells of the notebook, from 0, and its text."""

    number: int
    source: str


@dataclass(frozen=True)
class Found:
    """A place where a submission should be, and the name it goes by."""

    name: str
    path: Path


@dataclass(frozen=True)
class Submission:
    """What a student handed in. Where `problem` is not None there is nothing to grade."""

    name: str
    cells: tuple[Cell, ...] = ()
    problem: str | None = None
    warnings: tuple[str, ...] = ()

    @property
    def digest(self) -> bytes:
        """Depends on the code alone: not on outputs, prose or the file's name."""
        return hashlib.sha256(json.dumps([cell.source for cell in self.cells]).encode()).digest()


def find_submissions(paths: Iterable[Path]) -> list[Found]:
    """List the submissions at the given paths, under names that are unique.

    A notebook, a .py file or a zip is one. A folder that holds such files holds a submission in
    each, and one in each subfolder with such files; a starter folder as a whole is one.
    """
    taken = {"gradebook.csv"}
    found = []
    for path in paths:
        for place in _places(path):
            name = _unique(place.name if place.is_dir() else place.stem, taken)
            found.append(Found(name, place))
    return found


def read_submission(found: Found, homework: Homework) -> Submission:
    """Read a submission's cells; what is wrong with it becomes its `problem`."""
    try:
        cells = _read_cells(found.path, homework)
    except IntakeError as error:
        return Submission(found.name, problem=str(error))
    except OSError as error:
        return Submission(found.name, problem=f"the file cannot be read: {error.strerror or error}")
    return Submission(found.name, tuple(cells))


def _places(path: Path) -> Iterator[Path]:
    if not path.is_dir() or _is_one_submission(path):
        yield path
        return
    for child in sorted(path.iterdir()):
        if _is_ignored(PurePosixPath(child.name)):
            continue
        if child.is_dir():
            if any(_submitted(child)):
                yield child
        elif child.suffix in SUFFIXES and child.name not in _handed_out():
            yield child


def _is_one_submission(folder: Path) -> bool:
    """Tell whether this is a starter folder with a student's notebook in it."""
    return (folder / "checking.py").is_file() and (folder / "tests").is_dir()


def _handed_out() -> set[str]:
    """Name the Python files that students get with a starter, and hand in with it."""
    return {path.name for path in (ROOT / "student_starter").glob("*/*.py")} | {"checking.py"}


def _submitted(folder: Path) -> Iterator[Path]:
    """List what a student's folder offers: notebooks, else .py files."""
    inside = [p for p in sorted(folder.rglob("*")) if not _is_ignored(_within(p, folder))]
    notebooks = [path for path in inside if path.suffix == ".ipynb"]
    yield from notebooks or [path for path in inside if _is_script(_within(path, folder))]


def _within(path: Path, folder: Path) -> PurePosixPath:
    return PurePosixPath(path.relative_to(folder).as_posix())


def _is_script(path: PurePosixPath) -> bool:
    return path.suffix == ".py" and path.name not in _handed_out() and "tests" not in path.parts


def _is_ignored(path: PurePosixPath) -> bool:
    return any(part in IGNORED_PARTS or part.startswith(".") for part in path.parts)


def _unique(name: str, taken: set[str]) -> str:
    candidate, number = name, 1
    while candidate.casefold() in taken:
        number += 1
        candidate = f"{name}-{number}"
    taken.add(candidate.casefold())
    return candidate


def _read_cells(path: Path, homework: Homework) -> list[Cell]:
    if path.is_dir():
        chosen = _the_only([p.name for p in _submitted(path)], "folder")
        path = next(p for p in _submitted(path) if p.name == chosen)
    if not path.exists():
        raise IntakeError(f"there is no file {path}: check the path")
    if path.suffix not in SUFFIXES:
        raise IntakeError(f"{path.name} is no .ipynb, .py or .zip file")
    if path.stat().st_size > MAX_BYTES:
        raise IntakeError(f"{path.name} is larger than {MAX_BYTES >> 20} MB")
    data, name = path.read_bytes(), path.name
    if path.suffix == ".zip":
        data, name = _from_zip(data)
    text = _decode(data, name)
    cells = _notebook_cells(text, homework) if name.endswith(".ipynb") else _script_cells(text)
    _demand_questions(cells, homework)
    return cells


def _the_only(names: list[str], container: str) -> str:
    if not names:
        raise IntakeError(f"the {container} holds no notebook: hand in the .ipynb file")
    if len(names) > 1:
        listed = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
        raise IntakeError(f"the {container} holds {len(names)} notebooks ({listed}): hand in one")
    return names[0]


def _from_zip(data: bytes) -> tuple[bytes, str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [n for n in archive.namelist() if not _is_ignored(PurePosixPath(n))]
            notebooks = [n for n in names if n.endswith(".ipynb")]
            chosen = _the_only(
                notebooks or [n for n in names if _is_script(PurePosixPath(n))], "zip"
            )
            with archive.open(chosen) as member:
                content = member.read(MAX_BYTES + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
        raise IntakeError(f"the zip cannot be opened: {error}") from error
    if len(content) > MAX_BYTES:
        raise IntakeError(f"{chosen} in the zip is larger than {MAX_BYTES >> 20} MB")
    return content, chosen


def _decode(data: bytes, name: str) -> str:
    if not data.strip():
        raise IntakeError(
            f"{PurePosixPath(name).name} is empty: save the notebook and hand it in again"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise IntakeError(f"{PurePosixPath(name).name} is not text (byte {error.start})") from error
    if re.match(r"\s*<(!doctype|html|\?xml)", text, re.IGNORECASE):
        raise IntakeError("this is a web page, not a notebook: download the .ipynb file itself")
    return text


def _notebook_cells(text: str, homework: Homework) -> list[Cell]:
    notebook = _parse_notebook(text)
    _demand_same_homework(notebook, homework)
    return [
        Cell(number, cell["source"])
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code" and not _is_demonstration(cell)
    ]


def _parse_notebook(text: str) -> Any:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise IntakeError(f"this is not a notebook: line {line} of the file is not JSON") from error
    if not isinstance(data, dict) or not ("cells" in data or "worksheets" in data):
        raise IntakeError("this is not a notebook: it has no cells")
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)  # it logs what validation finds
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(text, as_version=4)
    except Exception as error:  # nbformat raises many kinds for malformed notebooks
        raise IntakeError(f"the notebook is malformed: {_first_line(error)}") from error
    for cell in notebook["cells"]:
        if not isinstance(cell.get("source"), str) or "cell_type" not in cell:
            raise IntakeError("the notebook is malformed: a cell has no source or no type")
    return notebook


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0][:200]


def _demand_same_homework(notebook: Any, homework: Homework) -> None:
    otter = notebook["metadata"].get("otter", {})
    stated = otter.get("assignment_name") if isinstance(otter, dict) else None
    if stated is not None and stated != homework.name:
        raise IntakeError(f"this is the homework {stated!r}, not {homework.name!r}")


def _is_demonstration(cell: Any) -> bool:
    """Tell the cells that grading skips, as otter does: by tag or by otter's own metadata."""
    metadata = cell.get("metadata", {})
    otter = metadata.get("otter", {})
    ignored = isinstance(otter, dict) and bool(otter.get("ignore"))
    return ignored or "otter_ignore" in (metadata.get("tags") or [])


def _script_cells(text: str) -> list[Cell]:
    """Cut a script into cells: at its `# %%` marks, else into statements, so that one may fail."""
    if re.search(r"^# %%", text, re.MULTILINE):
        notebook = jupytext.reads(text, fmt="py:percent")
        cells = enumerate(notebook["cells"])
        return [
            Cell(n, c["source"])
            for n, c in cells
            if c["cell_type"] == "code" and not _is_demonstration(c)
        ]
    return [Cell(number, piece) for number, piece in enumerate(_statements(text))]


def _statements(text: str) -> list[str]:
    lines = text.splitlines()
    try:
        starts = [_start(node) for node in ast.parse(text).body]
    except (SyntaxError, ValueError, RecursionError):
        pattern = re.compile(r"(@|def |class |async def |import |from |[A-Za-z_]\w*\s*=)")
        starts = [n for n, line in enumerate(lines, 1) if pattern.match(line)]
        starts = [n for n in starts if not lines[n - 2 : n - 1] or not lines[n - 2].startswith("@")]
    bounds = [0, *[start - 1 for start in starts[1:]], len(lines)]
    pieces = ["\n".join(lines[a:b]) for a, b in pairwise(bounds)]
    return [piece for piece in pieces if piece.strip()]


def _start(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min(int(part.lineno) for part in [node, *decorators])


def _demand_questions(cells: list[Cell], homework: Homework) -> None:
    text = "\n".join(cell.source for cell in cells)
    if not any(re.search(rf"\b{name}\b", text) for name in homework.question_names):
        raise IntakeError(
            f"none of the questions of {homework.name!r} is in it: is it the right file?"
        )
