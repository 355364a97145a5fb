"""Reads a module of reference solutions as text: answers, stubs, and what is given to students."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.building.errors import BuildError

BEGIN = "# BEGIN SOLUTION"
END = "# END SOLUTION"
_LOOKS_LIKE_A_MARK = re.compile(
    r"#+\W*((begin|end|start)\W*solutions?\b|solutions?\W*$)", re.IGNORECASE
)

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign


@dataclass(frozen=True)
class Definitions:
    """The top-level functions, classes and constants of a module.

    Attributes:
        path: the module's file, for messages.
        text: its source.
        nodes: its statements by the names that they define, in the order of the file.
    """

    path: Path
    text: str
    nodes: dict[str, ast.stmt]

    @classmethod
    def read(cls, path: Path) -> Definitions:
        """Parse a module.

        Raises:
            BuildError: if it is not there or does not parse.
        """
        if not path.is_file():
            raise BuildError(f"{path}: there are no reference solutions")
        text = path.read_text(encoding="utf-8")
        try:
            tree = ast.parse(text)
        except SyntaxError as error:
            raise BuildError(f"{path}:{error.lineno}: {error.msg}") from error
        return cls(path, text, {name: node for node in tree.body for name in _binds(node)})

    def given(self, name: str) -> str:
        """Return a definition as it stands."""
        node = self._node(name)
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        lines, last = self._lines(), node.end_lineno or first
        while last < len(lines) and lines[last].strip() == END:  # a comment ends no class for `ast`
            last += 1
        return "\n".join(lines[first - 1 : last])

    def answer(self, name: str) -> str:
        """Return a question's definition, after the private ones that it needs."""
        nodes = {self.nodes[helper]: helper for helper in self.helpers(name)}  # each node once
        helpers = [self.given(helper) for helper in nodes.values()]
        return "\n\n\n".join([*helpers, without_marks(self.given(name), self.path)])

    def stub(self, name: str) -> str:
        """Return a question's definition without its answer.

        A function keeps its signature and docstring; a class loses what stands between marks.

        Raises:
            BuildError: if there is no docstring, or a class has no marks.
        """
        node = self._node(name)
        if isinstance(node, ast.Assign) or ast.get_docstring(node) is None:
            raise BuildError(f"{self.path}:{node.lineno}: {name} has no docstring to hand out")
        if isinstance(node, ast.ClassDef):
            return self._class_stub(name)
        head = self._lines()[node.lineno - 1 : node.body[0].end_lineno]
        return "\n".join([*head, f'    raise NotImplementedError("{name}")'])

    def helpers(self, name: str) -> list[str]:
        """Name the private definitions that one needs, directly or not, in the file's order."""
        needed: set[str] = set()
        waiting = [name]
        while waiting:
            mentioned = _names(self._node(waiting.pop()))
            fresh = {n for n in mentioned & self.nodes.keys() if n.startswith("_")} - needed
            needed |= fresh
            waiting.extend(fresh)
        return [n for n in self.nodes if n in needed]

    def _class_stub(self, name: str) -> str:
        text = self.given(name)
        if BEGIN not in text:
            raise BuildError(f"{self.path}: the class {name} marks no solution: use {BEGIN!r}")
        return replace_solutions(text, f'raise NotImplementedError("{name}")', self.path)

    def _node(self, name: str) -> Definition:
        node = self.nodes.get(name)
        if not isinstance(node, Definition):
            raise BuildError(f"{self.path}: there is no function or class {name!r}")
        return node

    def _lines(self) -> list[str]:
        return self.text.splitlines()


def replace_solutions(text: str, replacement: str | None, where: object) -> str:
    """Take out what stands between marks; put a line in its place, at the mark's indentation.

    Raises:
        BuildError: if marks are unbalanced or malformed.
    """
    lines = []
    for line, inside in _marked(text, where):
        if inside and line.strip() == BEGIN and replacement is not None:
            lines.append(line.replace(BEGIN, replacement))
        if not inside:
            lines.append(line)
    return "\n".join(lines)


def without_marks(text: str, where: object) -> str:
    """Take out the marks and keep what stands between them; raises as `replace_solutions`."""
    marks = (BEGIN, END)
    return "\n".join(line for line, _ in _marked(text, where) if line.strip() not in marks)


def _marked(text: str, where: object) -> Iterator[tuple[str, bool]]:
    """Yield each line and whether it belongs to a solution; the marks themselves do."""
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        mark = line.strip()
        if mark not in (BEGIN, END):
            if _LOOKS_LIKE_A_MARK.search(line):
                raise BuildError(f"{where}: {mark!r} (line {number}) looks like a malformed mark")
            yield line, inside
            continue
        if inside == (mark == BEGIN):
            raise BuildError(f"{where}: {mark!r} (line {number}) has no partner")
        inside = mark == BEGIN
        yield line, True
    if inside:
        raise BuildError(f"{where}: the last {BEGIN!r} has no {END!r}")


def _binds(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        targets = [name for target in node.targets for name in ast.walk(target)]
        return [name.id for name in targets if isinstance(name, ast.Name)]
    return []


def _names(node: ast.AST) -> set[str]:
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
