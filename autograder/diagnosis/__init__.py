"""Finds the known mistake that answers as a student's function did.

`calls` records what a student's function was asked and what it answered, and asks a known mistake
the same; `sameness` compares the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder.bank import Known, left_alone
from autograder.diagnosis.calls import Call, Differs, replay
from autograder.diagnosis.sameness import Likeness, likeness


def diagnose(
    calls: Sequence[Call], mistakes: Sequence[Known], reference: Callable[..., Any]
) -> Known | None:
    """Return the mistake that answers every call as the student did, where the reference does not.

    If several do, the one that is most alike, to the dtype and the last digit; then the first of
    the bank. Slow calls are left out, if there are others that tell. If no mistake explains all
    calls, those that brought no answer are left out.

    Args:
        calls: all that the student's function was asked, in order.
        mistakes: fresh ones.
        reference: the right answer.
    """
    calls = [call for call in calls if call.can_be_replayed]
    with left_alone():
        return _diagnose_all_or_answered(calls, mistakes, reference)


def _diagnose_all_or_answered(
    calls: Sequence[Call], mistakes: Sequence[Known], reference: Callable[..., Any]
) -> Known | None:
    found = _diagnose(calls, mistakes, reference)
    if found is None:
        # Whoever leaves torch for NumPy cannot be differentiated: that is one more mistake.
        answered = [call for call in calls if call.answered]
        found = _diagnose(answered, mistakes, reference) if len(answered) < len(calls) else None
    return found


def _diagnose(
    calls: Sequence[Call], mistakes: Sequence[Known], reference: Callable[..., Any]
) -> Known | None:
    quick_first = sorted(calls, key=lambda call: call.seconds)
    telling = _telling(quick_first, reference)
    if not telling:
        return None
    right = max(likeness for likeness, _ in telling)
    slowest = max(call.seconds for _, call in telling)
    order = [call for call in quick_first if not call.is_slow or call.seconds <= slowest]
    found = _most_alike(order, [m for m in mistakes if not m.keeps_state], right)
    return found or _most_alike(calls, [m for m in mistakes if m.keeps_state], right)


def _telling(calls: Sequence[Call], reference: Callable[..., Any]) -> list[tuple[Likeness, Call]]:
    """Find calls that the reference answers otherwise, until one tells enough."""
    told: list[tuple[Likeness, Call]] = []
    for call in calls:
        if told and call.is_slow:
            break
        alike = _worst([call], reference)
        if alike is not Likeness.SAME:
            told.append((alike, call))
        if alike is Likeness.OTHER:
            break
    return told


def _most_alike(calls: Sequence[Call], mistakes: Sequence[Known], limit: Likeness) -> Known | None:
    """Return the mistake that is most alike, if one is more so than the limit."""
    found = None
    for mistake in mistakes:
        alike = _worst(calls, mistake.function, limit)
        if alike < limit:
            found, limit = mistake, alike
    return found


def _worst(
    calls: Sequence[Call], function: Callable[..., Any], limit: Likeness = Likeness.OTHER
) -> Likeness:
    """Say how alike a function is where it is least alike; it may stop at the limit."""
    worst = Likeness.SAME
    for call in calls:
        try:
            worst = max(worst, likeness(call, replay(call, function)))
        except Differs:
            return Likeness.OTHER
        if worst >= limit:
            break
    return worst
