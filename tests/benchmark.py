"""Measures ours against stock `otter run` in one run: `make bench`.

Both grade the same notebook with the same cases, in turn. Prints medians and ratios, and writes a
figure. Questions that train are left out of the comparison and shown apart: their time is the
student's. `--quick` takes fewer rounds, `--students N` sets the size of the large batch.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import logging
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import matplotlib.pyplot as plt
import torch
from rich.console import Console
from rich.table import Table

from autograder.building.package import autograder_zip
from autograder.checking import case_arguments
from autograder.grading.engine import grade
from autograder.grading.intake import Found, read_submission
from autograder.grading.launchers import ForkingLauncher, Launcher, open_launcher
from autograder.grading.session import Session
from autograder.homework import ROOT, Homework, load_homework
from autograder.progress import progress_bar
from autograder.samples import Author
from autograder.worker.cells import CellRunner

TRAINING = ("train_step", "train_translator")


def seconds(action: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def median(action: Callable[[], object], rounds: int) -> float:
    """Time several calls; return the median in seconds."""
    return statistics.median(seconds(action) for _ in range(rounds))


def run(*command: object, cwd: Path = ROOT) -> None:
    """Run a command to its end."""
    subprocess.run(list(map(str, command)), cwd=cwd, check=True, capture_output=True)


class Bench:
    """The notebook, the homework without its training questions, and ways to grade it."""

    def __init__(self, folder: Path, launcher: Launcher) -> None:
        whole = load_homework("seq2seq")
        names = tuple(name for name in whole.question_names if name not in TRAINING)
        self.whole = whole
        self.homework = dataclasses.replace(
            whole, question_names=names, stretch=frozenset(), case_seconds={}
        )
        self.folder = folder
        self.launcher = launcher
        author = Author(whole)
        self.notebook = folder / "answers.ipynb"
        self.notebook.write_bytes(author.notebook(author.answers(names)))
        self.one = folder / "one.ipynb"
        self.one.write_bytes(author.notebook(author.answers(names[1:2])))
        self.archive = folder / "homework.zip"
        self.archive.write_bytes(autograder_zip(self.homework))

    def ours(self, notebook: Path | None = None, homework: Homework | None = None) -> None:
        """Read and grade a notebook in this process, with the fork server that is up."""
        homework = homework or self.homework
        submission = read_submission(Found("someone", notebook or self.notebook), homework)
        result = grade(submission, homework, None, self.launcher)
        assert not result.faults

    def otter(self) -> None:
        """Grade with stock otter."""
        run(sys.executable, "-m", "otter", "run", "-a", self.archive, "-o", self.folder,
            self.notebook, cwd=self.folder)  # fmt: skip

    def cold(self) -> None:
        """Grade one submission from the command line."""
        run(sys.executable, "-m", "autograder", "grade", "seq2seq", self.notebook, "--jobs", 1,
            "--out", self.folder / "cold")  # fmt: skip

    def floor(self) -> None:
        """Run the student's cells and all cases right here: no process, no wire, no trust."""
        submission = read_submission(Found("someone", self.notebook), self.homework)
        streams = sys.stdout, sys.stderr
        logging.disable()  # IPython's, of a second shell in one process
        try:
            runner = CellRunner(self.homework.question_names)
            for cell in submission.cells:
                runner.run(cell.number, cell.source)
            for question in self.homework.questions:
                for case in question.cases:
                    case.test_func(**case_arguments(case.test_func, runner.functions, 0))
        finally:
            sys.stdout, sys.stderr = streams
            logging.disable(logging.NOTSET)


def parts(bench: Bench) -> dict[str, float]:
    """Time the parts of a grading apart."""
    submission = read_submission(Found("someone", bench.notebook), bench.homework)
    cells = [(cell.number, cell.source) for cell in submission.cells]
    marks = []
    for _ in range(9):
        times = [time.perf_counter()]
        session = Session(bench.launcher, bench.homework.limits, 1)
        times.append(time.perf_counter())
        session.load(cells, bench.homework.question_names)
        times.append(time.perf_counter())
        session.close()
        times.append(time.perf_counter())
        marks.append([b - a for a, b in pairwise(times)])
    fork, load, end = (statistics.median(column) for column in zip(*marks, strict=True))
    read = median(lambda: read_submission(Found("x", bench.notebook), bench.homework), 9)
    return {"read the notebook": read, "fork and confine": fork, "run the cells": load, "end": end}


def memory(launcher: Launcher) -> tuple[int, int]:
    """Return what the grader and the fork server have resident, in MB."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    assert isinstance(launcher, ForkingLauncher)
    status = Path(f"/proc/{launcher.server_pid}/status").read_text(encoding="utf-8")
    server = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return own, int(server.split()[1]) >> 10


def growth(bench: Bench, students: int) -> list[tuple[int, float, int, int]]:
    """Grade many short submissions; return (count, seconds so far, MB, MB) at some points."""
    points, started = [], time.perf_counter()
    marks = {10, 30, 100, 300, students}
    with progress_bar() as bar:
        task = bar.add_task("growth", total=students)
        for number in range(1, students + 1):
            bench.ours(bench.one)
            bar.advance(task)
            if number in marks:
                points.append((number, time.perf_counter() - started, *memory(bench.launcher)))
    return points


def compare(bench: Bench, rounds: int) -> tuple[float, float]:
    """Grade in turn with ours (fifteen at a time) and otter; return both medians."""
    ours, theirs = [], []
    bench.ours()
    for _ in range(rounds):
        ours += [seconds(bench.ours) for _ in range(15)]
        theirs.append(seconds(bench.otter))
    return statistics.median(ours), statistics.median(theirs)


@contextlib.contextmanager
def opened() -> Iterator[Bench]:
    """Set everything up once."""
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder, open_launcher() as launcher:
        yield Bench(Path(folder), launcher)


def figure(
    path: Path, ours: float, otter: float, points: list[tuple[int, float, int, int]]
) -> None:
    """Draw what was measured."""
    drawn, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
    left.barh(["otter run", "ours"], [otter, ours], color=["0.6", "tab:blue"])
    left.set_xscale("log")
    left.set_xlabel("seconds for a submission, warm")
    left.set_title(f"{otter / ours:.0f} times as fast")
    right.plot([p[0] for p in points], [p[1] for p in points], "o-")
    right.set_xlabel("submissions")
    right.set_ylabel("seconds")
    right.set_title("a batch grows linearly")
    drawn.tight_layout()
    path.parent.mkdir(exist_ok=True)
    drawn.savefig(path)


def main() -> None:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--students", type=int, default=1000)
    parser.add_argument("--figure", type=Path, default=ROOT / "dist" / "benchmark.svg")
    options = parser.parse_args()
    rounds = 3 if options.quick else 7
    with opened() as bench:
        ours, otter = compare(bench, rounds)
        rows = {"otter run": otter, "ours, warm": ours, "floor: cells and cases here": 0.0}
        bench.floor()
        rows["floor: cells and cases here"] = median(bench.floor, rounds)
        rows |= parts(bench)
        imported = median(lambda: run(sys.executable, "-c", "import torch"), rounds)
        rows |= {"import torch": imported, "ours, cold": median(bench.cold, rounds)}
        whole = dataclasses.replace(bench.whole, question_names=("train_step",))
        whole = dataclasses.replace(whole, stretch=frozenset(), case_seconds={})
        rows["train_step, warm (mostly training)"] = median(
            lambda: bench.ours(ROOT / "solutions" / "seq2seq.ipynb", whole), rounds
        )
        points = growth(bench, options.students)
        report(rows, points, bench.launcher)
    figure(options.figure, ours, otter, points)
    print(f"figure in {options.figure}")


def report(
    rows: dict[str, float], points: list[tuple[int, float, int, int]], launcher: Launcher
) -> None:
    """Print the tables."""
    base = rows["ours, warm"]
    table = Table("questions 1 to 8, one submission", "ms", "of ours, warm", title_justify="left")
    for name, value in rows.items():
        table.add_row(name, f"{1000 * value:.1f}", f"{value / base:.2f}")
    batch = Table("submissions", "seconds", "ms each", "grader MB", "server MB")
    for count, taken, own, server in points:
        batch.add_row(
            str(count), f"{taken:.1f}", f"{1000 * taken / count:.1f}", str(own), str(server)
        )
    text = io.StringIO()
    console = Console(file=text, width=100)
    console.print(
        f"isolation: {launcher.isolation}; {os.cpu_count()} cores, one used", table, batch
    )
    print(text.getvalue())
    cold = rows["ours, cold"] / (rows["import torch"] + rows["run the cells"])
    print(f"warm: {rows['otter run'] / base:.0f} times as fast as otter run")
    print(f"cold: {cold:.2f} times `import torch` and the cells")


if __name__ == "__main__":
    main()
