"""A line of a cell is found in the raw file, however the file is written."""

import json

import nbformat
import pytest

from autograder.emitters.forms import place_of
from autograder.emitters.gradescope import stored
from autograder.grading.engine import grade
from autograder.grading.intake import find_submissions, read_submission
from autograder.grading.intake.documents import read_document
from autograder.grading.intake.lines import line_in_file

SOURCES = ["import torch\n\n%matplotlib inline", "# Prose\nof two lines", "a = 'é'\nb = '''\n\n'''"]
PERCENT = """\
# A script
import math

# %% [markdown]
# # Prose
# def double(x): this is none

# %%
def double(x):
    return 2 * x

# %% tags=["otter_ignore"]
double(1)

# %%
# %matplotlib inline
def double(x):

    return 2 * x
"""


def notebook():
    made = nbformat.v4.new_notebook()
    new = (nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell)
    made.cells = [make(source) for make, source in zip(new, SOURCES, strict=True)]
    return nbformat.writes(made).encode()


@pytest.mark.parametrize(
    "data",
    [
        notebook(),
        notebook().replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + notebook(),
        notebook().decode().encode("utf-16"),
        notebook().replace(b"{", b'{\n "metadata": {"cells": [[1, {"a": "]"}]]},', 1),
    ],
    ids=["as nbformat writes it", "CRLF", "byte order mark", "UTF-16", "other things called cells"],
)
def test_each_line_of_a_notebook_stands_on_its_own(data):
    encoding = "utf-16" if data.startswith(b"\xff\xfe") else "utf-8-sig"
    lines = data.decode(encoding).splitlines()
    for cell, source in enumerate(SOURCES, 1):
        for number, text in enumerate(source.splitlines(), 1):
            line = line_in_file(data, "a.ipynb", cell, number)
            assert lines[line - 1].strip().startswith(json.dumps(text, ensure_ascii=False)[:-1])


def test_a_cell_that_is_one_string_stands_where_the_string_begins():
    cells = [{"source": "a\nb\n"}, {"cell_type": "code", "source": ["c\nd", "e\n", "f"]}]
    data = json.dumps({"cells": cells}, indent=1).encode()
    lines = data.decode().splitlines()
    assert {line_in_file(data, "a.ipynb", 1, n) for n in (1, 2)} == {4}
    found = [lines[line_in_file(data, "a.ipynb", 2, n) - 1].strip(' ",') for n in (1, 2, 3)]
    assert found == [r"c\nd", r"c\nd", "f"]
    assert line_in_file(json.dumps({"cells": cells}).encode(), "a.ipynb", 2, 2) == 1


def test_lines_after_a_merge_conflict_stand_where_they_stand():
    conflict = '\n<<<<<<< a\n "x": 0,\n=======\n "x": 1,\n "y": 2,\n>>>>>>> b'
    data = notebook().replace(b"{", b"{" + conflict.encode(), 1)
    line = line_in_file(data, "a.ipynb", 3, 1)
    assert "a = 'é'" in data.decode().splitlines()[line - 1]


@pytest.mark.parametrize("text", [PERCENT, PERCENT.replace("# %%", "#"), f"\ufeff{PERCENT}"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_each_line_of_a_script_is_found(text, end):
    data = text.replace("\n", end).encode()
    lines = text.removeprefix("\ufeff").splitlines()
    for part in read_document(data, "a.py").parts:
        if part.kind == "code" and "%" not in part.source:
            for number, line in enumerate(part.source.splitlines(), 1):
                assert lines[line_in_file(data, "a.py", part.number + 1, number) - 1] == line


PLAIN = """\
# Mine

from math import *

import torch

def double(x):
    y = []
    return y[x]

def double(x):
    y = []
    return y[x]

1 / 0
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_of_a_script_lines_of_the_file_are_told(tiny, launcher, tmp_path, end):
    path = tmp_path / "mine.py"
    path.write_bytes(PLAIN.replace("\n", end).encode())
    (found,) = find_submissions([path])
    result = grade(read_submission(found, tiny), tiny, 0, launcher)
    assert result.warnings == (
        "`double` is defined in lines 7 and 11: the last one counts",
        "ZeroDivisionError in line 15: `1 / 0`",
    )
    (first, *_) = result.cases
    assert (
        first.message
        == "your code raised IndexError in line 13: `return y[x]`: list index out of range"
    )
    test = stored(result)["tests"][0]
    assert (test["failure"]["cell"], test["failure"]["line"]) == (None, 13)
    assert place_of(test) == "line 13"
    assert line_in_file(path.read_bytes(), path.name, None, 13) == 13


def test_of_a_broken_script_the_line_of_the_file_is_told(tiny, launcher, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import math\n\n\ndef double(x:\n    return 2 * x\n")
    (found,) = find_submissions([path])
    result = grade(read_submission(found, tiny), tiny, 0, launcher)
    told = "`double` is not defined: its code failed with SyntaxError in line 4: `def double(x:`"
    assert result.cases[0].message == told


def test_of_a_script_the_piece_that_ended_the_process_is_named(tiny, launcher, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import os\n\nos._exit(0)\n\ndef double(x):\n    return 2 * x\n")
    (found,) = find_submissions([path])
    result = grade(read_submission(found, tiny), tiny, 0, launcher)
    assert result.warnings[0].startswith("what begins in line 3 ended the process (")
    assert result.cases[0].passed


@pytest.mark.parametrize(
    ("data", "cell", "line"),
    [
        (notebook(), None, 1),
        (b"", 1, 1),
        (b"{}", 1, 1),
        (b"<html>", 1, 1),
        (b'{"cells": [', 1, 1),
        (b'{"cells": [{"source": 3}]}', 1, 1),
        (notebook(), 9, 1),
        (notebook(), 1, 99),
        (b"[" * 100_000, 1, 1),
    ],
)
def test_what_is_not_there_has_no_line(data, cell, line):
    assert line_in_file(data, "a.ipynb", cell, line) is None
