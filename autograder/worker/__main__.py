"""A worker of its own, without a fork server: `python -m autograder.worker FD`.

FD is its end of the connection. This is for machines that cannot fork safely; nothing confines it
but the limits that its caller sets.
"""

from __future__ import annotations

import os
import socket
import sys


def main() -> None:
    """Silence the standard streams once all is imported, and serve."""
    from autograder.worker import serve  # noqa: F401  (what fails here is told on stderr)
    from autograder.worker.forkserver import serve_session
    from autograder.worker.wire import Channel

    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    serve_session(Channel(socket.socket(fileno=int(sys.argv[1]))))
    os._exit(0)  # no atexit handler of a student's


if __name__ == "__main__":
    main()
