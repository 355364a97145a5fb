"""How far long work is: a bar on a terminal, else a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


class RateColumn(ProgressColumn):
    """How many are done in a second."""

    def render(self, task: Task) -> Text:
        """Show the rate once it is known."""
        return Text(f"{task.speed:.1f}/s" if task.speed else "", style="progress.data.speed")


def progress_bar() -> Progress:
    """Return a bar with count, rate and time left; it shows on a terminal only."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        RateColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


STEP, SECONDS = 10, 30
"""A line comes after so many, or after so long."""


class Lines:
    """Says now and then how many are done, for logs; not for a handful.

    Args:
        done: what happens to each, as in "graded 10 of 60".
        total: how many there are.
        clock: tells the time, in seconds.
    """

    def __init__(self, done: str, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._done, self._total, self._clock = done, total, clock
        self._last = clock()

    def after(self, count: int) -> str:
        """Return the line to print after so many; empty where none is due."""
        now = self._clock()
        due = count % STEP == 0 or now - self._last >= SECONDS
        if not due or self._total <= STEP or count >= self._total:
            return ""
        self._last = now
        return f"{self._done} {count} of {self._total}"
