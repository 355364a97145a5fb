"""Cuts a check file down to its public cases, for the student's folder."""

from __future__ import annotations

import ast
from pathlib import Path

from autograder.building.errors import BuildError
from autograder.syntax import mentions

SUPPORT_MODULE = "checking"


def public_cases(path: Path) -> str:
    """Return the text of a check file without hidden cases and without what only they need.

    Raises:
        BuildError: if a public case needs the reference solutions, or the text is not ASCII (otter
            reads test files in the encoding of the student's machine).
    """
    text = path.read_text(encoding="utf-8")
    if not text.isascii():
        raise BuildError(
            f"{path}: check files must be ASCII: students' machines may not read UTF-8"
        )
    lines = text.splitlines()
    nodes = ast.parse(text).body
    kept = _needed(nodes)
    body = "".join(_spaced(node, lines) for node in nodes if node in kept)
    imports = [
        _imported(node, kept) for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    lines_of_imports = [line for line in imports if line]
    _demand_no_secret_import(path, lines_of_imports)
    head = "\n".join([f'"""{_title(nodes)}"""', "", *lines_of_imports])
    return f"{head}\n\n{body.lstrip()}"


def hidden_by_name(path: Path) -> dict[str, bool]:
    """Tell the cases of a check file, as its text has them, and which of them are hidden."""
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    return {name: is_hidden(node) for node in nodes if _is_case(node) for name in _defines(node)}


def is_hidden(node: ast.stmt) -> bool:
    """Tell whether a top-level statement is a hidden case."""
    return any(
        keyword.arg == "hidden" and getattr(keyword.value, "value", True)
        for decorator in getattr(node, "decorator_list", [])
        if isinstance(decorator, ast.Call)
        for keyword in decorator.keywords
    )


def _is_case(node: ast.stmt) -> bool:
    return any(
        isinstance(decorator, ast.Call) and getattr(decorator.func, "id", "") == "test_case"
        for decorator in getattr(node, "decorator_list", [])
    )


def _needed(nodes: list[ast.stmt]) -> set[ast.stmt]:
    """Find the public cases, otter's own names, and all that these mention."""
    defined = {name: node for node in nodes if not is_hidden(node) for name in _defines(node)}
    waiting = [node for node in nodes if _is_case(node) and not is_hidden(node)]
    waiting += [defined[name] for name in ("OK_FORMAT", "name") if name in defined]
    kept: set[ast.stmt] = set()
    while waiting:
        node = waiting.pop()
        if node not in kept:
            kept.add(node)
            waiting += [defined[name] for name in mentions(node) if name in defined]
    return kept


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    return []


def _spaced(node: ast.stmt, lines: list[str]) -> str:
    """Return a statement's text, set off by two blank lines if it is a definition."""
    is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef)
    return ("\n\n" if is_definition else "") + _piece(node, lines) + "\n"


def _piece(node: ast.stmt, lines: list[str]) -> str:
    """Return a statement's text with its decorators and the comment right above it."""
    start = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    while lines[start - 2].startswith("#"):
        start -= 1
    return "\n".join(lines[start - 1 : node.end_lineno])


def _imported(node: ast.Import | ast.ImportFrom, kept: set[ast.stmt]) -> str | None:
    """Return an import of only the names that are needed."""
    used = {name for statement in kept for name in mentions(statement)}
    names = [a for a in node.names if (a.asname or a.name).split(".")[0] in used]
    if not names:
        return None
    needed: ast.stmt = ast.Import(names)
    if isinstance(node, ast.ImportFrom):
        module = SUPPORT_MODULE if node.module == "autograder.checking" else node.module
        needed = ast.ImportFrom(module, names, node.level)
    return ast.unparse(needed)


def _title(nodes: list[ast.stmt]) -> str:
    docstring = ast.get_docstring(ast.Module(nodes, [])) or "Public cases"
    return docstring.splitlines()[0].replace("Cases of", "Public cases of")


def _demand_no_secret_import(path: Path, imports: list[str]) -> None:
    for line in imports:
        if "solutions" in line or "autograder" in line:
            raise BuildError(f"{path}: a public case needs `{line}`, which students do not have")
