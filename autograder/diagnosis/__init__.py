"""Finds the known mistake that answers as a student's function did.

`calls` records what a student's function was asked and what it answered, and asks a known mistake
the same; `sameness` compares the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder.bank import Known
from autograder.diagnosis.calls import Call, Differs, replay
from autograder.diagnosis.sameness import Likeness, likeness

SLOW_SECONDS = 0.05
"""A call that took the student longer is not asked again of everyone."""


def diagnose(
    failed: Sequence[Call],
    calls: Sequence[Call],
    mistakes: Sequence[Known],
    reference: Callable[..., Any],
) -> Known | None:
    """Return the mistake that answers every call as the student did, where the reference does not.

    If several do, the one that is most alike, to the dtype and the last digit; then the first of
    the bank.

    Args:
        failed: the calls of the cases that failed.
        calls: those of all cases, in their order.
        mistakes: fresh ones.
        reference: the right answer.
    """
    quick = [call for call in failed if call.seconds < SLOW_SECONDS] or list(failed[:1])
    first = sorted(quick, key=lambda call: call.seconds)
    if not first or not all(call.can_be_replayed for call in first):
        return None
    rest = [c for c in calls if c.seconds < SLOW_SECONDS and c.can_be_replayed]
    right = _worst(first, reference)
    found = None
    best = right
    for mistake in mistakes:
        alike = Likeness.SAME if mistake.keeps_state else _worst(first, mistake.function)
        if alike < best:
            others = rest if mistake.keeps_state else _without(rest, first)
            alike = max(alike, _worst(others, mistake.function))
        if alike < best:
            found, best = mistake, alike
    return found


def _without(calls: Sequence[Call], others: Sequence[Call]) -> list[Call]:
    known = set(map(id, others))
    return [call for call in calls if id(call) not in known]


def _worst(calls: Sequence[Call], function: Callable[..., Any]) -> Likeness:
    """Say how alike a function is where it is least alike."""
    worst = Likeness.SAME
    for call in calls:
        try:
            worst = max(worst, likeness(call, replay(call, function)))
        except Differs:
            return Likeness.OTHER
        if worst is Likeness.OTHER:
            break
    return worst
