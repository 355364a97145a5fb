"""Each homework from its files to points, by our grader and by stock otter.

What is here holds of every homework below `assignments/`, whose names stand nowhere here.
`test_notebooks.py` runs their notebooks; `test_course.py` says what the homeworks of this course
must have besides.
"""

import csv
import doctest
import functools
import importlib
import re
import shutil

import pytest

from autograder.bank import MISTAKES
from autograder.building.package import autograder_zip
from autograder.homework import homework_names, load_homework
from autograder.samples import Author
from tests.conftest import command, otter_points, points, results

MISTAKEN = 3
QUESTIONS = [
    pytest.param(name, question, id=f"{name}-{question}")
    for name in homework_names()
    for question in load_homework(name).quick_names
]
every_homework = pytest.mark.parametrize("name", homework_names())
loaded = functools.cache(load_homework)


def all_points(name):
    return {question.name: question.points for question in loaded(name).questions}


def mistakes(homework, author, start=0, step=1):
    """Take the first known mistake of every `step`-th quick question, where a bank has any."""
    return author.bank(MISTAKES, list(homework.quick_names[start::step]), 0)


def write_class(homework, folder):
    """Write a class: solved, untouched, single questions, some mistakes, all right, all wrong.

    What trains for long is answered in the solved notebook only.
    """
    author = Author(homework)
    right = author.answers(homework.question_names)
    quick = {name: right[name] for name in homework.quick_names}
    shutil.copy(homework.solutions.with_suffix(".ipynb"), folder / "solved.ipynb")
    (folder / "starter.ipynb").write_bytes(author.notebook({}))
    (folder / "all-right.ipynb").write_bytes(author.notebook(quick))
    for question, answer in quick.items():
        (folder / f"only-{question}.ipynb").write_bytes(author.notebook({question: answer}))
    for number in range(MISTAKEN):
        answers = quick | mistakes(homework, author, number, MISTAKEN)
        (folder / f"mistakes-{number}.ipynb").write_bytes(author.notebook(answers))
    answers = quick | mistakes(homework, author)
    (folder / "all-wrong.ipynb").write_bytes(author.notebook(answers))


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory):
    """Return a function that writes a homework's class, once."""

    @functools.cache
    def folder_of(name):
        folder = tmp_path_factory.mktemp(f"{name}-class")
        write_class(loaded(name), folder)
        return folder

    return folder_of


@pytest.fixture(scope="module")
def graded(handed_in, tmp_path_factory):
    """Return a function that grades a class from the command line, once.

    The seed is the one from which otter always draws.
    """

    @functools.cache
    def folder_of(name):
        out = tmp_path_factory.mktemp(f"{name}-results")
        finished = command("grade", name, handed_in(name), "--out", out, "--seed", 0)
        assert finished.returncode == 0, finished.stdout + finished.stderr
        return out

    return folder_of


@every_homework
def test_the_solved_notebook_has_all_points(name, graded):
    result = results(graded(name), "solved")
    assert points(result) == all_points(name)
    assert result["score"] == sum(all_points(name).values())
    assert result["extra_data"]["warnings"] == []


@every_homework
def test_the_untouched_starter_has_none_and_a_clear_message_for_each_question(name, graded):
    result = results(graded(name), "starter")
    assert result["score"] == 0
    told = [t["output"] for t in result["tests"] if not t["output"].startswith("not run")]
    assert told == [
        f"`{question}` is not written yet: put your code in place of `raise NotImplementedError`"
        for question in all_points(name)
    ]


@pytest.mark.parametrize(("name", "question"), QUESTIONS)
def test_a_question_alone_has_its_points_and_no_others(name, question, graded):
    full = all_points(name)
    found = points(results(graded(name), f"only-{question}"))
    assert found == {**dict.fromkeys(full, 0), question: full[question]}


@every_homework
def test_a_mistake_costs_its_own_question_only_and_is_named(name, graded):
    homework, full = loaded(name), all_points(name)
    for number in range(MISTAKEN):
        wrong = mistakes(homework, Author(homework), number, MISTAKEN)
        result = results(graded(name), f"mistakes-{number}")
        lost = {question for question, n in points(result).items() if n < full[question]}
        assert lost == {*wrong, *homework.slow_names}  # which are not answered
        for test in result["tests"]:
            extra = test["extra_data"]
            if test["status"] == "failed" and extra["question"] in wrong:
                assert extra["misconception"], (extra["question"], extra["case"], test["output"])


@every_homework
def test_stock_otter_gives_the_same_points(name, graded, handed_in, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    archive = tmp_path / f"{name}.zip"
    archive.write_bytes(autograder_zip(loaded(name)))
    for submission in ("all-right", "all-wrong"):
        theirs = otter_points(handed_in(name) / f"{submission}.ipynb", archive, tmp_path)
        assert theirs == points(results(graded(name), submission)), submission


@every_homework
def test_results_and_the_report_call_questions_as_the_homework_does(name, graded):
    """`build` compares the handout's headings with the same numbers."""
    numbers = list(loaded(name).numbers.values())
    tests = results(graded(name), "solved")["tests"]
    assert list(dict.fromkeys(test["number"].split(".")[0] for test in tests)) == numbers
    assert command("report", graded(name)).returncode == 0
    page = (graded(name) / "report.html").read_text()
    assert all(f'">{number}</td><th scope="row">' in page for number in numbers)


@every_homework
def test_results_have_the_form_that_is_promised(name, graded):
    result = results(graded(name), "mistakes-1")
    assert result["extra_data"].keys() == {
        "homework", "version", "seed", "isolation", "warnings", "seconds", "made_of",
    }  # fmt: skip
    assert result["extra_data"]["homework"] == name
    for test in result["tests"]:
        assert test.keys() >= {"name", "score", "max_score", "status", "output", "tags"}
        assert test["extra_data"].keys() == {
            "question", "case", "hidden", "misconception", "seconds",
        }  # fmt: skip
        assert test["status"] == ("passed" if test["score"] == test["max_score"] else "failed")
        assert bool(test["output"]) == (test["status"] == "failed")
    assert result["score"] == sum(test["score"] for test in result["tests"])


@every_homework
def test_hidden_cases_show_no_numbers_but_counts_and_shapes(name, graded):
    for folder in graded(name).glob("*/"):
        for test in results(graded(name), folder.name)["tests"]:
            if test["extra_data"]["hidden"]:
                assert not re.search(r"\d\.\d|expected", test["output"]), test["output"]


@every_homework
def test_the_gradebook_has_a_row_for_each_submission(name, graded, handed_in):
    rows = list(csv.DictReader((graded(name) / "gradebook.csv").read_text().splitlines()))
    assert [row["submission"] for row in rows] == sorted(p.stem for p in handed_in(name).iterdir())
    solved = next(row for row in rows if row["submission"] == "solved")
    full = all_points(name)
    assert {question: int(solved[question]) for question in full} == full
    assert int(solved["score"]) == sum(full.values())
    assert int(solved["max_score"]) == loaded(name).points


@every_homework
def test_the_examples_in_the_docstrings_are_true(name, monkeypatch):
    """In the folder with the data, as in the notebook."""
    monkeypatch.chdir(loaded(name).folder)
    for path in loaded(name).modules:
        assert doctest.testmod(importlib.import_module(f"solutions.{path.stem}")).failed == 0
