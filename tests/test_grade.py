"""The command `grade` as an instructor meets it when something is wrong, and its exit codes."""

import json
import shutil

from tests.conftest import command, results


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
