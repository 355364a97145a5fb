"""A homework that is begun works, and an author's slips get one line with their place."""

import dataclasses
import shutil

import pytest

from autograder.assignment import read_assignment
from autograder.building.demands import demand_sound
from autograder.errors import HomeworkError, PlainError
from autograder.homework import ROOT, Homework, load_cases
from tests.conftest import TINY_CHECKS, command, points, results

TOML = """\
title = "Two functions"
questions = ["double", "apply"]
requirements = ["torch>=2.6"]
"""


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('["double", "apply"]', '"double"', "questions must be array"),
        ('"apply"', '"double"', "questions must contain unique items"),
        ('"apply"', '"ap-ply"', "questions[1] must match pattern"),
        ('requirements = ["torch>=2.6"]\n', "", "the file must contain"),
        ("title =", "titel =", "the file must contain"),
        ('"torch', "torch", "this is no TOML: Invalid value (at line 3, column 17)"),
        ("$", 'stretch = ["treble"]', "'treble' is none of the questions"),
        ("$", 'numbers = ["1"]', "`numbers` must have one for each question"),
        ("$", 'numbers = ["1", "first"]', "numbers[1] must match pattern"),
        ("$", 'hidden_cases = "never"', "hidden_cases must be one of ['visible', 'after_due_date'"),
        ("$", 'colour = "red"', "the file must not contain {'colour'} properties"),
        ("$", '[limits]\ncase_seconds = "30"', "limits.case_seconds must be number"),
        ("$", "[limits]\nmemory = 30", "limits must not contain {'memory'} properties"),
        ("$", "[limits.case_seconds_of]\ntreble = 3", "'treble' is none of the questions"),
    ],
)
def test_a_slip_in_assignment_toml_is_told_with_its_place(tmp_path, before, after, told):
    path = tmp_path / "assignment.toml"
    path.write_text(TOML + after if before == "$" else TOML.replace(before, after))
    with pytest.raises(HomeworkError) as caught:
        read_assignment(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.fixture
def slipped(tiny, tmp_path):
    """Make a tiny homework with one slip in the check file of `double`."""
    (tmp_path / "checks").mkdir()
    for name, text in TINY_CHECKS.items():
        (tmp_path / "checks" / f"{name}.py").write_text(text)
    (tmp_path / "solutions.py").write_text("")
    path = tmp_path / "checks" / "double.py"

    class Slipped(Homework):
        folder = tmp_path
        solutions = tmp_path / "solutions.py"

    def make(before, after):
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after, 1))
        return Slipped(**{f.name: getattr(tiny, f.name) for f in dataclasses.fields(tiny)})

    return make


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("hidden=True", "hidden=1 > 0", ""),
        (
            "@test_case(",
            "@(lambda **k: test_case(points=k.pop('points'), **k))(",
            "begin each case",
        ),
        ("hidden=True", "**{'hidden': True}", "begin each case with `@test_case(points=2)`"),
        ("OK_FORMAT = False\n", "", "the line `OK_FORMAT = False` is missing"),
        ("OK_FORMAT = False\n", "OK_FORMAT = False\nRIGHT = {'treble': 1}\n", "none of the quest"),
    ],
)
def test_a_check_file_that_would_be_published_or_graded_wrongly_is_refused(
    slipped, before, after, told
):
    homework = slipped(before, after)
    if not told:
        return demand_sound(homework)
    with pytest.raises(PlainError) as caught:
        demand_sound(homework)
    assert str(caught.value).startswith(str(homework.checks("double")))
    assert told in str(caught.value)
    return None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import torch\n\nx = tensor(1)\n", ":3: NameError: name 'tensor' is not defined"),
        ("x = (\n", ":1: SyntaxError: '(' was never closed"),
        ("from autograder.checking import test_case\n\n\n@test_case\ndef f(double):\n    pass\n",
         ":4: TypeError: write `@test_case(points=…)`, with the points"),
        ("from autograder.checking import test_case\n\n\n@test_case(2, 1)\ndef f(d):\n    pass\n",
         ":4: TypeError: "),
    ],
)  # fmt: skip
def test_a_check_file_that_does_not_run_is_told_with_its_line(tmp_path, text, told):
    path = tmp_path / "double.py"
    path.write_text(text)
    with pytest.raises(HomeworkError) as caught:
        load_cases(path, "double", "1")
    assert str(caught.value).startswith(f"{path}{told}")


@pytest.fixture
def fresh_project(tmp_path):
    """A copy of the project without any homework."""
    shutil.copytree(ROOT / "autograder", tmp_path / "autograder")
    (tmp_path / "solutions").mkdir()
    for name in ("pyproject.toml", "constraints.txt", "solutions/__init__.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def test_a_homework_that_is_begun_can_be_built_graded_and_audited(fresh_project):
    def run(*arguments):
        done = command(*arguments, cwd=fresh_project)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "wrote assignments/tiny/notebook.py" in run("new", "tiny")
    run("build", "tiny")
    solved, starter = "solutions/tiny.ipynb", "student_starter/tiny/tiny.ipynb"
    run("grade", "tiny", solved, starter, "--out", "dist")
    found = [results(fresh_project / "dist", name) for name in ("tiny", "tiny-2")]
    assert [points(result) for result in found] == [
        {"padding_mask": 4, "combined_mask": 2},
        {"padding_mask": 0, "combined_mask": 0},
    ]
    assert "0 of 3 mistakes accepted, 0 of 2 right answers refused" in run("audit", "tiny")


@pytest.mark.parametrize("name", ["layer-norm", "seq2seq", "Äther", "2masks"])
def test_a_homework_of_a_name_that_cannot_be_used_is_not_begun(name):
    before = sorted((ROOT / "assignments").rglob("*"))
    done = command("new", name)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert name in done.stderr
    assert sorted((ROOT / "assignments").rglob("*")) == before
