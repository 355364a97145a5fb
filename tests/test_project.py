"""Rules of the house that a reader would otherwise have to check by hand."""

import ast
import re
import statistics
import subprocess

import pytest

from autograder.homework import ROOT, homework_names


def functions():
    for folder in ("autograder", "solutions", "assignments"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    body = node.body[1:] if ast.get_docstring(node) else node.body
                    size = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                    yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", size


def test_functions_are_short():
    sizes = dict(functions())
    assert [name for name, size in sizes.items() if size > 40] == []
    assert statistics.median(sizes.values()) < 10


def test_the_worker_imports_nothing_of_the_grader():
    for path in (ROOT / "autograder" / "worker").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder"):
                assert node.module.startswith("autograder.worker"), path


def knows(text, name):
    """Tell whether a text names a homework: quoted, alone or with an ending, or as what lies there.

    The names of homeworks are also words of the field, which a program may use.
    """
    place = r"\b(assignments|solutions|student_starter)\b(\W+import)?\W+"
    command = r"\bautograder\s+(audit|build|grade|samples)\s+"
    quoted = rf"""(?P<quote>["']){name}(\.\w+)?(?P=quote)"""
    return re.search(rf"{quoted}|({place}|{command}){name}(?![A-Za-z0-9])", text) is not None


@pytest.mark.parametrize("name", ["layer_norm", "rope", "softmax"])
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('if homework.name == "{}":', True),
        ("load_homework('{}')", True),
        ("from solutions import {}", True),
        ("import solutions.{} as reference", True),
        ("from solutions.{}_models import right", True),
        ('ROOT / "assignments" / "{}"', True),
        ('f"{{ROOT}}/student_starter/{}/README.md"', True),
        ('folder / "{}.ipynb"', True),
        ("run `python -m autograder build {}`", True),
        ("x = {}(scores) + nn.functional.{}(x, (4,))", False),
        ('"""Do properties of `{}` hold, as those of {} do?"""', False),
        ("def {}_of(x): ...", False),
    ],
)
def test_it_is_seen_whether_a_text_names_a_homework(line, found, name):
    assert knows(line.format(name, name), name) is found


def test_the_program_knows_no_homework_by_name():
    for path in (ROOT / "autograder").rglob("*.*"):
        if path.suffix != ".pyc":
            text = path.read_text(encoding="utf-8")
            assert [name for name in homework_names() if knows(text, name)] == [], path


@pytest.mark.parametrize(
    "name", ["layer_norm", "rope", "softmax", "attention", "encoder", "decoder", "training", "tiny"]
)
def test_a_homework_may_be_called_by_a_word_of_the_field(name):
    for path in (ROOT / "autograder").rglob("*.py"):
        assert not knows(path.read_text(encoding="utf-8"), name), path


def test_tracked_files_are_text_of_the_project_alone():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\n")
    for name in filter(None, listed):
        path = ROOT / name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "/" + "work/" not in text, name
            assert "\r" not in text, name
