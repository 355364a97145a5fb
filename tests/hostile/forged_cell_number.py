"""Says, while its cells run, that a cell is running which does not exist, and ends the process.

A grader that skips the cell it is told of runs the true one again, and again, without end.
"""

import os

from _wire import send

if send({"op": "cell", "number": 777}) is None:
    os._exit(0)


def double(x):
    return None
