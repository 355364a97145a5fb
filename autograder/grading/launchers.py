"""Starts and ends worker processes: forked and confined ones, or plain ones where that cannot be.

This module is the only one of the grader that starts processes.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, ClassVar, Protocol

from autograder.errors import PlainError
from autograder.homework import Limits
from autograder.worker.channel import Channel, Closed, Expired, WireError
from autograder.worker.forkserver import Forked

BEST = "best"
START_SECONDS = 120
PROGRAM = Path(__file__).resolve().parents[2]
FOLDER_VARIABLES = ("HOME", "TMPDIR", "IPYTHONDIR", "MPLCONFIGDIR")
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
"""Memory in large pages, where the kernel has them: a fork and its end take 9 ms, not 13."""


class StartError(PlainError):
    """No worker can be started on this machine: not the student's fault."""


@dataclass(frozen=True)
class Worker:
    """A worker that has just been started: its process, and our end of the connection."""

    pid: int
    connection: socket.socket


class Launcher(Protocol):
    """Starts workers and ends them."""

    @property
    def isolation(self) -> str:
        """How the workers are confined: a name for the result."""

    @property
    def reasons(self) -> Sequence[str]:
        """Why they are not confined more strongly."""

    def launch(self, limits: Limits) -> Worker:
        """Start a worker; raises `StartError`."""

    def end(self, worker: Worker) -> str:
        """End a worker, if it has not ended; say how it ended."""

    def discard(self, worker: Worker) -> None:
        """End a worker without waiting for it."""

    def close(self) -> None:
        """End what is left."""


@contextlib.contextmanager
def open_launcher(
    isolation: str | None = None, preload: str = "all", server: Forked | None = None
) -> Iterator[Launcher]:
    """Open the launcher for a level of isolation, None for the strongest that works here.

    A fork server starts meanwhile: who waits for it is the first that needs it.

    Args:
        isolation: the level.
        preload: `all`, or `first` where few submissions follow.
        server: a fork server of this level that has been forked already.

    Raises:
        StartError: if the level does not work on this machine; perhaps not before it is used. It is
            never lowered.
    """
    launcher = _launcher(isolation, preload, server)
    try:
        yield launcher
    finally:
        launcher.close()


def can_fork(isolation: str | None) -> bool:
    """Tell whether the workers of a level are forks here."""
    return sys.platform == "linux" and isolation not in ("process", "container")


def _launcher(isolation: str | None, preload: str, server: Forked | None) -> Launcher:
    if isolation == "process":
        return SpawningLauncher()
    if isolation == "container":
        return ContainerLauncher()
    if can_fork(isolation):
        return ForkingLauncher(isolation or BEST, preload, server)
    if isolation is not None:
        raise StartError(f"the isolation level {isolation!r} does not work here: it needs Linux")
    return ContainerLauncher() if image_is_there() else SpawningLauncher()


@contextlib.contextmanager
def one_core() -> Iterator[None]:
    """Keep this thread, and the workers that it starts, on the core where it is, for a while.

    Grader and worker take turns: a call between two cores wakes one of them each time, which takes
    four times as long as the call. Several threads of torch on one core only wait for each other,
    so there is one meanwhile.
    """
    import torch

    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before, threads = os.sched_getaffinity(0), torch.get_num_threads()
    torch.set_num_threads(1)
    fields = Path("/proc/thread-self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    os.sched_setaffinity(0, {int(fields[36])})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
        torch.set_num_threads(threads)


class ForkingLauncher:
    """Workers are forks of a server that has imported everything; if it dies, it is replaced.

    Args:
        level: of isolation, or `best`.
        preload: what the server imports, `all` or only what is needed `first`; see there.
        server: one that was forked already; None starts one.
    """

    def __init__(self, level: str, preload: str, server: Forked | None = None) -> None:
        self._level = level
        self._preload = preload
        if server is None:
            self._start()
        else:
            self._server: Forked | subprocess.Popen[bytes] = server
            self._attach(server.control, server.errors)

    def _attach(self, control: socket.socket, errors: IO[bytes]) -> None:
        self._control = control
        self._channel = Channel(control)
        self._errors = errors
        self._ready: dict[str, Any] | None = None

    def _start(self) -> None:
        """Start the server, which takes as long as importing torch; do not wait for it."""
        ours, theirs = socket.socketpair()
        self._attach(ours, tempfile.TemporaryFile())  # noqa: SIM115  (closed with the launcher)
        with theirs:
            descriptor = theirs.fileno()
            arguments = [
                "autograder.worker.forkserver",
                str(descriptor),
                self._level,
                self._preload,
            ]
            self._server = python(arguments, descriptor, self._errors, LARGE_PAGES)

    def _wait(self) -> dict[str, Any]:
        """Wait until the server is ready; return what it says of itself."""
        if self._ready is None:
            try:
                message, _ = self._channel.receive(time.monotonic() + START_SECONDS)
            except (Closed, Expired, WireError) as error:
                told = _last_line(self._errors)
                raise StartError(f"the fork server does not start: {told}") from error
            if message["op"] == "refused":
                raise StartError(message["reason"])
            self._level = message["level"]  # a replacement must not be any weaker
            self._ready = message
        return self._ready

    @property
    def isolation(self) -> str:
        """The level."""
        return str(self._wait()["level"])

    @property
    def reasons(self) -> list[str]:
        """Why it is not a stronger one."""
        return list(self._wait()["reasons"])

    @property
    def folder(self) -> Path:
        """The server's folder, with one for each worker; it goes with the server."""
        return Path(self._wait()["folder"])

    @property
    def server_pid(self) -> int:
        """The fork server's process id."""
        return self._server.pid

    def launch(self, limits: Limits) -> Worker:
        """Fork and confine a worker."""
        try:
            return self._fork(limits)
        except (Closed, OSError, Expired):
            self.close()
            self._start()
            return self._fork(limits)

    def _fork(self, limits: Limits) -> Worker:
        self._wait()
        particulars = {
            "memory_bytes": limits.memory_mb << 20,
            "file_bytes": limits.file_mb << 20,
            "cpu_seconds": int(limits.total_seconds) + 1,
            "threads": limits.threads,
            "cores": sorted(os.sched_getaffinity(0)),
        }
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self._control, [b"+"], [theirs.fileno()])
            answer = self._ask(particulars)
        return Worker(answer["pid"], ours)

    def _ask(self, particulars: dict[str, Any]) -> dict[str, Any]:
        """Send what belongs to an order, and wait for the answer."""
        self._channel.send(particulars)
        answer, _ = self._channel.receive(time.monotonic() + START_SECONDS)
        return answer

    def end(self, worker: Worker) -> str:
        """Have the server kill and reap the worker."""
        worker.connection.close()
        try:
            self._control.sendall(b"-")
            answer = self._ask({"pid": worker.pid})
        except (Closed, OSError, Expired):
            return "it took the fork server along"
        return _describe_status(answer["status"])

    def discard(self, worker: Worker) -> None:
        """Have the server kill the worker, and reap it when it has the time."""
        worker.connection.close()
        with contextlib.suppress(Closed, OSError, Expired):  # no server, no worker
            self._control.sendall(b"~")
            self._ask({"pid": worker.pid})

    def close(self) -> None:
        """Hang up; the server ends its workers and itself."""
        self._control.close()
        try:
            self._server.wait(10)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        self._errors.close()
        if self._ready is not None:  # the folder is there still if the server was killed
            shutil.rmtree(self.folder, ignore_errors=True)


class SpawningLauncher:
    """Each worker is a fresh interpreter, limited in time only; for systems without a safe fork."""

    isolation = "process"
    reasons: ClassVar[Sequence[str]] = ("workers are not confined, only limited in time",)

    def __init__(self) -> None:
        self._running: dict[int, tuple[subprocess.Popen[bytes], IO[bytes]]] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="homework-", ignore_cleanup_errors=True)

    def launch(self, limits: Limits) -> Worker:
        """Start an interpreter."""
        ours, theirs = socket.socketpair()
        errors = tempfile.TemporaryFile()  # noqa: SIM115  (closed when the worker is ended)
        with theirs:
            process = self._start(theirs, errors, limits)
        self._running[process.pid] = (process, errors)
        return Worker(process.pid, ours)

    def _start(
        self, connection: socket.socket, errors: IO[bytes], limits: Limits
    ) -> subprocess.Popen[bytes]:
        del limits  # time is the only one that is kept here, and the session keeps it
        arguments = ["autograder.worker", str(connection.fileno())]
        folders = dict.fromkeys(FOLDER_VARIABLES, self._folder.name)
        return python(arguments, connection.fileno(), errors, folders)

    def end(self, worker: Worker) -> str:
        """Kill the process group and say how the process ended."""
        worker.connection.close()
        process, errors = self._running.pop(worker.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        code = process.wait()
        told = _last_line(errors)
        errors.close()
        return told or (f"it exited with {code}" if code >= 0 else _signal_name(-code))

    def discard(self, worker: Worker) -> None:
        """Kill the process group."""
        self.end(worker)

    def close(self) -> None:
        """Kill what is left and remove the folder."""
        for process, errors in self._running.values():
            process.kill()
            process.wait()
            errors.close()
        self._folder.cleanup()


IMAGE = os.environ.get("AUTOGRADER_IMAGE", "autograder-worker")
"""The container image of workers: Python with what the homework requires, and nothing of ours."""


def image_is_there() -> bool:
    """Tell whether Docker runs here and has the workers' image."""
    if shutil.which("docker") is None:
        return False
    command = ["docker", "image", "inspect", IMAGE]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


class ContainerLauncher(SpawningLauncher):
    """Each worker is a container without network, capabilities or a writable file system.

    It sees the program's own files, read-only, and no homework. The connection is its standard
    input and output.
    """

    isolation = "container"
    reasons: ClassVar[Sequence[str]] = ()

    def __init__(self) -> None:
        if not image_is_there():
            raise StartError(
                "the isolation level 'container' does not work here: "
                f"`docker image inspect {IMAGE}` fails"
            )
        super().__init__()

    def _start(
        self, connection: socket.socket, errors: IO[bytes], limits: Limits
    ) -> subprocess.Popen[bytes]:
        program = Path(__file__).parents[1]
        command = [
            *("docker", "run", "--rm", "--interactive", "--network", "none", "--read-only"),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", "65534"),
            *("--memory", f"{limits.memory_mb}m", "--pids-limit", str(limits.threads)),
            *("--tmpfs", f"/tmp:size={limits.file_mb}m", "--workdir", "/tmp"),  # noqa: S108
            *("--volume", f"{program}:/program/autograder:ro", "--env", "PYTHONPATH=/program"),
            *("--env", "HOME=/tmp", "--env", "MPLBACKEND=agg", "--env", "OMP_NUM_THREADS=1"),
            *(IMAGE, "python", "-m", "autograder.worker", "-"),
        ]
        ends = connection.fileno()
        return subprocess.Popen(
            command, stdin=ends, stdout=ends, stderr=errors, start_new_session=True
        )


def python(
    arguments: Sequence[str],
    descriptor: int,
    errors: IO[bytes] | None,
    more: Mapping[str, str],
) -> subprocess.Popen[bytes]:
    """Start a module in a clean environment: no variable of the grader's reaches a student.

    Args:
        arguments: the module's name and its arguments.
        descriptor: the one that it inherits.
        errors: its standard error; None means ours.
        more: variables that are added, and a PATH if need be; what the module is found by stays.
    """
    environment = {
        "PATH": os.defpath,
        **more,
        "PYTHONPATH": str(PROGRAM),
        "PYTHONSAFEPATH": "1",
        "LANG": "C.UTF-8",
        "OMP_NUM_THREADS": "1",
        "MPLBACKEND": "agg",
    }
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=PROGRAM,  # the first place that `-m` looks in: no file of a student's, nor of a host's
        env=environment,
        pass_fds=[descriptor],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=errors,
        start_new_session=True,
    )


def _last_line(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = errors.read().decode(errors="replace").strip().splitlines()
    return lines[-1] if lines else ""


def _describe_status(status: int) -> str:
    if os.WIFSIGNALED(status):
        return _signal_name(os.WTERMSIG(status))
    return f"it exited with {os.WEXITSTATUS(status)}"


def _signal_name(number: int) -> str:
    return f"it was ended by {signal.Signals(number).name}"
