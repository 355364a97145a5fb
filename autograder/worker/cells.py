"""Runs the cells of a notebook with IPython's semantics, without side effects on the machine."""

from __future__ import annotations

import ast
import dis
import io
import os
import re
import sys
import traceback
import types
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

HARMLESS_MAGICS = {
    "line": {
        *("time", "timeit", "precision", "pprint", "load_ext", "reload_ext", "config", "env"),
        *("set_env", "xmode", "colors", "autoawait", "who", "whos", "who_ls", "pwd", "lsmagic"),
    },
    "cell": {
        *("capture", "time", "timeit", "html", "HTML", "svg", "SVG", "latex", "markdown"),
        *("javascript", "js"),
    },
}
"""All others start programs, install, write files or change the session: they do nothing here."""


ONLY_A_CHECK = re.compile(r"\s*grader\.check(_all)?\(([\"']\w*[\"'])?\)\s*")
"""A cell that would do nothing while grading; each notebook has one for each question."""


WARM_UP = """
import torch
x = torch.randn(2, 3, 3, requires_grad=True)
hidden = torch.full((3, 3), -1e9).triu(1)
y = torch.softmax(x @ x.transpose(-2, -1) / 2 + hidden, dim=-1)
torch.autograd.grad(torch.nn.functional.cross_entropy(y, torch.tensor([[1, 2, 0], [0, 2, 1]])), x)
y = torch.arange(4).unsqueeze(1).float().sin().cos().exp().log().tolist()
"""


@dataclass(frozen=True)
class Failure:
    """Where and how a student's code raised. `kinds` are the exception's class and its bases."""

    kinds: list[str]
    message: str
    cell: int | None
    line: int | None


class _CellCompiler(CachingCompiler):  # type: ignore[misc]
    """Names code after its cell, so that a traceback tells the cell and the line."""

    cell = 0

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:  # noqa: ARG002
        return f"<cell {self.cell}>"


class SilentStream(io.TextIOWrapper):
    """A standard stream that counts what is printed, and keeps nothing."""

    def __init__(self) -> None:
        super().__init__(open(os.devnull, "wb"))  # noqa: PTH123, SIM115
        self.printed = 0

    def write(self, text: str) -> int:
        """Count the characters."""
        self.printed += len(text)
        return len(text)


class CellRunner:
    """A namespace in which cells run one after another.

    Args:
        names: names of questions. The last callable bound to each is remembered, so that a later
            `causal_mask = causal_mask(3)` does not lose the function.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        sys.modules["otter"] = _otter_stand_in()
        sys.modules["showing"] = _showing_stand_in()
        sys.stdout = sys.stderr = self.stream = SilentStream()
        self.notes: list[str] = []
        self.functions: dict[str, Any] = {}
        self.names = list(names)
        self._shell = _shell()
        self._mute_magics()

    @property
    def namespace(self) -> dict[str, Any]:
        """What the cells have defined."""
        return self._shell.user_ns  # type: ignore[no-any-return]

    def run(self, number: int, source: str) -> Failure | None:
        """Run one cell; return its failure, if it failed."""
        if ONLY_A_CHECK.fullmatch(source):
            return None
        self._shell.compile.cell = number
        result = self._shell.run_cell(source, store_history=False)
        for name in self.names:
            if callable(self.namespace.get(name)):
                self.functions[name] = self.namespace[name]
        error = result.error_before_exec or result.error_in_exec
        return describe(error) if error is not None else None

    def warm_up(self) -> None:
        """Run a cell that leaves nothing behind, so that forks find IPython's caches filled."""
        before = set(self.namespace)
        failure = self.run(-1, WARM_UP)
        assert failure is None, failure
        for name in set(self.namespace) - before:
            del self.namespace[name]

    def _mute_magics(self) -> None:
        for kind, mark in (("line", "%"), ("cell", "%%")):
            for name in set(self._shell.magics_manager.magics[kind]) - HARMLESS_MAGICS[kind]:
                self._shell.register_magic_function(self._muted(f"{mark}{name}"), kind, name)
        for name in ("system", "system_piped", "system_raw"):
            setattr(self._shell, name, self._muted("!"))
        self._shell.getoutput = self._muted("!", value=[])

    def _muted(self, what: str, value: object = None) -> Any:
        def muted(*arguments: object, **_keywords: object) -> object:
            first = next((str(a) for a in arguments if a), "")
            self.notes.append(f"`{what} {first.strip()[:80]}` was not run while grading")
            return value

        return muted


def is_stub(function: object) -> bool:
    """Tell whether a function does nothing but say that it is not written."""
    code = getattr(function, "__code__", None)
    return isinstance(code, types.CodeType) and _operations(code) == _operations(_stub.__code__)


def _stub() -> None:
    raise NotImplementedError("name")


def _operations(code: types.CodeType) -> list[object]:
    """List what code does: its instructions, and the names that it uses."""
    return [*code.co_names, *(instruction.opname for instruction in dis.get_instructions(code))]


def describe(error: BaseException) -> Failure:
    """Reduce an exception to plain facts; the innermost frame in a cell is where it happened."""
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind not in (object, BaseException)]
    try:
        message = str(error)[:2000]
    except Exception as broken:  # a student's own __str__ may raise anything
        message = f"(its text cannot be read: {type(broken).__name__})"
    cell = line = None
    for frame, number in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if name.startswith("<cell "):
            cell, line = int(name[6:-1]), number
    if isinstance(error, SyntaxError) and (error.filename or "").startswith("<cell "):
        cell, line = int(str(error.filename)[6:-1]), error.lineno
    return Failure(kinds, message, cell, line)


def _shell() -> InteractiveShell:
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.compiler_class = _CellCompiler
    config.InteractiveShell.autoindent = False
    shell = InteractiveShell.instance(config=config)
    shell.compile = _CellCompiler()
    shell.transform_cell = _plain_or(shell.transform_cell)
    for name in ("showtraceback", "showsyntaxerror", "showindentationerror"):
        setattr(shell, name, lambda *_arguments, **_keywords: None)
    shell.enable_gui = lambda *_arguments, **_keywords: None
    return shell


def _plain_or(transform: Any) -> Any:
    """Leave a cell that is Python already as it is; transforming it costs more than running it."""

    def transform_cell(source: str) -> str:
        try:
            ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return str(transform(source))
        return source if source.endswith("\n") else f"{source}\n"

    return transform_cell


def _otter_stand_in() -> types.ModuleType:
    """Return a module in otter's place: its checks in the notebook do nothing while grading."""

    class Notebook:
        def __init__(self, *_arguments: object, **_keywords: object) -> None:
            pass

        def __getattr__(self, _name: str) -> Any:
            return lambda *_arguments, **_keywords: None

    module = types.ModuleType("otter")
    module.Notebook = Notebook  # type: ignore[attr-defined]
    return module


def _showing_stand_in() -> types.ModuleType:
    """Return a module in place of the starter's: to show progress does nothing while grading."""
    module = types.ModuleType("showing")
    module.progress = lambda *_arguments, **_keywords: None  # type: ignore[attr-defined]
    return module
