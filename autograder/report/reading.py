"""Reads a folder of results: each file as plain facts, or a line that says what is wrong."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from autograder.emitters.gradescope import PROBLEM
from autograder.emitters.people import label, names_of, not_counted, replaced, with_owners
from autograder.errors import PlainError
from autograder.grading.intake.facts import Found
from autograder.homework import Homework, homework_names, load_homework
from autograder.text import one_line, printable

RESULTS = "results.json"
MAX_TEXT = 2000
MAX_NUMBER = 1e9


class ReportError(PlainError):
    """There is nothing to report: one line for the instructor."""


class Malformed(Exception):
    """A file is no result of this program: what is wrong with it."""


@dataclass(frozen=True)
class Case:
    """How a case went for one submission.

    Attributes:
        title: what students read as its name, without the question.
        message: why it failed; empty where it passed.
        mistake: the known mistake that the answer shows, or empty.
        hint: of that mistake, where the message ends with it; or empty.
        seconds: how long it ran.
    """

    question: str
    name: str
    title: str
    hidden: bool
    score: float
    points: float
    passed: bool
    message: str
    mistake: str
    hint: str
    seconds: float


@dataclass(frozen=True)
class Graded:
    """A result.

    Attributes:
        name: of the submission, as its folder is called.
        place: the folder that the result lies in, and who handed the submission in.
        problem: why nothing could be graded, or empty.
        made_of: what the result depends on, as `grading.regrade` says it; empty where it does not.
        students: names of those who handed it in, where they are known; or empty.
    """

    name: str
    place: Found
    homework: str
    score: float
    problem: str
    cases: tuple[Case, ...]
    version: str
    seed: int
    isolation: str
    warnings: tuple[str, ...]
    seconds: float
    made_of: dict[str, Any]
    students: str = ""

    @property
    def folder(self) -> Path:
        """Where the result lies."""
        return self.place.path

    @property
    def label(self) -> str:
        """What it is called: people's names, where they are known, and its own."""
        return label(self.name, self.students)

    @cached_property
    def points(self) -> dict[str, float]:
        """The points of each question, in order."""
        sums: dict[str, float] = {}
        for case in self.cases:
            sums[case.question] = sums.get(case.question, 0) + case.score
        return sums

    @cached_property
    def most(self) -> dict[str, float]:
        """The points that there are for each question."""
        sums: dict[str, float] = {}
        for case in self.cases:
            sums[case.question] = sums.get(case.question, 0) + case.points
        return sums


@dataclass(frozen=True)
class Class:
    """All results of a folder that belong to one homework.

    Attributes:
        folder: the results lie in, each in one of its own.
        homework: their homework as it is now; None if it is not there.
        results: by name.
        unread: a line for each file that is no such result.
        replaced: a line for each result that counts no longer, as a later one is there.
    """

    folder: Path
    name: str
    homework: Homework | None
    results: tuple[Graded, ...]
    unread: tuple[str, ...]
    replaced: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the homework is called."""
        return self.homework.title if self.homework is not None else self.name

    @property
    def stretch(self) -> frozenset[str]:
        """The questions whose points are beyond full marks."""
        return self.homework.stretch if self.homework is not None else frozenset()

    @cached_property
    def graded(self) -> tuple[Graded, ...]:
        """The results of submissions in which there was something to grade."""
        return tuple(result for result in self.results if not result.problem)

    @cached_property
    def questions(self) -> tuple[str, ...]:
        """All questions, in the order of the homework."""
        names = dict.fromkeys(name for result in self.results for name in result.points)
        if self.homework is None:
            return tuple(names)
        known = [name for name in self.homework.question_names if name in names]
        return tuple(dict.fromkeys([*known, *names]))

    @cached_property
    def numbers(self) -> dict[str, str]:
        """What each question is called in the handout, such as 4a; else its place."""
        known = self.homework.numbers if self.homework is not None else {}
        return {name: known.get(name, str(n)) for n, name in enumerate(self.questions, 1)}

    @cached_property
    def full_marks(self) -> float:
        """What can be had without the stretch, in most of the results."""
        found = Counter(self.counted(result.most) for result in self.results)
        return found.most_common(1)[0][0]

    def counted(self, points: dict[str, float]) -> float:
        """Add points up, without those of the stretch."""
        return sum(value for name, value in points.items() if name not in self.stretch)


def read_class(folder: Path, homework: str | None = None) -> Class:
    """Read all results of a folder, but for those that a later one of the same people replaces.

    Args:
        folder: as `grade --out` wrote it.
        homework: whose results count; None means that of most of them.

    Raises:
        ReportError: if there are no results.
    """
    if not folder.is_dir():
        raise ReportError(f"{folder}: there is no such folder; name the one that `grade` wrote")
    read = [_read_or_say(path) for path in sorted(folder.glob(f"*/{RESULTS}"))]
    found = [result for result in read if isinstance(result, Graded)]
    unread = [line for line in read if isinstance(line, str)]
    if not found and (folder / RESULTS).is_file():
        above = folder.resolve().parent if folder.name in ("", "..") else folder.parent
        raise ReportError(f"{folder}: this is one result's folder; name the one above it: {above}")
    if not found:
        raise ReportError("; ".join([f"{folder}: there are no results in it", *unread[:1]]))
    name = homework or Counter(result.homework for result in found).most_common(1)[0][0]
    results = [result for result in found if result.homework == name]
    if not results:
        raise ReportError(f"{folder}: there are no results of {name!r} in it")
    later = replaced(result.place for result in results)
    results = [result for result in results if result.place.name not in later]
    unread += [_of_another(folder, result) for result in found if result.homework != name]
    known = load_homework(name) if name in homework_names() else None
    told = tuple(not_counted(*names) for names in later.items())
    return Class(folder, name, known, tuple(results), tuple(unread), told)


def _of_another(folder: Path, result: Graded) -> str:
    path = folder / result.name / RESULTS
    return f"{printable(str(path))}: belongs to the homework {result.homework!r}, and is left out"


def _read_or_say(path: Path) -> Graded | str:
    """Read one file, or say in a line why that is not possible."""
    try:
        return _read(path)
    except Malformed as error:
        return f"{printable(str(path))}: {error}; grade it again, or take it away"
    except OSError as error:
        return f"{printable(str(path))}: it cannot be read: {error.strerror}"


def _read(path: Path) -> Graded:
    """Read one file.

    Raises:
        Malformed: if it is none of a result.
        OSError: if it cannot be read.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise Malformed("this is no JSON") from error
    try:
        return _result(data, path.parent)
    except KeyError as error:
        raise Malformed(f"this is no result of `grade`: {error} is missing") from error
    except (TypeError, AttributeError) as error:
        raise Malformed("this is no result of `grade`: its parts are of other kinds") from error


def _result(data: dict[str, Any], folder: Path) -> Graded:
    facts, output = data["extra_data"], _text(data.get("output", ""))
    made_of = facts.get("made_of", {})
    cases = tuple(_cases(data["tests"]))
    if not cases:
        raise Malformed("this is no result of `grade`: it has no tests")
    return Graded(
        name=printable(folder.name),
        place=with_owners(Found(folder.name, folder), data),
        homework=_text(facts["homework"]),
        score=_number(data["score"], "score"),
        problem=output.removeprefix(PROBLEM) if output.startswith(PROBLEM) else "",
        cases=cases,
        version=_text(facts["version"]),
        seed=_whole(facts["seed"]),
        isolation=_text(facts["isolation"]),
        warnings=tuple(map(_text, facts["warnings"])),
        seconds=_number(facts["seconds"], "seconds"),
        made_of=made_of if isinstance(made_of, dict) else {},
        students=_text(names_of(data)),
    )


def _cases(tests: Sequence[dict[str, Any]]) -> Iterator[Case]:
    for test in tests:
        facts = test["extra_data"]
        question = _text(facts["question"])
        yield Case(
            question=question,
            name=_text(facts["case"]),
            title=_text(test["name"]).removeprefix(f"{question}: "),
            hidden=bool(facts["hidden"]),
            score=_number(test["score"], "score"),
            points=_number(test["max_score"], "max_score"),
            passed=test["status"] == "passed",
            message=_text(test.get("output", "")),
            mistake=_text(facts.get("misconception") or ""),
            hint=_text((test.get("failure") or {}).get("hint", "")),
            seconds=_number(facts["seconds"], "seconds"),
        )


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Malformed(f"this is no result of `grade`: {one_line(value, 40)} is no text")
    if len(value) <= MAX_TEXT and value.isascii() and value.isprintable():
        return value
    return _shown(value)


@lru_cache(1024)  # titles stand in each of the files
def _shown(value: str) -> str:
    return one_line(value, MAX_TEXT)


def _whole(value: Any) -> int:
    if not isinstance(value, int):
        raise Malformed(f"this is no result of `grade`: {one_line(value, 40)} is no whole number")
    return value


def _number(value: Any, name: str) -> float:
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not known or abs(value) > MAX_NUMBER or not math.isfinite(value):
        told = one_line(value, 40)
        raise Malformed(f"this is no result of `grade`: `{name}` is {told}, and no number")
    return value  # type: ignore[no-any-return]
