"""Whether the files of a homework lie where something reads them, and its banks can be used."""

from __future__ import annotations

from autograder.bank import MISTAKES, VARIANTS, demand_alone
from autograder.building.errors import BuildError
from autograder.homework import Homework

FOLDERS = ("checks", MISTAKES, VARIANTS, "data")
FILED = FOLDERS[:3]
"""Those that hold a file for each question."""


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
