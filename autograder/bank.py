"""The banks of a homework: known mistakes, each with its hint, and unusual right answers."""

from __future__ import annotations

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

MISTAKES, VARIANTS = "mistakes", "variants"


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
        HomeworkError: if the file does not run.
    """
    path = homework.bank(kind, question)
    if not path.is_file():
        return []
    scope: dict[str, Any] = {"__name__": f"{kind}.{question}"}
    try:
        exec(_compiled(path), scope)  # noqa: S102
    except Exception as error:
        raise HomeworkError(f"{path}: {type(error).__name__}: {error}") from error
    return [
        Known(name, _hint(value), value, _keeps_state(value))
        for name, value in scope.items()
        if (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == scope["__name__"]
        and not name.startswith("_")
    ]


@functools.cache
def _compiled(path: Path) -> CodeType:
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def _keeps_state(function: Callable[..., Any]) -> bool:
    """Tell the two ways of keeping things that banks use: a global, and a default that changes."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    defaults = getattr(function, "__defaults__", None) or ()
    kept = any(isinstance(default, (list, dict)) for default in defaults)
    return kept or "globals" in getattr(code, "co_names", ())


def _hint(function: Callable[..., Any]) -> str:
    return " ".join((function.__doc__ or "").split())
