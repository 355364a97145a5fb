"""Makes the autograder zip, by way of `otter generate`, the same bytes each time."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from autograder.building.errors import BuildError
from autograder.homework import ROOT, Homework

PYTHON_VERSION = "3.12"
EXECUTABLE = ("run_autograder", "setup.sh")
NEVER = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")


def autograder_zip(homework: Homework) -> bytes:
    """Return the zip: all cases as otter's tests, and the grader with its files.

    Raises:
        BuildError: if `otter generate` fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        _stage(homework, stage)
        _generate(stage)
        return _deterministic((stage / "made.zip").read_bytes())


def _stage(homework: Homework, stage: Path) -> None:
    """Lay out what goes into the zip."""
    (stage / "tests").mkdir()
    for question in homework.question_names:
        shutil.copy(homework.checks(question), stage / "tests")
    shutil.copytree(ROOT / "autograder", stage / "autograder", ignore=NEVER)
    (stage / "solutions").mkdir()
    for path in (ROOT / "solutions" / "__init__.py", homework.solutions):
        shutil.copy(path, stage / "solutions")
    authored = stage / "assignments" / homework.name
    authored.mkdir(parents=True)
    shutil.copy(homework.folder / "assignment.toml", authored)
    for kind in ("checks", "mistakes"):
        if (homework.folder / kind).is_dir():
            shutil.copytree(homework.folder / kind, authored / kind, ignore=NEVER)
    # otter pins itself; a second pin of it would contradict the first.
    needed = [line for line in homework.requirements if not line.startswith("otter-grader")]
    (stage / "requirements.txt").write_text("\n".join(needed) + "\n", encoding="utf-8")
    config = {"assignment_name": homework.name, "show_hidden": False, "print_summary": False}
    (stage / "otter_config.json").write_text(json.dumps(config), encoding="utf-8")


def _generate(stage: Path) -> None:
    command = [
        *(sys.executable, "-m", "otter", "generate", "--tests-dir", "tests"),
        *("--output-path", "made.zip", "--config", "otter_config.json"),
        *("--requirements", "requirements.txt", "--no-environment"),
        *("--python-version", PYTHON_VERSION, "autograder", "solutions", "assignments"),
    ]
    done = subprocess.run(command, cwd=stage, capture_output=True, text=True, check=False)
    if done.returncode or not (stage / "made.zip").is_file():
        told = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        raise BuildError(f"`otter generate` failed: {told[-1]}")


def _deterministic(data: bytes) -> bytes:
    """Write a zip anew: entries sorted, times fixed, lines ended by LF, scripts executable."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in sorted(old.namelist()):
            if name.endswith("/"):
                continue
            entry = zipfile.ZipInfo(name.replace("\\", "/"))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in EXECUTABLE else 0o100644) << 16
            new.writestr(entry, old.read(name).replace(b"\r\n", b"\n"), compresslevel=9)
    return out.getvalue()
