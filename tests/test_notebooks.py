"""Each homework's notebooks, run from the top as students run them: every homework there is."""

import functools
import re
import shutil

import nbformat
import pytest

from autograder.homework import ROOT, homework_names, load_homework
from tests.conftest import execute
from tests.test_course import FIGURES

every_homework = pytest.mark.parametrize("name", homework_names())


def starter_folder(name, parent):
    return shutil.copytree(ROOT / "student_starter" / name, parent / "homework")


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Return a function that runs a homework's solved notebook, once: it and its errors."""

    @functools.cache
    def run(name):
        notebook = nbformat.read(ROOT / "solutions" / f"{name}.ipynb", as_version=4)
        return notebook, execute(notebook, starter_folder(name, tmp_path_factory.mktemp(name)))

    return run


@every_homework
def test_the_starter_runs_with_only_not_implemented_errors(name, tmp_path):
    """Also under another name, and its checks answer."""
    folder = starter_folder(name, tmp_path)
    path = (folder / f"{name}.ipynb").rename(folder / "my homework (1).ipynb")
    notebook = nbformat.read(path, as_version=4)
    errors = execute(notebook, folder)
    assert {error["ename"] for _, error in errors} <= {"NotImplementedError"}
    checks = {c["id"]: c["outputs"][0] for c in notebook.cells if c["id"].startswith("check-")}
    questions = load_homework(name).question_names
    assert checks.keys() == {f"check-{question}" for question in questions}
    for question in questions:
        shown = checks[f"check-{question}"]["data"]["text/plain"]
        assert f"`{question}` is not written yet" in shown


@every_homework
def test_the_solved_notebook_runs_without_error_and_all_checks_pass(name, solved):
    notebook, errors = solved(name)
    assert errors == []
    for cell in notebook.cells:
        if cell["id"].startswith("check-"):
            assert re.search("public cases? pass", cell["outputs"][-1]["data"]["text/plain"])


@pytest.mark.parametrize("name", FIGURES)
def test_a_notebook_of_this_course_has_figures(name, solved):
    notebook, _ = solved(name)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    drawn = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(drawn) >= FIGURES[name]
