"""What students would read: the messages of every known mistake, as a page for its authors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.audit import complaint
from autograder.bank import MISTAKES, Known, read_bank
from autograder.checking import LocalFunction
from autograder.diagnosis import diagnose
from autograder.diagnosis.calls import Call, Recorded
from autograder.homework import Homework, Question


@dataclass(frozen=True)
class Reading:
    """What a student reads whose answer is a known mistake.

    Attributes:
        complaints: the title of each case that fails, and its message.
        named: the mistake that the diagnosis takes it for.
    """

    mistake: Known
    complaints: dict[str, str]
    named: Known | None


def read_messages(homework: Homework, question: Question, seed: int = 0) -> Iterator[Reading]:
    """Grade each mistake of a question in this process, and diagnose it."""
    for number, mistake in enumerate(read_bank(homework, MISTAKES, question.name)):
        calls: list[Call] = []
        told = {}
        for case in question.cases:
            recorded = Recorded(LocalFunction(mistake.function), calls, seed)
            found = complaint(homework, case, question, recorded, seed)
            if found is not None:
                told[case.facts.title] = found.told
        fresh = read_bank(homework, MISTAKES, question.name)
        named = diagnose(calls, fresh, homework.reference(question.name))
        yield Reading(fresh[number], told, named)


def as_markdown(homework: Homework, readings: Mapping[str, Sequence[Reading]]) -> str:
    """Write a page with a section for each question."""
    parts = [f"# What students read: {homework.title}"]
    for question, read in readings.items():
        parts.append(f"## {question}")
        parts += ["\n".join(_paragraph(reading)) for reading in read]
    return "\n\n".join(parts) + "\n"


def _paragraph(reading: Reading) -> Iterator[str]:
    yield f"### {reading.mistake.name}\n"
    for title, told in reading.complaints.items():
        yield f"- {title}: **{told}**"
    if reading.named is None:
        yield "\nNo known mistake is named."
        return
    if reading.named.name != reading.mistake.name:
        yield f"\nNamed `{reading.named.name}`, which answers the same."
    yield f"\n> {reading.named.hint}"
