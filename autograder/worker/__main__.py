"""A worker of its own, without a fork server: `python -m autograder.worker FD`.

FD is its end of the connection, `-` standard input and output. This is for machines that cannot
fork safely, and for containers; nothing confines it but what its caller does.
"""

from __future__ import annotations

import os
import socket
import sys


class StandardStreams:
    """Standard input and output as a connection, out of reach of what students print."""

    def __init__(self) -> None:
        self._input, self._output = os.dup(0), os.dup(1)

    def settimeout(self, seconds: float | None) -> None:
        """Do nothing: a worker waits for ever."""

    def recv(self, size: int) -> bytes:
        """Read what is there, up to a size."""
        return os.read(self._input, size)

    def sendall(self, data: bytes) -> None:
        """Write all of it."""
        while data:
            data = data[os.write(self._output, data) :]

    def close(self) -> None:
        """Hang up."""
        os.close(self._input)
        os.close(self._output)


def main() -> None:
    """Silence the standard streams once all is imported, and serve."""
    from autograder.worker import serve  # noqa: F401  (what fails here is told on stderr)
    from autograder.worker.cells import CellRunner
    from autograder.worker.channel import Channel
    from autograder.worker.forkserver import serve_session

    own = sys.argv[1] == "-"
    connection = StandardStreams() if own else socket.socket(fileno=int(sys.argv[1]))
    os.chdir(os.environ["HOME"])
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    serve_session(Channel(connection), CellRunner())
    os._exit(0)  # no atexit handler of a student's


if __name__ == "__main__":
    main()
