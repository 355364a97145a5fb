"""A clean process that has imported what students' code needs, and forks a worker for each session.

Started as `python -m autograder.worker.forkserver FD LEVEL PRELOAD`, or forked from a process that
knows nothing yet (`fork_server`): FD is its end of the control connection, LEVEL a name of `Level`,
or `best` for the strongest that works here, PRELOAD `all` or `first`. It never saw a case or a
reference, and runs nothing in parallel before a fork: with more than one thread, children hang. It
ends, with all its children and folders, when the control connection closes.

On the control connection, `+` with a descriptor attached asks for a worker on that descriptor, `-`
for the end of one and how it ended, `~` for its end alone; a message with the particulars follows.
Each request is answered before the next is sent, so that no descriptor is read past.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from autograder.worker.channel import Channel, Closed
from autograder.worker.confinement import (
    Confinement,
    ConfinementError,
    Level,
    available_level,
    confine,
    interpreter_paths,
    leased_uid,
    why_not,
)

if TYPE_CHECKING:
    from autograder.worker.cells import CellRunner

FIRST = ("torch", "numpy", "autograder.worker.serve")
"""What every submission needs."""
ALL = (
    *(*FIRST, "torch.optim", "torch.func", "torch._dynamo", "matplotlib.pyplot", "tqdm.auto"),
    # without it the first backward(gradient) of each child takes 200 ms
    "torch.fx.experimental.symbolic_shapes",
)
"""With it, training begins a second sooner in each worker; a single grading cannot wait for it."""


@dataclass
class ForkServer:
    """Forks workers, and ends them."""

    control: socket.socket
    level: Level
    uid: int
    base: Path
    readable: tuple[Path, ...]
    runner: CellRunner
    children: dict[int, Path] = field(default_factory=dict)

    def serve(self) -> None:
        """Answer requests until the grader hangs up."""
        channel = Channel(self.control)
        while True:
            try:
                order, descriptors, _, _ = socket.recv_fds(self.control, 1, 1)
                if not order:
                    return
                message, _ = channel.receive()
            except Closed:
                return
            if order == b"+":
                channel.send({"op": "forked", "pid": self._fork(descriptors[0], message)})
            elif order == b"-":
                channel.send({"op": "ended", "status": self.end(message["pid"])})
            else:
                channel.send({"op": "noted"})  # who asked does not wait for what follows
                self.end(message["pid"])

    def end(self, pid: int) -> int:
        """Kill a worker, wait for it and remove its folder; return its wait status."""
        os.kill(pid, signal.SIGKILL)  # not yet waited for, so that the number is still its own
        _, status = os.waitpid(pid, 0)
        remove(self.children.pop(pid))
        return status

    def close(self) -> None:
        """End all workers."""
        for pid in list(self.children):
            self.end(pid)

    def _fork(self, descriptor: int, message: dict[str, Any]) -> int:
        folder = Path(tempfile.mkdtemp(dir=self.base))
        pid = os.fork()
        if pid == 0:
            self._become_worker(descriptor, folder, message)
        os.close(descriptor)
        self.children[pid] = folder
        return pid

    def _become_worker(self, descriptor: int, folder: Path, message: dict[str, Any]) -> None:
        """Confine this child and serve a session; never returns."""
        try:
            os.sched_setaffinity(0, message["cores"])
            connection = socket.socket(fileno=descriptor)
            channel = Channel(connection)
            try:
                confine(self._confinement(folder, message), keep=[descriptor])
            except ConfinementError as error:
                channel.send({"op": "unconfined", "reason": str(error)})
                os._exit(1)
            for name in ("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR", "TORCHINDUCTOR_CACHE_DIR"):
                os.environ[name] = str(folder)
            serve_session(channel, self.runner)
        finally:
            os._exit(0)

    def _confinement(self, folder: Path, message: dict[str, Any]) -> Confinement:
        return Confinement(
            level=self.level,
            uid=self.uid,
            readable=self.readable,
            writable=folder,
            memory_bytes=message["memory_bytes"],
            file_bytes=message["file_bytes"],
            cpu_seconds=message["cpu_seconds"],
            threads=message["threads"],
        )


def serve_session(channel: Channel, runner: CellRunner) -> None:
    """Say that the worker is ready and answer the grader's requests."""
    import torch

    from autograder.worker.serve import Server

    torch.set_num_threads(1)
    sys.argv = ["notebook"]
    channel.send({"op": "ready"})
    Server(channel, runner).serve()


@dataclass(frozen=True)
class Forked:
    """A fork server that was forked from this process: how to reach it, and how to end it."""

    pid: int
    control: socket.socket
    errors: IO[bytes]

    def wait(self, seconds: float | None = None) -> None:
        """Wait for its end.

        Raises:
            subprocess.TimeoutExpired: if it does not come in time.
        """
        deadline = time.monotonic() + (math.inf if seconds is None else seconds)
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("fork server", seconds or 0)
            time.sleep(0.002)

    def kill(self) -> None:
        """End it."""
        os.kill(self.pid, signal.SIGKILL)


def fork_server(level: str, preload: str, shut: int) -> Forked:
    """Import torch and fork a server, so that this process and the server need one import only.

    This process must know no case and no reference yet, and nothing else that is secret.

    Args:
        level: as on the command line.
        preload: the same.
        shut: a descriptor that is none of the server's business.
    """
    with contextlib.suppress(ConfinementError):  # the server will say so
        _choose_level(level)  # tries by forking, which is quick while this process is small
    import torch

    torch.set_num_threads(1)
    ours, theirs = socket.socketpair()
    errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the launcher)
    pid = os.fork()
    if pid:
        theirs.close()
        return Forked(pid, ours, errors)
    try:
        os.setsid()
        os.close(shut)
        ours.close()
        os.dup2(errors.fileno(), 2)
        run(theirs, level, preload)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(0)


def main() -> None:
    """Serve on the connection that the command line names."""
    run(socket.socket(fileno=int(sys.argv[1])), *sys.argv[2:])
    os._exit(0)  # nothing is left to do, and an interpreter with torch takes 0.2 s to end


def run(control: socket.socket, level_name: str, preload: str) -> None:
    """Find the level, import, and serve."""
    channel = Channel(control)
    try:
        level, reasons = _choose_level(level_name)
    except ConfinementError as error:
        channel.send({"op": "refused", "reason": str(error)})
        return
    with _base_folder() as base, _uid(level) as uid:
        os.environ["MPLCONFIGDIR"] = str(base)
        runner = _preload(FIRST if preload == "first" else ALL)
        server = ForkServer(control, level, uid, base, interpreter_paths(), runner)
        ready = {"op": "ready", "level": level.value, "reasons": reasons, "folder": str(base)}
        channel.send(ready)
        try:
            server.serve()
        finally:
            server.close()


@functools.cache
def _choose_level(name: str) -> tuple[Level, list[str]]:
    """Return the level to use, and why no stronger one is used.

    Raises:
        ConfinementError: if a level is demanded that does not work here.
    """
    if name == "best":
        return available_level(interpreter_paths())
    level = Level(name)
    reason = why_not(level, interpreter_paths())
    if reason is not None:
        raise ConfinementError(f"the isolation level {name!r} does not work here: {reason}")
    return level, []


@contextlib.contextmanager
def _base_folder() -> Iterator[Path]:
    """Make the folder of all workers' folders, which each of them must be able to pass through."""
    base = Path(tempfile.mkdtemp(prefix="homework-"))
    base.chmod(0o711)
    try:
        yield base
    finally:
        remove(base)


def remove(folder: Path) -> None:
    """Remove a folder, however a student has filled it: nested too deep for Python, if need be."""
    with contextlib.suppress(OSError, RecursionError):
        shutil.rmtree(folder)
    if folder.exists():
        command = ["rm", "-rf", "--one-file-system", str(folder)]
        subprocess.run(command, check=False, stderr=subprocess.DEVNULL)


def _uid(level: Level) -> contextlib.AbstractContextManager[int]:
    return leased_uid() if level.own_uid else contextlib.nullcontext(os.getuid())


def _preload(names: tuple[str, ...]) -> CellRunner:
    """Import everything once, and keep the collector from touching, and so copying, its pages."""
    import torch

    from autograder.worker.cells import CellRunner

    for name in names:
        __import__(name)
    torch.set_num_threads(1)
    runner = CellRunner()
    runner.warm_up()
    gc.collect()
    gc.freeze()
    return runner


if __name__ == "__main__":
    main()
