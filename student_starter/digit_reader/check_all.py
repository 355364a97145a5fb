"""Runs a notebook from the top and tries all public cases, as GitHub does on each push.

`python check_all.py [NOTEBOOK]`, in the homework's folder. On GitHub it also writes the job's
summary, and shows what fails at the lines of the notebook. Exit codes: 0 the cases were tried, 1
they were and gave fewer points than `--fail-below`, 2 they could not be tried.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import DeadKernelError

import pointing, showing
from showing import Progress, Shown, Tried, Verdict

CELL_SECONDS = QUESTION_SECONDS = 120
"""For each cell, and for the public cases of each question."""
PRELUDE = """\
import checking, otter, showing
otter.Notebook.check = otter.Notebook.check_all = lambda *_arguments, **_keywords: None
"""
"""Checks in the notebook do nothing: all cases are tried at its end."""
LOOP = "it ran for more than {} s: is there an endless loop?"
NAME_OF_CELL = re.compile(r"\(\S+\.py, line (\d+)\)")
REMEDY = "keep the homework's files together, and install what requirements.txt names"
ENDED = "your code ended the process that runs it"


class CannotCheck(click.ClickException):
    """There is nothing to try, or nothing to try it with: one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Say it, to GitHub as well."""
        click.echo(f"error: {self.message}", err=True, file=file)
        if on_github():
            click.echo(pointing.Annotation("the public cases could not be tried", self.message))


@dataclass
class Run:
    """A notebook whose cells run in a kernel, again in a new one if they end it.

    Attributes:
        cells: the code cells that count, by their number among all, from 1.
        trouble: what went wrong in a cell while all were run.
    """

    path: Path
    cells: dict[int, Any]
    trouble: dict[int, str] = field(default_factory=dict)

    def verdicts(self, questions: Sequence[str]) -> Iterator[Verdict]:
        """Try the public cases of each question, all in one kernel as long as it lives."""
        waiting = list(questions)
        while waiting:
            with contextlib.suppress(DeadKernelError), self._kernel() as client:
                while waiting:
                    question = waiting.pop(0)
                    try:
                        yield self._verdict(client, question)
                    except DeadKernelError:
                        yield _failed(question, ENDED)
                        raise

    @contextlib.contextmanager
    def _kernel(self) -> Iterator[NotebookClient]:
        """Start a kernel and run the cells; one that ends it is left out the next time."""
        client = NotebookClient(
            nbformat.v4.new_notebook(),
            kernel_name="python3",
            interrupt_on_timeout=True,
            error_on_timeout={"ename": "TimeoutError", "evalue": "", "traceback": []},
            allow_errors=True,
            resources={"metadata": {"path": str(self.path.parent)}},
        )
        with client.setup_kernel():
            for output in _execute(client, PRELUDE, CELL_SECONDS):
                if output["output_type"] == "error":
                    raise CannotCheck(f"{output['evalue']}: {REMEDY}")
            for number, cell in self.cells.items():
                if self.trouble.get(number) != ENDED:
                    self._run(client, number, cell)
            yield client

    def _run(self, client: NotebookClient, number: int, cell: Any) -> None:
        try:
            outputs = _execute(client, cell["source"], CELL_SECONDS)
        except DeadKernelError:
            self.trouble[number] = ENDED
            raise
        for output in outputs:
            if output["output_type"] == "error":
                self.trouble[number] = _told(output)

    def _verdict(self, client: NotebookClient, question: str) -> Verdict:
        code = f"import showing\nshowing.send(globals(), {question!r})"
        outputs = _execute(client, code, QUESTION_SECONDS)
        for output in outputs:
            if showing.MIME in output.get("data", {}):
                return self._explained(showing.received(output["data"][showing.MIME]))
        told = [_told(output) for output in outputs if output["output_type"] == "error"]
        return _failed(question, told[0])

    def _explained(self, verdict: Verdict) -> Verdict:
        """Say why a question is not defined, where its cell has failed."""
        if "is not defined" not in verdict.reason:
            return verdict
        trouble = self.trouble.get(self.defining(verdict.question) or 0)
        if trouble is not None:
            told = f"`{verdict.question}` is not defined: its cell failed: {trouble}"
        else:
            told = f"`{verdict.question}` is not in the notebook: keep the name of the question"
        tried = (Tried(case.title, case.points, False, told) for case in verdict.cases)
        return Verdict(verdict.question, tuple(tried))

    def defining(self, question: str) -> int | None:
        """Return the number of the cell that defines a question: the last one that does."""
        numbers = [
            number
            for number, cell in self.cells.items()
            if pointing.first_line(cell["source"], question) is not None
        ]
        return numbers[-1] if numbers else None

    def place(self, question: str, case: Tried) -> tuple[int, int] | None:
        """Return the cell and the line in it that a failure is about, both from 1."""
        for number, cell in self.cells.items():
            if case.source and cell["source"].strip() == case.source.strip():
                return number, case.raised
        defining = self.defining(question)
        if defining is None:
            return None
        source = self.cells[defining]["source"]
        return defining, _broken_line(source) or pointing.first_line(source, question) or 1


def _execute(client: NotebookClient, source: str, seconds: int) -> list[Any]:
    """Run code in the kernel; return its outputs, or an error alone if it takes too long."""
    started = time.monotonic()
    cell = nbformat.v4.new_code_cell(source)
    client.nb.cells = [cell]
    client.timeout = seconds
    client.execute_cell(cell, 0)
    if time.monotonic() - started < seconds:
        return list(cell.outputs)
    told = LOOP.format(seconds)
    return [nbformat.v4.new_output("error", ename="TimeoutError", evalue=told, traceback=[])]


def _told(error: Any) -> str:
    """Say what an error of the kernel's is."""
    if error["ename"] == "TimeoutError":
        return str(error["evalue"])
    told = NAME_OF_CELL.sub(r"(line \1 of the cell)", error["evalue"])
    return f"{error['ename']}: {told}"


def _failed(question: str, told: str) -> Verdict:
    return Verdict(question, (Tried("its public cases", 0, passed=False, told=told),))


def _broken_line(source: str) -> int | None:
    """Return the line of a cell that is no Python, if one is not."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return error.lineno
    return None


def on_github() -> bool:
    """Tell whether this runs in one of GitHub's jobs."""
    return os.environ.get("GITHUB_ACTIONS") == "true"


def read(path: Path) -> Run:
    """Read a notebook.

    Raises:
        CannotCheck: if it is none.
    """
    try:
        notebook = nbformat.read(path, as_version=4)
        cells = dict(enumerate(notebook["cells"], 1))
    except Exception as error:  # nbformat raises many kinds
        told = str(error).partition("\n")[0][:200]
        raise CannotCheck(f"{path} cannot be read as a notebook: {told}") from error
    return Run(path, {number: cell for number, cell in cells.items() if _counts(cell)})


def _counts(cell: Any) -> bool:
    return cell["cell_type"] == "code" and "otter_ignore" not in cell["metadata"].get("tags", [])


def only_notebook() -> Path:
    """Find the notebook of this folder.

    Raises:
        CannotCheck: if there is none, or more than one.
    """
    found = sorted(Path().glob("*.ipynb"))
    if len(found) == 1:
        return found[0]
    if not found:
        raise CannotCheck("there is no notebook in this folder: put yours here")
    names = ", ".join(map(str, found))
    raise CannotCheck(f"there are {len(found)} notebooks here ({names}): keep one, or name one")


def questions_of(run: Run) -> list[str]:
    """Name the questions in the order of the notebook; those that it has not come last.

    Raises:
        CannotCheck: if the public cases are not here.
    """
    names = [path.stem for path in sorted((run.path.parent / "tests").glob("*.py"))]
    if not names:
        raise CannotCheck(f"the public cases are missing: keep tests/ beside {run.path.name}")
    return sorted(names, key=lambda name: run.defining(name) or sys.maxsize)


def annotated(run: Run, verdicts: Sequence[Verdict]) -> Iterator[pointing.Annotation]:
    """Make an annotation for each line at which cases failed; questions not written have none."""
    text = pointing.with_plain_ends(run.path.read_text(encoding="utf-8-sig"))
    file = _from_root(run.path)
    for verdict in verdicts:
        groups: dict[tuple[int, int] | None, list[Tried]] = {}
        for case in () if verdict.is_unwritten else verdict.failed:
            groups.setdefault(run.place(verdict.question, case), []).append(case)
        for place, cases in groups.items():
            told = verdict.reason or "\n".join(f"{case.title}: {case.told}" for case in cases)
            line = pointing.line_in_notebook(text, *place) if place else None
            title = f"{verdict.question}: {verdict.words.partition(':')[0]}"
            yield pointing.Annotation(title, told, file, line)


def _from_root(path: Path) -> str:
    """Name a file as GitHub does: from the root of the repository, if it is there."""
    root = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    absolute = path.resolve()
    return (absolute.relative_to(root) if absolute.is_relative_to(root) else path).as_posix()


def tell_github(run: Run, verdicts: Sequence[Verdict], table: Progress) -> None:
    """Print annotations, as many as GitHub shows, and write the summary."""
    found = list(annotated(run, verdicts))
    shown = (
        found if len(found) <= pointing.MAX_ANNOTATIONS else found[: pointing.MAX_ANNOTATIONS - 1]
    )
    for annotation in shown:
        click.echo(annotation)
    if rest := len(found) - len(shown):
        click.echo(pointing.Annotation(f"… and {rest} more", "see the job's summary"))
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            lines = (line for line in table._repr_html_().splitlines() if line.strip())
            file.write("## Public cases\n\n" + "\n".join(lines) + "\n")


def points(verdicts: Sequence[Verdict]) -> int:
    """Add up the points of the cases that passed."""
    return sum(case.points for verdict in verdicts for case in verdict.cases if case.passed)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("notebook", required=False, type=click.Path(path_type=Path))
@click.option("--fail-below", type=float, metavar="POINTS", help="Exit with 1 below these points.")
def main(notebook: Path | None, fail_below: float | None) -> None:
    """Run NOTEBOOK from the top, and try the public cases of all questions."""
    run = read(notebook or only_notebook())
    questions = questions_of(run)
    verdicts = list(run.verdicts(questions))
    table = Progress(questions, {verdict.question: verdict for verdict in verdicts})
    for verdict in verdicts:
        if not (verdict.passes or verdict.is_unwritten):
            click.echo(f"{Shown(verdict)}\n")
    click.echo(table)
    if on_github():
        tell_github(run, verdicts, table)
    if fail_below is not None and points(verdicts) < fail_below:
        sys.exit(1)


if __name__ == "__main__":
    main()
