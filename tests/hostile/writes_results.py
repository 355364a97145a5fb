"""Writes its own grade, and whatever else it can, outside of its folder."""

import json
import os
import tempfile
from pathlib import Path

grade = json.dumps({"score": 100, "tests": []})
written = []
targets = [
    *("@RESULTS@/results.json", "@RESULTS@/someone/results.json", "@CANARY@/public.txt"),
    *("@CANARY@/private.txt", "@CANARY@/open.txt", "@CANARY@/new.txt", "/results.json"),
    *("/tmp/hostile-mark", "/var/tmp/hostile-mark", "/dev/shm/hostile-mark", "/hostile-mark"),
    *("@GRADER_TMP@/hostile-mark", "../hostile-mark", "../../hostile-mark"),
]
for target in targets:
    for way in (
        lambda path: Path(path).write_text(grade),
        lambda path: os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)),
        lambda path: os.mkdir(path + "-folder"),
        lambda path: os.symlink("/etc/passwd", path + "-link"),
        lambda path: Path("mine").write_text(grade) and os.rename("mine", path),
        lambda path: Path("mine").write_text(grade) and os.link("mine", path + "-hard"),
        lambda path: os.mkfifo(path + "-fifo"),
    ):
        try:
            way(target)
            written.append(target)
        except OSError:
            pass
try:
    tempfile.NamedTemporaryFile(dir="/tmp", prefix="hostile-mark", delete=False)
    written.append("/tmp")
except OSError:
    pass


def double(x):
    return 2 * x if written else None


def apply(step, numbers):
    return [step(n) for n in numbers] if written else None
