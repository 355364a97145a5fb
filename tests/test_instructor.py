"""An instructor's slips: a wrong path, a broken check, one late file. Nothing is lost."""

import csv
import re
import shutil

import pytest

from autograder.homework import ROOT
from tests.conftest import command, results

BROKEN = "assignments/seq2seq/checks/train_step.py"
EXPORT = """\
Student,ID,Section,seq2seq (1)
    Points Possible,,,100
"Ant, A",111,S,
"Bee, B",222,S,
"Fox, F",333,S,
"Pug, P",444,S,
"Zebra, Z",555,S,
"""


@pytest.fixture(scope="module")
def handed_in(author, tmp_path_factory):
    """A Canvas export with a stray file in it, a late file, and the gradebook."""
    folder = tmp_path_factory.mktemp("handed-in")
    answer = author.answers(["causal_mask", "shift_targets"])
    one = author.notebook({"causal_mask": answer["causal_mask"]})
    files = {
        "class/ant_111_70001_hw.ipynb": one,
        "class/bee_222_70002_hw.ipynb": one,
        "class/fox_333_70003_hw.ipynb": author.notebook(answer),
        "class/pug_444_70004_hw.pdf": b"",
        "class/hw (1).ipynb": b"<html>",
        "late/fox_LATE_333_70009_hw-1.ipynb": one,
        "late/empty.ipynb": b"",
        "export/submission_90021/my work/seq2seq.ipynb": one,
        "export/submission_90022/essay.pdf": b"",
        "export/submission_metadata.yml": b"submission_90021:\n  :submitters:\n  - :name: A Ant\n",
        "Grades.csv": EXPORT.encode(),
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


@pytest.fixture(scope="module")
def first(handed_in, tmp_path_factory):
    """The results of the whole class, and what was said."""
    out = tmp_path_factory.mktemp("results")
    return out, grade(handed_in / "class", out, "--merge", handed_in / "Grades.csv")


@pytest.fixture
def out(first, tmp_path):
    """A copy of these results."""
    return shutil.copytree(first[0], tmp_path / "results")


def grade(path, out, *options):
    done = command("grade", "seq2seq", path, "--out", out, "--jobs", 1, *options)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


def scores(out):
    with (out / "gradebook.csv").open() as file:
        return {row["submission"]: row["score"] for row in csv.DictReader(file)}


def filled(out):
    with (out / "Grades.csv").open() as file:
        return [row[3] for row in csv.reader(file)][2:]


def files_of(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_who_got_nothing_and_who_handed_nothing_in_is_named(first):
    out, told = first
    assert filled(out) == ["8", "8", "16", "0", ""]
    assert "Grades.csv: 0 points for 1 who could not be graded: Pug, P" in told
    line = "Grades.csv: no submission for 1 of 5 students, cells as before: Zebra, Z"
    assert line in told
    assert (
        "hw (1): hw (1).ipynb is a web page, not a notebook: download the .ipynb file itself"
        in (told)
    )


def test_a_late_file_is_added_to_what_was_graded_and_takes_the_place_of_the_earlier(handed_in, out):
    late = handed_in / "late" / "fox_LATE_333_70009_hw-1.ipynb"
    before = scores(out)
    told = grade(late, out, "--resume", "--merge", handed_in / "Grades.csv", "--format", "scores")
    del before["fox_333_70003_hw"]
    assert scores(out) == {**before, late.stem: "8"}
    assert list(scores(out)) == sorted(scores(out))
    assert filled(out) == ["8", "8", "8", "0", ""]
    assert len((out / "scores.csv").read_text().splitlines()) == 6
    assert f"the gradebook also has 4 other results from {out}" in told
    assert any(line.startswith("fox_333_70003_hw: does not count") for line in told)


def test_of_a_students_files_the_latest_counts_in_whatever_order(handed_in, out):
    late, earlier = "fox_LATE_333_70009_hw-1", "fox_333_70003_hw"
    told = grade(handed_in / "class", out, handed_in / "late")
    assert f"{earlier}: does not count, as {late} is a later one of the same student" in told
    assert {late, earlier} & scores(out).keys() == {late}
    grade(handed_in / "class" / f"{earlier}.ipynb", out, "--resume")
    assert {late, earlier} & scores(out).keys() == {late}
    reported = command("report", out)
    assert "6 submissions" in reported.stdout
    assert f"{earlier}: does not count" in reported.stderr
    assert "could not be taken as results" not in reported.stderr
    shutil.rmtree(out / late)
    grade(handed_in / "class", out, "--resume")
    assert {late, earlier} & scores(out).keys() == {earlier}


def test_forms_that_lie_there_are_made_anew(handed_in, out):
    first = handed_in / "late" / "fox_LATE_333_70009_hw-1.ipynb"
    grade(first, out, "--resume", "--format", "long", "--format", "feedback")
    (out / first.stem / "feedback.html").write_text("of before")
    grade(handed_in / "export" / "submission_90021", out, "--resume")
    assert "submission_90021" in {line.partition(",")[0] for line in (out / "long.csv").open()}
    assert "of before" not in (out / first.stem / "feedback.html").read_text()
    assert not (out / "junit.xml").exists()


def test_results_that_are_kept_but_of_an_earlier_version_or_broken_are_told(handed_in, out):
    path = out / "ant_111_70001_hw" / "results.json"
    version = results(out, path.parent.name)["extra_data"]["version"]
    path.write_text(path.read_text().replace(version, "0"))
    (out / "bee_222_70002_hw" / "results.json").write_text("{")
    told = grade(handed_in / "late" / "fox_LATE_333_70009_hw-1.ipynb", out, "--resume")
    assert any("1 of an earlier version: grade all submissions anew" in line for line in told)
    assert any("bee_222_70002_hw" in line and "this is no JSON" in line for line in told)
    assert "bee_222_70002_hw" not in scores(out)


def test_a_folder_of_gradescopes_is_called_the_same_alone_and_knows_its_people(handed_in, out):
    for name in ("submission_90021", "submission_90022"):
        command("grade", "seq2seq", handed_in / "export" / name, "--out", out, "--resume")
    assert results(out, "submission_90021")["extra_data"]["people"] == [{"name": "A Ant"}]
    said = results(out, "submission_90022")["output"]
    assert "the folder holds no notebook, only essay.pdf: hand in the .ipynb file" in said


@pytest.mark.parametrize(
    ("paths", "options", "told"),
    [
        (["class", "clas"], [], "there is no {}/clas; nothing was graded or written"),
        (["class/ant*.ipynb"], [], "there is no {}/class/ant*.ipynb; nothing was graded"),
        (["class"], ["--column", "Essay"], "--column says which column --merge CANVAS.csv fills"),
    ],
)
def test_a_slip_on_the_command_line_ends_before_anything_is_written(
    handed_in, out, paths, options, told
):
    before = files_of(out)
    places = [handed_in / path for path in paths]
    done = command("grade", "seq2seq", *places, "--out", out, *options)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert done.stderr.startswith(f"error: {told.format(handed_in)}")
    assert files_of(out) == before


@pytest.fixture
def course(tmp_path):
    """A copy of the program in which a check file is broken."""
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("autograder", "assignments", "solutions", "student_starter"):
        shutil.copytree(ROOT / name, tmp_path / "course" / name, ignore=ignored)
    path = tmp_path / "course" / BROKEN
    path.write_text(path.read_text() + "def broken(:\n")
    return tmp_path / "course"


def test_a_broken_check_is_one_line_and_results_stay_as_they_were(
    handed_in, out, course, monkeypatch
):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    before = files_of(out)
    arguments = ("--out", out, "--resume", "--jobs", 2, "--merge", handed_in / "Grades.csv")
    done = command("grade", "seq2seq", handed_in / "class", *arguments, cwd=course)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert re.match(rf"error: {course}/{BROKEN}:\d+: SyntaxError: invalid syntax", line)
    assert line.endswith("; nothing was graded, and results are as they were")
    assert files_of(out) == before


@pytest.mark.parametrize("options", [["--check"], ["--out", "dist"]])
def test_a_broken_check_stops_the_build_with_one_line(course, monkeypatch, options):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    before = files_of(course / "student_starter")
    done = command("build", *options, cwd=course)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert re.match(rf"error: {course}/{BROKEN}:\d+: SyntaxError: invalid syntax", line)
    assert line.endswith("; nothing was written")
    assert files_of(course / "student_starter") == before
    assert not (course / "dist").exists()


def test_a_later_submission_to_gradescope_counts_in_place_of_the_first(author, tmp_path):
    """A group's counts for as long as one of its people has no later one."""
    one = author.notebook(author.answers(["causal_mask"]))
    owners = {90010: ["ada"], 90044: ["ada"], 90020: ["bo", "cy"], 90031: ["bo"]}
    metadata = "".join(
        f"submission_{number}:\n  :submitters:\n"
        + "".join(f"  - :name: {name}\n    :email: {name}@x.org\n" for name in names)
        for number, names in owners.items()
    )
    for number in owners:
        folder = tmp_path / "export" / f"submission_{number}"
        folder.mkdir(parents=True)
        (folder / "hw.ipynb").write_bytes(one)
    (tmp_path / "export" / "submission_metadata.yml").write_text(metadata)
    told = grade(tmp_path / "export", tmp_path / "out")
    counted = {f"submission_{number}" for number in (90044, 90020, 90031)}
    assert scores(tmp_path / "out").keys() == counted
    assert sum("does not count" in line for line in told) == 1
    assert "3 submissions" in command("report", tmp_path / "out").stdout
