"""What a starter holds beside the checks: results in words, the progress table, `check_all.py`."""

import json
import linecache
from types import SimpleNamespace

import nbformat
import pytest
from click.testing import CliRunner

from autograder import checking
from autograder.building.added_cells import progress_cells, setup_cell
from autograder.homework import ROOT
from autograder.student import check_all, showing
from autograder.student.showing import Progress, Shown, Tried, Verdict
from tests.conftest import by_case

MARKUP = "<b>x</b> & `y`"


def verdict(*passed, told="the mask: NaN"):
    cases = [Tried(f"case {n}", 1, ok, "" if ok else f"{told} {n}") for n, ok in enumerate(passed)]
    return Verdict("mask", tuple(cases))


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        ([True], "the public case passes"),
        ([True, True], "both public cases pass"),
        ([True] * 3, "all 3 public cases pass"),
        ([False], "the public case fails"),
        ([True, False], "1 of 2 public cases fails"),
        ([False, True, False], "2 of 3 public cases fail"),
        ([False] * 3, "all 3 public cases fail"),
    ],
)
def test_a_verdict_is_said_in_words(passed, words):
    assert str(verdict(*passed)) == f"`mask`: {words}"


def test_what_holds_for_all_cases_is_said_once():
    told = checking.not_written("mask")
    found = Verdict("mask", (Tried("one", 1, False, told), Tried("two", 1, False, told)))
    assert str(found) == told
    assert repr(Shown(found)).count("not written") == 1
    assert found.mark == "○"


def test_students_text_becomes_no_markup():
    found = Verdict("mask", (Tried(MARKUP, 1, False, MARKUP, line=MARKUP),))
    for shown in (Shown(found), Progress(["mask"], {"mask": found})):
        html = shown._repr_html_()
        assert "<b>x" not in html
        assert "&lt;b&gt;x&lt;/b&gt; &amp; <code>y</code>" in html


def test_who_passes_all_is_told_that_hidden_cases_decide():
    assert "Hidden cases decide the grade" in repr(Shown(verdict(True)))
    assert "Hidden cases decide the grade" in repr(Progress(["mask"], {"mask": verdict(True)}))


def test_progress_names_what_is_next_and_leaves_slow_questions_out():
    found = Progress(["mask", "apply", "train"], {"mask": verdict(True)}, ["train"])
    assert found.sentence == "1 of 2 questions pass their public cases. Trying `apply` …"
    found.verdicts["apply"] = verdict(False)
    assert found.sentence == "1 of 2 questions pass their public cases. Next: `apply`."
    rows = [line.split(maxsplit=1) for line in repr(found).splitlines()[2:]]
    assert [mark for mark, _ in rows] == ["✓", "✗", "·"]
    assert rows[2][1].split(maxsplit=1) == ["train", "trains for long: see its own check"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a tiny homework, with a notebook that is to be written."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "double.py").write_text(
        'from autograder.checking import assert_number, test_case\n\nname = "double"\n\n\n'
        "@test_case(points=2)\ndef two(double):\n"
        '    """Twice 2 is 4"""\n    assert_number(double(2), 4, "the result")\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return tmp_path


def scope(source):
    """Run a cell as a notebook does; its lines can be found again."""
    lines = source.splitlines(keepends=True)
    linecache.cache["<a cell>"] = (len(source), None, lines, "<a cell>")
    names = {}
    exec(compile(source, "<a cell>", "exec"), names)
    return names


@pytest.mark.usefixtures("folder")
def test_an_error_is_told_with_the_students_own_line():
    names = scope("def double(x):\n    y = x\n    return y.twice\n")
    (case,) = showing.run("double", names).cases
    assert case.told == (
        "your code raised AttributeError: 'int' object has no attribute 'twice' "
        "(line 3 of its cell: `return y.twice`)"
    )
    assert case.line == 'assert_number(double(2), 4, "the result")'
    assert (case.raised, case.source.count("\n")) == (3, 3)


@pytest.mark.usefixtures("folder")
def test_a_call_of_exit_fails_the_case_only():
    (case,) = showing.run("double", scope("import sys\ndef double(x):\n    sys.exit()\n")).cases
    assert case.told == "your code called `exit`"


def test_results_of_otter_are_shown_in_words_and_others_as_otter_does():
    @checking.test_case(points=1)
    def zero(double):
        """Twice 0 is 0"""
        checking.assert_number(double(0), 0, "the result")

    with pytest.raises(checking.Mismatch):
        zero.call_func(scope("def double(x):\n    return 5\n"))

    def result(body):
        found = SimpleNamespace(test_case=SimpleNamespace(body=body), passed=False)
        return SimpleNamespace(name="double", test_case_results=[found], summary=lambda: "otter's")

    shown = repr(showing._shown(result(zero)))
    assert shown.startswith("`double`: the public case fails.\n  ✗ Twice 0 is 0\n")
    assert "the result is not the right number: expected 0, got 5" in shown
    assert repr(showing._shown(result(object()))) == "otter's"


def test_the_added_cells_do_no_harm_while_grading(grade_cells):
    """Editors and scripts lose the tag by which grading skips them."""
    setup = setup_cell({"tests/double.py": b"x = 1\n"})
    _, progress = progress_cells(["double", "apply"], ["apply"])
    answer = "def double(x):\n    return 2 * x"
    result = grade_cells(setup["source"], answer, progress["source"])
    assert result.warnings == ()
    assert by_case(result)["two"][0]


def write_notebook(path, *sources):
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    path.write_text(json.dumps(nbformat.v4.new_notebook(cells=cells), indent=1))


def check(*arguments):
    return CliRunner().invoke(check_all.main, list(arguments))


def test_bad_input_is_one_clear_line(folder):
    def told():
        done = check()
        assert (done.exit_code, len(done.stderr.splitlines())) == (2, 1)
        return done.stderr

    assert "there is no notebook in this folder" in told()
    (folder / "a.ipynb").write_text("<html>")
    assert "a.ipynb cannot be read as a notebook" in told()
    write_notebook(folder / "b.ipynb", "x = 1")
    assert "there are 2 notebooks here (a.ipynb, b.ipynb)" in told()
    (folder / "a.ipynb").unlink()
    (folder / "tests" / "double.py").unlink()
    assert "the public cases are missing" in told()


@pytest.fixture
def beside(folder, monkeypatch):
    """The same with the modules of a starter, and little time for each question."""
    for module in ("checking", "student.showing"):
        text = f"from autograder.{module} import *\n"
        (folder / f"{module.removeprefix('student.')}.py").write_text(text)
    monkeypatch.setattr(check_all, "QUESTION_SECONDS", 3)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return folder


def test_whatever_a_notebook_does_costs_its_own_question_only(beside, monkeypatch):
    """A cell that ends the kernel, an endless loop, and one that is no Python."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    text = (beside / "tests" / "double.py").read_text()
    for name in ("loop", "broken"):
        (beside / "tests" / f"{name}.py").write_text(text.replace("double", name))
    write_notebook(
        beside / "hw.ipynb",
        "import os\nos._exit(1)",
        "import time\ndef loop(x):\n    while True:\n        time.sleep(0.01)",
        "# mine\ndef broken(x):\n    return 2 x\n",
        "def double(x):\n    return 2 * x",
    )
    done = check("--fail-below", "3")
    assert done.exit_code == 1
    assert "1 of 3 questions pass their public cases. Next: `loop`." in done.stdout
    assert "it ran for more than 3 s: is there an endless loop?" in done.stdout
    assert "its cell failed: SyntaxError: invalid syntax (line 3 of the cell)" in done.stdout
    raw = (beside / "hw.ipynb").read_text().splitlines()
    line = next(n for n, text in enumerate(raw, 1) if "return 2 x" in text)
    assert f"::error file=hw.ipynb,line={line},title=broken%3A is not defined::" in done.stdout


def test_a_folder_that_lacks_a_module_is_one_clear_line(beside):
    (beside / "checking.py").unlink()
    write_notebook(beside / "hw.ipynb", "x = 1")
    done = check()
    assert done.exit_code == 2
    assert "No module named 'checking': keep the homework's files together" in done.stderr
