"""A page for each student, `feedback.html`: what passed, what failed and why, and what to do next.

It stands alone, without scripts or other files. Hidden cases show their titles and brief messages,
as in `results.json`; those that students may not see yet are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import jinja2

from autograder.emitters.forms import (
    Batch,
    by_question,
    failed,
    place_of,
    replay,
    title_of,
    total,
    visible,
)
from autograder.emitters.gradebook import problem
from autograder.emitters.gradescope import points_of, write_atomically
from autograder.emitters.pages import environment
from autograder.emitters.people import label, names_of

NOT_RUN = "not run: "


@dataclass(frozen=True)
class Failure:
    """A case that failed, or several that were not run for one reason.

    Attributes:
        titles: of the cases.
        hidden: whether it is one that students do not have.
        message: why.
        hint: what was probably done, and which idea to revisit; or empty.
    """

    titles: tuple[str, ...]
    hidden: bool
    message: str
    hint: str

    @property
    def was_run(self) -> bool:
        """Whether there was anything to run."""
        return not self.message.startswith(NOT_RUN)


@dataclass(frozen=True)
class Section:
    """How a question went.

    Attributes:
        points: as in "3 of 16 points".
        is_full: whether all its cases passed.
        is_stretch: whether its points are beyond full marks.
        place: the line that the first failure is about, where known; or empty.
        passed: titles of cases, each with whether it is hidden.
    """

    number: str
    name: str
    points: str
    cases: str
    is_full: bool
    is_stretch: bool
    place: str
    failures: tuple[Failure, ...]
    passed: tuple[tuple[str, bool], ...]


def emit(batch: Batch) -> Iterator[str]:
    """Write `<submission>/feedback.html`."""
    for name, result in batch.results.items():
        write_atomically(batch.folder / name / "feedback.html", page(name, result, batch))
    yield f"feedback in {batch.folder}/<submission>/feedback.html"


def page(name: str, result: dict[str, Any], batch: Batch) -> str:
    """Return a submission's page as HTML."""
    tests = visible(result)
    sections = list(_sections(batch, tests))
    first = next((s for s in sections if not s.is_full), sections[0] if sections else None)
    return _template().render(
        name=label(name, names_of(result)),
        homework=batch.homework,
        total=total(result, batch.homework),
        problem=problem(result),
        sections=sections,
        example=first.name if first is not None else batch.homework.question_names[0],
        later=len(result["tests"]) - len(tests),
        facts=result["extra_data"],
        command=replay(batch.homework, result, "FILE"),
    )


@cache
def _template() -> jinja2.Template:
    return environment().get_template("feedback.html.j2")


def _sections(batch: Batch, tests: Sequence[dict[str, Any]]) -> Iterator[Section]:
    for name, group in by_question(tests).items():
        wrong = failed(group)
        yield Section(
            number=batch.homework.numbers[name],
            name=name,
            points=points_of(group),
            cases=f"{len(group) - len(wrong)} of {len(group)}",
            is_full=not wrong,
            is_stretch=name in batch.homework.stretch,
            place=_place(wrong),
            failures=tuple(_failures(wrong)),
            passed=tuple((title_of(t), _is_hidden(t)) for t in group if t not in wrong),
        )


def _failures(tests: Sequence[dict[str, Any]]) -> Iterator[Failure]:
    """Tell each case that was run; of the others, tell once for each reason why not."""
    unrun: dict[str, list[str]] = {}
    for test in tests:
        if test["output"].startswith(NOT_RUN):
            unrun.setdefault(test["output"], []).append(title_of(test))
            continue
        hint = test.get("failure", {}).get("hint", "")
        message = test["output"].removesuffix(f". {hint}") if hint else test["output"]
        yield Failure((title_of(test),), _is_hidden(test), message, hint)
    for reason, titles in unrun.items():
        yield Failure(tuple(titles), False, reason, "")


def _is_hidden(test: dict[str, Any]) -> bool:
    return bool(test["extra_data"]["hidden"])


def _place(tests: Sequence[dict[str, Any]]) -> str:
    """Name the first place that is known; messages name the lines that raised."""
    return next(filter(None, map(place_of, tests)), "")
