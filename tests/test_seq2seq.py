"""The homework `seq2seq` from its notebooks to points, by our grader and by stock otter."""

import csv
import io
import json
import re
import shutil

import nbformat
import pytest

from autograder.bank import bank_names
from autograder.building.package import autograder_zip
from autograder.homework import ROOT
from autograder.samples import bank_answer
from tests.conftest import command, execute, otter_points, points, results

STARTER = ROOT / "student_starter" / "seq2seq"
POINTS = {
    "scaled_dot_product_attention": 16,
    "causal_mask": 8,
    "positional_encoding": 8,
    "shift_targets": 8,
    "smoothed_targets": 8,
    "smoothed_cross_entropy": 14,
    "greedy_decode": 12,
    "beam_search": 16,
    "train_step": 10,
    "train_translator": 10,
}


MISTAKEN = [
    {
        "scaled_dot_product_attention": "divides_by_d_k",
        "greedy_decode": "takes_highest_index_on_tie",
    },
    {
        "causal_mask": "hides_with_minus_billion",
        "smoothed_cross_entropy": "takes_zero_for_no_index",
        "beam_search": "drops_finished_hypotheses",
    },
    {
        "positional_encoding": "swaps_sine_and_cosine",
        "shift_targets": "keeps_bos_in_labels",
        "smoothed_targets": "smooths_over_other_classes",
        "train_step": "keeps_old_gradients",
    },
]


def mistake(homework, question, name):
    path = homework.folder / "mistakes" / f"{question}.py"
    return bank_answer(path, question, bank_names(path).index(name))


@pytest.fixture(scope="session")
def submissions(homework, author, tmp_path_factory):
    """A class: solved, untouched, each question alone, and three with mistakes."""
    folder = tmp_path_factory.mktemp("class")
    basics = author.answers([n for n in homework.question_names if n != "train_translator"])
    shutil.copy(ROOT / "solutions" / "seq2seq.ipynb", folder / "solved.ipynb")
    (folder / "starter.ipynb").write_bytes(author.notebook({}))
    for name in homework.question_names:
        (folder / f"only-{name}.ipynb").write_bytes(author.notebook(author.answers([name])))
    for number, names in enumerate(MISTAKEN):
        wrong = {question: mistake(homework, question, name) for question, name in names.items()}
        (folder / f"mistakes-{number}.ipynb").write_bytes(author.notebook(basics | wrong))
    return folder


@pytest.fixture(scope="session")
def graded(submissions, tmp_path_factory):
    """The class graded from the command line, as an instructor does it."""
    out = tmp_path_factory.mktemp("results")
    done = command("grade", "seq2seq", submissions, "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_the_points_are_those_of_the_specification(homework):
    assert {question.name: question.points for question in homework.questions} == POINTS
    assert homework.points == 100


def test_the_solved_notebook_has_all_points(graded):
    result = results(graded, "solved")
    assert points(result) == POINTS
    assert result["score"] == 110
    assert result["extra_data"]["warnings"] == []


def test_the_untouched_starter_has_none_and_ten_clear_messages(graded):
    result = results(graded, "starter")
    assert result["score"] == 0
    told = [t["output"] for t in result["tests"] if not t["output"].startswith("not run")]
    assert told == [
        f"`{name}` is not written yet: put your code in place of `raise NotImplementedError`"
        for name in POINTS
    ]


@pytest.mark.parametrize("name", POINTS)
def test_a_question_alone_has_its_points_and_no_others(graded, name):
    assert points(results(graded, f"only-{name}")) == {
        **dict.fromkeys(POINTS, 0),
        name: POINTS[name],
    }


def test_a_mistake_costs_its_own_question_only(graded):
    for number, names in enumerate(MISTAKEN):
        found = points(results(graded, f"mistakes-{number}"))
        lost = {question for question in found if found[question] < POINTS[question]}
        assert lost == {*names, "train_translator"}  # which is not answered


def test_results_have_the_form_that_is_promised(graded):
    result = results(graded, "mistakes-1")
    assert result["extra_data"].keys() == {
        "homework", "version", "seed", "isolation", "warnings", "seconds", "made_of",
    }  # fmt: skip
    assert result["extra_data"]["homework"] == "seq2seq"
    for test in result["tests"]:
        assert test.keys() >= {"name", "score", "max_score", "status", "output", "tags"}
        assert test["extra_data"].keys() == {
            "question", "case", "hidden", "misconception", "seconds",
        }  # fmt: skip
        assert test["status"] == ("passed" if test["score"] == test["max_score"] else "failed")
        assert bool(test["output"]) == (test["status"] == "failed")
    assert result["score"] == sum(test["score"] for test in result["tests"])


def test_hidden_cases_show_no_numbers_but_counts_and_shapes(graded):
    for path in graded.glob("*/results.json"):
        for test in json.loads(path.read_text())["tests"]:
            if test["extra_data"]["hidden"]:
                assert not re.search(r"\d\.\d|expected", test["output"]), test["output"]


def test_the_gradebook_has_a_row_for_each_submission(graded, submissions):
    rows = list(csv.DictReader(io.StringIO((graded / "gradebook.csv").read_text())))
    assert [row["submission"] for row in rows] == sorted(p.stem for p in submissions.iterdir())
    solved = next(row for row in rows if row["submission"] == "solved")
    assert {name: int(solved[name]) for name in POINTS} == POINTS
    assert (solved["score"], solved["max_score"]) == ("110", "100")


def test_stock_otter_gives_the_same_points(graded, submissions, homework, tmp_path, monkeypatch):
    """Wrong answers are compared on the same inputs: otter always draws them from seed 0."""
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    mistaken = [submissions / f"mistakes-{number}.ipynb" for number in range(len(MISTAKEN))]
    done = command("grade", "seq2seq", *mistaken, "--out", tmp_path / "ours", "--seed", 0)
    assert done.returncode == 0, done.stderr
    archive = tmp_path / "seq2seq.zip"
    archive.write_bytes(autograder_zip(homework))
    ours = {path.stem: tmp_path / "ours" for path in mistaken}
    for name, folder in {"solved": graded, "starter": graded, **ours}.items():
        theirs = otter_points(submissions / f"{name}.ipynb", archive, tmp_path)
        assert theirs == points(results(folder, name)), name


def test_the_starter_runs_with_only_not_implemented_errors(tmp_path):
    """Also under another name, and its checks answer."""
    folder = tmp_path / "homework"
    shutil.copytree(STARTER, folder)
    (folder / "seq2seq.ipynb").rename(folder / "my homework (1).ipynb")
    notebook = nbformat.read(folder / "my homework (1).ipynb", as_version=4)
    errors = execute(notebook, folder)
    assert {error["ename"] for _, error in errors} == {"NotImplementedError"}
    checks = {c["id"]: c["outputs"][0] for c in notebook.cells if c["id"].startswith("check-")}
    assert checks.keys() == {f"check-{name}" for name in POINTS}
    for name in POINTS:
        shown = checks[f"check-{name}"]["data"]["text/plain"]
        assert f"`{name}` is not written yet" in shown


def test_the_solved_notebook_runs_without_error_and_all_checks_pass(tmp_path):
    folder = tmp_path / "homework"
    shutil.copytree(STARTER, folder)
    notebook = nbformat.read(ROOT / "solutions" / "seq2seq.ipynb", as_version=4)
    assert execute(notebook, folder) == []
    for cell in notebook.cells:
        if cell["id"].startswith("check-"):
            assert re.search("public cases? pass", cell["outputs"][-1]["data"]["text/plain"])
    figures = [
        o for c in notebook.cells for o in c.get("outputs", []) if "image/png" in o.get("data", {})
    ]
    assert len(figures) >= 10


def test_bad_input_is_one_clear_line_each_and_the_rest_is_graded(author, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.ipynb").write_bytes(author.notebook(author.answers(["causal_mask"])))
    (folder / "empty.ipynb").write_bytes(b"")
    (folder / "page.ipynb").write_text("<html>Log in</html>")
    other = json.loads(author.notebook({}))
    other["metadata"]["otter"]["assignment_name"] = "copy_task"
    (folder / "other.ipynb").write_text(json.dumps(other))
    two = tmp_path / "two"
    two.mkdir()
    for name in ("a.ipynb", "b.ipynb"):
        (two / name).write_bytes(author.notebook({}))
    shutil.make_archive(str(folder / "two"), "zip", two)
    out = tmp_path / "out"
    done = command("grade", "seq2seq", folder, "--out", out)
    assert done.returncode == 0
    assert results(out, "good")["score"] == 8
    for name, words in {
        "empty": "empty.ipynb is empty",
        "page": "page.ipynb is a web page, not a notebook",
        "other": "this is the homework 'copy_task', not 'seq2seq'",
        "two": "the zip holds 2 notebooks (a.ipynb, b.ipynb): hand in one",
    }.items():
        result = results(out, name)
        assert result["score"] == 0
        assert result["output"].startswith(f"Nothing could be graded: {words}")
        (line,) = [line for line in done.stderr.splitlines() if line.startswith(f"{name}: ")]
        assert words in line


def test_an_unknown_homework_and_an_empty_folder_are_one_clear_line(tmp_path):
    done = command("grade", "seq3seq", tmp_path, "--out", tmp_path / "out")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    done = command("grade", "seq2seq", tmp_path, "--out", tmp_path / "out")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


def test_fail_below_decides_the_exit_code(author, tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(author.notebook(author.answers(["causal_mask"])))
    for threshold, code in ((8, 0), (9, 1)):
        done = command("grade", "seq2seq", path, "--out", tmp_path / "o", "--fail-below", threshold)
        assert done.returncode == code


def test_a_submission_that_cannot_be_graded_alone_is_exit_code_2(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(b"")
    done = command("grade", "seq2seq", path, "--out", tmp_path / "o", "--fail-below", 1)
    assert done.returncode == 2
