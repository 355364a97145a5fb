"""What students' code may do to the process, and what it costs them: that question at most."""

import dataclasses

import pytest

from autograder.grading.engine import grade
from autograder.grading.intake import Cell, Submission
from autograder.homework import Homework, Limits
from tests.conftest import by_case

DOUBLE = "def double(x):\n    return 2 * x"
APPLY = "def apply(step, numbers):\n    return [step(n) for n in numbers]"


def test_right_answers_get_all_points(grade_cells):
    assert grade_cells(DOUBLE, APPLY).score == 7


def test_cells_find_the_data_of_the_homework(grade_cells):
    read = "with open('data/factor.txt') as file:\n    factor = int(file.read())"
    result = grade_cells(read, "def double(x):\n    return factor * x", APPLY)
    assert result.score == 7
    assert result.warnings == ()


def test_a_wrong_answer_is_told_what_came_in_public_cases_only(grade_cells):
    told = by_case(grade_cells("def double(x):\n    return 3 * x", APPLY))
    assert told["two"] == (False, "the result is not the right number: expected 4, got 6")
    assert told["many"] == (False, "the result is not the right number")
    assert told["callback"][0]


def test_a_stub_is_called_a_stub_and_its_other_cases_are_not_run(grade_cells):
    told = by_case(grade_cells('def double(x):\n    raise NotImplementedError("double")', APPLY))
    assert told["two"][1].startswith("`double` is not written yet")
    assert told["many"][1] == "not run: `double` is not written yet"


def test_an_undefined_function_is_named(grade_cells):
    told = by_case(grade_cells(APPLY))
    assert (
        told["two"][1] == "`double` is not defined: keep the name of the question, and run its cell"
    )


def test_a_function_whose_cell_failed_is_explained_by_the_failure(grade_cells):
    result = grade_cells("def double(x)\n    return 2 * x", APPLY)
    assert by_case(result)["two"][1] == (
        "`double` is not defined: its code failed with SyntaxError in cell 1, line 1: "
        "`def double(x)`"
    )
    assert result.score == 4


def test_a_value_in_place_of_a_function_is_named(grade_cells):
    assert (
        by_case(grade_cells("double = 4", APPLY))["two"][1] == "`double` is a int, not a function"
    )


def test_a_later_cell_that_reuses_the_name_loses_nothing(grade_cells):
    assert grade_cells(DOUBLE, APPLY, "double = double(4)").score == 7


def test_an_exception_tells_the_students_own_line_and_hides_its_text_in_hidden_cases(grade_cells):
    told = by_case(grade_cells("def double(x):\n    raise ValueError(f'got {x}')", APPLY))
    line = "your code raised ValueError in cell 1, line 2: `raise ValueError(f'got {x}')`"
    assert told["two"][1] == f"{line}: got 2"
    assert told["many"][1] == line


def test_a_loop_in_one_question_costs_that_question_only(grade_cells):
    told = by_case(grade_cells("def double(x):\n    while True: pass", APPLY))
    assert told["two"][1] == "timed out after 1 s: is there an endless loop?"
    assert told["many"][1] == "timed out after 1 s: is there an endless loop?"
    assert told["callback"][0]


def test_two_timeouts_end_a_question(grade_cells):
    told = by_case(grade_cells("def apply(f, n):\n    while True: pass", DOUBLE))
    assert told["driven"] == (False, "timed out after 1 s: is there an endless loop?")


def test_exit_in_a_function_costs_that_question_only(grade_cells):
    for way in ("import sys; sys.exit(0)", "import os; os._exit(0)", "raise KeyboardInterrupt"):
        result = grade_cells(f"def double(x):\n    {way}", APPLY)
        assert result.score == 4
        assert not any(passed for name, (passed, _) in by_case(result).items() if name == "two")


def test_a_cell_that_ends_the_process_is_skipped_and_named(grade_cells):
    result = grade_cells(DOUBLE, "import os; os._exit(3)", APPLY)
    assert result.score == 7
    assert result.warnings == ("cell 2 ended the process (it exited with 3) and was skipped",)


def test_a_cell_that_never_ends_is_skipped_and_named(grade_cells):
    result = grade_cells("while True: pass", DOUBLE, APPLY)
    assert result.score == 7
    assert result.warnings == ("cell 1 ran for more than 3 s and was skipped",)


def test_a_notebook_of_endings_only_is_a_result_too(grade_cells):
    result = grade_cells(*["import os; os._exit(0)"] * 6, DOUBLE)
    assert result.score == 0
    assert by_case(result)["two"][1] == "the notebook cannot be run: it exited with 0"


def test_a_failing_cell_is_reported_and_the_rest_still_run(grade_cells):
    result = grade_cells("1 / 0", DOUBLE, APPLY)
    assert result.score == 7
    assert result.warnings == ("ZeroDivisionError in cell 1, line 1: `1 / 0`",)


def test_cells_have_ipythons_semantics(grade_cells):
    cell = (
        "%matplotlib inline\n"
        "!rm -rf everything\n"
        "%pip install nothing\n"
        "files = !ls\n"
        "import asyncio\n"
        "await asyncio.sleep(0)\n"
        "from IPython.display import display\n"
        "display(files)\n"
        "import otter\n"
        "grader = otter.Notebook()\n"
        "grader.check('double')\n"
        "print('x' * 1_000_000)\n" + DOUBLE
    )
    result = grade_cells(cell, APPLY)
    assert result.score == 7
    assert any("rm -rf everything" in note for note in result.warnings)
    assert any("%pip" in note for note in result.warnings)


def test_input_has_no_one_to_ask(grade_cells):
    result = grade_cells("size = input('size? ')", DOUBLE, APPLY)
    assert result.score == 7
    assert "EOFError" in result.warnings[0]


def test_what_stands_in_a_student_process_is_the_same_each_time(grade_cells):
    noisy = "import random, torch\ndef double(x):\n    return 2 * x + (torch.rand(()) < 0.5)"
    first, second = (by_case(grade_cells(noisy, APPLY)) for _ in range(2))
    assert first == second


def test_misuse_of_a_callback_is_the_students_failure(grade_cells):
    told = by_case(grade_cells(DOUBLE, "def apply(step, numbers):\n    return [step()]"))
    assert told["callback"][1].startswith("`step` was called with arguments that it cannot take")


def test_callbacks_without_end_are_cut_off(grade_cells, monkeypatch):
    monkeypatch.setattr("autograder.grading.session.MAX_CALLBACKS", 50)
    source = "def apply(step, numbers):\n    while True: step(1)"
    assert (
        by_case(grade_cells(DOUBLE, source))["callback"][1] == "a function was called without end"
    )


def test_values_that_cannot_be_sent_are_wrong_types_not_crashes(grade_cells):
    for value in ("object()", "lambda: 0", "1j", "'four'", "[[1], [2, 3]]", "1 << 80", "{1: 2}"):
        passed, message = by_case(grade_cells(f"def double(x):\n    return {value}", APPLY))["two"]
        assert not passed
        assert message.startswith("the result ")


def test_huge_and_deep_values_are_refused(grade_cells):
    huge = "import torch\ndef double(x):\n    return torch.zeros(1).expand(1 << 40)"
    assert not by_case(grade_cells(huge, APPLY))["two"][0]
    deep = "def double(x):\n    v = []\n    for _ in range(100_000): v = [v]\n    return v"
    assert grade_cells(deep, APPLY).score == 4
    many = "def double(x):\n    return list(range(10_000_000))"
    assert grade_cells(many, APPLY).score == 4


def test_objects_that_are_equal_to_everything_gain_nothing(grade_cells):
    source = (
        "import torch\n"
        "class Yes(float):\n"
        "    __eq__ = __lt__ = __gt__ = lambda *a: True\n"
        "    __sub__ = __rsub__ = lambda *a: 0.0\n"
        "torch.allclose = lambda *a, **k: True\n"
        "def double(x):\n    return Yes(7)"
    )
    assert grade_cells(source, APPLY).score == 4


def test_no_case_or_reference_is_in_the_workers_memory(grade_cells):
    source = (
        "import gc, sys\n"
        "def double(x):\n"
        "    ours = ('solutions', 'checks', 'autograder')\n"
        "    known = [name for name in sys.modules if name.startswith(ours)]\n"
        "    assert all(n == 'autograder' or n.startswith('autograder.worker') for n in known)\n"
        "    return 2 * x"
    )
    assert grade_cells(source, APPLY).score == 7


def test_the_environment_of_the_grader_is_not_the_workers(grade_cells, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "abc")
    source = (
        "import os\ndef double(x):\n    assert 'SECRET_TOKEN' not in os.environ\n    return 2 * x"
    )
    assert grade_cells(source, APPLY).score == 7


def test_what_one_question_does_to_the_process_costs_no_other_question(grade_cells):
    """The spoiling comes first, so that `apply` meets what `double` has left behind."""
    for spoil in (
        "import os; os.chdir('/')",
        "import builtins; builtins.list = builtins.isinstance = 3",
        "import torch; torch.Tensor.tolist = None",
        "import json; json.dumps = None",
        "import sys; sys.setrecursionlimit(60)",
        "globals()['apply'] = None; get_ipython().user_ns.clear()",
        "import torch; torch.set_default_dtype(torch.float16)",
        "import signal; signal.alarm(1)",
    ):
        result = grade_cells(f"def double(x):\n    {spoil}\n    return 2 * x", APPLY)
        told = by_case(result)
        assert told["callback"][0], (spoil, told)
        assert told["driven"][0], (spoil, told)


def test_memory_has_a_limit_that_is_named(grade_cells):
    for bomb in ("b'x' * (1 << 34)", "__import__('torch').ones(1 << 33)"):
        told = by_case(grade_cells(f"def double(x):\n    return {bomb}", APPLY))
        assert told["two"][1].startswith("your code ran out of memory: "), told
        assert told["callback"][0]


def test_a_crash_is_named_by_its_signal(grade_cells):
    crash = "import ctypes\ndef double(x):\n    ctypes.string_at(0)"
    told = by_case(grade_cells(crash, APPLY))
    assert told["two"][1] == "your code ended the process that runs it: it was ended by SIGSEGV"


def test_too_much_output_is_counted_and_named(grade_cells):
    result = grade_cells("print('x' * 2_000_000)", DOUBLE, APPLY)
    assert result.score == 7
    assert result.warnings == ("it printed 2,000,001 characters, where 1,000,000 are enough",)


def test_the_total_time_has_a_limit(tiny, launcher):
    limited = dataclasses.replace(tiny, limits=dataclasses.replace(tiny.limits, total_seconds=0))
    cells = tuple(Cell(n, source) for n, source in enumerate((DOUBLE, APPLY)))
    result = grade(Submission("someone", cells), limited, None, launcher)
    assert {case.message for case in result.cases} == {
        "not run: the submission has used up all its time"
    }


def test_the_same_submission_gets_the_same_seed_and_another_one_another(grade_cells):
    first, again = grade_cells(DOUBLE, APPLY), grade_cells(DOUBLE, APPLY)
    other = grade_cells(DOUBLE + "  # mine", APPLY)
    assert first.seed == again.seed != other.seed
    assert grade_cells(DOUBLE, APPLY, seed=5).seed == 5


CLASS_CHECKS = '''
import torch

from autograder.checking import (
    assert_tensor, call_loaded, driver, loaded_answers, standing_in, test_case
)

OK_FORMAT = False
name = "Twice"


@driver
def among_parts(Twice, weights, x):
    from torch import nn

    class Part(nn.Linear):
        def __init__(self):
            super().__init__(1, 1)

    def work():
        return call_loaded(Twice, [], weights, "forward", [[x]])

    return standing_in(Twice, {"Part": Part}, work)


@test_case(points=2)
def twice(Twice):
    """The part is called twice"""
    weights = {"part.weight": torch.tensor([[3.0]]), "part.bias": torch.tensor([1.0])}
    (answer,) = loaded_answers(among_parts(Twice, weights, torch.ones(1)), weights, 1)
    assert_tensor(answer, torch.tensor([13.0]))


@test_case(points=1, hidden=True)
def again(Twice):
    """And it is called twice again"""
    twice.test_func(Twice)
'''
TWICE = """
from torch import nn


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.part = Part()

    def forward(self, x):
        return self.part(self.part(x))
"""


@pytest.fixture
def grade_class(tmp_path, launcher):
    """Grade cells of code as a submission whose only question is the class `Twice`."""
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "Twice.py").write_text(CLASS_CHECKS, encoding="utf-8")

    class Classes(Homework):
        folder = tmp_path
        version = "test"

    homework = Classes(
        name="classes",
        title="Classes",
        question_names=("Twice",),
        numbers={"Twice": "1"},
        stretch=frozenset(),
        requirements=(),
        limits=Limits(),
        case_seconds={},
    )

    def run(*sources):
        cells = tuple(Cell(number, source) for number, source in enumerate(sources))
        return by_case(grade(Submission("someone", cells), homework, None, launcher))

    return run


@pytest.mark.parametrize("part", ["", "Part = 4", "class Part:\n    pass"])
def test_a_class_is_graded_whatever_the_parts_are_that_it_is_made_of(grade_class, part):
    assert grade_class(part, TWICE) == {"twice": (True, ""), "again": (True, "")}


def test_a_class_with_a_stub_is_not_written_yet(grade_class):
    stub = "raise NotImplementedError('Twice')"
    told = grade_class(TWICE.replace("return self.part(self.part(x))", stub))
    assert told["twice"][1].startswith("`Twice` is not written yet: put your code in place of")
    assert told["again"][1] == "not run: `Twice` is not written yet"


def test_a_class_with_another_init_is_told_what_is_missing(grade_class):
    told = grade_class(TWICE.replace("self.part = Part()", "self.half = Part()"))
    words = "the module has no weight `part.weight`: keep the `__init__` that was given"
    assert told["twice"] == told["again"] == (False, words)
    assert grade_class("def Twice():\n    return 4")["twice"] == (False, words)
