"""Question 9 of `digit_reader`: a training run, judged by what is read after it."""

import dataclasses

from autograder.bank import MISTAKES, bank_names
from autograder.grading.engine import grade
from autograder.grading.intake import Cell, Submission
from autograder.homework import load_homework
from autograder.samples import bank_answer

IMPORTS = """
import statistics
import torch
import torch.nn.functional as F
from collections.abc import Callable, Sequence
from torch import Tensor, nn
from torch.optim.lr_scheduler import LinearLR
PAD = 12
"""


def test_who_trains_with_three_digits_alone_is_told_what_is_missing(launcher):
    homework = load_homework("digit_reader")
    alone = dataclasses.replace(homework, question_names=("train_reader",))
    path = homework.bank(MISTAKES, "train_reader")
    wrong = bank_answer(path, "train_reader", bank_names(path).index("learns_three_digits_alone"))
    cells = (Cell(0, IMPORTS), Cell(1, wrong))
    result = grade(Submission("someone", cells), alone, seed=1, launcher=launcher)
    told = {c.case.name: c.message for c in result.cases if not c.passed}
    assert set(told) == {"new_numbers", "lengths"}, told
    assert "right for numbers of three digits, wrong for one digit" in told["new_numbers"]
    assert "does it learn from numbers of all lengths?" in told["new_numbers"]
