"""Tries to carry a secret out through exception texts, class names, values, warnings and notes."""

import ctypes
import os
import warnings
from pathlib import Path

loot = os.environ.get("SECRET_TOKEN", "")
for path in ("@SECRET@", "/etc/shadow", "/root/.bash_history", "/proc/self/environ"):
    try:
        loot += Path(path).read_text(errors="replace")
    except OSError:
        pass
strings = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
number = 0
while strings and strings[number]:
    loot += strings[number].decode(errors="replace")
    number += 1
warnings.warn(loot, stacklevel=1)
get_ipython().system(loot)  # noqa: F821
raise type(loot[-90:] or "Nothing", (Exception,), {})(loot[-1900:])


def double(x):
    raise ValueError(loot[-1900:])


def apply(step, numbers):
    return [type(loot[-90:] or "Nothing", (), {})(), loot[-1900:]]


apply.__name__ = loot[-90:]
