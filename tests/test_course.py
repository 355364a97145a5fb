"""What the three homeworks of this course must have, beyond what every homework must.

A homework that is added to the repository need not have any of it, nor be named here.
"""

import doctest
import importlib
import inspect
from string import ascii_lowercase

import pytest

from autograder.bank import MISTAKES, VARIANTS, read_bank
from autograder.homework import load_homework

ROWS = {  # a row of the handout's table: its questions, and their points
    "seq2seq": [
        {"scaled_dot_product_attention": 16},
        {"causal_mask": 8},
        {"positional_encoding": 8},
        {"shift_targets": 8},
        {"smoothed_targets": 8},
        {"smoothed_cross_entropy": 14},
        {"greedy_decode": 12},
        {"beam_search": 16},
        {"train_step": 10},
        {"train_translator": 10},
    ],
    "copy_task": [
        {"make_dataset": 6},
        {"make_batch": 8},
        {"attention_masks": 8},
        {"numpy_attention": 6, "numpy_layer_norm": 4, "numpy_encoder_block": 6},
        {"MultiHeadAttention": 6, "EncoderBlock": 4, "DecoderBlock": 4, "TinyTransformer": 6},
        {"training_loss": 8},
        {"generate": 12},
        {
            "check_future_tokens": 4,
            "check_source_padding": 4,
            "check_prefixes": 4,
            "check_masked_weights": 4,
        },
        {"make_reverse_batch": 6},
    ],
    "digit_reader": [
        {"compose": 10},
        {"patchify": 10},
        {"decoder_tensors": 10},
        {"EncoderBlock": 8, "DecoderBlock": 12},
        {"Reader": 16},
        {"read": 12},
        {"exact_sequence": 8},
        {"attention_thirds": 6},
        {"train_reader": 8},
    ],
}
FIGURES = {"seq2seq": 10, "copy_task": 5, "digit_reader": 5}
"""How many figures a solved notebook draws at least; `test_notebooks.py` runs it."""
MISTAKES_AT_LEAST, VARIANTS_AT_LEAST = 15, 8
FEWER = {"causal_mask": (8, 8), "shift_targets": (8, 8), "train_translator": (7, 0)}
"""Little can be wrong about a line or two, and who trains for long is not asked often."""
EXAMPLES = {"seq2seq": 16, "copy_task": 51, "digit_reader": 31}
"""How many examples the docstrings hold at least; `test_homeworks.py` runs them."""

every_homework = pytest.mark.parametrize("name", ROWS)
every_question = pytest.mark.parametrize(
    ("name", "question"),
    [
        pytest.param(name, question, id=f"{name}-{question}")
        for name, rows in ROWS.items()
        for row in rows
        for question in row
    ],
)


@every_homework
def test_questions_have_the_points_of_the_table_and_full_marks_are_100(name):
    homework = load_homework(name)
    stated = {question: points for row in ROWS[name] for question, points in row.items()}
    assert {question.name: question.points for question in homework.questions} == stated
    assert homework.points == 100


@every_homework
def test_a_row_of_one_question_is_3_and_a_row_of_several_is_4a_4b(name):
    letters = [ascii_lowercase[: len(row)] if len(row) > 1 else [""] for row in ROWS[name]]
    numbers = [f"{n}{letter}" for n, row in enumerate(letters, 1) for letter in row]
    assert list(load_homework(name).numbers.values()) == numbers


@every_homework
def test_docstrings_hold_examples(name):
    module = importlib.import_module(f"solutions.{name}")
    found = doctest.DocTestFinder().find(module)
    assert sum(len(test.examples) for test in found) >= EXAMPLES[name]


@every_question
def test_there_are_mistakes_and_right_answers_enough(name, question):
    homework = load_homework(name)
    mistakes, variants = FEWER.get(question, (MISTAKES_AT_LEAST, VARIANTS_AT_LEAST))
    assert len(read_bank(homework, MISTAKES, question)) >= mistakes
    assert len(read_bank(homework, VARIANTS, question)) >= variants


@every_question
def test_the_hint_of_a_mistake_has_two_sentences_of_moderate_length(name, question):
    for known in read_bank(load_homework(name), MISTAKES, question):
        assert inspect.getdoc(known.function).count("\n\n") == 1, known.name
        assert 40 < len(known.hint) < 240, known.name
