"""The zip on a host: laid out as Gradescope does, its two scripts run for real."""

import io
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import zipfile
from itertools import pairwise

import pytest

from autograder.building.package import autograder_zip
from autograder.gradescope import _demand, _text, the_submission
from autograder.homework import ROOT
from tests.conftest import points

SURPRISE = "raise SystemExit('a module that is not ours was imported')\n"
PEEK = """
import pathlib
found = []
for place in ("source/files/assignments", "source/tests", "submission_metadata.json"):
    path = pathlib.Path({root!r}) / place
    try:
        found += [p.name for p in path.iterdir()] if "json" not in place else [path.read_text()]
    except OSError:
        pass
try:
    (pathlib.Path({root!r}) / "results/results.json").write_text("{{}}")
    found.append("results")
except OSError:
    pass
assert not found, found
"""


@pytest.fixture(scope="module")
def archive(homework):
    return zipfile.ZipFile(io.BytesIO(autograder_zip(homework)))


def unpack(archive, root):
    """Unpack the zip below `root`, with the modes it gives, as the host does."""
    for entry in archive.infolist():
        path = root / "source" / entry.filename
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(archive.read(entry))
        path.chmod(entry.external_attr >> 16 & 0o777)
    (root / "submission_metadata.json").write_text('{"users": [{"email": "ada"}]}')
    shutil.copy(root / "source" / "run_autograder", root / "run_autograder")


def start(script, root, cwd="/", **environment):
    """Run a script of the zip in an environment that has nothing of this test's."""
    return subprocess.run(
        [script],
        cwd=cwd,
        env={
            "PATH": os.environ["PATH"],
            "AUTOGRADER_ROOT": str(root),
            "AUTOGRADER_PYTHON": sys.executable,
            **environment,
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def host(archive, tmp_path_factory):
    """A folder such as Gradescope's /autograder, after setup.sh has run in it."""
    root = tmp_path_factory.mktemp("host") / "autograder"
    unpack(archive, root)
    done = start(root / "source" / "setup.sh", root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^blank: 0 points", done.stdout, re.MULTILINE)
    assert re.search(r"^solved: 100 points", done.stdout, re.MULTILINE)
    return root


@pytest.fixture
def submit(host):
    """Hand files in, run the autograder, and return its process and the result."""

    def run(files, cwd="/", **environment):
        shutil.rmtree(host / "submission", ignore_errors=True)
        (host / "submission").mkdir()
        for name, data in files.items():
            path = host / "submission" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
        (host / "results" / "results.json").unlink(missing_ok=True)
        done = start(host / "run_autograder", host, cwd, **environment)
        return done, json.loads((host / "results" / "results.json").read_text(encoding="utf-8"))

    return run


def graded(submit, files, cwd="/"):
    done, result = submit(files, cwd)
    assert done.returncode == 0, done.stdout + done.stderr
    return result


@pytest.fixture
def required(homework, author):
    """A notebook that answers all but the stretch."""
    names = [name for name in homework.question_names if name not in homework.stretch]
    return author.notebook(author.answers(names))


def test_a_notebook_without_the_stretch_has_full_marks_in_the_hosts_schema(
    submit, required, homework
):
    result = graded(submit, {"my homework (1).ipynb": required})
    assert result["score"] == homework.points == 100
    assert result.keys() == {
        *("score", "output", "output_format", "stdout_visibility", "tests", "extra_data"),
    }
    assert result["stdout_visibility"] == "hidden"
    assert sum(test["max_score"] for test in result["tests"]) == 110
    assert sum(test["score"] for test in result["tests"]) == 100
    assert points(result)["train_translator"] == 0
    for test in result["tests"]:
        assert type(test["score"]) is type(test["max_score"]) is int
        assert test["status"] in ("passed", "failed")
        assert test["visibility"] == "visible"
        assert isinstance(test["output"], str)
        assert isinstance(test["name"], str)


def test_an_untouched_starter_has_no_points_and_says_why(submit, author, homework):
    result = graded(submit, {"notebook.ipynb": author.notebook({})})
    assert result["score"] == 0
    told = [test["output"] for test in result["tests"]]
    for name in homework.question_names:
        assert any(text.startswith(f"`{name}` is not written yet") for text in told)


@pytest.mark.parametrize(
    ("files", "words"), [({}, "nothing was uploaded"), ({"a.ipynb": '{"cells": ['}, "not JSON")]
)
def test_what_cannot_be_graded_is_a_result_with_a_reason(submit, files, words):
    result = graded(submit, files)
    assert result["score"] == 0
    assert words in result["output"]
    assert {test["score"] for test in result["tests"]} == {0}


def test_an_upload_is_one_submission_whatever_lies_beside_or_around_it(homework, author, tmp_path):
    notebook = author.notebook({})
    for number, (files, words) in enumerate(
        [
            (["a.ipynb"], None),
            (["my homework (1).ipynb", "helper.py", "data.csv"], None),
            (["homework/a.ipynb"], None),
            (["answers.py"], None),
            (["notes.txt"], "holds no notebook"),
            (["a.ipynb", "b.ipynb"], "holds 2 notebooks"),
        ]
    ):
        folder = tmp_path / str(number) / "submission"
        for name in files:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(author.script({}) if name == "answers.py" else notebook)
        problem = the_submission(folder, homework).problem
        assert problem is None if words is None else words in problem, files
    missing = the_submission(tmp_path / "missing", homework)
    assert "nothing was uploaded" in missing.problem


def test_no_module_beside_the_notebook_or_in_the_current_folder_takes_ours_place(
    submit, author, host
):
    names = ("autograder.py", "torch.py", "json.py", "sitecustomize.py")
    notebook = author.notebook(author.answers(["causal_mask"]))
    planted = [host.parent / name for name in names] + [host / name for name in names]
    planted.append(host / "__init__.py")  # makes it `autograder`, seen from the folder above it
    for path in planted:
        path.write_text(SURPRISE)
    try:
        files = {"homework/a.ipynb": notebook, **dict.fromkeys(names, SURPRISE)}
        assert graded(submit, files, cwd=host.parent)["score"] == 8
    finally:
        for path in planted:
            path.unlink()


def test_the_graders_files_are_for_the_grader_alone(submit, host):
    submit({}, AUTOGRADER_PYTHON="/bin/true")
    for name in ("source/files", "source/tests", "submission", "results"):
        assert stat.S_IMODE((host / name).stat().st_mode) == 0o700
    assert stat.S_IMODE((host / "submission_metadata.json").stat().st_mode) & 0o077 == 0


def test_a_submission_sees_no_cases_and_cannot_write_its_grade(submit, author, host):
    peek = {**author.answers(["causal_mask"]), "shift_targets": PEEK.format(root=str(host))}
    result = graded(submit, {"a.ipynb": author.notebook(peek)})
    if result["extra_data"]["isolation"] in ("plain", "process"):
        pytest.skip("students' code is not confined on this machine")
    assert result["score"] == 8
    assert not any("AssertionError" in text for text in result["extra_data"]["warnings"])


def test_a_failure_of_the_graders_own_is_a_result_that_blames_nobody(submit, author, host):
    path = next((host / "source" / "files" / "assignments").glob("*/assignment.toml"))
    before = path.read_bytes()
    path.write_text("title = 1 = 2")
    try:
        done, result = submit({"a.ipynb": author.notebook({})})
    finally:
        path.write_bytes(before)
    assert done.returncode == 0
    assert result["score"] == 0
    assert "tell your instructor" in result["output"]
    assert result["extra_data"]["warnings"] == ["The grader failed: HomeworkError"]
    assert str(path) in done.stderr  # what is wrong is for the instructor to read


def test_a_grader_that_does_not_start_leaves_a_result_and_an_exit_code(submit):
    done, result = submit({}, AUTOGRADER_PYTHON="/nonexistent/python")
    assert done.returncode != 0
    assert result["score"] == 0
    assert "tell your instructor" in result["output"]


def test_a_line_that_is_no_valid_unicode_is_written_all_the_same():
    assert json.loads(_text({"output": "half \ud800, whole é"})) == {"output": "half ?, whole é"}


def test_setup_fails_if_the_grader_does(archive, tmp_path):
    unpack(archive, tmp_path)
    next((tmp_path / "source" / "files" / "assignments").glob("*/checks/*.py")).unlink()
    done = start(tmp_path / "source" / "setup.sh", tmp_path)
    assert done.returncode == 1
    assert "has no check file" in done.stderr
    assert done.stderr.splitlines()[-1] == "setup.sh: error: grading does not work here: see above"


def test_wrong_points_and_unreadable_files_prove_nothing(tiny, launcher, tmp_path):
    (tmp_path / "a.py").write_text("def double(x):\n    return 2 * x\n")
    _demand(tmp_path, tiny, launcher, 3)
    for expected in (0, 7):
        with pytest.raises(SystemExit, match=f"expected {expected} points"):
            _demand(tmp_path, tiny, launcher, expected)
    (tmp_path / "a.py").write_bytes(b"")
    with pytest.raises(SystemExit, match=r"a\.py is empty"):
        _demand(tmp_path, tiny, launcher, 0)


PYTHON_WITHOUT_PIP = """#!/bin/bash
case "$1 $2" in
  "-m venv") mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
  "-m pip") printf '%s\\n' "$@" >"$LOG" && exit 1 ;;
  *) exec "{python}" "$@" ;;
esac
"""
LOGGING_APT_GET = """#!/bin/bash
echo "$@" >>"$LOG"
[ "$1" = update ]
"""


@pytest.fixture
def bare(archive, tmp_path):
    """Run setup.sh on a machine with stand-ins for its programs; return its process and the log."""
    unpack(archive, tmp_path / "root")
    tools = tmp_path / "tools"
    tools.mkdir()

    def run(programs, **environment):
        for name, text in programs.items():
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        log = tmp_path / "log"
        setup = tmp_path / "root" / "source" / "setup.sh"
        environment = {"AUTOGRADER_PYTHON": "", "LOG": str(log), "PATH": str(tools), **environment}
        done = start(setup, tmp_path / "root", **environment)
        return done, log.read_text().splitlines()

    for name in ("bash", "mkdir", "cp"):
        (tools / name).symlink_to(shutil.which(name))
    run.source = tmp_path / "root" / "source"
    return run


def test_setup_fails_if_pip_does_and_asks_the_indexes_that_the_instructor_names(bare):
    (bare.source / "index.txt").write_text("# CPU builds\nfile:///here\n\nfile:///there")
    programs = {"python3": PYTHON_WITHOUT_PIP.format(python=sys.executable)}
    done, log = bare(programs, TORCH_INDEX="file:///first")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("setup.sh: error: pip could not install")
    named = [word for flag, word in pairwise(log) if flag == "--extra-index-url"]
    assert named == ["file:///first", "file:///here", "file:///there"]
    assert log[-2:] == ["-r", str(bare.source / "requirements.txt")]


def test_setup_installs_a_python_where_there_is_none_new_enough(bare):
    done, log = bare({"python3": "#!/bin/bash\nexit 1\n", "apt-get": LOGGING_APT_GET})
    assert done.returncode == 1
    assert re.search(r" python3\.\d+ python3\.\d+-venv$", log[-1])
    assert "choose an image with Python 3." in done.stderr.splitlines()[-1]


def test_the_zip_keeps_what_stock_otter_needs(archive, homework):
    names = set(archive.namelist())
    assert {"run_otter.py", "otter_config.json"} <= names
    assert {f"tests/{name}.py" for name in homework.question_names} <= names
    assert f"files/solutions/{homework.solutions.name}" in names


def test_the_scripts_are_ours_and_name_no_host(archive):
    for name in ("setup.sh", "run_autograder"):
        text = archive.read(name).decode()
        assert not re.search(r"mamba|miniforge|playwright|chromium|://", text, re.IGNORECASE)
        assert "otter" not in text


@pytest.mark.parametrize("command", [["bash", "-n"], ["shellcheck"]])
def test_the_scripts_are_sound(archive, tmp_path, command):
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    paths = [ROOT / "tests" / "gradescope_bare_root.sh"]
    for name in ("setup.sh", "run_autograder"):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(archive.read(name))
    for path in paths:
        done = subprocess.run([*command, path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


IMPORT_ALL = """
import importlib.metadata
from importlib.machinery import PathFinder

unpinned = {{
    module
    for module, owners in importlib.metadata.packages_distributions().items()
    if not {pinned!r} & {{owner.lower().replace("_", "-") for owner in owners}}
}}

find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name in unpinned else find(name, *rest)

import matplotlib.pyplot, torch._dynamo, tqdm.auto
import autograder.gradescope, autograder.worker.serve

print("all")
"""


def test_all_that_grading_imports_is_pinned_to_the_projects_own_releases(archive):
    pins = archive.read("requirements.txt").decode().splitlines()
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().splitlines()
    assert set(pins) <= {line.replace("_", "-") for line in constraints}
    named = [pin.partition("==")[0] for pin in pins]
    code = IMPORT_ALL.format(pinned={*named, "seq2seq-homework"})
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "all\n"), done.stderr
    assert not {"otter-grader", "pandas", "playwright", "ipykernel"} & set(named)
