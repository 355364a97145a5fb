"""Opens the grader's own files and Python's packages for writing, and adds files beside them.

It writes nothing into files that exist: being able to open them is proof enough.
"""

import os
import sysconfig
from pathlib import Path

packages = sysconfig.get_path("purelib")
done = []
for path in (
    "@ROOT@/autograder/checking.py",
    "@ROOT@/autograder/grading/engine.py",
    "@ROOT@/autograder/worker/wire.py",
    f"{packages}/torch/__init__.py",
    os.__file__,
):
    try:
        with Path(path).open("ab"):
            done.append(path)
    except OSError:
        pass
for path in (
    "@ROOT@/hostile-mark.py",
    "@ROOT@/autograder/hostile-mark.py",
    f"{packages}/hostile-mark.pth",
    f"{os.path.dirname(os.__file__)}/hostile-mark.py",
):
    try:
        Path(path).write_text("# written by a student\n")
        done.append(path)
    except OSError:
        pass


def double(x):
    return 2 * x if done else None


def apply(step, numbers):
    return [step(n) for n in numbers] if done else None
