"""The banks of a homework: known mistakes, each with its hint, and unusual right answers."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import io
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import torch

from autograder.errors import HomeworkError
from autograder.homework import Homework
from autograder.syntax import DEFINITION, mentions, stored

MISTAKES, VARIANTS = "mistakes", "variants"
Entry = ast.FunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Known:
    """A function or class of a bank.

    Attributes:
        hint: what a student reads whose answer does the same; a variant has none.
        keeps_state: whether what it returns may depend on earlier calls.
    """

    name: str
    hint: str
    function: Callable[..., Any]
    keeps_state: bool


@contextlib.contextmanager
def left_alone() -> Iterator[None]:
    """Run answers of a bank such that nothing of theirs stays: output, warnings, modes of torch."""
    dtype = torch.get_default_dtype()
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()), torch.enable_grad():
        warnings.simplefilter("ignore")  # of answers on input that they do not expect
        try:
            yield
        finally:
            torch.set_default_dtype(dtype)


def read_bank(homework: Homework, kind: str, question: str) -> list[Known]:
    """Run a bank's file and return its functions and classes in order; none if there is no file.

    Each time they are new: nothing is left of what earlier ones kept.

    Raises:
        HomeworkError: if the file does not run, or two of them have one name.
    """
    path = homework.bank(kind, question)
    if not path.is_file():
        return []
    scope: dict[str, Any] = {"__name__": f"{kind}.{question}"}
    code, names = _compiled(path)
    try:
        exec(code, scope)  # noqa: S102
    except Exception as error:
        raise HomeworkError(f"{path}: {type(error).__name__}: {error}") from error
    found = {name: scope[name] for name in names}
    return [Known(name, _hint(f), f, _keeps_state(f)) for name, f in found.items()]


@functools.cache
def _compiled(path: Path) -> tuple[CodeType, list[str]]:
    nodes = statements(path)
    names = [entry.name for entry in _entries(path, nodes)]
    return compile(ast.Module(nodes, type_ignores=[]), str(path), "exec"), names


def bank_names(path: Path) -> list[str]:
    """Name the functions and classes of a bank, in their order; raises as `bank_entries`."""
    return [entry.name for entry in bank_entries(path)]


def bank_entries(path: Path) -> list[Entry]:
    """Parse a bank; return its functions and classes in order, but those called `_so`.

    There are none if there is no file.

    Raises:
        HomeworkError: if the file does not parse, or two of them have one name.
    """
    return _entries(path, statements(path)) if path.is_file() else []


def _entries(path: Path, nodes: list[ast.stmt]) -> list[Entry]:
    found: dict[str, Entry] = {}
    for node in nodes:
        if isinstance(node, Entry) and not node.name.startswith("_"):
            if node.name in found:
                raise HomeworkError(f"{path}:{node.lineno}: two answers are called {node.name!r}")
            found[node.name] = node
    return list(found.values())


def statements(path: Path) -> list[ast.stmt]:
    """Parse a bank.

    Raises:
        HomeworkError: if it does not parse.
    """
    try:
        return ast.parse(path.read_text(encoding="utf-8")).body
    except SyntaxError as error:
        raise HomeworkError(f"{path}:{error.lineno}: {error.msg}") from error


def constants_of(entry: Entry, nodes: list[ast.stmt]) -> list[ast.stmt]:
    """Pick the assignments of a bank, such as that of a type, that one answer uses."""
    return [n for n in nodes if isinstance(n, ast.Assign) and stored(n) & mentions(entry)]


def demand_alone(path: Path) -> None:
    """Refuse an answer that uses what does not go with it into the sample class.

    Raises:
        HomeworkError: if one uses another function or class of the bank; see `bank_entries`.
    """
    nodes = statements(path)
    for entry in _entries(path, nodes):
        along = [entry, *constants_of(entry, nodes)]
        left = {name for node in nodes if node not in along for name in _binds(node)}
        for name in sorted(left & set().union(*map(mentions, along))):
            raise HomeworkError(
                f"{path}:{entry.lineno}: {entry.name!r} uses {name!r} of its file, which the "
                "sample class does not take along: write it into the function"
            )


def _binds(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return set()
    return {node.name} if isinstance(node, DEFINITION) else stored(node)


def _keeps_state(function: Callable[..., Any]) -> bool:
    """Tell the two ways of keeping things that banks use: a global, and a default that changes."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    defaults = getattr(function, "__defaults__", None) or ()
    kept = any(isinstance(default, (list, dict)) for default in defaults)
    return kept or "globals" in getattr(code, "co_names", ())


def _hint(function: Callable[..., Any]) -> str:
    return " ".join((function.__doc__ or "").split())
