"""The worker's loop: load the cells once, then answer calls until the grader hangs up."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np
import torch

from autograder.worker.cells import CellRunner, Failure, describe, is_stub
from autograder.worker.channel import Channel, Closed, WireError
from autograder.worker.wire import Decoder, Encoder


class Server:
    """Serves one submission over one channel."""

    def __init__(self, channel: Channel, runner: CellRunner) -> None:
        self._channel = channel
        self._runner = runner
        self._request = 0

    def serve(self) -> None:
        """Answer requests until the grader hangs up."""
        while True:
            try:
                message, body = self._channel.receive()
            except Closed:
                return
            if message["op"] == "load":
                _write_files(message["files"], body)
                self._load(message)
            else:
                self._answer(message, body)

    def _load(self, message: dict[str, Any]) -> None:
        self._runner.names = message["names"]
        failures: list[Failure] = []
        for number, source in message["cells"]:
            self._channel.send({"op": "cell", "number": number})
            _seed(message["seed"])
            failure = self._runner.run(number, source)
            if failure is not None:
                failures.append(failure)
        kinds = {
            name: type(self._runner.namespace[name]).__name__
            for name in message["names"]
            if name in self._runner.namespace
        }
        self._channel.send(
            {
                "op": "loaded",
                "failures": [dataclasses.asdict(failure) for failure in failures],
                "functions": sorted(self._runner.functions),
                "stubs": [name for name, f in self._runner.functions.items() if is_stub(f)],
                "kinds": kinds,
                "notes": self._runner.notes[:20],
                "printed": self._runner.stream.printed,
            }
        )

    def _answer(self, message: dict[str, Any], body: bytes) -> None:
        self._request = message["id"]
        try:
            decoder = self._decoder(body)
            function = self._function(message)
            arguments, keywords, stand_ins = decoder.decode(message["content"])
            _seed(message["seed"])
            with self._standing_in(stand_ins):
                value = function(*arguments, **keywords)
            self._reply(value)
        except Closed:
            raise
        except BaseException as error:  # sys.exit and KeyboardInterrupt are answers, too
            failure = dataclasses.asdict(describe(error))
            self._send({"op": "raised", "failure": failure}, [])

    def _reply(self, value: Any) -> None:
        encoder = Encoder()
        data = encoder.encode(value)
        self._send({"op": "returned", "value": data}, encoder.blobs)

    def _send(self, head: dict[str, Any], blobs: list[bytes]) -> None:
        printed = self._runner.stream.printed
        self._channel.send({**head, "id": self._request, "printed": printed}, blobs)

    def _decoder(self, body: bytes) -> Decoder:
        return Decoder(
            body,
            function=self._callback,
            differentiable=self._differentiable,
            student=self._student,
        )

    @contextlib.contextmanager
    def _standing_in(self, stand_ins: dict[str, Any]) -> Iterator[None]:
        """Put right versions of other questions in place of the student's, for one call.

        They are there, too, where the student's notebook has none.
        """
        scope = self._runner.namespace
        before = {name: scope[name] for name in stand_ins if name in scope}
        scope.update(stand_ins)
        try:
            yield
        finally:
            for name in stand_ins:
                scope.pop(name, None)
            scope.update(before)

    def _function(self, message: dict[str, Any]) -> Callable[..., Any]:
        if message["op"] == "call":
            return self._student(message["function"])  # type: ignore[no-any-return]
        scope: dict[str, Any] = {"__name__": "driver"}
        exec(_compiled(message["source"]), scope)  # noqa: S102  (a driver of the grader's own)
        return scope[message["function"]]  # type: ignore[no-any-return]

    def _student(self, name: str) -> Any:
        if name not in self._runner.functions:
            raise WireError(f"no function {name}")
        return self._runner.functions[name]

    def _callback(self, number: int) -> Callable[..., Any]:
        """Return a function that asks the grader to run its function `number`."""
        request = self._request

        def ask(*arguments: Any, **keywords: Any) -> Any:
            encoder = Encoder()
            data = encoder.encode([list(arguments), keywords])
            head = {"op": "ask", "id": request, "function": number, "arguments": data}
            self._channel.send(head, encoder.blobs)
            answer, body = self._channel.receive()
            if answer["op"] != "answer":
                raise RuntimeError(answer.get("message", "the call was refused"))
            return Decoder(body).decode(answer["value"])

        return ask

    def _differentiable(self, number: int) -> Callable[..., Any]:
        """Return a function that asks for its value and slopes: gradients flow through it."""
        ask = self._callback(number)

        def function(*arguments: Any, **keywords: Any) -> torch.Tensor:
            value, slopes, named = ask(*arguments, **keywords)
            given = [*arguments, *keywords.values()]
            for x, slope in zip(given, [*slopes, *(named[key] for key in keywords)], strict=True):
                if slope is not None:
                    value = value + ((x - x.detach()) * slope).sum()  # adds 0, with this gradient
            return value  # type: ignore[no-any-return]

        return function


def _write_files(sizes: Sequence[tuple[str, int]], body: bytes) -> None:
    """Lay files into the present folder; the grader chooses their names."""
    offset = 0
    for name, size in sizes:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body[offset : offset + size])
        offset += size


@functools.cache
def _compiled(source: str) -> CodeType:
    """Compile a driver once."""
    return compile(source, "<driver>", "exec")


def _seed(seed: int) -> None:
    """Make random draws the same in each run, whatever ran before."""
    random.seed(seed)
    np.random.seed(seed % (1 << 32))  # what students' code draws from
    torch.default_generator.manual_seed(seed)  # torch.manual_seed asks every device: 180 µs
