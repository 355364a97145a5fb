"""Each homework from its notebooks to points, as students and instructors meet it.

`seq2seq` has tests of its own, in which more of the program is tried on it.
"""

import re
import shutil
from string import ascii_lowercase

import nbformat
import pytest

from autograder.bank import MISTAKES, VARIANTS, bank_names, read_bank
from autograder.building.package import autograder_zip
from autograder.homework import ROOT, load_homework
from autograder.samples import Author, bank_answer
from tests.conftest import command, execute, otter_points, points, results

ROWS = {  # as in the specification's tables: each row's questions, and their points
    "copy_task": [
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
    ],
    "digit_reader": [
        {"compose": 10},
        {"patchify": 10},
        {"decoder_tensors": 10},
        {"EncoderBlock": 8, "DecoderBlock": 12},
        {"Reader": 16},
        {"read": 12},
        {"exact_sequence": 8},
        {"attention_thirds": 6},
        {"train_reader": 8},
    ],
}
SUMS = {
    "copy_task": [6, 8, 8, 16, 20, 8, 12, 16, 6],
    "digit_reader": [10, 10, 10, 20, 16, 12, 8, 6, 8],
}
POINTS = {
    homework: {name: points for row in rows for name, points in row.items()}
    for homework, rows in ROWS.items()
}
QUESTIONS = [
    pytest.param(homework, name, id=f"{homework}-{name}")
    for homework in POINTS
    for name in POINTS[homework]
]
every_homework = pytest.mark.parametrize("name", POINTS)


def first_mistake(homework, question, right):
    path = homework.bank(MISTAKES, question)
    return bank_answer(path, question, 0, right[question])


def write_class(homework, folder):
    """Write a class: solved, untouched, each question alone, and three with mistakes."""
    author, name = Author(homework), homework.name
    right = author.answers(POINTS[name])
    shutil.copy(homework.solutions.with_suffix(".ipynb"), folder / "solved.ipynb")
    (folder / "starter.ipynb").write_bytes(author.notebook({}))
    for question in POINTS[name]:
        alone = author.notebook({question: right[question]})
        (folder / f"only-{question}.ipynb").write_bytes(alone)
    for number in range(3):
        some = homework.quick_names[number::3]
        wrong = {question: first_mistake(homework, question, right) for question in some}
        answers = {question: right[question] for question in homework.quick_names} | wrong
        (folder / f"mistakes-{number}.ipynb").write_bytes(author.notebook(answers))


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Return a function that grades a homework's class from the command line, once."""
    done = {}

    def folder_of(name):
        if name not in done:
            submissions = tmp_path_factory.mktemp(f"{name}-class")
            write_class(load_homework(name), submissions)
            done[name] = tmp_path_factory.mktemp(f"{name}-results")
            finished = command("grade", name, submissions, "--out", done[name])
            assert finished.returncode == 0, finished.stdout + finished.stderr
        return done[name]

    return folder_of


@every_homework
def test_the_points_are_those_of_the_specification(name):
    homework = load_homework(name)
    assert {question.name: question.points for question in homework.questions} == POINTS[name]
    assert [sum(row.values()) for row in ROWS[name]] == SUMS[name]
    assert homework.points == 100


@every_homework
def test_results_call_questions_as_the_handout_does(name, graded):
    """A row of one question is 3, a row of several is 4a, 4b."""
    numbers = [
        f"{number}{letter}"
        for number, row in enumerate(ROWS[name], 1)
        for letter in (ascii_lowercase[: len(row)] if len(row) > 1 else [""])
    ]
    tests = results(graded(name), "solved")["tests"]
    assert list(dict.fromkeys(test["number"].split(".")[0] for test in tests)) == numbers
    assert command("report", graded(name)).returncode == 0
    page = (graded(name) / "report.html").read_text()
    assert all(f'">{number}</td><th scope="row">' in page for number in numbers)


@every_homework
def test_the_solved_notebook_has_all_points(name, graded):
    result = results(graded(name), "solved")
    assert points(result) == POINTS[name]
    assert result["extra_data"]["warnings"] == []


@every_homework
def test_the_untouched_starter_has_none_and_a_clear_message_for_each_question(name, graded):
    result = results(graded(name), "starter")
    assert result["score"] == 0
    told = [t["output"] for t in result["tests"] if not t["output"].startswith("not run")]
    assert told == [
        f"`{question}` is not written yet: put your code in place of `raise NotImplementedError`"
        for question in POINTS[name]
    ]


@pytest.mark.parametrize(("name", "question"), QUESTIONS)
def test_a_question_alone_has_its_points_and_no_others(name, question, graded):
    found = points(results(graded(name), f"only-{question}"))
    assert found == {**dict.fromkeys(POINTS[name], 0), question: POINTS[name][question]}


@every_homework
def test_a_mistake_costs_its_own_question_only_and_is_named(name, graded):
    for number in range(3):
        result = results(graded(name), f"mistakes-{number}")
        quick = load_homework(name).quick_names
        lost = {q for q in quick if points(result)[q] < POINTS[name][q]}
        assert lost == set(quick[number::3])
        for test in result["tests"]:
            extra = test["extra_data"]
            if test["status"] == "failed" and extra["question"] in quick:
                assert extra["misconception"], (extra["question"], extra["case"], test["output"])


@every_homework
def test_stock_otter_gives_the_same_points(name, graded, tmp_path, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    archive = tmp_path / f"{name}.zip"
    archive.write_bytes(autograder_zip(load_homework(name)))
    solved = ROOT / "solutions" / f"{name}.ipynb"
    assert otter_points(solved, archive, tmp_path) == points(results(graded(name), "solved"))


@every_homework
def test_the_starter_runs_with_only_not_implemented_errors(name, tmp_path):
    folder = tmp_path / "homework"
    shutil.copytree(ROOT / "student_starter" / name, folder)
    notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    errors = execute(notebook, folder)
    assert {error["ename"] for _, error in errors} == {"NotImplementedError"}
    checks = {c["id"]: c["outputs"][0] for c in notebook.cells if c["id"].startswith("check-")}
    for question in POINTS[name]:
        shown = checks[f"check-{question}"]["data"]["text/plain"]
        assert f"`{question}` is not written yet" in shown


@every_homework
def test_the_solved_notebook_runs_without_error_and_all_checks_pass(name, tmp_path):
    folder = tmp_path / "homework"
    shutil.copytree(ROOT / "student_starter" / name, folder)
    notebook = nbformat.read(ROOT / "solutions" / f"{name}.ipynb", as_version=4)
    assert execute(notebook, folder) == []
    for cell in notebook.cells:
        if cell["id"].startswith("check-"):
            assert re.search("public cases? pass", cell["outputs"][-1]["data"]["text/plain"])
    outputs = [o for cell in notebook.cells for o in cell.get("outputs", [])]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 5


@pytest.mark.parametrize(("name", "question"), QUESTIONS)
def test_there_are_mistakes_and_right_answers_enough_and_each_hint_has_two_sentences(
    name, question
):
    homework = load_homework(name)
    mistakes = read_bank(homework, MISTAKES, question)
    assert len(mistakes) >= 15
    assert len(bank_names(homework.bank(VARIANTS, question))) >= 8
    for known in mistakes:
        assert known.function.__doc__.count("\n\n") == 1, known.name
        assert 40 < len(known.hint) < 240, known.name
