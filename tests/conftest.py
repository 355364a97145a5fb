"""Tiny submissions, and one place where the expensive ones are graded once for all tests."""

import json
import os
import subprocess
import sys
from pathlib import Path

import nbclient
import pytest
import torch

from autograder.grading.engine import grade
from autograder.grading.intake import Cell, Submission
from autograder.grading.launchers import open_launcher
from autograder.homework import ROOT, Homework, Limits, load_homework
from autograder.samples import Author

os.environ.setdefault("OMP_NUM_THREADS", "1")  # of programs that tests start
torch.set_num_threads(1)


@pytest.fixture(scope="session")
def homework():
    return load_homework("seq2seq")


@pytest.fixture(scope="session")
def author(homework):
    return Author(homework)


def command(*arguments, cwd=ROOT):
    """Run the command line as a person does; returns the finished process."""
    return subprocess.run(
        [sys.executable, "-m", "autograder", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


def results(out: Path, name: str) -> dict:
    """Read what the grader wrote about a submission."""
    return json.loads((out / name / "results.json").read_text(encoding="utf-8"))


def points(result: dict) -> dict[str, int]:
    """Add a result's points up by question."""
    total: dict[str, int] = {}
    for test in result["tests"]:
        question = test["extra_data"]["question"]
        total[question] = total.get(question, 0) + test["score"]
    return total


def otter_points(notebook, archive, folder):
    """Grade with stock otter; returns points by question."""
    done = subprocess.run(
        [sys.executable, "-m", "otter", "run", "-a", archive, "-o", folder, notebook],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    tests = json.loads((folder / "results.json").read_text())["tests"]
    return {t["name"]: t["score"] for t in tests if "score" in t}


def execute(notebook, folder, timeout=300):
    """Run a notebook in a folder; return the errors, each with its cell's id."""
    client = nbclient.NotebookClient(
        notebook,
        timeout=timeout,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return [
        (cell["id"], output)
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]


TINY_CHECKS = {
    "double": '''
from autograder.checking import assert_number, test_case

OK_FORMAT = False
name = "double"


@test_case(points=1)
def two(double):
    """Twice 2 is 4"""
    assert_number(double(2), 4, "the result")


@test_case(points=2, hidden=True)
def many(double, rng):
    """Numbers that are drawn"""
    import torch

    for number in torch.randint(5, 99, (3,), generator=rng).tolist():
        assert_number(double(number), 2 * number, "the result")
''',
    "apply": '''
from autograder.checking import assert_tokens, driver, test_case

OK_FORMAT = False
name = "apply"


@driver
def squares(apply, numbers):
    return apply(lambda n: n * n, numbers)


@test_case(points=3)
def callback(apply):
    """The function is called for each number"""
    calls = []

    def step(number):
        calls.append(number)
        return number + 1

    assert_tokens(apply(step, [1, 2, 3]), [2, 3, 4])
    assert_tokens(calls, [1, 2, 3], "the calls")


@test_case(points=1, hidden=True)
def driven(apply):
    """A function that lives beside the student's"""
    assert_tokens(squares(apply, [2, 3]), [4, 9])
''',
}


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A homework of two questions, double (3 points) and apply (4 points), with short limits."""
    root = tmp_path_factory.mktemp("tiny")
    (root / "checks").mkdir()
    for name, text in TINY_CHECKS.items():
        (root / "checks" / f"{name}.py").write_text(text, encoding="utf-8")
    (root / "data").mkdir()
    (root / "data" / "factor.txt").write_text("2", encoding="utf-8")

    class Tiny(Homework):
        folder = root
        version = "test"

    return Tiny(
        name="tiny",
        title="Tiny",
        question_names=("double", "apply"),
        numbers={"double": "1", "apply": "2"},
        stretch=frozenset(),
        requirements=(),
        limits=Limits(load_seconds=3, case_seconds=1, total_seconds=60),
        case_seconds={},
    )


@pytest.fixture(scope="session")
def launcher():
    """One fork server for all tests, at the strongest level that works here."""
    with open_launcher() as opened:
        yield opened


@pytest.fixture
def grade_cells(tiny, launcher):
    """Grade cells of code as a submission to the tiny homework."""

    def run(*sources, seed=None):
        cells = tuple(Cell(number, source) for number, source in enumerate(sources))
        return grade(Submission("someone", cells), tiny, seed, launcher)

    return run


def by_case(result):
    """Map the cases' names to (passed, message)."""
    return {case.case.name: (case.passed, case.message) for case in result.cases}
