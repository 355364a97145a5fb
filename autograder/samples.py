"""Makes a sample class for a homework, out of its solved notebook, variants and mistakes."""

from __future__ import annotations

import ast
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat

from autograder.bank import MISTAKES, VARIANTS, bank_entries, constants_of, statements
from autograder.building.build import files_beside
from autograder.building.definitions import Definitions
from autograder.building.demands import demand_filed
from autograder.building.handout import compose
from autograder.homework import Homework

STYLES = 3
MISTAKEN = 6


def write_sample_class(homework: Homework, folder: Path) -> tuple[list[Path], list[str]]:
    """Write the submissions of a sample class into a folder.

    Returns:
        Their paths, and the names of those that are left out for want of banks.
    """
    demand_filed(homework)
    folder.mkdir(parents=True, exist_ok=True)
    paths, left_out = [], []
    for name, data in sample_class(homework):
        if data is None:
            left_out.append(name)
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        paths.append(path)
    return paths, left_out


def sample_class(homework: Homework) -> Iterator[tuple[str, bytes | None]]:
    """Yield file names and contents: right answers in several styles, mistakes, and accidents.

    Only the first two submissions answer questions that train for long. Where a submission would
    show what banks hold and there are none, its contents are None: it would have full marks.
    """
    author = Author(homework)
    names = list(homework.quick_names)
    yield "all-right.ipynb", author.notebook(author.answers(homework.question_names))
    for number in range(STYLES):
        answered = homework.question_names if number == 0 else names
        other = author.bank(VARIANTS, names, number)
        yield f"other-style-{number + 1}.ipynb", author.changed(answered, other)
    yield "untouched-starter.ipynb", author.notebook({})
    yield "first-half-only.ipynb", author.notebook(author.answers(names[: len(names) // 2]))
    for number in range(MISTAKEN):
        mistaken = author.bank(MISTAKES, names[number % 3 :: 3], number)
        yield f"mistakes-{number + 1}.ipynb", author.changed(names, mistaken)
    yield from _accidents(author, names)
    yield from _containers(author, names)
    yield "web-page.ipynb", b"<!DOCTYPE html><html><body>Please log in</body></html>"
    yield "nothing-saved.ipynb", b""


def _accidents(author: Author, names: list[str]) -> Iterator[tuple[str, bytes]]:
    """One question of each goes wrong in a way that takes the whole process along."""
    right = author.answers(names)
    first, second, last = names[0], names[1 % len(names)], names[-1]
    broken = {
        "syntax-error": {first: f"def {first}(query, key:\n    return None"},
        "endless-loop": {second: _function(second, "while True:\n        pass")},
        "exits-when-called": {last: _function(last, "import sys\n    sys.exit()")},
        "exits-when-run": {first: f"import os\n{right[first]}\nos._exit(0)"},
        "asks-for-input": {second: f"{right[second]}\nsize = int(input('size? '))"},
    }
    for name, answers in broken.items():
        yield f"{name}.ipynb", author.notebook(right | answers)


def _containers(author: Author, names: list[str]) -> Iterator[tuple[str, bytes]]:
    """The same right answers as a script, in a zip, and in a student's own folder."""
    notebook = author.notebook(author.answers(names))
    yield "as-a-script.py", author.script(author.answers(names))
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(zipfile.ZipInfo("homework/my notebook (1).ipynb"), notebook)
    yield "in-a-zip.zip", data.getvalue()
    yield "in-a-folder/homework final FINAL.ipynb", notebook


def _function(name: str, body: str) -> str:
    return f"def {name}(*arguments, **keywords):\n    {body}"


class Author:
    """Fills in starters with given answers."""

    def __init__(self, homework: Homework) -> None:
        self._homework = homework
        self._definitions = Definitions.read(homework.solutions)
        self._starter = compose(homework, self._definitions, files_beside(homework), solved=False)

    def answers(self, names: Any) -> dict[str, str]:
        """Return the reference answers to these questions."""
        return {name: self._definitions.answer(name) for name in names}

    def bank(self, kind: str, names: list[str], number: int) -> dict[str, str]:
        """Take the bank's answer `number` to each question that has any, renamed as a student's."""
        found = {}
        for name in names:
            path = self._homework.bank(kind, name)
            if bank_entries(path):
                found[name] = bank_answer(path, name, number, self._definitions.answer(name))
        return found

    def changed(self, names: Sequence[str], others: Mapping[str, str]) -> bytes | None:
        """Return a starter with the reference answers and others in their place, if there are."""
        return self.notebook({**self.answers(names), **others}) if others else None

    def notebook(self, answers: Mapping[str, str]) -> bytes:
        """Return a starter with these answers in place of its stubs."""
        notebook = json.loads(self._starter)
        for cell in notebook["cells"]:
            question = cell["id"].removeprefix("answer-")
            if question in answers and cell["id"].startswith("answer-"):
                cell["source"] = answers[question].splitlines(keepends=True)
        return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()

    def script(self, answers: Mapping[str, str]) -> bytes:
        """Return the answers as a plain script."""
        cells = nbformat.reads(self.notebook(answers).decode(), as_version=4)["cells"]
        kept = [c for c in cells if c["cell_type"] == "code" and "otter_ignore" not in _tags(c)]
        return ("\n\n\n".join(cell["source"] for cell in kept) + "\n").encode()


def _tags(cell: Any) -> list[str]:
    return cell["metadata"].get("tags", [])  # type: ignore[no-any-return]


def bank_answer(path: Path, question: str, number: int, reference: str = "") -> str:
    """Return a function or class of a bank of mistakes or variants as the cell of a student.

    Args:
        path: the bank's file.
        question: the name that the function is to have.
        number: which function; counts on from the first after the last.
        reference: the text of the right answer, which a class of a bank derives from.
    """
    nodes, entries = statements(path), bank_entries(path)
    chosen = entries[number % len(entries)]
    constants = constants_of(chosen, nodes)
    imports = [ast.unparse(n) for n in nodes if _is_students_import(n)]
    imports += map(ast.unparse, constants)
    source = Definitions.read(path).given(chosen.name)
    if isinstance(chosen, ast.ClassDef):
        return "\n".join([*imports, "", "", _merged(reference, source)])
    renamed = re.sub(rf"\b{chosen.name}\b", question, source)
    return "\n".join([*imports, "", "", _without_docstring(renamed)])


def _merged(reference: str, derived: str) -> str:
    """Write the last class of a text anew, with the methods of one that derives from it."""
    tree, changes = ast.parse(reference), ast.parse(derived).body[0]
    whole = tree.body[-1]
    assert isinstance(whole, ast.ClassDef)
    assert isinstance(changes, ast.ClassDef)
    methods = {node.name: node for node in changes.body if isinstance(node, ast.FunctionDef)}
    kept = [methods.pop(getattr(node, "name", ""), node) for node in whole.body]
    whole.body = [*kept, *methods.values()]
    return ast.unparse(tree)


def _is_students_import(node: ast.stmt) -> bool:
    """Tell the imports that work in a student's notebook, where the other questions are defined."""
    if isinstance(node, ast.ImportFrom):
        return node.module is not None and node.module.split(".")[0] not in (
            "__future__",
            "solutions",
        )
    return isinstance(node, ast.Import)


def _without_docstring(source: str) -> str:
    """Drop a mistake's docstring: it is our hint, not the student's words."""
    tree = ast.parse(source)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    if ast.get_docstring(function) is not None:
        function.body = function.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
