"""What can be told from a cell's text without running it: what it defines, binds and imports."""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache

MAX_PARSED = 1 << 20
MAGIC = re.compile(r"^[ \t]*[%!?].*$", re.MULTILINE)
DEFINED = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
CONFLICT = re.compile(r"^(<{7}|>{7})( .*)?$", re.MULTILINE)
INDIRECT = re.compile(r"\b(exec|globals|locals|setattr|vars)\s*\(")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SCOPES = (*DEFINITIONS, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@lru_cache(256)  # each cell is looked at many times
def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of a cell, its magics left out; None if it is not Python."""
    if len(source) > MAX_PARSED:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(MAGIC.sub("", source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def lines_of(text: str) -> list[str]:
    """Split into lines as Python counts them: a form feed or U+2028 ends none."""
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def defined(source: str) -> set[str]:
    """Name the functions and classes that a cell defines, also where it has a syntax error."""
    tree = parsed(source)
    if tree is None:
        return set(DEFINED.findall(source))
    return {node.name for node in tree.body if isinstance(node, DEFINITIONS)}


def bound(source: str) -> set[str]:
    """Name what a cell binds outside of functions and classes."""
    tree = parsed(source)
    if tree is None:
        assigned = re.findall(r"^[ \t]*(\w+)\s*=[^=]", source, re.MULTILINE)
        return {*assigned, *re.findall(r"\b(?:def|class|import|as)[ \t]+(\w+)", source)}
    return _stored(_outside(tree))


def _outside(tree: ast.Module) -> Iterator[ast.AST]:
    """Walk through a module, but not into functions, classes and comprehensions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, SCOPES):
            waiting.extend(ast.iter_child_nodes(node))


def _stored(nodes: Iterable[ast.AST]) -> set[str]:
    names = set()
    for node in nodes:
        if isinstance(node, DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add((node.asname or node.name).split(".")[0])
    return names


def may_bind(source: str, name: str) -> bool:
    """Tell whether a cell may bind a name, also by way of `globals()` and the like."""
    return name in bound(source) or (name in source and INDIRECT.search(source) is not None)


def is_setup(source: str) -> bool:
    """Tell a cell that imports, and otherwise uses nothing but what it has imported."""
    tree = parsed(source)
    if tree is None:
        return False
    simple = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Expr)
    imports = any(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body)
    return imports and all(isinstance(n, simple) for n in tree.body) and not _needed(tree)


def _needed(tree: ast.Module) -> set[str]:
    """Name what a cell uses and does not define."""
    return _used(tree) - _stored(ast.walk(tree)) - set(dir(builtins))


def _used(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def uses(source: str, names: set[str]) -> bool:
    """Tell whether a cell uses one of the names, in functions as well."""
    tree = parsed(source)
    return bool(names & (set(re.findall(r"\w+", source)) if tree is None else _used(tree)))


def is_stub(source: str, name: str) -> bool:
    """Tell a definition that nobody has filled in: all that it does is raise."""
    tree = parsed(source)
    found = [n for n in tree.body if isinstance(n, DEFINITIONS) and n.name == name] if tree else []
    return bool(found) and isinstance(found[-1].body[-1], ast.Raise) and len(found[-1].body) <= 2


def conflict_line(source: str) -> int | None:
    """Return the line of a cell, from 1, where a merge conflict's mark stands."""
    match = CONFLICT.search(source)
    return None if match is None else source.count("\n", 0, match.start()) + 1
