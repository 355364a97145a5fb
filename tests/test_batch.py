"""Batches lose only what was in flight, and go on where they stopped."""

import csv
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.grading.batch import UNCONFINED, Isolation
from autograder.grading.engine import grade
from autograder.grading.intake import Cell, Submission
from autograder.grading.launchers import StartError, open_launcher
from autograder.homework import ROOT
from autograder.progress import Lines
from tests.conftest import command, results

STUDENTS = 12


@pytest.fixture(scope="module")
def class_folder(author, tmp_path_factory):
    """Short submissions, each a little different."""
    folder = tmp_path_factory.mktemp("class")
    answer = author.answers(["causal_mask"])["causal_mask"]
    for number in range(STUDENTS):
        text = {"causal_mask": f"{answer}\n# student {number}"}
        (folder / f"student-{number:02}.ipynb").write_bytes(author.notebook(text))
    (folder / "empty.ipynb").write_bytes(b"")
    return folder


@pytest.fixture(scope="module")
def gradebook(class_folder, tmp_path_factory):
    """What a batch that nothing disturbs writes."""
    out = tmp_path_factory.mktemp("undisturbed")
    done = command("grade", "seq2seq", class_folder, "--out", out, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    return (out / "gradebook.csv").read_bytes()


def start(class_folder, out):
    arguments = ["grade", "seq2seq", class_folder, "--out", out, "--resume", "--jobs", 2]
    return subprocess.Popen(
        [sys.executable, "-m", "autograder", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # a test run in the background of a shell ignores interrupts, and so would its children
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )


def stop_after(process, out, count, how):
    """Send a signal once so many results are there, or let it finish."""
    while process.poll() is None and len(list(out.glob("*/results.json"))) < count:
        time.sleep(0.002)
    process.send_signal(how)
    process.communicate(timeout=60)


def test_a_batch_killed_ten_times_and_resumed_ends_with_the_same_gradebook(
    class_folder, gradebook, tmp_path
):
    draw = random.Random(1)
    count = 0
    for _ in range(10):
        count = min(count + draw.randint(0, 2), STUDENTS)
        stop_after(start(class_folder, tmp_path), tmp_path, count, signal.SIGKILL)
        for path in tmp_path.glob("*/results.json"):
            json.loads(path.read_text())  # whole, whenever it was killed
    last = start(class_folder, tmp_path)
    _, told = last.communicate(timeout=120)
    assert last.returncode == 0, told
    assert (tmp_path / "gradebook.csv").read_bytes() == gradebook
    assert not list(tmp_path.glob("*/tmp*"))


def test_an_interrupted_batch_says_so_and_writes_what_it_has(class_folder, tmp_path):
    """Its gradebook has all results that lie there, those that came in the last moment, too."""
    many, out = tmp_path / "in", tmp_path / "out"
    many.mkdir()
    text = (class_folder / "student-00.ipynb").read_bytes()
    for number in range(300):
        (many / f"{number}.ipynb").write_bytes(text)
    process = start(many, out)
    while not list(out.glob("*/results.json")):
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.strip().splitlines()[-1] == "interrupted; go on with --resume"
    assert listed(out) == there(out)


def test_a_batch_that_is_interrupted_at_its_first_result_loses_no_earlier_ones(
    class_folder, tmp_path
):
    out = tmp_path / "out"
    done = command("grade", "seq2seq", class_folder / "student-00.ipynb", "--out", out)
    assert done.returncode == 0
    (out / "gradebook.csv").unlink()
    process = start(class_folder, out)
    assert process.stderr.readline().startswith("isolation: ")
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in told
    assert listed(out) == there(out)


def listed(out):
    with (out / "gradebook.csv").open(encoding="utf-8", newline="") as file:
        return {row["submission"] for row in csv.DictReader(file)}


def there(out):
    return {path.parent.name for path in out.glob("*/results.json")}


def test_resume_grades_only_what_is_new_or_has_changed(author, class_folder, tmp_path):
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for name in ("student-00", "student-01", "student-02"):
        (folder / f"{name}.ipynb").write_bytes((class_folder / f"{name}.ipynb").read_bytes())
    arguments = ("grade", "seq2seq", folder, "--out", out, "--resume", "--jobs", 1)
    assert command(*arguments).returncode == 0
    before = {p: p.stat().st_mtime_ns for p in out.glob("*/results.json")}
    changed = author.notebook(author.answers(["causal_mask", "shift_targets"]))
    (folder / "student-01.ipynb").write_bytes(changed)
    (folder / "student-03.ipynb").write_bytes(changed)
    assert command(*arguments).returncode == 0
    after = {p: p.stat().st_mtime_ns for p in out.glob("*/results.json")}
    touched = {p.parent.name for p in after if before.get(p) != after[p]}
    assert touched == {"student-01", "student-03"}
    assert results(out, "student-01")["score"] == 16
    assert len((out / "gradebook.csv").read_text().splitlines()) == 5


def test_the_order_and_number_of_jobs_change_nothing(class_folder, gradebook, tmp_path):
    done = command("grade", "seq2seq", class_folder, "--out", tmp_path, "--jobs", 1)
    assert done.returncode == 0
    assert (tmp_path / "gradebook.csv").read_bytes() == gradebook


CURIOUS = """
import os, stat, sys
assert "TOKEN_OF_THE_GRADER" not in os.environ
try:
    with open("/proc/self/environ") as file:
        assert "TOKEN_OF_THE_GRADER" not in file.read()
except OSError:
    pass  # confined
secret = ("autograder.grading.engine", "autograder.checking", "solutions", "checks")
assert not any(name.startswith(secret) for name in sys.modules)
sockets = 0
for number in range(256):
    try:
        sockets += stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        pass
assert sockets == 1
"""


def test_a_worker_knows_nothing_of_the_process_that_its_server_was_forked_from(
    author, tmp_path, monkeypatch
):
    monkeypatch.setenv("TOKEN_OF_THE_GRADER", "7")
    answer = author.answers(["causal_mask"])["causal_mask"]
    (tmp_path / "curious.ipynb").write_bytes(author.notebook({"causal_mask": CURIOUS + answer}))
    done = command("grade", "seq2seq", tmp_path / "curious.ipynb", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    found = results(tmp_path / "out", "curious")
    assert (found["score"], found["extra_data"]["warnings"]) == (8, [])


LEVELS = ["root", "reader", "user", "plain", "process"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_kept_and_recorded_or_refused_never_lowered(level, launcher, tiny):
    cells = (Cell(0, "def double(x):\n    return 2 * x"),)
    if LEVELS.index(level) < LEVELS.index(launcher.isolation):
        with (
            open_launcher(level) as refused,
            pytest.raises(StartError, match=f"'{level}' does not"),
        ):
            grade(Submission("someone", cells), tiny, None, refused)
        return
    with open_launcher(level) as opened:
        result = grade(Submission("someone", cells), tiny, None, opened)
    assert (result.isolation, result.score) == (level, 3)


def test_a_level_that_is_refused_is_one_line_on_the_command_line(launcher, class_folder, tmp_path):
    if launcher.isolation == "root":
        pytest.skip("every level works here")
    path = class_folder / "student-00.ipynb"
    done = command("grade", "seq2seq", path, "--out", tmp_path, "--isolation", "root")
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if line]
    assert line.startswith("error: the isolation level 'root' does not work here: ")


@pytest.mark.parametrize("level", ["plain", "process"])
def test_where_nothing_confines_students_code_there_is_a_warning(level, class_folder, tmp_path):
    path = class_folder / "student-00.ipynb"
    done = command("grade", "seq2seq", path, "--out", tmp_path, "--isolation", level)
    assert done.stderr.startswith(f"warning: students' code is not confined; isolation: {level}")


def test_the_level_is_told_once_and_does_not_read_as_an_error(launcher, class_folder, tmp_path):
    path = class_folder / "student-00.ipynb"
    done = command("grade", "seq2seq", path, class_folder / "empty.ipynb", "--out", tmp_path)
    assert done.stderr.count("isolation: ") == 1
    if launcher.isolation not in UNCONFINED:
        told = f"isolation: {launcher.isolation} (confined; README, Isolation)"
        assert told in done.stderr.splitlines()
    assert str(Isolation("plain", ("user: no",))) == "isolation: plain; not user: no"
    assert "graded" not in done.stderr  # no lines of progress for a handful


def test_without_a_terminal_there_are_lines_of_progress_and_the_table_comes_first(
    class_folder, tmp_path
):
    done = command("grade", "seq2seq", class_folder, "--out", tmp_path, "--jobs", 2)
    assert f"graded 10 of {STUDENTS + 1}" in done.stderr.splitlines()
    lines = done.stdout.splitlines()
    assert lines[-1] == f"results in {tmp_path}, gradebook in {tmp_path}/gradebook.csv"
    assert "submission" in done.stdout.partition("results in")[0]


def test_a_line_of_progress_comes_every_half_minute_where_work_is_slow():
    now = [0.0]
    lines = Lines("graded", 25, lambda: now[0])
    told = []
    for count in range(1, 26):
        now[0] += 7
        told.append(lines.after(count))
    counts = [line.split()[1] for line in told if line]
    assert counts == ["5", "10", "15", "20"]
    few = Lines("graded", 10, lambda: now[0])
    now[0] += 1000
    assert not any(few.after(count) for count in range(1, 11))


def test_a_fork_server_that_is_killed_is_replaced(tiny):
    cells = (Cell(0, "def double(x):\n    return 2 * x"),)
    with open_launcher() as opened:
        for _ in range(2):
            assert grade(Submission("someone", cells), tiny, None, opened).score == 3
            opened._server.kill()
            opened._server.wait()


def test_a_closed_launcher_leaves_no_process_and_no_folder(tiny):
    with open_launcher() as opened:
        grade(Submission("someone", (Cell(0, "double = len"),)), tiny, None, opened)
        server, folder = opened.server_pid, opened.folder
        assert folder.is_dir()
    assert not Path(f"/proc/{server}").exists()
    assert not folder.exists()


FAKE_DOCKER = """#!/bin/sh
# Stands in for docker: notes how it is called, and runs what would run in the container.
echo "$@" >> "$(dirname "$0")/calls"
[ "$1" = image ] && exit 0
while [ "$1" != python ]; do shift; done
shift
cd / && exec env -i PATH="$PATH" PYTHONPATH="ROOT" OMP_NUM_THREADS=1 HOME=/tmp "PYTHON" "$@"
"""


def test_a_container_has_no_network_and_no_writable_file_system(tiny, tmp_path, monkeypatch):
    docker = tmp_path / "docker"
    docker.write_text(FAKE_DOCKER.replace("ROOT", str(ROOT)).replace("PYTHON", sys.executable))
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    cells = (Cell(0, "print('noise')\ndef double(x):\n    return 2 * x"),)
    with open_launcher("container") as opened:
        result = grade(Submission("someone", cells), tiny, None, opened)
    assert (result.isolation, result.score) == ("container", 3)
    run = next(line for line in (tmp_path / "calls").read_text().splitlines() if "run " in line)
    for option in ("--network none", "--read-only", "--cap-drop ALL", "--interactive"):
        assert option in run
    assert "assignments" not in run
    assert "solutions" not in run


def test_a_container_without_docker_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(StartError, match="'container' does not work here"),
        open_launcher("container"),
    ):
        pass
