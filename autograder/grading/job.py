"""One grading process of a batch: `python -m autograder.grading.job FD ISOLATION PRELOAD`.

FD is its connection to the process that wants the results; ISOLATION and PRELOAD are those of
`open_launcher`, `best` for none in particular. The order comes over the connection, and then one
submission after another. The fork server is forked before any of that is read, and before a case is
imported: what it does not know, no student's code can find.
"""

from __future__ import annotations

import sys
from multiprocessing.connection import Connection

from autograder.grading.launchers import BEST, can_fork
from autograder.worker.forkserver import fork_server


def main() -> None:
    """Fork the server, and grade what comes."""
    connection: Connection = Connection(int(sys.argv[1]))
    isolation, preload = sys.argv[2:]
    wanted = None if isolation == BEST else isolation
    server = None
    if can_fork(wanted):
        server = fork_server(isolation, preload, connection.fileno())
    from autograder.grading.batch import work

    work(connection, server, preload)


if __name__ == "__main__":
    main()
