"""Grades many submissions, several at a time, and writes each result as it comes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import torch

from autograder.emitters import gradescope
from autograder.grading.engine import grade
from autograder.grading.intake import Found, read_submission
from autograder.grading.results import Result
from autograder.homework import load_homework


def grade_all(
    found: Sequence[Found], homework: str, out: Path, jobs: int, seed: int | None
) -> Iterator[Result]:
    """Grade submissions and write their `results.json`; yields each result when it is done.

    Args:
        found: where the submissions are.
        homework: the homework's name.
        out: the folder of results.
        jobs: how many to grade at a time, each in a process of its own.
        seed: see `grade`.
    """
    if jobs == 1 or len(found) <= 1:
        for place in found:
            yield _grade_one(place, homework, out, seed)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(found)), mp_context=context) as pool:
        futures = [pool.submit(_grade_one, place, homework, out, seed) for place in found]
        for future in as_completed(futures):
            yield future.result()


def _grade_one(found: Found, homework_name: str, out: Path, seed: int | None) -> Result:
    torch.set_num_threads(1)
    homework = load_homework(homework_name)
    result = grade(read_submission(found, homework), homework, seed)
    gradescope.write(result, out)
    return result
