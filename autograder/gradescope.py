"""Grades the one submission that Gradescope lays before an autograder.

The zip's `run_autograder` runs `python -m autograder.gradescope ROOT` for each submission, and its
`setup.sh` calls `prove` once. ROOT, `/autograder` on Gradescope, holds `submission/` with what the
student handed in, and gets `results/results.json`.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import torch

from autograder.emitters.gradescope import FAULT, as_dict, write_atomically
from autograder.errors import HomeworkError
from autograder.grading.engine import grade
from autograder.grading.intake import Found, Submission, read_submission
from autograder.grading.launchers import Launcher, open_launcher
from autograder.homework import Homework, homework_names, load_homework

NOT_YOUR_FAULT = (
    "The autograder failed before it had a result. Nothing in this message is about your work: "
    "tell your instructor, who finds the reason in the autograder's output."
)


def main() -> None:
    """Grade the submission below the folder given, and write a result whatever happens."""
    root = Path(sys.argv[1])
    try:
        homework = the_homework()
        result = grade(the_submission(root / "submission", homework), homework)
        found = as_dict(result, homework.hidden_cases)
    except Exception as error:  # also a broken check file, no memory, no worker
        traceback.print_exc()
        found = _failure(error)
    write_atomically(root / "results" / "results.json", _text(found))
    for line in (f"score: {found['score']}", *found["extra_data"]["warnings"]):
        print(line)


def the_homework() -> Homework:
    """Return the homework that this autograder is for.

    Raises:
        HomeworkError: if there is not exactly one.
    """
    names = homework_names()
    if len(names) != 1:
        raise HomeworkError(f"the zip must hold one homework, not {', '.join(names) or 'none'}")
    return load_homework(names[0])


def the_submission(folder: Path, homework: Homework) -> Submission:
    """Read what was uploaded as one submission, whatever the files are called.

    Args:
        folder: holds a notebook, alone or beside other files, or further down.
        homework: what it is to be.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        return Submission("submission", problem="nothing was uploaded: hand in the .ipynb file")
    return read_submission(Found("submission", folder), homework)


def prove() -> None:
    """Grade a submission without answers and one of references alone, slow questions left out.

    Raises:
        SystemExit: if the first has points, the second lacks some, or the grader itself fails.
    """
    homework = the_homework()
    quick = homework.quick_names
    short = dataclasses.replace(homework, question_names=quick, stretch=frozenset())
    points = {"blank": 0, "solved": short.points}
    if torch.version.cuda is not None:
        print("warning: this torch is built for GPUs, several GB: see index.txt in setup.sh")
    with tempfile.TemporaryDirectory() as name, open_launcher() as launcher:
        for kind in points:
            (Path(name) / kind).mkdir()
        blank = json.dumps(_blank_notebook(homework))
        (Path(name) / "blank" / "blank.ipynb").write_text(blank, encoding="utf-8")
        shutil.copy(homework.solutions, Path(name) / "solved" / "solved.py")
        for kind, expected in points.items():
            _demand(Path(name) / kind, short, launcher, expected)


def _demand(folder: Path, homework: Homework, launcher: Launcher, points: int) -> None:
    """Grade a submission as a student's, and exit if it does not get these points."""
    result = grade(the_submission(folder, homework), homework, launcher=launcher)
    path = folder / "results.json"
    write_atomically(path, _text(as_dict(result)))
    read = json.loads(path.read_text(encoding="utf-8"))
    print(f"{folder.name}: {read['score']} points, {result.isolation}, {result.seconds:.1f} s")
    cases = sum(len(question.cases) for question in homework.questions)
    right = (read["score"], len(read["tests"])) == (points, cases)
    if result.problem or result.faults or not right:
        failed = [case.message for case in result.cases if not case.passed]
        told = [result.problem or "", *result.faults, *failed[:3]]
        sys.exit(f"{folder.name}: expected {points} points: {'; '.join(filter(None, told))}")


def _blank_notebook(homework: Homework) -> dict[str, Any]:
    source = f"# {homework.question_names[0]} is not here"
    cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": []}
    cells = [{**cell, "execution_count": None}]
    return {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}


def _failure(error: Exception) -> dict[str, Any]:
    """Make a result that says that there is none; what is wrong in detail is not for students."""
    return {
        "score": 0,
        "output": NOT_YOUR_FAULT,
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [],
        "extra_data": {"warnings": [FAULT + type(error).__name__]},
    }


def _text(found: dict[str, Any]) -> str:
    """Write JSON that is valid UTF-8, whatever half characters a student's own lines hold."""
    text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


if __name__ == "__main__":
    main()
