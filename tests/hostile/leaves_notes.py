"""Leaves a note for its later processes: a question that runs again must find no trace of it."""

import tempfile
from pathlib import Path

places = [".", tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", str(Path.home()), ".."]
notes = [Path(place) / "hostile-mark-note" for place in places]
found = []
for note in notes:
    try:
        found += [note] if note.exists() else []
    except OSError:
        pass
for note in notes:
    try:
        note.write_text("I was here")
    except OSError:
        pass


def double(x):
    return 2 * x if found else None


def apply(step, numbers):
    return [step(n) for n in numbers] if found else None
