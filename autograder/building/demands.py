"""What authored files must keep to before anything is made of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from autograder.bank import MISTAKES, VARIANTS, demand_alone
from autograder.building.errors import BuildError
from autograder.building.public_cases import hidden_by_name
from autograder.checking import STAND_INS
from autograder.homework import Homework, Question

FOLDERS = ("checks", MISTAKES, VARIANTS, "data")
FILED = FOLDERS[:3]
"""Those that hold a file for each question."""


def demand_sound(homework: Homework) -> None:
    """Refuse files that would be forgotten, graded unseen, or published though they are secret.

    Raises:
        BuildError: what is wrong with the first such file.
    """
    demand_filed(homework)
    for question in homework.questions:
        path = homework.checks(question.name)
        _demand_read_alike(path, question)
        _demand_otters_names(path)
        _demand_known_stand_ins(path, question, homework.question_names)


def demand_filed(homework: Homework) -> None:
    """Refuse what would be forgotten, or graded unseen, because something is called otherwise.

    Raises:
        BuildError: if there is a folder that nothing reads, or a file of no question.
        HomeworkError: if a bank breaks a rule; see `demand_alone`.
    """
    for path in sorted(homework.folder.iterdir()):
        if path.is_dir() and path.name not in FOLDERS and path.name[0] not in "._":
            raise BuildError(f"{path}: nothing reads this folder; there are {', '.join(FOLDERS)}")
    for kind in FILED:
        for path in sorted((homework.folder / kind).glob("*.py")):
            if path.stem not in homework.question_names:
                raise BuildError(f"{path}: {path.stem!r} is none of the questions")
            if kind != "checks":
                demand_alone(path)


def _demand_read_alike(path: Path, question: Question) -> None:
    """Cases are cut out by their text and graded by what they are: these must be the same."""
    graded = {case.facts.name: case.facts.hidden for case in question.cases}
    read = hidden_by_name(path)
    for name in graded.keys() | read.keys():
        if graded.get(name) != read.get(name):
            form = "`@test_case(points=2)` or `@test_case(points=2, hidden=True)`"
            raise BuildError(f"{path}: {name}: begin each case with {form}, in these words")


def _demand_otters_names(path: Path) -> None:
    """Stock otter takes a file for one of another kind, if this line is not there."""
    if "OK_FORMAT = False" not in path.read_text(encoding="utf-8").splitlines():
        raise BuildError(f"{path}: the line `OK_FORMAT = False` is missing, which otter needs")


def _demand_known_stand_ins(path: Path, question: Question, names: Iterable[str]) -> None:
    stand_ins = question.cases[0].test_func.__globals__.get(STAND_INS, {})
    if unknown := [name for name in stand_ins if name not in names]:
        raise BuildError(f"{path}: {STAND_INS} has {unknown[0]!r}, which is none of the questions")
