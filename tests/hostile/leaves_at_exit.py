"""Registers handlers for the end of the process that forge replies and write files."""

import atexit
import os
import signal
import sys
import threading
from pathlib import Path

from _wire import request, send


def last_will(*_arguments):
    for way in (
        lambda: send({"op": "returned", "id": request(), "value": 4}),
        lambda: send({"op": "returned", "id": request() + 1, "value": 4}),
        lambda: Path("@CANARY@/new.txt").write_text("after the end"),
    ):
        try:
            way()
        except OSError:
            pass


class Finaliser:
    def __del__(self):
        last_will()


atexit.register(last_will)
threading._register_atexit(last_will)
signal.signal(signal.SIGTERM, last_will)
keep = Finaliser()


def double(x):
    sys.exit(0)


def apply(step, numbers):
    os.kill(os.getpid(), signal.SIGTERM)
    return None
