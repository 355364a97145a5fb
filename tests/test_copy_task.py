"""Question 8 of `copy_task`: tests that students write."""

import dataclasses

import pytest

from autograder.bank import MISTAKES, bank_names
from autograder.grading.engine import grade
from autograder.grading.intake import Cell, Submission
from autograder.homework import load_homework
from autograder.samples import Author, bank_answer

HOMEWORK = load_homework("copy_task")
AUTHOR = Author(HOMEWORK)


def mistake(question, name):
    path = HOMEWORK.bank(MISTAKES, question)
    reference = AUTHOR.answers([question])[question]
    return bank_answer(path, question, bank_names(path).index(name), reference)


IMPORTS = """
import numpy as np
import torch
import torch.nn.functional as F
from collections.abc import Callable
from torch import Tensor
from typing import Any
"""
DESERVED = {
    ("check_future_tokens", "never_raises"): (0, "it never raises"),
    ("check_future_tokens", "always_raises"): (0, "refuses each model, right or broken"),
    ("check_future_tokens", "tests_the_shape_only"): (0, "it never raises"),
    ("check_future_tokens", "tests_the_loss_only"): (0, "it never raises"),
    ("check_future_tokens", "demands_a_trained_model"): (0, "one that is not trained"),
    ("check_future_tokens", "compares_position_0_only"): (2, "looks ahead in the second half only"),
    ("check_future_tokens", "demands_equal_bits"): (3, "rounds as another machine would"),
    ("check_future_tokens", "asks_at_one_length"): (2, "targets longer than the lesson's"),
    ("check_source_padding", "never_asks_about_a_row_alone"): (3, "one of them"),
    ("check_prefixes", "compares_the_first_row_only"): (3, "one row of the batch only"),
    ("check_masked_weights", "tolerates_tiny_weights"): (3, "hides almost all of a weight"),
    ("check_masked_weights", "tests_sums_only"): (0, "shares equally among all keys"),
}


@pytest.mark.parametrize(
    ("question", "name"), [pytest.param(*key, id="-".join(key)) for key in DESERVED]
)
def test_a_students_test_has_the_points_that_it_deserves_and_is_told_why(question, name, launcher):
    deserved, words = DESERVED[question, name]
    alone = dataclasses.replace(HOMEWORK, question_names=(question,))
    cells = (Cell(0, IMPORTS), Cell(1, mistake(question, name)))
    result = grade(Submission("someone", cells), alone, seed=1, launcher=launcher)
    assert result.score == deserved
    told = [case.message for case in result.cases if not case.passed]
    assert any(words in message for message in told), told
    assert {case.misconception for case in result.cases if not case.passed} != {None}


def test_a_test_that_calls_the_model_wrongly_is_told_how(launcher):
    alone = dataclasses.replace(HOMEWORK, question_names=("check_prefixes",))
    source = "def check_prefixes(model):\n    model(torch.zeros(2, 3), torch.ones(2, 3))"
    cells = (Cell(0, IMPORTS), Cell(1, source))
    result = grade(Submission("someone", cells), alone, seed=1, launcher=launcher)
    assert result.score == 0
    hidden = [case.message for case in result.cases if case.case.hidden]
    assert hidden[0].startswith("`model` is called with a source that is no (B, n) tensor of ints")
