"""Reads what another student has handed in, and hands that in."""

from pathlib import Path

others = [Path("@CANARY@/submissions/somebody.py"), Path("@CANARY@/private.txt")]
loot = ""
for path in others:
    for name in (
        path,
        Path("/proc/self/cwd") / ".." / path,
        Path("/proc/self/root") / str(path)[1:],
    ):
        try:
            loot += name.read_text()
        except OSError:
            pass
if "def double" in loot:
    exec(loot)


def why(x):
    raise ValueError(loot or "nobody's work")


double = globals().get("double", why)
