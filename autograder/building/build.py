"""Builds a homework: what is committed, what is put into `dist/`, and whether it is up to date."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

import jinja2

from autograder.building.definitions import Definitions
from autograder.building.errors import BuildError
from autograder.building.filing import demand_filed
from autograder.building.handout import compose
from autograder.building.leaks import find_leaks
from autograder.building.package import autograder_zip
from autograder.building.public_cases import public_cases
from autograder.homework import ROOT, Homework, support_modules

SHOWN_DIFFERENCES = 12
STUDENT_PACKAGE = "autograder.student"
WORKFLOW = ".github/workflows/public-cases.yml"


def build_homework(homework: Homework, out: Path) -> list[Path]:
    """Write the starter, the solved notebook and the zip; return their paths.

    Raises:
        BuildError: if the authored files cannot be built or would leak; nothing is written then.
    """
    files = committed_files(homework)
    archive = autograder_zip(homework)
    for path in _strays(homework, files):
        path.unlink()
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    out.mkdir(parents=True, exist_ok=True)
    zipped = out / f"{homework.name}.zip"
    zipped.write_bytes(archive)
    return [starter_folder(homework), _solved(homework), zipped]


def stale_files(homework: Homework) -> Iterator[str]:
    """Say where the committed files differ from a fresh build, with the first lines of it."""
    files = committed_files(homework)
    for path, data in files.items():
        name = path.relative_to(ROOT)
        if not path.is_file():
            yield f"{name}: missing"
        elif path.read_bytes().replace(b"\r\n", b"\n") != data:
            yield f"{name}: stale"
            yield from _difference(path.read_bytes(), data)
    for path in _strays(homework, files):
        yield f"{path.relative_to(ROOT)}: comes from no build"


def committed_files(homework: Homework) -> dict[Path, bytes]:
    """Make what is generated and committed: the starter folder and the solved notebook.

    Raises:
        BuildError: if the authored files cannot be built, or the starter would leak.
    """
    demand_filed(homework)
    definitions = Definitions.read(homework.solutions)
    beside = files_beside(homework)
    starter = {
        **beside,
        f"{homework.name}.ipynb": compose(homework, definitions, beside, solved=False).encode(),
        "README.md": _rendered("starter_readme.md.j2", homework),
        WORKFLOW: _rendered("public_cases.yml.j2", homework),
    }
    if leaks := find_leaks(starter, homework, definitions):
        raise BuildError("the starter would leak: " + "; ".join(leaks[:5]))
    files = {starter_folder(homework) / name: data for name, data in starter.items()}
    solved = compose(homework, definitions, beside, solved=True)
    return {**files, _solved(homework): solved.encode()}


def starter_folder(homework: Homework) -> Path:
    """Return the folder that students get."""
    return ROOT / "student_starter" / homework.name


def _solved(homework: Homework) -> Path:
    return homework.solutions.with_suffix(".ipynb")


def files_beside(homework: Homework) -> dict[str, bytes]:
    """Make the files that a starter's notebook needs beside it: public cases, what runs them, data.

    Raises:
        BuildError: if a check file cannot be cut to its public cases.
    """
    texts = {"requirements.txt": "\n".join(homework.requirements) + "\n"}
    for path in support_modules():
        text = path.read_text(encoding="utf-8")
        texts[path.name] = text.replace(f"{STUDENT_PACKAGE}.", "").replace(
            f"from {STUDENT_PACKAGE} import", "import"
        )
    for question in homework.question_names:
        texts[f"tests/{question}.py"] = public_cases(homework.checks(question))
    return {name: text.encode() for name, text in texts.items()} | homework.data


def _rendered(template: str, homework: Homework) -> bytes:
    """Fill in a file of the starter. Names stand in [[ ]]: workflows have braces of their own."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("autograder.building"),
        undefined=jinja2.StrictUndefined,
        variable_start_string="[[",
        variable_end_string="]]",
        keep_trailing_newline=True,
        trim_blocks=True,
        autoescape=False,  # noqa: S701  (Markdown and YAML of our own)
    )
    return environment.get_template(template).render(homework=homework).encode()


def _strays(homework: Homework, files: dict[Path, bytes]) -> list[Path]:
    """List what lies in the starter folder and comes from no build, caches left aside."""
    ignored = {"__pycache__", ".ipynb_checkpoints", ".OTTER_LOG"}
    return [
        path
        for path in sorted(starter_folder(homework).rglob("*"))
        if path.is_file() and path not in files and not ignored & set(path.parts)
    ]


def _difference(committed: bytes, fresh: bytes) -> Iterator[str]:
    lines = difflib.unified_diff(
        committed.decode(errors="replace").splitlines(),
        fresh.decode(errors="replace").splitlines(),
        "committed",
        "fresh",
        n=0,
        lineterm="",
    )
    shown = [f"    {line[:160]}" for line in lines]
    yield from shown[:SHOWN_DIFFERENCES]
    if len(shown) > SHOWN_DIFFERENCES:
        yield f"    … and {len(shown) - SHOWN_DIFFERENCES} lines more"
