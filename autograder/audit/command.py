"""What `audit` does: try the banks, print what is found, and tell whether all is well."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from rich.console import Console

from autograder.audit import QuestionAudit, audit_question
from autograder.audit.messages import as_markdown, read_messages
from autograder.audit.tables import as_dict, case_table, faults, summary_table
from autograder.bank import MISTAKES, VARIANTS, read_bank
from autograder.homework import Homework, Question
from autograder.progress import progress_bar

WIDTH = 120


def run(
    homeworks: Sequence[Homework],
    seeds: int,
    slow: bool,
    json_path: Path | None,
    messages_path: Path | None,
) -> bool:
    """Audit homeworks; return whether no mistake is accepted and no right answer refused.

    Args:
        homeworks: whose banks are tried.
        seeds: see `audit_question`.
        slow: whether questions that train for long are audited as well.
        json_path: where to write which case catches what.
        messages_path: where to write what students read.
    """
    torch.set_num_threads(1)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    started = time.monotonic()
    found = {homework.name: _audit(homework, seeds, slow) for homework in homeworks}
    for audits in found.values():
        for audit in audits:
            console.print(case_table(audit))
        console.print(summary_table(audits))
    every = [audit for audits in found.values() for audit in audits]
    told = [line for audit in every for line in faults(audit)]
    for line in told:
        console.print(line, style="red", markup=False, highlight=False)
    console.print(_totals(every, seeds, time.monotonic() - started), highlight=False)
    if json_path is not None:
        plain = {name: list(map(as_dict, audits)) for name, audits in found.items()}
        _write(json_path, json.dumps(plain, indent=2) + "\n")
    if messages_path is not None:
        _write(messages_path, "\n".join(_messages(homework, slow) for homework in homeworks))
    return not told


def _audit(homework: Homework, seeds: int, slow: bool) -> list[QuestionAudit]:
    questions = _asked(homework, slow)
    banks = [read_bank(homework, k, q.name) for q in questions for k in (MISTAKES, VARIANTS)]
    with progress_bar() as bar:
        task = bar.add_task(homework.name, total=seeds * sum(map(len, banks)))
        return [audit_question(homework, q, seeds, lambda: bar.advance(task)) for q in questions]


def _asked(homework: Homework, slow: bool) -> list[Question]:
    return [question for question in homework.questions if slow or not question.is_slow]


def _totals(audits: Sequence[QuestionAudit], seeds: int, seconds: float) -> str:
    mistakes = sum(len(audit.mistakes) for audit in audits)
    variants = sum(len(audit.variants) for audit in audits)
    accepted = sum(len(audit.accepted) for audit in audits)
    refused = sum(len(audit.refused) for audit in audits)
    lesson = sum(audit.lesson_accepts for audit in audits)
    under = "one seed" if seeds == 1 else f"{seeds} seeds"
    return (
        f"{accepted} of {mistakes} mistakes accepted, {refused} of {variants} right answers "
        f"refused, under {under}, in {seconds:.0f} s\n"
        f"the lesson's figures alone accept {lesson} mistakes"
    )


def _messages(homework: Homework, slow: bool) -> str:
    read = {q.name: list(read_messages(homework, q)) for q in _asked(homework, slow)}
    return as_markdown(homework, read)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
