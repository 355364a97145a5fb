"""The homework `copy_task` from its notebooks to points, and tests that students write for it."""

import dataclasses
import re
import shutil

import nbformat
import pytest

from autograder.bank import MISTAKES, VARIANTS, read_bank
from autograder.building.package import autograder_zip
from autograder.grading.engine import grade
from autograder.grading.intake import Cell, Submission
from autograder.homework import ROOT, load_homework
from autograder.samples import Author, bank_answer, bank_names
from tests.conftest import command, execute, otter_points, points, results

HOMEWORK = load_homework("copy_task")
AUTHOR = Author(HOMEWORK)
STARTER = ROOT / "student_starter" / "copy_task"
ROWS = [
    {"make_dataset": 6},
    {"make_batch": 8},
    {"attention_masks": 8},
    {"numpy_attention": 6, "numpy_layer_norm": 4, "numpy_encoder_block": 6},
    {"MultiHeadAttention": 6, "EncoderBlock": 4, "DecoderBlock": 4, "TinyTransformer": 6},
    {"training_loss": 8},
    {"generate": 12},
    {
        "check_future_tokens": 4,
        "check_source_padding": 4,
        "check_prefixes": 4,
        "check_masked_weights": 4,
    },
    {"make_reverse_batch": 6},
]
POINTS = {name: points for row in ROWS for name, points in row.items()}


def mistake(question, name):
    path = HOMEWORK.bank("mistakes", question)
    reference = AUTHOR.answers([question])[question]
    return bank_answer(path, question, bank_names(path).index(name), reference)


def first_mistakes(questions):
    return {q: mistake(q, bank_names(HOMEWORK.bank("mistakes", q))[0]) for q in questions}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A class graded from the command line: solved, untouched, each question alone, mistakes."""
    folder, out = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("results")
    right = AUTHOR.answers(POINTS)
    shutil.copy(ROOT / "solutions" / "copy_task.ipynb", folder / "solved.ipynb")
    (folder / "starter.ipynb").write_bytes(AUTHOR.notebook({}))
    for name in POINTS:
        (folder / f"only-{name}.ipynb").write_bytes(AUTHOR.notebook({name: right[name]}))
    for number in range(3):
        wrong = first_mistakes(list(POINTS)[number::3])
        (folder / f"mistakes-{number}.ipynb").write_bytes(AUTHOR.notebook(right | wrong))
    done = command("grade", "copy_task", folder, "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_the_points_are_those_of_the_specification():
    assert {question.name: question.points for question in HOMEWORK.questions} == POINTS
    assert [sum(row.values()) for row in ROWS] == [6, 8, 8, 16, 20, 8, 12, 16, 6]
    assert HOMEWORK.points == 100


def test_the_solved_notebook_has_all_points(graded):
    result = results(graded, "solved")
    assert points(result) == POINTS
    assert result["extra_data"]["warnings"] == []


def test_the_untouched_starter_has_none_and_a_clear_message_for_each_question(graded):
    result = results(graded, "starter")
    assert result["score"] == 0
    told = [t["output"] for t in result["tests"] if not t["output"].startswith("not run")]
    assert told == [
        f"`{name}` is not written yet: put your code in place of `raise NotImplementedError`"
        for name in POINTS
    ]


@pytest.mark.parametrize("name", POINTS)
def test_a_question_alone_has_its_points_and_no_others(graded, name):
    found = points(results(graded, f"only-{name}"))
    assert found == {**dict.fromkeys(POINTS, 0), name: POINTS[name]}


def test_a_mistake_costs_its_own_question_only_and_is_named(graded):
    for number in range(3):
        result = results(graded, f"mistakes-{number}")
        lost = {name for name, found in points(result).items() if found < POINTS[name]}
        assert lost == set(list(POINTS)[number::3])
        for test in result["tests"]:
            extra = test["extra_data"]
            if test["status"] == "failed":
                assert extra["misconception"], (extra["question"], extra["case"], test["output"])


def test_stock_otter_gives_the_same_points(graded, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    archive = tmp_path / "copy_task.zip"
    archive.write_bytes(autograder_zip(HOMEWORK))
    solved = ROOT / "solutions" / "copy_task.ipynb"
    assert otter_points(solved, archive, tmp_path) == points(results(graded, "solved"))


def test_the_starter_runs_with_only_not_implemented_errors(tmp_path):
    folder = tmp_path / "homework"
    shutil.copytree(STARTER, folder)
    notebook = nbformat.read(folder / "copy_task.ipynb", as_version=4)
    errors = execute(notebook, folder)
    assert {error["ename"] for _, error in errors} == {"NotImplementedError"}
    checks = {c["id"]: c["outputs"][0] for c in notebook.cells if c["id"].startswith("check-")}
    for name in POINTS:
        shown = checks[f"check-{name}"]["data"]["text/plain"]
        assert f"`{name}` is not written yet" in shown


def test_the_solved_notebook_runs_without_error_and_all_checks_pass(tmp_path):
    folder = tmp_path / "homework"
    shutil.copytree(STARTER, folder)
    notebook = nbformat.read(ROOT / "solutions" / "copy_task.ipynb", as_version=4)
    assert execute(notebook, folder) == []
    for cell in notebook.cells:
        if cell["id"].startswith("check-"):
            assert re.search("public cases? pass", cell["outputs"][-1]["data"]["text/plain"])
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 5


def test_there_are_mistakes_and_right_answers_enough_and_each_hint_has_two_sentences():
    for question in POINTS:
        mistakes = read_bank(HOMEWORK, MISTAKES, question)
        assert len(mistakes) >= 15, question
        assert len(read_bank(HOMEWORK, VARIANTS, question)) >= 8, question
        for known in mistakes:
            assert known.function.__doc__.count("\n\n") == 1, (question, known.name)
            assert 40 < len(known.hint) < 240, (question, known.name)


# Tests that students write

IMPORTS = """
import numpy as np
import torch
import torch.nn.functional as F
from collections.abc import Callable
from torch import Tensor
from typing import Any
"""
DESERVED = {
    ("check_future_tokens", "never_raises"): (0, "it never raises"),
    ("check_future_tokens", "always_raises"): (0, "refuses each model, right or broken"),
    ("check_future_tokens", "tests_the_shape_only"): (0, "it never raises"),
    ("check_future_tokens", "tests_the_loss_only"): (0, "it never raises"),
    ("check_future_tokens", "demands_a_trained_model"): (0, "one that is not trained"),
    ("check_future_tokens", "compares_position_0_only"): (2, "looks ahead in the second half only"),
    ("check_future_tokens", "demands_equal_bits"): (3, "rounds as another machine would"),
    ("check_future_tokens", "asks_at_one_length"): (2, "targets longer than the lesson's"),
    ("check_source_padding", "never_asks_about_a_row_alone"): (3, "one of them"),
    ("check_prefixes", "compares_the_first_row_only"): (3, "one row of the batch only"),
    ("check_masked_weights", "tolerates_tiny_weights"): (3, "hides almost all of a weight"),
    ("check_masked_weights", "tests_sums_only"): (0, "shares equally among all keys"),
}


@pytest.mark.parametrize(
    ("question", "name"), [pytest.param(*key, id="-".join(key)) for key in DESERVED]
)
def test_a_students_test_has_the_points_that_it_deserves_and_is_told_why(question, name, launcher):
    deserved, words = DESERVED[question, name]
    alone = dataclasses.replace(HOMEWORK, question_names=(question,))
    cells = (Cell(0, IMPORTS), Cell(1, mistake(question, name)))
    result = grade(Submission("someone", cells), alone, seed=1, launcher=launcher)
    assert result.score == deserved
    told = [case.message for case in result.cases if not case.passed]
    assert any(words in message for message in told), told
    assert {case.misconception for case in result.cases if not case.passed} != {None}


def test_a_test_that_calls_the_model_wrongly_is_told_how(launcher):
    alone = dataclasses.replace(HOMEWORK, question_names=("check_prefixes",))
    source = "def check_prefixes(model):\n    model(torch.zeros(2, 3), torch.ones(2, 3))"
    cells = (Cell(0, IMPORTS), Cell(1, source))
    result = grade(Submission("someone", cells), alone, seed=1, launcher=launcher)
    assert result.score == 0
    hidden = [case.message for case in result.cases if case.case.hidden]
    assert hidden[0].startswith("`model` is called with a source that is no (B, n) tensor of ints")
