"""Which names a statement binds, and which it uses: what authored files are cut apart by."""

from __future__ import annotations

import ast

DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def stored(node: ast.AST) -> set[str]:
    """Name what is assigned to anywhere in a statement."""
    names = [child for child in ast.walk(node) if isinstance(child, ast.Name)]
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def mentions(node: ast.AST) -> set[str]:
    """Name what a statement uses and does not itself bind."""
    used = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    bound = {child.arg for child in ast.walk(node) if isinstance(child, ast.arg)}
    inner = {child.name for child in ast.walk(node) if isinstance(child, DEFINITION)}
    return used - bound - inner - stored(node)
