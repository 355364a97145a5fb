"""A worker as the grader sees it: load cells, call functions, end it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import torch

from autograder.checking import Driver, Mismatch
from autograder.grading.launchers import START_SECONDS, Launcher, StartError
from autograder.homework import Limits
from autograder.text import one_line
from autograder.worker.channel import Channel, Closed, Expired, WireError
from autograder.worker.wire import Decoder, Encoder, StudentName

MAX_CALLBACKS = 200_000
MAX_SIZE = 5_120
MAX_SPAN = 1 << 24
MAX_FAILURES = 20


class StudentError(Exception):
    """The student's code raised. `kinds` are the exception's class and its bases, by name."""

    def __init__(
        self, kinds: Sequence[str], message: str, cell: int | None, line: int | None
    ) -> None:
        super().__init__(f"{kinds[0] if kinds else 'an exception'}: {message}")
        self.kinds = list(kinds)
        self.message = message
        self.cell = cell
        self.line = line


class WorkerEnded(Exception):
    """The worker is gone, or has been ended because what it sent makes no sense."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class TimedOut(WorkerEnded):
    """The worker has been ended because it took too long."""


@dataclass(frozen=True)
class Loaded:
    """What running the cells has shown."""

    failures: list[StudentError]
    functions: frozenset[str]
    stubs: frozenset[str]
    kinds: dict[str, str]
    notes: list[str]


class Session:
    """One worker and the connection to it.

    Args:
        launcher: starts and ends the worker.
        limits: of time and memory.
        seed: reseeds random, NumPy and torch in the worker before each cell and call.

    Raises:
        StartError: if no worker can be started.
    """

    def __init__(self, launcher: Launcher, limits: Limits, seed: int) -> None:
        self._launcher = launcher
        self._limits = limits
        self._seed = seed
        self._request = 0
        self._open = True
        self._deadline = time.monotonic() + START_SECONDS
        self.cell: int | None = None
        self.printed = 0
        self._worker = launcher.launch(limits)
        self._channel = Channel(self._worker.connection)
        try:
            message, _ = self._receive()
        except WorkerEnded as error:
            raise StartError(f"no worker process can be started: {error.reason}") from error
        if message.get("op") == "unconfined":
            self.close()
            raise StartError(f"a worker process cannot be confined: {message.get('reason')}")

    def load(
        self,
        cells: Sequence[tuple[int, str]],
        names: Sequence[str],
        data: Mapping[str, bytes] | None = None,
    ) -> Loaded:
        """Run the cells; `self.cell` tells which one was running if the worker ends meanwhile.

        Args:
            cells: (number, source) of each cell.
            names: the questions' names.
            data: files for the folder in which the cells run.

        Raises:
            WorkerEnded, TimedOut: see there.
        """
        self._deadline = time.monotonic() + self._limits.load_seconds
        sizes = [(name, len(content)) for name, content in (data or {}).items()]
        head = {"op": "load", "cells": list(cells), "names": list(names), "seed": self._seed}
        self._send({**head, "files": sizes}, list((data or {}).values()))
        while True:
            message, _body = self._receive()
            if message.get("op") == "loaded":
                self.cell = None
                loaded: Loaded = self._understand(lambda m: _loaded(m, names), message)
                self._count(message)
                return loaded
            self.cell = self._understand(lambda m: int(m["number"]), message)

    def allow(self, seconds: float) -> None:
        """Give what follows this much time from now."""
        self._deadline = time.monotonic() + seconds

    def call(
        self,
        name: str,
        arguments: Sequence[Any],
        keywords: dict[str, Any],
        stand_ins: dict[str, Any],
    ) -> Any:
        """Call the student's function and return what it returns.

        Args:
            name: the function's name.
            arguments: values; functions among them run in this process when they are called.
            keywords: the same, by name.
            stand_ins: functions that replace the student's others meanwhile.

        Raises:
            StudentError: if it raises.
            Mismatch: if it misuses a callback.
            WorkerEnded, TimedOut: see there.
        """
        content = [list(arguments), keywords, stand_ins]
        return self._request_value({"op": "call", "function": name}, content)

    def drive(self, driver: Driver, arguments: Sequence[Any], stand_ins: dict[str, Any]) -> Any:
        """Run a driver beside the student's code; raises as `call` does."""
        head = {"op": "drive", "function": driver.__name__, "source": driver.source}
        return self._request_value(head, [list(arguments), {}, stand_ins])

    def _request_value(self, head: dict[str, Any], content: list[Any]) -> Any:
        self._request += 1
        encoder = Encoder(send_functions=True)
        data = encoder.encode(content)
        head |= {"id": self._request, "seed": self._seed, "content": data}
        self._send(head, encoder.blobs)
        callbacks = Callbacks(encoder.functions)
        while True:
            message, body = self._receive()
            if message.get("id") != self._request:
                self._end("it sent an answer to no question")
            if message.get("op") != "ask":
                break
            self._send(*callbacks.answer(message, body))
        self._count(message)
        if callbacks.misuse is not None:
            raise callbacks.misuse
        if message.get("op") == "raised":
            raise self._understand(_student_error, message.get("failure"))
        return self._understand(lambda m: Decoder(body).decode(m["value"]), message)

    def _count(self, message: dict[str, Any]) -> None:
        self.printed = self._understand(lambda m: int(m["printed"]), message)

    def _understand(self, read: Callable[[Any], Any], message: Any) -> Any:
        """Read a message that the worker composed; what it makes of it is not to be trusted."""
        try:
            return read(message)
        except Exception as error:  # whatever nonsense does to a reader that expects sense
            return self._end(f"it sent an unreadable answer ({type(error).__name__})")

    def _send(self, message: dict[str, Any], blobs: list[bytes] | None = None) -> None:
        try:
            self._channel.send(message, blobs, self._deadline)
        except Expired:
            self.close()
            raise TimedOut("it took too long") from None
        except Closed:
            self._end()

    def _receive(self) -> tuple[dict[str, Any], bytes]:
        try:
            return self._channel.receive(self._deadline)
        except Expired:
            self.close()
            raise TimedOut("it took too long") from None
        except Closed:
            return self._end()
        except WireError as error:
            return self._end(f"it sent an unreadable answer: {error}")

    def _end(self, reason: str | None = None) -> NoReturn:
        self._open = False
        how = self._launcher.end(self._worker)
        raise WorkerEnded(reason or how)

    def close(self) -> None:
        """End the worker, if it is still there."""
        if self._open:
            self._open = False
            self._launcher.discard(self._worker)


class Callbacks:
    """The grader's functions that one request may call, and how often."""

    def __init__(self, functions: Sequence[Callable[..., Any]]) -> None:
        self._functions = functions
        self._calls = 0
        self.misuse: Mismatch | None = None

    def answer(self, message: dict[str, Any], body: bytes) -> tuple[dict[str, Any], list[bytes]]:
        """Run the function that the worker asks for; refuse after the first misuse."""
        self._calls += 1
        try:
            value = self._run(message, body)
        except Mismatch as error:
            self.misuse = self.misuse or error
            return {"op": "refused", "message": error.brief}, []
        encoder = Encoder()
        return {"op": "answer", "value": encoder.encode(value)}, encoder.blobs

    def _run(self, message: dict[str, Any], body: bytes) -> Any:
        if self.misuse is not None:
            raise self.misuse
        if self._calls > MAX_CALLBACKS:
            raise Mismatch("a function was called without end")
        try:
            function = self._functions[int(message["function"])]
            arguments, keywords = Decoder(body).decode(message["arguments"])
        except Exception as error:  # as above
            unreadable = "a function was called with arguments that cannot be read"
            raise Mismatch(unreadable, type(error).__name__) from error
        if not getattr(function, "is_careful", False):
            _demand_modest([*arguments, *keywords.values()])
        try:
            return function(*arguments, **keywords)
        except Mismatch:
            raise
        except Exception as error:  # whatever garbage does to a function that expects none
            name = getattr(function, "__name__", "a function")
            kind = type(error).__name__
            raise Mismatch(
                f"`{name}` was called with arguments that it cannot take", kind
            ) from error


def _demand_modest(arguments: Sequence[Any]) -> None:
    """Keep a student from having the grader work out something huge.

    A function that knows better what is large says so by `is_careful`, and looks for itself.

    Raises:
        Mismatch: if an argument is large, or what they span together is.
    """
    sizes = [abs(a) for a in arguments if isinstance(a, int)]
    counts = [a.numel() for a in arguments if isinstance(a, torch.Tensor)]
    lengths = [len(a) for a in arguments if isinstance(a, (list, tuple))]
    arrays = sorted(a.size for a in arguments if isinstance(a, np.ndarray))[-2:]
    spans = (math.prod([1, *sizes, *counts]), math.prod(arrays))
    if max([0, *sizes, *lengths]) > MAX_SIZE or max(spans) > MAX_SPAN:
        raise Mismatch("a function was called with arguments that are too large")


class RemoteFunction:
    """A student's function, seen from the grader: calling it runs it in the worker."""

    def __init__(self, session: Session, name: str, stand_ins: dict[str, Any]) -> None:
        self._session = session
        self._stand_ins = stand_ins
        self.__name__ = name

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call it with values; drivers may also pass it on to each other."""
        return self._session.call(self.__name__, arguments, keywords, self._stand_ins)

    def drive(self, driver: Driver, arguments: Sequence[Any]) -> Any:
        """Run a driver in the worker, with the student's functions in place of the remote ones."""
        local = [StudentName(a.__name__) if isinstance(a, RemoteFunction) else a for a in arguments]
        return self._session.drive(driver, local, self._stand_ins)


def _loaded(message: dict[str, Any], names: Sequence[str]) -> Loaded:
    kinds = message["kinds"]
    return Loaded(
        failures=[_student_error(failure) for failure in message["failures"][:MAX_FAILURES]],
        functions=frozenset(names).intersection(message["functions"]),
        stubs=frozenset(names).intersection(message["stubs"]),
        kinds={name: one_line(kinds[name], 100) for name in names if name in kinds},
        notes=[one_line(note, 200) for note in message["notes"][:MAX_FAILURES]],
    )


def _student_error(failure: dict[str, Any]) -> StudentError:
    return StudentError(
        kinds=[str(kind)[:100] for kind in failure["kinds"][:20]],
        message=one_line(failure["message"], 500),
        cell=None if failure["cell"] is None else int(failure["cell"]),
        line=None if failure["line"] is None else int(failure["line"]),
    )
