"""What runs on GitHub: a student's workflow, the instructor's, and the action between them."""

import json
import re
import shutil

import pytest

from autograder.homework import ROOT
from tests import workflows
from tests.conftest import results

STUDENTS = sorted((ROOT / "student_starter").glob("*/.github/workflows/*.yml"))
OURS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"
WRONG = "def causal_mask(size):\n    # too early\n    return torch.zeros(size, size)"
RAISES = "def shift_targets(tokens):\n    first = tokens\n    return first[:, 9], first[:, 9]"


@pytest.fixture(scope="module")
def filled_in(author, tmp_path_factory):
    """A bare folder with a notebook: two right answers, a wrong one, one that raises."""
    folder = tmp_path_factory.mktemp("bare")
    answers = author.answers(["positional_encoding", "smoothed_targets"])
    answers |= {"causal_mask": WRONG, "shift_targets": RAISES}
    (folder / "my work, 50% (1).ipynb").write_bytes(author.notebook(answers))
    return folder


@pytest.fixture(scope="module")
def checked(filled_in, tmp_path_factory):
    """The student's workflow, run on that folder."""
    job = workflows.read(STUDENTS[-1])["jobs"]["check"]
    return workflows.run(
        job["steps"],
        filled_in,
        tmp_path_factory.mktemp("github"),
        values={"vars.TORCH_INDEX": ""},
        env=job["env"],
    )


def line_of(folder, text):
    path = next(folder.glob("*.ipynb"))
    lines = path.read_text(encoding="utf-8").splitlines()
    return str(next(n for n, line in enumerate(lines, 1) if text in line))


def test_a_students_steps_need_nothing_but_the_notebook(filled_in, checked):
    assert checked.code == 1, checked.printed  # it is not finished
    assert {"check_all.py", "checking.py", "tests"} <= {path.name for path in filled_in.iterdir()}


def test_a_students_failures_stand_at_the_right_line_of_the_right_file(filled_in, checked):
    mask, shift = checked.annotations
    file = "my work%2C 50%25 (1).ipynb"
    assert mask[0] == {
        "file": file, "line": line_of(filled_in, "def causal_mask"),
        "title": "causal_mask%3A the public case fails",
    }  # fmt: skip
    assert "3 of 9 values are wrong: at [0, 1] expected -inf, got 0" in mask[1]
    assert (shift[0]["file"], shift[0]["line"]) == (file, line_of(filled_in, "return first[:, 9]"))
    assert "your code raised IndexError" in shift[1]


def test_a_students_summary_has_a_row_for_each_question(checked, homework):
    assert "2 of 10 questions pass their public cases." in checked.summary
    assert re.findall(r"[✓✗○] <code>(\w+)</code>", checked.summary) == list(homework.question_names)
    assert "not written yet" in checked.summary


@pytest.fixture(scope="module")
def graded(filled_in, tmp_path_factory):
    """The instructor's action, run on the same notebook; returns how it went and the workspace."""
    workspace = tmp_path_factory.mktemp("workspace")
    (workspace / "assignments").symlink_to(ROOT / "assignments")
    (workspace / "submissions" / "seq2seq").mkdir(parents=True)
    shutil.copy(
        next(filled_in.glob("*.ipynb")), workspace / "submissions" / "seq2seq" / "ann.ipynb"
    )
    inputs = {
        name: given.get("default", "") for name, given in workflows.read(ACTION)["inputs"].items()
    }
    inputs |= {"homework": "seq2seq", "submissions": "submissions/seq2seq", "fail-below": 60}
    values = {f"inputs.{name}": value for name, value in inputs.items()}
    values["inputs.isolation"] = (
        "plain"  # what each machine has; which level works is tested elsewhere
    )
    ran = workflows.run(
        workflows.read(ACTION)["runs"]["steps"],
        workspace,
        tmp_path_factory.mktemp("github"),
        values=values,
        env={"GITHUB_ACTION_PATH": ROOT, "RUNNER_OS": "Linux", "PYTHONPATH": ROOT},
        skip={"Install"},
    )
    return ran, workspace


def test_the_action_grades_all_cases_and_shows_failures_at_their_lines(graded, homework):
    ran, workspace = graded
    assert ran.code == 1, ran.printed  # 60 points are asked for
    cases = results(workspace / "results", "ann")["tests"]
    assert len(cases) == sum(len(question.cases) for question in homework.questions)
    shown = {
        facts["title"].partition("%3A")[0]: facts
        for facts, _ in ran.annotations
        if "title" in facts
    }
    assert shown["causal_mask"]["file"] == "submissions/seq2seq/ann.ipynb"
    folder = workspace / "submissions" / "seq2seq"
    assert shown["causal_mask"]["line"] == line_of(folder, "def causal_mask")
    assert (workspace / "results" / "junit.xml").is_file()
    assert ran.outputs["key"].startswith("grade-pip-Linux-3.11-")


def test_public_cases_go_the_same_way_for_the_student_and_the_grader(checked, graded):
    tests = results(graded[1] / "results", "ann")["tests"]
    ours = {}
    for test in tests:
        if not test["extra_data"]["hidden"]:
            ours.setdefault(test["extra_data"]["question"], []).append(test["status"] == "passed")
    found = re.findall(r"<code>(\w+)</code></td>\s*<td[^>]*>(\d+) of (\d+)", checked.summary)
    theirs = {question: (int(passed), int(count)) for question, passed, count in found}
    assert theirs == {question: (sum(passed), len(passed)) for question, passed in ours.items()}


def test_the_instructors_workflow_finds_what_was_handed_in(graded, tmp_path):
    job = workflows.read(ROOT / ".github" / "workflows" / "grade.yml")["jobs"]["collect"]
    ran = workflows.run(job["steps"], graded[1], tmp_path)
    assert json.loads(ran.outputs["homeworks"]) == ["seq2seq"]
    assert (graded[1] / "submissions.tar").is_file()
    (tmp_path / "empty" / "submissions").mkdir(parents=True)
    nothing = workflows.run(job["steps"], tmp_path / "empty", tmp_path)
    assert (nothing.code, len(nothing.annotations)) == (2, 1)


@pytest.mark.parametrize("path", [*OURS, *STUDENTS, ACTION], ids=lambda path: path.name)
def test_actions_are_pinned_and_keep_no_credentials(path):
    text = path.read_text(encoding="utf-8")
    for used in re.findall(r"uses: (.*)", text):
        assert used == "./" or re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", used), used
    checkouts = [
        step for step in steps_of(path) if step.get("uses", "").startswith("actions/checkout")
    ]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)
    assert not any("${{" in step.get("run", "") for step in steps_of(path)), (
        "text would become code"
    )


def steps_of(path):
    data = workflows.read(path)
    if "runs" in data:
        return data["runs"]["steps"]
    return [step for job in data["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", [*OURS, *STUDENTS], ids=lambda path: path.name)
def test_workflows_may_only_read_and_end_in_time(path):
    data = workflows.read(path)
    assert data["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in data[True]  # YAML takes `on` for a yes
    for job in data["jobs"].values():
        assert job["timeout-minutes"]
        assert "permissions" not in job


def test_students_code_never_runs_beside_a_secret():
    for path in STUDENTS:
        assert "secrets." not in path.read_text(encoding="utf-8")
    assert "secrets." not in ACTION.read_text(encoding="utf-8")
    jobs = workflows.read(ROOT / ".github" / "workflows" / "grade.yml")["jobs"]
    assert "secrets." not in str(jobs["grade"])
    assert not any("autograder" in step.get("run", "") for step in jobs["collect"]["steps"])
