"""For GitHub Actions: a summary of the run in Markdown, and annotations on the students' lines.

The summary goes to the file that `$GITHUB_STEP_SUMMARY` names, after what is there already; without
that variable, to `summary.md`. It takes 1 MiB of a step's at most, and a step shows ten errors.
(GitHub's documentation, "Workflow commands for GitHub Actions"; what is escaped in a command is
what `ActionCommand.cs` of actions/runner undoes.) Both are open to the student, so that hidden
cases which they may not see yet are left out.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.emitters import markdown
from autograder.emitters.forms import (
    Batch,
    by_question,
    failed,
    replay,
    title_of,
    to_mend,
    total,
    visible,
)
from autograder.emitters.gradebook import problem
from autograder.emitters.gradescope import points_of, write_atomically
from autograder.grading.intake.facts import IntakeError
from autograder.grading.intake.files import Kind, kind_of, offers
from autograder.grading.intake.lines import line_in_file
from autograder.student.pointing import MAX_ANNOTATIONS, Annotation

if TYPE_CHECKING:
    from autograder.grading.intake import Found

MAX_SUMMARY = 1 << 20
"""Bytes; GitHub shows nothing of a summary that is larger."""
MAX_MESSAGE = 2000
CUT = "\n\nThe rest is left out, as a summary has 1 MiB at most: see the files of results.\n"


@dataclass(frozen=True)
class Finding:
    """What one annotation is about: cases of one question that failed at one line.

    Attributes:
        problem: why nothing could be graded, or empty; then there is no question.
    """

    found: Found
    tests: tuple[dict[str, Any], ...] = ()
    problem: str = ""


def emit(batch: Batch) -> Iterator[str]:
    """Write the summary; yields the annotations as workflow commands."""
    yield from map(str, annotated(list(_findings(batch))))
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        path = Path(summary)
        size = path.stat().st_size if path.is_file() else 0
        with path.open("ab") as file:
            file.write(fitting(_blocks(batch), MAX_SUMMARY - size).encode())
    else:
        path = batch.folder / "summary.md"
        write_atomically(path, fitting(_blocks(batch), MAX_SUMMARY))
    yield f"github in {path}"


def annotated(findings: Sequence[Finding]) -> Iterator[Annotation]:
    """Make as many as a step shows; the last one says how many there are more."""
    if len(findings) <= MAX_ANNOTATIONS:
        yield from map(_annotation, findings)
        return
    shown, rest = findings[: MAX_ANNOTATIONS - 1], findings[MAX_ANNOTATIONS - 1 :]
    yield from map(_annotation, shown)
    cases = sum(len(finding.tests) for finding in rest)
    more = f"{len(rest)} more places, with {cases} failed cases: see the summary"
    yield Annotation(f"… and {len(rest)} more", more)


def _findings(batch: Batch) -> Iterator[Finding]:
    for name, result in batch.results.items():
        found = batch.found[name]
        if told := problem(result):
            yield Finding(found, problem=told)
            continue
        for tests in by_question(to_mend(result, batch.homework)).values():
            yield from (Finding(found, tuple(group)) for group in _by_place(tests))


def _by_place(tests: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    groups: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for test in tests:
        failure = test.get("failure", {})
        groups.setdefault((failure.get("cell"), failure.get("line")), []).append(test)
    return list(groups.values())


def _annotation(finding: Finding) -> Annotation:
    found, tests = finding.found, finding.tests
    if not tests:
        return Annotation("nothing could be graded", finding.problem, _file(found, None))
    failure = tests[0].get("failure", {})
    lost = sum(test["max_score"] - test["score"] for test in tests)
    cases = "1 case" if len(tests) == 1 else f"{len(tests)} cases"
    title = f"{tests[0]['extra_data']['question']}: {cases} failed, {lost} points lost"
    message = "\n".join(f"{title_of(test)}: {test['output']}" for test in _telling(tests))
    if len(message) > MAX_MESSAGE:
        message = f"{message[: MAX_MESSAGE - 1]}…"
    file = _file(found, failure.get("file"))
    return Annotation(title, message, file, _line(found, failure) if file else None)


def _telling(tests: Sequence[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Leave out the cases that were not run, unless there are no others."""
    return [t for t in tests if not t["output"].startswith("not run: ")] or tests[:1]


def _file(found: Found, file: str | None) -> str:
    """Name the file as GitHub does: from the root of the repository, if it is there."""
    path = found.path / file if file and found.path.is_dir() else found.path
    if not path.is_file():
        return ""
    root = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    absolute = path.resolve()
    return (absolute.relative_to(root) if absolute.is_relative_to(root) else path).as_posix()


def _line(found: Found, failure: dict[str, Any]) -> int | None:
    """Find the line in the raw file; there is none in a zip."""
    if failure.get("line") is None or kind_of(found.path.name) is Kind.ZIP:
        return None
    try:
        offer = next(o for o in offers(found) if str(o.path) == failure["file"])
        return line_in_file(offer.read(), offer.path.name, failure["cell"], failure["line"])
    except (StopIteration, IntakeError, OSError):
        return None  # it was moved away since it was graded


def _blocks(batch: Batch) -> Iterator[str]:
    """Yield the summary in parts that make sense without those after them."""
    yield f"## {markdown.escaped(batch.homework.title)}\n\n"
    yield markdown.header(["submission", "points", "cases passed"], 2) + "\n"
    for name, result in batch.results.items():
        tests = visible(result)
        passed = f"{len(tests) - len(failed(tests))} of {len(tests)}"
        points = total(result, batch.homework)
        yield markdown.row([markdown.escaped(name), points, passed]) + "\n"
    for name, result in batch.results.items():
        yield "".join(_details(name, result, batch))


def _details(name: str, result: dict[str, Any], batch: Batch) -> Iterator[str]:
    tests, wrong = visible(result), to_mend(result, batch.homework)
    if not wrong:
        return
    yield f"\n### {markdown.escaped(name)}\n\n"
    if told := problem(result):
        yield f"Nothing could be graded: {markdown.escaped(told)}\n"
        return
    groups = by_question(tests)
    for question, some in by_question(wrong).items():
        yield from _question(question, some, groups[question])
    if hidden := len(result["tests"]) - len(tests):
        yield f"Hidden cases are not shown yet: {hidden} of them.\n\n"
    yield f"To replay: `{replay(batch.homework, result, 'FILE')}`\n"


def _question(
    question: str, wrong: list[dict[str, Any]], tests: list[dict[str, Any]]
) -> Iterator[str]:
    """Tell which cases of a question failed."""
    yield f"**`{question}`**: {points_of(tests)}, {len(wrong)} of {len(tests)} cases failed\n\n"
    for test in _telling(wrong):
        told = f"{title_of(test)}: {test['output']}"
        yield f"- {markdown.escaped(told)}\n"
    yield "\n"


def fitting(blocks: Iterable[str], room: int) -> str:
    """Join as many of the first blocks as fit into `room` bytes; say so if that is not all."""
    kept, size = [], 0
    for block in blocks:
        kept.append(block)
        size += len(block.encode())
        if size > room:
            break
    else:
        return "".join(kept)
    room -= len(CUT.encode())
    while kept and size > room:
        size -= len(kept.pop().encode())
    return "".join([*kept, CUT]) if room >= 0 else ""
