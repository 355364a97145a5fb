"""The cases accept no known mistake and refuse no right answer; without one of them, they would."""

import contextlib
import dataclasses
import importlib
import inspect
import json
import re
import shutil

import pytest
import torch
from click.testing import CliRunner

from autograder import cli
from autograder.audit import audit_question
from autograder.bank import MISTAKES, left_alone, read_bank
from autograder.homework import ROOT, load_cases, load_homework

HOMEWORK = load_homework("seq2seq")
ASKED = [question for question in HOMEWORK.questions if not question.stretch]
QUICK = [question for question in ASKED if question.name != "train_step"]


def by_name(questions):
    return [pytest.param(question, id=question.name) for question in questions]


@pytest.mark.parametrize("question", by_name(QUICK))
def test_no_mistake_is_accepted_and_no_right_answer_is_refused(question):
    """Under some seeds; `make audit` tries all homeworks under one."""
    audit = audit_question(HOMEWORK, question, seeds=3)
    assert [(t.known.name, t.accepting_seeds) for t in audit.accepted] == []
    assert [(t.known.name, t.first_complaint) for t in audit.refused] == []


@pytest.mark.parametrize("question", by_name(QUICK[1:4]))
def test_without_a_case_mistakes_slip_through(question):
    audit = audit_question(HOMEWORK, question)
    needed = [case for case in audit.cases if audit.caught_only_by(case)]
    assert needed
    for name in needed:
        cases = tuple(case for case in question.cases if case.facts.name != name)
        weaker = audit_question(HOMEWORK, dataclasses.replace(question, cases=cases))
        assert {t.known.name for t in weaker.accepted} == set(audit.caught_only_by(name))


@pytest.fixture
def copied(tmp_path, monkeypatch, launcher):
    """A copy of the homework's folder that a test may spoil, in the place of the real one."""
    opened = contextlib.nullcontext(launcher)  # one fork server for all of these tests
    monkeypatch.setattr("autograder.audit.notebooks.open_launcher", lambda: opened)
    folder = tmp_path / "assignments" / "seq2seq"
    shutil.copytree(HOMEWORK.folder, folder)
    for name in ("autograder", "solutions"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.setattr("autograder.homework.ROOT", tmp_path)
    return folder


def audited(*arguments, question="scaled_dot_product_attention"):
    command = ["audit", "seq2seq", "--question", question, *map(str, arguments)]
    return CliRunner().invoke(cli.main, command)


@pytest.mark.usefixtures("copied")
def test_the_command_says_that_all_is_well(tmp_path):
    done = audited("--json", tmp_path / "a.json", "--messages", tmp_path / "m.md", "--seeds", 2)
    assert done.exit_code == 0, done.output
    told = r"0 of \d\d mistakes accepted, 0 of 15 right answers refused, under 2 seeds"
    assert re.search(told, done.output)
    found = json.loads((tmp_path / "a.json").read_text())["seq2seq"][0]
    assert found["mistakes"]["divides_by_d_k"]["accepted_under_seeds"] == []
    assert found["accepted_by_lesson"] > 20
    assert "### divides_by_d_k\n" in (tmp_path / "m.md").read_text()


EXTREME = r"@test_case\([^)]*\)\ndef extreme_scores\(.*?\n\n\n"


@pytest.mark.parametrize(
    ("old", "new", "slips"),
    [
        (EXTREME, "", "hides_with_minus_ten_thousand"),
        (r"atol = 1e-12 if", "atol = 1e-2 if", "passes_through_float32"),
    ],
)
def test_the_command_names_what_slips_through(copied, old, new, slips):
    path = copied / "checks" / "scaled_dot_product_attention.py"
    path.write_text(re.sub(old, new, path.read_text(), flags=re.DOTALL))
    done = audited()
    assert done.exit_code == 1
    assert f"the mistake `{slips}` is accepted" in done.output


def test_the_command_names_a_right_answer_that_is_refused(copied):
    path = copied / "checks" / "scaled_dot_product_attention.py"
    path.write_text(path.read_text().replace("atol=5e-3", "atol=0.0"))
    done = audited()
    assert done.exit_code == 1
    assert "the right answer `" in done.output


def test_tolerances_of_a_hundredth_let_mistakes_through(tmp_path):
    slipped = {}
    for question in QUICK:
        text = HOMEWORK.checks(question.name).read_text()
        path = tmp_path / f"{question.name}.py"
        path.write_text(re.sub(r"(atol ?= ?)(1e-12 if .*|[\d.e-]+)", r"\g<1>1e-2", text))
        cases = load_cases(path, question.name, "1")
        audit = audit_question(HOMEWORK, dataclasses.replace(question, cases=cases))
        slipped[question.name] = [t.known.name for t in audit.accepted]
    assert slipped["scaled_dot_product_attention"] == ["passes_through_float32"]
    assert slipped["positional_encoding"] == ["passes_through_half_precision"]
    assert slipped["smoothed_targets"] == ["rounds_to_two_decimals"]
    assert slipped["beam_search"] == ["rounds_scores"]


def test_a_mistake_is_written_as_its_question():
    module = importlib.import_module("solutions.seq2seq")
    for question in HOMEWORK.question_names:
        wanted = list(inspect.signature(getattr(module, question)).parameters)
        for known in read_bank(HOMEWORK, MISTAKES, question):
            parameters = list(inspect.signature(known.function).parameters)
            assert parameters[: len(wanted)] == wanted, known.name


def test_a_bank_that_does_not_run_is_told_in_a_line(copied):
    (copied / MISTAKES / "causal_mask.py").write_text("import nothing_of_this_name\n")
    done = audited(question="causal_mask")
    assert done.exit_code == 2
    assert "causal_mask.py: ModuleNotFoundError" in done.output
    assert str(ROOT) not in done.output


def test_an_answer_that_changes_modes_of_torch_does_so_for_itself_alone(capsys):
    with left_alone():
        torch.set_grad_enabled(False)
        torch.set_default_dtype(torch.float64)
        print("done")
    assert torch.is_grad_enabled()
    assert torch.get_default_dtype() == torch.float32
    assert capsys.readouterr().out == ""
