"""Makes the autograder zip, by way of `otter generate`, the same bytes each time.

Stock `otter run -a` grades with it as with any of otter's. What a host runs is ours, though:
`setup.sh` installs pinned releases and proves that grading works, `run_autograder` grades with the
confined engine.
"""

from __future__ import annotations

import functools
import importlib.metadata
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

import jinja2
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from autograder.building.beginning import TEMPLATES
from autograder.building.errors import BuildError
from autograder.homework import ROOT, Homework

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PYTHON_VERSION = "3.12"
EXECUTABLE = ("run_autograder", "setup.sh")
NEVER = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")
OTTER = "otter-grader"
LINUX = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "x86_64",
    "platform_python_implementation": "CPython",
    "platform_system": "Linux",
    "python_full_version": "3.11.0",
    "python_version": "3.11",
    "sys_platform": "linux",
}
"""What hosts run, so that the pins do not depend on where the zip is made."""


def autograder_zip(homework: Homework) -> bytes:
    """Return the zip: all cases as otter's tests, and the grader with its files.

    Raises:
        BuildError: if `otter generate` fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        _stage(homework, stage)
        _generate(stage)
        return _deterministic((stage / "made.zip").read_bytes(), _ours(homework))


def _ours(homework: Homework) -> dict[str, bytes]:
    """Make the files that take the place of otter's, or are added."""
    names = _needed(homework)
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("autograder.building"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  (scripts of our own)
    )
    setup = environment.get_template("setup.sh.j2")
    texts = {
        "requirements.txt": "".join(f"{name}=={_pins()[name]}\n" for name in names),
        "setup.sh": setup.render(homework=homework, python=_least_python(names)),
        "run_autograder": environment.get_template("run_autograder").render(),
    }
    index = homework.folder / "index.txt"
    if index.is_file():
        texts["index.txt"] = index.read_text(encoding="utf-8")
    return {name: text.encode() for name, text in texts.items()}


def _needed(homework: Homework) -> list[str]:
    """Name what grading needs, all dependencies included: what `constraints.txt` pins of it.

    The rest, such as the libraries of a torch for GPUs, is the installing machine's own matter.

    Raises:
        BuildError: if the program or the homework asks for what is not pinned.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*_names(project["dependencies"]), *_names(homework.requirements)]
    waiting = [name for name in asked if name != OTTER]
    for name in waiting:
        if name not in _pins():
            raise BuildError(f"constraints.txt has no release of {name}: add it and build again")
    needed: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in _pins() and name not in needed:
            needed.add(name)
            waiting += _names(_said(name, "Requires-Dist"))
    return sorted(needed)


def _names(requirements: Iterable[str]) -> list[str]:
    """Name what these requirements ask for on a host."""
    try:
        parsed = [Requirement(text) for text in requirements]
    except InvalidRequirement as error:
        raise BuildError(f"a requirement cannot be read: {error}") from error
    return [
        canonicalize_name(r.name) for r in parsed if r.marker is None or r.marker.evaluate(LINUX)
    ]


@functools.cache
def _pins() -> dict[str, str]:
    """Read the one release of each package that the project is developed with."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    return {
        canonicalize_name(name): release
        for name, release in re.findall(r"^([\w.-]+)==([\w.!+-]+)", text, re.MULTILINE)
    }


def _least_python(names: Iterable[str]) -> tuple[int, int]:
    """Find the oldest Python that all of these packages accept."""
    accepted = [SpecifierSet(v) for name in names for v in _said(name, "Requires-Python")]
    minor = 10
    while not all(f"3.{minor}" in versions for versions in accepted):
        minor += 1
    return 3, minor


def _said(name: str, field: str) -> list[str]:
    """Return what an installed package says of itself; nothing, where it is not installed."""
    try:
        return importlib.metadata.metadata(name).get_all(field) or []
    except importlib.metadata.PackageNotFoundError:
        return []


def _stage(homework: Homework, stage: Path) -> None:
    """Lay out what goes into the zip."""
    (stage / "tests").mkdir()
    for question in homework.question_names:
        shutil.copy(homework.checks(question), stage / "tests")
    shutil.copytree(ROOT / "autograder", stage / "autograder", ignore=NEVER)
    shutil.rmtree(stage / TEMPLATES.relative_to(ROOT))  # which nobody needs on a host
    (stage / "solutions").mkdir()
    for path in (ROOT / "solutions" / "__init__.py", *homework.modules):
        shutil.copy(path, stage / "solutions")
    authored = stage / "assignments" / homework.name
    authored.mkdir(parents=True)
    shutil.copy(homework.folder / "assignment.toml", authored)
    for kind in ("checks", "mistakes", "data"):
        if (homework.folder / kind).is_dir():
            shutil.copytree(homework.folder / kind, authored / kind, ignore=NEVER)
    # otter pins itself; a second pin of it would contradict the first.
    needed = [line for line in homework.requirements if not line.startswith(OTTER)]
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


def _deterministic(data: bytes, instead: dict[str, bytes]) -> bytes:
    """Write a zip anew: entries sorted, times fixed, lines ended by LF, scripts executable.

    Args:
        data: the zip.
        instead: files that take the place of its own, or are added.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        contents = {name: old.read(name) for name in old.namelist() if not name.endswith("/")}
        for name, content in sorted((contents | instead).items()):
            entry = zipfile.ZipInfo(name.replace("\\", "/"))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = (0o100755 if name in EXECUTABLE else 0o100644) << 16
            new.writestr(entry, content.replace(b"\r\n", b"\n"), compresslevel=9)
    return out.getvalue()
