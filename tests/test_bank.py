"""Every known mistake loses points, and every unusual right answer keeps them all."""

import importlib.util
import inspect

import pytest

from autograder.checking import case_arguments
from autograder.homework import load_homework

HOMEWORK = load_homework("seq2seq")


def bank(kind):
    """List (question, name, function) of a bank; the stretch trains too long to be tried here."""
    for question in HOMEWORK.question_names:
        path = HOMEWORK.folder / kind / f"{question}.py"
        if question in HOMEWORK.stretch or not path.is_file():
            continue
        spec = importlib.util.spec_from_file_location(f"{kind}_{question}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__:
                yield question, name, function


def failing(question, function, seed, *, first_only):
    cases = next(q.cases for q in HOMEWORK.questions if q.name == question)
    failed = []
    for case in cases:
        try:
            case.test_func(**case_arguments(case.test_func, {question: function}, seed))
        except Exception as error:
            failed.append(f"{case.facts.name}: {type(error).__name__}: {error}")
            if first_only:
                break
    return failed


@pytest.mark.parametrize(
    ("question", "function"),
    [pytest.param(q, f, id=f"{q}-{name}") for q, name, f in bank("variants")],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_an_unusual_right_answer_has_all_points(question, function):
    for seed in range(2):
        assert failing(question, function, seed, first_only=False) == []


@pytest.mark.parametrize(
    ("question", "function"),
    [pytest.param(q, f, id=f"{q}-{name}") for q, name, f in bank("mistakes")],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_mistake_loses_points(question, function):
    assert failing(question, function, seed=0, first_only=True)


def test_a_mistake_is_written_as_its_question_and_hints_in_two_sentences():
    for question, name, function in bank("mistakes"):
        answer = importlib.import_module("solutions.seq2seq").__dict__[question]
        assert str(inspect.signature(function)).split(" ->")[0].count(",") == (
            str(inspect.signature(answer)).split(" ->")[0].count(",")
        ), name
        assert inspect.getdoc(function).count("\n\n") == 1, name
