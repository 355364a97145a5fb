"""Start a worker: `python -m autograder.worker FD`, FD being its end of the connection."""

from __future__ import annotations

import os
import socket
import sys


def main() -> None:
    """Import what students' code needs, say so, silence the standard streams, and serve."""
    connection = socket.socket(fileno=int(sys.argv[1]))
    import torch

    from autograder.worker.serve import Server
    from autograder.worker.wire import Channel

    torch.set_num_threads(1)
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silent, stream)
    sys.argv = ["notebook"]
    channel = Channel(connection)
    channel.send({"op": "ready"})
    Server(channel).serve()
    os._exit(0)  # no atexit handler of a student's


if __name__ == "__main__":
    main()
