"""Whatever is handed in becomes cells, or one clear line."""

import io
import json
import zipfile

import nbformat
import pytest

from autograder.grading.intake import find_submissions, read_submission

ANSWER = "def double(x):\n    return 2 * x"


def notebook_text(*cells, **metadata):
    made = [c if isinstance(c, dict) else nbformat.v4.new_code_cell(c) for c in cells]
    return nbformat.writes(nbformat.v4.new_notebook(cells=made, metadata=metadata))


def zipped(**members):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.fixture
def read(tmp_path, tiny):
    def run(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (found,) = find_submissions([path])
        return read_submission(found, tiny)

    return run


def test_a_notebook_gives_its_code_cells_without_demonstrations(read):
    text = notebook_text(
        nbformat.v4.new_markdown_cell("# Title"),
        ANSWER,
        nbformat.v4.new_code_cell("plot()", metadata={"tags": ["otter_ignore"]}),
        nbformat.v4.new_code_cell("plot()", metadata={"otter": {"ignore": True}}),
        nbformat.v4.new_raw_cell("raw"),
    )
    submission = read("a.ipynb", text)
    assert [(cell.number, cell.source) for cell in submission.cells] == [(1, ANSWER)]
    assert submission.name == "a"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.ipynb", b"", "a.ipynb is empty: save the notebook and hand it in again"),
        ("a.ipynb", b" \n", "a.ipynb is empty: save the notebook and hand it in again"),
        ("a.ipynb", "<!DOCTYPE html><html></html>", "a.ipynb is a web page, not a notebook"),
        ("a.ipynb", "\n <HTML><body>", "a.ipynb is a web page, not a notebook"),
        ("a.ipynb", "{}", "this is not a notebook: it has no cells"),
        ("a.ipynb", "[]", "this is not a notebook: it has no cells"),
        ("a.ipynb", '{"cells": [\n<<<<<<< HEAD\n', "this is not a notebook: line 2 of the file"),
        ("a.ipynb", "[" * 200_000, "this is not a notebook: line 1 of the file"),
        ("a.ipynb", b"\x89PNG\r\n", "a.ipynb is not text (byte 0)"),
        ("a.ipynb", '{"cells": 3, "nbformat": 4, "metadata": {}}', "the notebook is malformed"),
        ("a.ipynb", '{"cells": [3], "nbformat": 4, "metadata": {}}', "the notebook is malformed"),
        ("a.ipynb", notebook_text("x = 1"), "none of the questions of 'tiny' is in it"),
        (
            "a.ipynb",
            notebook_text(ANSWER, otter={"assignment_name": "hw01"}),
            "this is the homework",
        ),
        ("a.txt", ANSWER, "a.txt is no .ipynb, .py or .zip file"),
        ("a.zip", b"PK nonsense", "the zip cannot be opened"),
        ("a.zip", zipped(), "the zip holds no notebook"),
        ("a.zip", zipped(**{"a.ipynb": "{}", "b/c.ipynb": "{}"}), "the zip holds 2 notebooks"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(read, name, content, words):
    submission = read(name, content)
    assert submission.problem.startswith(words)
    assert "\n" not in submission.problem


def test_a_missing_file_is_one_clear_line(tmp_path, tiny):
    (found,) = find_submissions([tmp_path / "nobody.ipynb"])
    assert read_submission(found, tiny).problem.startswith("there is no file ")


def test_a_byte_order_mark_and_windows_line_ends_are_no_matter(read):
    text = notebook_text(ANSWER).replace("\n", "\r\n")
    assert (
        read("a.ipynb", b"\xef\xbb\xbf" + text.encode()).cells[0].source.split() == ANSWER.split()
    )


def test_old_and_damaged_notebooks_are_read(read):
    plain = json.loads(notebook_text(ANSWER))
    for change in (
        {"nbformat_minor": 0},
        {"nbformat_minor": 2, "extra": "key"},
        {"metadata": {"kernelspec": {"name": "julia", "display_name": "J"}}},
    ):
        data = json.loads(json.dumps(plain)) | change
        assert read("a.ipynb", json.dumps(data)).cells[0].source == ANSWER
    without_ids = json.loads(json.dumps(plain))
    del without_ids["cells"][0]["id"]
    assert read("b.ipynb", json.dumps(without_ids)).cells[0].source == ANSWER
    doubled = json.loads(json.dumps(plain))
    doubled["cells"] *= 2
    assert len(read("c.ipynb", json.dumps(doubled)).cells) == 2


def test_a_zip_is_read_without_being_unpacked(read, tmp_path):
    data = zipped(
        **{
            "../../evil.py": "x",
            "work/my notebook (1).ipynb": notebook_text(ANSWER),
            "__MACOSX/._my notebook.ipynb": "junk",
            "work/.ipynb_checkpoints/n-checkpoint.ipynb": "junk",
            "work/tests/double.py": "junk",
        }
    )
    assert read("a.zip", data).cells[0].source == ANSWER
    assert not (tmp_path.parent / "evil.py").exists()


def test_a_script_is_cut_so_that_one_error_costs_one_piece(read):
    script = f"import math\n\n{ANSWER}\n\nx = 1 / 0\n\ndef apply(f, n):\n    return 1\n"
    assert len(read("a.py", script).cells) == 4
    broken = f"{ANSWER}\n\ndef apply(f, n)\n    return 1\n\n@deco\ndef last(): pass\n"
    sources = [cell.source for cell in read("b.py", broken).cells]
    assert sources[0].strip() == ANSWER
    assert sources[-1].startswith("@deco\ndef last")


def test_a_percent_script_keeps_its_cells(read):
    cells = read("a.py", f"# %% [markdown]\n# Hello\n\n# %%\n{ANSWER}\n\n# %%\nx = 1\n").cells
    assert [cell.source for cell in cells] == [ANSWER, "x = 1"]


def test_a_folder_holds_a_submission_in_each_file_and_each_subfolder(tmp_path):
    (tmp_path / "Zoë Ångström").mkdir()
    (tmp_path / "Zoë Ångström" / "hw (1).ipynb").write_text("{}")
    (tmp_path / "Zoë Ångström" / "notes.py").write_text("")
    (tmp_path / "b+[1].ipynb").write_text("{}")
    (tmp_path / "c.py").write_text("")
    (tmp_path / "d.zip").write_bytes(b"")
    (tmp_path / "readme.txt").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / ".hidden").mkdir()
    assert {found.name for found in find_submissions([tmp_path])} == {
        "Zoë Ångström", "b+[1]", "c", "d",
    }  # fmt: skip


def test_a_starter_folder_is_one_submission(tmp_path, tiny):
    folder = tmp_path / "someone"
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "double.py").write_text("")
    (folder / "checking.py").write_text("")
    (folder / "hw.ipynb").write_text(notebook_text(ANSWER))
    (found,) = find_submissions([folder])
    assert found.name == "someone"
    assert read_submission(found, tiny).cells[0].source == ANSWER


def test_names_are_unique_also_where_letters_differ_in_case_only(tmp_path):
    for name in ("a/hw.ipynb", "b/HW.ipynb", "c/gradebook.csv.ipynb"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("{}")
    paths = [tmp_path / "a/hw.ipynb", tmp_path / "b/HW.ipynb", tmp_path / "c/gradebook.csv.ipynb"]
    assert [f.name for f in find_submissions(paths)] == ["hw", "HW-2", "gradebook.csv-2"]


def test_the_seed_hangs_on_the_code_and_not_on_names_or_outputs(read):
    digest = read("a.ipynb", notebook_text(ANSWER)).digest
    text = notebook_text(nbformat.v4.new_markdown_cell("my thoughts"), ANSWER)
    assert read("other name.ipynb", text).digest == digest
    assert read("c.ipynb", notebook_text(ANSWER + " ")).digest != digest
