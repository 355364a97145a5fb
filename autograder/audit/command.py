"""What `audit` does: try notebooks and banks, print what is found, and tell whether all is well."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from rich.console import Console

from autograder.audit import QuestionAudit, audit_question
from autograder.audit.messages import as_markdown, read_messages
from autograder.audit.notebooks import notebook_faults
from autograder.audit.tables import as_dict, case_table, faults, summary_table
from autograder.bank import MISTAKES, VARIANTS, bank_names
from autograder.building.demands import demand_filed
from autograder.errors import HomeworkError
from autograder.homework import Homework, Question
from autograder.progress import progress_bar

WIDTH = 120


@dataclass(frozen=True)
class Wish:
    """What an instructor asks the audit for.

    Attributes:
        seeds: see `audit_question`.
        slow: whether questions that train for long are audited as well.
        only: names of questions; empty means all that are not slow.
        json_path: where to write which case catches what.
        messages_path: where to write what students read.
    """

    seeds: int
    slow: bool
    only: tuple[str, ...]
    json_path: Path | None
    messages_path: Path | None

    def questions(self, homework: Homework) -> list[Question]:
        """Pick the questions of a homework that are audited."""
        if self.only:
            return [question for question in homework.questions if question.name in self.only]
        return [q for q in homework.questions if self.slow or not q.is_slow]


def run(homeworks: Sequence[Homework], wish: Wish) -> bool:
    """Audit homeworks; return whether all is well.

    Raises:
        HomeworkError, BuildError: if files of a homework are broken, or lie where nothing reads
            them.
    """
    torch.set_num_threads(1)
    asked = _asked(homeworks, wish)
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    started = time.monotonic()
    told, found = [], {}
    for homework, questions in asked:
        lost = notebook_faults(homework, [question.name for question in questions])
        audits = found[homework.name] = _audit(homework, questions, wish.seeds)
        for audit in audits:
            console.print(case_table(audit))
        console.print(summary_table(audits))
        for line in _missing_banks(homework, questions):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
        told += [f"{homework.name}: {line}" for line in lost]
        told += [line for audit in audits for line in faults(audit)]
    for line in told:
        console.print(line, style="red", markup=False, highlight=False, soft_wrap=True)
    every = [audit for audits in found.values() for audit in audits]
    console.print(_totals(every, wish.seeds, time.monotonic() - started), highlight=False)
    _write_all(asked, found, wish)
    return not told


def _asked(homeworks: Sequence[Homework], wish: Wish) -> list[tuple[Homework, list[Question]]]:
    """Pick what is audited, and look at all files before anything is tried."""
    known = [name for homework in homeworks for name in homework.question_names]
    for name in wish.only:
        if name not in known:
            raise HomeworkError(f"there is no question {name!r}; there is: {', '.join(known)}")
    for homework in homeworks:
        demand_filed(homework)
    asked = [(homework, wish.questions(homework)) for homework in homeworks]
    return [(homework, questions) for homework, questions in asked if questions]


def _audit(homework: Homework, questions: Sequence[Question], seeds: int) -> list[QuestionAudit]:
    banks = [homework.bank(kind, q.name) for q in questions for kind in (MISTAKES, VARIANTS)]
    total = seeds * (len(questions) + sum(len(bank_names(path)) for path in banks))
    with progress_bar() as bar:
        task = bar.add_task(homework.name, total=total)
        return [audit_question(homework, q, seeds, lambda: bar.advance(task)) for q in questions]


def _missing_banks(homework: Homework, questions: Sequence[Question]) -> Iterator[str]:
    """Say of which questions no wrong or no right answers can be tried."""
    for question in questions:
        for kind, noun in ((MISTAKES, "mistakes"), (VARIANTS, "unusual right answers")):
            path = homework.bank(kind, question.name)
            if not bank_names(path):
                shown = path.relative_to(homework.folder.parents[1])
                how = "holds none" if path.is_file() else "is not there"
                yield f"no {noun} are known of {question.name}: {shown} {how}"


def _totals(audits: Sequence[QuestionAudit], seeds: int, seconds: float) -> str:
    mistakes = sum(len(audit.mistakes) for audit in audits)
    variants = sum(len(audit.variants) for audit in audits)
    accepted = sum(len(audit.accepted) for audit in audits)
    refused = sum(len(audit.refused) for audit in audits)
    under = "one seed" if seeds == 1 else f"{seeds} seeds"
    told = (
        f"{accepted} of {mistakes} mistakes accepted, {refused} of {variants} right answers "
        f"refused, under {under}, in {seconds:.0f} s"
    )
    with_lesson = [audit for audit in audits if audit.lesson and audit.mistakes]
    if not with_lesson:
        return told
    lesson = sum(audit.lesson_accepts for audit in with_lesson)
    tried = sum(len(audit.mistakes) for audit in with_lesson)
    return f"{told}\nthe lesson's figures alone accept {lesson} of {tried} mistakes"


def _write_all(
    asked: Sequence[tuple[Homework, list[Question]]],
    found: Mapping[str, Sequence[QuestionAudit]],
    wish: Wish,
) -> None:
    if wish.json_path is not None:
        plain = {name: list(map(as_dict, audits)) for name, audits in found.items()}
        _write(wish.json_path, json.dumps(plain, indent=2) + "\n")
    if wish.messages_path is not None:
        _write(wish.messages_path, "\n".join(_messages(*each) for each in asked))


def _messages(homework: Homework, questions: Sequence[Question]) -> str:
    return as_markdown(homework, {q.name: list(read_messages(homework, q)) for q in questions})


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
