"""From bytes to the parts of a notebook or script, whatever a student's programs did to the file.

A notebook's JSON is read directly: of the format, grading needs the cells' type, text and tags, and
so missing ids, keys and outputs are no matter. Only formats 2 and 3 go through nbformat.
"""

from __future__ import annotations

import ast
import codecs
import io
import json
import re
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from autograder.grading.intake.facts import Cell, IntakeError, listed, shown
from autograder.grading.intake.files import Kind, kind_of
from autograder.grading.intake.source import lines_of, parsed

MAX_VALUES = 4_000_000
OTHER_FILES = {b"PK\x03\x04": "a zip", b"%PDF": "a PDF", b"Rar!": "a RAR", b"7z\xbc\xaf": "a 7z"}
FOREIGN_KERNELS = re.compile(r"(ir|julia|bash|octave|matlab|scala|java|javascript|rust)\b", re.I)
MARK = re.compile(r"(<{7}|\|{7}|={7}|>{7})( .*)?")


@dataclass(frozen=True)
class Part:
    """A cell of any type, or a piece of a script.

    Attributes:
        number: its place in the file, from 0.
        kind: `code`, `markdown` or `raw`.
        ignored: whether it is tagged to be skipped while grading.
        start: of a script, the line in which it begins, from 1; None where its text was changed.
    """

    number: int
    kind: str
    source: str
    ignored: bool = False
    start: int | None = None

    @property
    def cell(self) -> Cell:
        """It as a cell of code."""
        return Cell(self.number, self.source, self.start)


@dataclass(frozen=True)
class Document:
    """A notebook or script, taken apart.

    Attributes:
        homework: the name of the homework that its metadata states, or None.
        warnings: what had to be repaired to read it.
    """

    parts: tuple[Part, ...]
    homework: str | None = None
    warnings: tuple[str, ...] = ()


def read_document(data: bytes, name: str) -> Document:
    """Take a notebook or script apart.

    Args:
        data: the file's content.
        name: the file's name.

    Raises:
        IntakeError: if it is neither.
    """
    notes: list[str] = []
    kind, text = opened(data, name, notes)
    if kind is Kind.SCRIPT:
        return Document(tuple(script_parts(text)), warnings=tuple(notes))
    return _notebook(text, notes)


def opened(data: bytes, name: str, notes: list[str]) -> tuple[Kind | None, str]:
    """Decode a file and tell what it is by what is in it; `notes` takes what had to be decided.

    Raises:
        IntakeError: if it is empty, no text, or a web page.
    """
    text = _decoded(data, name, notes)
    kind = kind_of(name)
    if kind is Kind.SCRIPT and _is_notebook(text):
        kind = Kind.NOTEBOOK
        notes.append(f"{shown(name)} holds a notebook and was read as one")
    elif kind is not Kind.SCRIPT and _is_script(text):
        kind = Kind.SCRIPT
        notes.append(f"{shown(name)} holds a Python script and was read as one")
    return kind, text


def _is_notebook(text: str) -> bool:
    """Tell a notebook that was renamed to .py."""
    return re.match(r'\s*\{\s*"(cells|metadata|nbformat|worksheets)', text) is not None


def _is_script(text: str) -> bool:
    """Tell a script that was renamed to .ipynb: no line of JSON begins with a definition."""
    return re.search(r"^(def|class) \w", text, re.MULTILINE) is not None


def _decoded(data: bytes, name: str, notes: list[str]) -> str:
    """Return the text without byte order mark and trailing NULs.

    Raises:
        IntakeError: if it is empty, no text, or a web page.
    """
    if not data.strip(b"\0 \t\r\n"):
        raise IntakeError(f"{shown(name)} is empty: save the notebook and hand it in again")
    for start, kind in OTHER_FILES.items():
        if data.startswith(start):
            raise IntakeError(f"{shown(name)} is {kind}, not a notebook: hand in the .ipynb file")
    encoding = _encoding(data, name)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise IntakeError(f"{shown(name)} is not text (byte {error.start})") from error
    if encoding != "utf-8-sig":
        notes.append(f"{shown(name)} was read as {encoding}: save it as UTF-8")
    if text.endswith("\0"):
        notes.append(f"{shown(name)} ended in NUL bytes, which were dropped: save it again")
    if re.match(r"\s*<(!doctype|html|\?xml)", text, re.IGNORECASE):
        told = f"{shown(name)} is a web page, not a notebook"
        raise IntakeError(f"{told}: download the .ipynb file itself")
    return text.rstrip("\0")


def _encoding(data: bytes, name: str) -> str:
    """Guess a file's encoding: UTF-8 unless it says or shows otherwise."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if data[1:4:2] == b"\0\0":
        return "utf-16-le"  # PowerShell's, where a program has taken the mark away
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _legacy_encoding(data, name)
    return "utf-8-sig"


def _legacy_encoding(data: bytes, name: str) -> str:
    """Take what a script's coding comment says, and Windows' own for a notebook's JSON."""
    if kind_of(name) is Kind.SCRIPT:
        try:
            return tokenize.detect_encoding(io.BytesIO(data).readline)[0].replace(
                "utf-8", "utf-8-sig"
            )
        except (SyntaxError, LookupError):
            return "utf-8-sig"
    return "latin-1" if data.lstrip().startswith(b"{") and b"\0" not in data else "utf-8-sig"


def _notebook(text: str, notes: list[str]) -> Document:
    data = _json(text, notes)
    if not isinstance(data, dict) or not ("cells" in data or "worksheets" in data):
        raise IntakeError("this is not a notebook: it has no cells")
    if "cells" not in data or data.get("nbformat") in (2, 3):
        data = _upgraded(data, notes)
    parts = tuple(_notebook_parts(data["cells"], notes))
    metadata = _mapping(data.get("metadata"))
    notes.extend(_oddities(data, metadata))
    stated = _mapping(metadata.get("otter")).get("assignment_name")
    return Document(parts, None if stated is None else str(stated), tuple(notes))


def _json(text: str, notes: list[str]) -> Any:
    if sum(map(text.count, ",[{")) > MAX_VALUES:
        raise IntakeError("the notebook is too large to read: clear the outputs and save it again")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        return _settled(text, getattr(error, "lineno", 1), notes)


def _settled(text: str, broken: int, notes: list[str]) -> Any:
    """Read JSON in which a merge left conflicts: the first side of each.

    Raises:
        IntakeError: if there are none, or the rest is not JSON either.
    """
    kept, conflicts = first_sides(text)
    try:
        data = json.loads(kept) if conflicts else None
    except (ValueError, RecursionError):
        data = None
    if data is None:
        mark = ", but a merge conflict's mark: settle it and hand it in again"
        line = text.splitlines()[broken - 1 : broken]
        told = mark if line and MARK.fullmatch(line[0]) else ""
        raise IntakeError(f"this is not a notebook: line {broken} of the file is not JSON{told}")
    told = (
        "1 unsettled merge conflict" if conflicts == 1 else f"{conflicts} unsettled merge conflicts"
    )
    sides = "the first side" if conflicts == 1 else "the first side of each"
    notes.append(f"{told} in the file: {sides} was graded")
    return data


def first_sides(text: str) -> tuple[str, int]:
    """Keep the lines outside of conflicts and in the first side of each; count the conflicts.

    All others become empty, so that the lines kept stand where they stood.
    """
    kept, conflicts, side = [], 0, None
    for line in text.splitlines():
        mark = MARK.fullmatch(line)
        kept.append(line if mark is None and side in (None, "<") else "")
        if mark is None:
            continue
        side = None if mark[1][0] == ">" else mark[1][0]
        conflicts += side == "<"
    return "\n".join(kept), conflicts


def _upgraded(data: dict[str, Any], notes: list[str]) -> dict[str, Any]:
    """Bring a notebook of IPython's days to format 4."""
    import nbformat  # for old formats only: it takes a while to import

    version = data.get("nbformat", 3)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            upgraded: dict[str, Any] = nbformat.convert(nbformat.from_dict(data), to_version=4)
    except Exception as error:  # nbformat raises many kinds for malformed notebooks
        raise IntakeError(f"the notebook is malformed: {shown(error)}") from error
    notes.append(f"the notebook's format {version} is old: it was converted to format 4")
    return upgraded


def _notebook_parts(cells: Any, notes: list[str]) -> Iterator[Part]:
    if not isinstance(cells, list):
        raise IntakeError("the notebook is malformed: its cells are no list")
    read = 0
    for number, cell in enumerate(cells):
        source = _joined(cell.get("source", "")) if isinstance(cell, dict) else None
        if source is None:
            notes.append(f"cell {number + 1} is malformed and was skipped")
            continue
        read += 1
        kind = cell.get("cell_type") or ("code" if "outputs" in cell else "raw")
        yield Part(number, str(kind), source, _is_ignored(_mapping(cell.get("metadata"))))
    if cells and not read:
        raise IntakeError("the notebook is malformed: none of its cells can be read")


def _joined(source: Any) -> str | None:
    """Return a cell's text, which may stand as a list of lines; None if it is neither."""
    lines = [source] if isinstance(source, str) else source
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return None
    text = "".join(lines).replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_ignored(metadata: dict[str, Any]) -> bool:
    """Tell the cells that grading skips, as otter does: by tag or by otter's own metadata."""
    tags = metadata.get("tags")
    tagged = isinstance(tags, list) and "otter_ignore" in tags
    return tagged or bool(_mapping(metadata.get("otter")).get("ignore"))


def _oddities(data: dict[str, Any], metadata: dict[str, Any]) -> Iterator[str]:
    """Tell what is unusual about a notebook, but no reason not to grade it."""
    version = data.get("nbformat")
    if isinstance(version, int) and version > 4:
        yield f"the notebook's format {version} is newer than this program knows"
    language = _language(metadata)
    if language is not None:
        yield f"the notebook is set to {shown(language)}: its cells were run as Python"
    ids = [str(cell.get("id", "")) for cell in data["cells"] if isinstance(cell, dict)]
    doubled = [name for name, count in Counter(filter(None, ids)).items() if count > 1]
    if doubled:
        yield f"some cells have the same id ({listed(doubled)}): each was read on its own"


def _language(metadata: dict[str, Any]) -> str | None:
    """Return the language that a notebook is set to, if that is not Python."""
    kernel = _mapping(metadata.get("kernelspec"))
    stated = kernel.get("language") or _mapping(metadata.get("language_info")).get("name")
    if isinstance(stated, str):
        return None if "python" in stated.casefold() else stated
    name = kernel.get("name")
    return name if isinstance(name, str) and FOREIGN_KERNELS.match(name) else None


def script_parts(text: str) -> Iterator[Part]:
    """Cut a script into cells: at its `# %%` marks, else into statements, so that one may fail."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    cells = _percent_cells(text) if re.search(r"^# %%", text, re.MULTILINE) else []
    pieces = cells or [
        {"cell_type": "code", "source": piece, "metadata": {}} for piece in _pieces(text)
    ]
    end = 0
    for number, piece in enumerate(pieces):
        kind, source, ignored = piece["cell_type"], piece["source"], _is_ignored(piece["metadata"])
        at = text.find(source, end)
        start = text.count("\n", 0, at) + 1 if at >= 0 else None
        end = at + len(source) if at >= 0 else end
        yield Part(number, kind, source, ignored, start)


def _percent_cells(text: str) -> list[Any]:
    import jupytext  # for percent scripts only: it takes a while to import

    try:
        return list(jupytext.reads(text, fmt="py:percent")["cells"])
    except Exception:  # a malformed header raises many kinds; the marks are comments, after all
        return []


def _pieces(text: str) -> list[str]:
    lines = lines_of(text)
    tree = parsed(text)
    if tree is not None:
        starts = [_start(node) for node in tree.body]
    else:
        pattern = re.compile(r"(@|def |class |async def |import |from |[A-Za-z_]\w*\s*=)")
        starts = [n for n, line in enumerate(lines, 1) if pattern.match(line)]
        starts = [n for n in starts if not lines[n - 2 : n - 1] or not lines[n - 2].startswith("@")]
    bounds = [0, *[start - 1 for start in starts[1:]], len(lines)]
    pieces = ["\n".join(lines[a:b]) for a, b in pairwise(bounds)]
    return [piece for piece in pieces if piece.strip()]


def _start(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min(int(part.lineno) for part in [node, *decorators])
