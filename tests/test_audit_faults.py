"""What an author gets wrong in a homework of their own is told by the audit, in a line."""

import contextlib
import json
import shutil
import sys

import pytest
from click.testing import CliRunner

import solutions
from autograder import cli
from autograder.audit import audit_question
from autograder.homework import ROOT, load_homework

FILES = {
    "assignments/halves/assignment.toml": """
title = "Halves"
questions = ["half"]
requirements = ["torch>=2.6"]
""",
    "assignments/halves/notebook.py": """
# %% [markdown]
# # Halves

# %%
import otter
import torch

grader = otter.Notebook()

# %% question="half"
""",
    "assignments/halves/checks/half.py": '''
import torch

from autograder.checking import Mismatch, assert_tensor, driver, test_case
from solutions import halves as reference

OK_FORMAT = False
name = "half"
FOUR = 4.0


@driver
def half_of_four(half, four):
    return half(0 * four + 4.0)


@test_case(points=1)
def by_hand(half):
    """Two numbers"""
    assert_tensor(half(torch.tensor([1.0, -4.0])), torch.tensor([0.5, -2.0]))


@test_case(points=2, hidden=True)
def drawn(half, rng):
    """Numbers that are drawn"""
    x = torch.randn(5, generator=rng)
    answer = half(x)
    if answer is None:
        raise Mismatch("nothing is returned")
    assert_tensor(answer, reference.half(x))


@test_case(points=3, hidden=True)
def of_four(half):
    """One number, 4"""
    assert_tensor(half_of_four(half, torch.tensor(FOUR)), torch.tensor(2.0))
''',
    "assignments/halves/mistakes/half.py": '''
import torch

TWO = 2


def doubles(x):
    """It seems to double.

    Revisit what a half is.
    """
    return x * TWO


def returns_nothing(x):
    """Nothing seems to be returned.

    Revisit `return`.
    """
    x / 2
''',
    "assignments/halves/variants/half.py": """
def multiplies(x):
    return 0.5 * x
""",
    "solutions/halves.py": '''
import torch


def half(x):
    """Return half of each number in a tensor."""
    return torch.div(x, 2)
''',
}
CHECK, MISTAKES, VARIANTS, SOLUTION, NOTEBOOK = (
    "assignments/halves/checks/half.py",
    "assignments/halves/mistakes/half.py",
    "assignments/halves/variants/half.py",
    "solutions/halves.py",
    "assignments/halves/notebook.py",
)


@pytest.fixture
def halves(tmp_path, monkeypatch, launcher):
    """A homework of one question that a test may spoil: the folder that it lies in."""
    opened = contextlib.nullcontext(launcher)  # one fork server for all of these tests
    monkeypatch.setattr("autograder.audit.notebooks.open_launcher", lambda: opened)
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "autograder").symlink_to(ROOT / "autograder")
    monkeypatch.setattr("autograder.homework.ROOT", tmp_path)
    monkeypatch.setattr(solutions, "__path__", [*solutions.__path__, str(tmp_path / "solutions")])
    yield tmp_path
    sys.modules.pop("solutions.halves", None)
    vars(solutions).pop("halves", None)


def run(*arguments):
    return CliRunner().invoke(cli.main, list(map(str, arguments)))


def audited(*options):
    """Return the exit code and all that is told but the tables and the time."""
    done = run("audit", "halves", *options)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    lines = [line for line in done.output.splitlines() if not set(line) & set("┏┓┃┡┩└┘│┴")]
    return done.exit_code, "\n".join(lines)


def test_a_homework_without_faults_is_green_and_speaks_of_no_lesson(halves):
    done = run("audit", "halves", "--json", halves / "all.json")
    assert done.exit_code == 0, done.output
    assert "0 of 2 mistakes accepted, 0 of 1 right answers refused" in done.output
    assert "lesson" not in done.output
    assert json.loads((halves / "all.json").read_text())["halves"][0]["accepted_by_lesson"] is None


def test_figures_of_the_lesson_are_counted_where_a_case_has_some(halves):
    replace(halves / CHECK, '"""Two numbers"""', '"""The lesson\'s numbers"""')
    code, told = audited()
    assert code == 0, told
    assert "the lesson's figures alone accept 0 of 2 mistakes" in told


def replace(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


SPOILT = {
    "a case raises": (
        (CHECK, "    x = torch.randn", "    1 / 0\n    x = torch.randn"),
        f"half: `drawn`: the check itself fails at {CHECK}:26: ZeroDivisionError: division by zero",
    ),
    "a case raises where an answer is wrong": (
        (CHECK, 'raise Mismatch("nothing is returned")', "raise Mismatc"),
        f"half: `drawn`: the check itself fails at {CHECK}:29: NameError",
    ),
    "a parameter is misspelt": (
        (CHECK, "def by_hand(half)", "def by_hand(haf)"),
        f"half: `by_hand`: the check itself fails at {CHECK}:20: NameError",
    ),
    "an expected value is wrong": (
        (CHECK, "-2.0])", "float('nan')])"),
        f"half: `by_hand` at {CHECK}:20 refuses the reference: the result",
    ),
    "a driver uses a name of its file": (
        (CHECK, "0 * four + 4.0", "FOUR + 0 * four"),
        "loses 3 points: half, `of_four`: your code raised NameError: name 'FOUR' is not defined",
    ),
    "the notebook lacks an import": (
        (NOTEBOOK, "import torch\n", ""),
        "halves: the solved notebook loses 1 point: half, `by_hand`: your code raised NameError",
    ),
    "the notebook lacks a constant": (
        (SOLUTION, "x, 2)", "x, TWO)\n\n\nTWO = 2"),
        "name 'TWO' is not defined",
    ),
    "a case asks for nothing": (
        (CHECK, "    assert_tensor(half(torch", "    return\n    assert_tensor(half(torch"),
        "halves: the starter has 1 point: half, `by_hand` passes",
    ),
    "the notebook places no question": (
        (NOTEBOOK, '# %% question="half"', ""),
        "halves: the notebooks cannot be built: ",
    ),
    "a mistake uses what is not there": (
        (MISTAKES, "x * TWO", "x * torhc.tensor(2)"),
        f"the mistake `doubles` is broken at {MISTAKES}:12: NameError: name 'torhc'",
    ),
    "a mistake misspells a method": (
        (MISTAKES, "x * TWO", "x.duoble()"),
        f"the mistake `doubles` is broken at {MISTAKES}:12: AttributeError: 'Tensor' object has",
    ),
    "a mistake has another signature": (
        (MISTAKES, "def doubles(x)", "def doubles(x, y)"),
        "TypeError: doubles() missing 1 required positional argument: 'y'",
    ),
}


@pytest.mark.parametrize(("change", "words"), SPOILT.values(), ids=SPOILT.keys())
def test_what_is_broken_is_named_with_its_line(halves, change, words):
    replace(halves / change[0], *change[1:])
    code, told = audited()
    assert code == 1, told
    assert words in told
    assert "the right answer `multiplies` is refused" not in told


REFUSED = {
    "two of one name": (
        (MISTAKES, "def returns_nothing", "def doubles"),
        "mistakes/half.py:15: two answers are called 'doubles'",
    ),
    "a helper": (
        (
            MISTAKES,
            "    return x * TWO\n",
            "    return _twice(x)\n\n\ndef _twice(x):\n    return x\n",
        ),
        "mistakes/half.py:7: 'doubles' uses '_twice' of its file",
    ),
    "a constant of a constant": (
        (MISTAKES, "TWO = 2", "ONE = 1\nTWO = 2 * ONE"),
        "mistakes/half.py:8: 'doubles' uses 'ONE' of its file",
    ),
    "a variant with another one": (
        (VARIANTS, "0.5 * x", "other(x)\n\n\ndef other(x):\n    return x / 2"),
        "variants/half.py:2: 'multiplies' uses 'other' of its file",
    ),
}


@pytest.mark.parametrize("command", [("audit",), ("build", "--check")], ids=lambda c: c[0])
@pytest.mark.parametrize(("change", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_a_bank_that_breaks_a_rule_is_refused(halves, change, words, command):
    replace(halves / change[0], *change[1:])
    done = run(*command, "halves")
    assert done.exit_code == 2, done.output
    (line,) = done.output.splitlines()
    assert line.startswith(f"error: {halves}/assignments/halves/")
    assert words in line


@pytest.mark.parametrize(
    "command", [("audit",), ("build", "--check"), ("samples", "--out", "out")], ids=lambda c: c[0]
)
def test_a_folder_that_nothing_reads_is_refused(halves, command):
    folder = halves / "assignments" / "halves"
    (folder / "mistakes").rename(folder / "mistake")
    (folder / "__pycache__").mkdir()
    done = run(command[0], "halves", *command[1:])
    assert done.exit_code == 2, done.output
    assert done.output == (
        f"error: {folder}/mistake: nothing reads this folder; "
        "there are checks, mistakes, variants, data\n"
    )


def test_missing_banks_are_said_and_the_sample_class_does_without_them(halves):
    shutil.rmtree(halves / "assignments" / "halves" / "mistakes")
    (halves / VARIANTS).write_text("import torch\n")
    code, told = audited()
    assert code == 0, told
    assert f"no mistakes are known of half: {MISTAKES} is not there" in told
    assert f"no unusual right answers are known of half: {VARIANTS} holds none" in told
    done = run("samples", "halves", "--out", halves / "class")
    assert done.exit_code == 0, done.output
    left = [f"other-style-{n}.ipynb" for n in (1, 2, 3)]
    left += [f"mistakes-{n}.ipynb" for n in range(1, 7)]
    assert done.output.splitlines() == [
        f"wrote 13 submissions to {halves / 'class'}",
        f"left out, as the banks have nothing for them: {', '.join(left)}",
    ]
    assert not {path.name for path in (halves / "class").iterdir()} & set(left)


def test_a_private_helper_is_no_mistake_of_the_sample_class(halves):
    """The first of one question's mistakes goes to the first submission, the second to another."""
    replace(halves / MISTAKES, "TWO = 2\n", "TWO = 2\n\n\ndef _unused(x):\n    return x\n")
    assert run("samples", "halves", "--out", halves / "class").exit_code == 0
    texts = {path.stem: path.read_text() for path in (halves / "class").glob("mistakes-*")}
    assert {name: "x * TWO" in text for name, text in texts.items()} == {
        "mistakes-1": True,
        "mistakes-4": False,
    }
    assert "x / 2" in texts["mistakes-4"]
    assert "_unused" not in "".join(texts.values())


def test_a_mistake_may_raise_what_looks_like_a_slip_at_some_case(halves):
    replace(halves / MISTAKES, "return x * TWO", "return 2 * x if len(x) == 2 else x.duoble()")
    code, told = audited()
    assert code == 0, told


@pytest.mark.usefixtures("halves")
def test_a_question_is_tried_alone_and_must_be_there():
    done = run("audit", "halves", "--question", "halv")
    assert (done.exit_code, done.output) == (
        2,
        "error: there is no question 'halv'; there is: half\n",
    )
    assert audited("--question", "half")[0] == 0


@pytest.mark.usefixtures("halves")
def test_where_the_reference_is_refused_nothing_else_is_tried():
    homework = load_homework("halves")
    (question,) = homework.questions
    homework.reference("half").__code__ = (lambda x: x).__code__
    audit = audit_question(homework, question)
    assert [case for case, _ in audit.reference.failures] == ["by_hand", "of_four"]
    assert (audit.mistakes, audit.variants) == ((), ())
