"""The audit as tables for the terminal and as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from autograder.audit import QuestionAudit, Trial

SHOWN_NAMES = 3


def summary_table(audits: Sequence[QuestionAudit]) -> Table:
    """Show each question: its banks, and what went wrong with them."""
    table = Table(title="known mistakes and right answers on all cases", title_justify="left")
    table.add_column("question", no_wrap=True)
    with_lesson = any(audit.lesson for audit in audits)
    lesson = ["accepted by the\nlesson's figures"] if with_lesson else []
    for title in ("mistakes", "accepted", *lesson, "right answers", "refused"):
        table.add_column(title, justify="right")
    for a in audits:
        figures = [str(a.lesson_accepts) if a.lesson else ""] if with_lesson else []
        mistakes = (str(len(a.mistakes)), str(len(a.accepted)), *figures)
        table.add_row(a.question, *mistakes, str(len(a.variants)), str(len(a.refused)))
    return table


def case_table(audit: QuestionAudit) -> Table:
    """Show what each case of a question catches, and what only it catches."""
    table = Table(title=audit.question, title_justify="left")
    table.add_column("case", no_wrap=True)
    table.add_column("catches", justify="right")
    table.add_column("at times", justify="right")
    table.add_column("only this one catches")
    for case in audit.cases:
        always = sum(case in trial.caught_by for trial in audit.mistakes)
        at_times = sum(case in trial.caught_at_times_by for trial in audit.mistakes)
        table.add_row(case, str(always), str(at_times or ""), _few(audit.caught_only_by(case)))
    return table


def _few(names: Sequence[str]) -> str:
    if not names:
        return "nothing"
    rest = len(names) - SHOWN_NAMES
    return ", ".join(names[:SHOWN_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def faults(audit: QuestionAudit) -> Iterator[str]:
    """Say in a line of each case or bank what is wrong with it."""
    name = audit.question
    for case, found in audit.broken_cases.items():
        yield f"{name}: `{case}`: the check itself fails{found.place}: {found.error}"
    for case, found in audit.reference.failures:
        if not found.of_check:
            yield f"{name}: `{case}`{found.place} refuses the reference: {found.error}"
    for trial, slip in audit.miswritten:
        told = f"the mistake `{trial.known.name}` is broken{slip.place}: {slip.error}"
        yield f"{name}: {told}"
    for trial in audit.accepted:
        yield f"{name}: the mistake `{trial.known.name}` is accepted{_seeds(trial)}"
    for trial in audit.refused:
        told = f"the right answer `{trial.known.name}` is refused: {trial.first_complaint}"
        yield f"{name}: {told}"


def _seeds(trial: Trial) -> str:
    count, tried = len(trial.accepting_seeds), len(trial.complaints)
    if tried == 1:
        return ""
    return f" under {count} of {tried} seeds, the first {trial.accepting_seeds[0]}"


def as_dict(audit: QuestionAudit) -> dict[str, Any]:
    """Return the audit of a question as plain values."""
    return {
        "question": audit.question,
        "accepted": [trial.known.name for trial in audit.accepted],
        "refused": [trial.known.name for trial in audit.refused],
        "accepted_by_lesson": audit.lesson_accepts if audit.lesson else None,
        "idle_cases": audit.idle,
        "mistakes": {t.known.name: _caught(t) for t in audit.mistakes},
        "variants": {t.known.name: _caught(t) for t in audit.variants},
    }


def _caught(trial: Trial) -> dict[str, Any]:
    return {
        "caught_by": sorted(trial.caught_by),
        "caught_at_times_by": sorted(trial.caught_at_times_by),
        "accepted_under_seeds": trial.accepting_seeds,
    }
