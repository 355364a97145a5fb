"""The command line. Exit codes: 0 done, 1 a check or threshold failed, 2 could not do it."""

from __future__ import annotations

import os
import sys
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from autograder import __version__
from autograder.assignment import VISIBILITIES
from autograder.emitters import ALWAYS, FORMS
from autograder.errors import HomeworkError, PlainError
from autograder.homework import ROOT, Homework, homework_names, load_homework
from autograder.text import one_line

if TYPE_CHECKING:
    from autograder.emitters.canvas import Export
    from autograder.emitters.forms import Batch
    from autograder.grading.batch import Graded, Isolation, Order
    from autograder.grading.intake import Found
    from autograder.grading.work import Work

COULD_NOT = 2
INTERRUPTED = 130
NARROWEST, UNLIMITED = 32, 10_000
"""How wide a table is made for a terminal at least, and where there is none."""
LEVELS = ("root", "reader", "user", "container", "plain", "process")


class _Commands(click.Group):
    """Turns errors that are meant for a person into one line and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PlainError as error:
            click.echo(f"error: {error}", err=True)
            ctx.exit(COULD_NOT)
        except KeyboardInterrupt:
            click.echo("interrupted; go on with --resume", err=True)
            ctx.exit(INTERRUPTED)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Build, grade and understand autograded notebook homework."""


@main.command()
@click.argument("name")
def new(name: str) -> None:
    """Begin a homework: write one with two questions, to be changed into your own.

    NAME: of the homework, fit for a Python module, such as layer_norm.
    """
    from autograder.building.beginning import begin_homework

    for path in begin_homework(name):
        click.echo(f"wrote {path.relative_to(ROOT)}")
    click.echo(f"next: autograder build {name}; autograder audit {name} (CONTRIBUTING.md)")


@main.command()
@click.argument("homework", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; show what is stale and exit with 1.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("dist"), show_default=True,
    help="Folder of the autograder zips.",
)  # fmt: skip
def build(homework: tuple[str, ...], check: bool, out: Path) -> None:
    """Make starters, solved notebooks and autograder zips from the authored files.

    HOMEWORK: names, as under assignments/; all of them by default.
    """
    from autograder.building.build import build_homework, stale_files

    names = homework or homework_names()
    loaded = [_with_checks(name) for name in names]
    if not check:
        for one in loaded:
            for path in build_homework(one, out):
                click.echo(f"wrote {path}")
        return
    stale = [line for one in loaded for line in stale_files(one)]
    for line in stale:
        click.echo(line)
    if stale:
        click.echo("run `python -m autograder build` and commit what it writes", err=True)
        sys.exit(1)
    click.echo(f"up to date: {', '.join(names)}")


@main.command()
@click.argument("homework")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True,
    help="Folder of the submissions.",
)  # fmt: skip
def samples(homework: str, out: Path) -> None:
    """Write a sample class: right answers, typical mistakes, accidents."""
    from autograder.samples import write_sample_class

    paths, left_out = write_sample_class(load_homework(homework), out)
    click.echo(f"wrote {len(paths)} submissions to {out}")
    if left_out:
        click.echo(f"left out, as the banks have nothing for them: {', '.join(left_out)}")


@main.command()
@click.argument("homework", nargs=-1)
@click.option(
    "--seeds", type=click.IntRange(1), default=1, show_default=True,
    help="Under how many seeds hidden inputs are drawn.",
)  # fmt: skip
@click.option("--slow", is_flag=True, help="Try questions that train for long, too: minutes.")
@click.option(
    "--question", "only", multiple=True, metavar="NAME",
    help="Try this question only; give it once for each.",
)  # fmt: skip
@click.option("--json", "json_path", type=click.Path(path_type=Path), help="Write all of it.")
@click.option(
    "--messages", "messages_path", type=click.Path(path_type=Path),
    help="Write what a student with each mistake reads, as Markdown.",
)  # fmt: skip
def audit(homework: tuple[str, ...], **wish: Any) -> None:
    """Try every known mistake and every unusual right answer on every case.

    HOMEWORK: names, as under assignments/; all of them by default. The right answers are tried
    first, and the solved notebook and the starter are graded. Exits with 1 if a mistake is accepted
    or a right answer refused, if a case or a mistake is broken, or if a notebook does not get its
    points.
    """
    from autograder.audit.command import Wish, run

    loaded = [load_homework(name) for name in homework or homework_names()]
    if not run(loaded, Wish(**wish)):
        sys.exit(1)


if TYPE_CHECKING:
    _Choice = click.Choice[str]
else:
    _Choice = click.Choice  # up to click 8.1 it takes no type


class _Forms(_Choice):
    """One form; who lists several after one `--format` is told how to."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        several = str(value).replace(",", " ").split()
        if len(several) > 1 and all(form in self.choices for form in several):
            again = " ".join(f"--format {form}" for form in several)
            self.fail(f"{value!r}: give --format once for each form: {again}", param, ctx)
        return super().convert(value, param, ctx)


EXIT_CODES = """\b
Exit codes:
  0    graded
  1    graded, but a submission is below --fail-below
  2    could not grade: a path, the homework or the command line is wrong
  130  interrupted; --resume goes on

\b
Example:
  autograder grade HOMEWORK submissions/ --out results --format feedback
"""


@main.command(epilog=EXIT_CODES)
@click.argument("homework")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), required=True,
    help="Folder of the results: <submission>/results.json and gradebook.csv.",
)  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, show_default="all cores",
    help="How many submissions to grade at a time.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Grade only what is new or has changed.")
@click.option("--seed", type=int, help="Draw hidden inputs from this seed: replays a result.")
@click.option(
    "--isolation", type=click.Choice(LEVELS), help="Demand a level of isolation.",
    show_default="the strongest that works here",
)  # fmt: skip
@click.option(
    "--fail-below", type=float, metavar="POINTS",
    help="Exit with 1 if a submission has fewer points.",
)  # fmt: skip
@click.option(
    "--format", "formats", multiple=True, type=_Forms([*ALWAYS, *FORMS]),
    help="Write results in this form, too; give it once for each form.",
)  # fmt: skip
@click.option(
    "--hidden-cases", type=click.Choice(VISIBILITIES), show_default="the homework's, visible",
    help="When students see hidden cases.",
)  # fmt: skip
@click.option(
    "--merge", type=click.Path(path_type=Path), metavar="CANVAS.csv",
    help="Fill the homework's column in a copy of this Canvas export.",
)  # fmt: skip
@click.option(
    "--column", metavar="TITLE", show_default="the homework's title or name",
    help="Which column of the Canvas export.",
)  # fmt: skip
def grade(
    homework: str, paths: tuple[Path, ...], jobs: int, fail_below: float | None,
    formats: tuple[str, ...], merge: Path | None, column: str | None, **order: Any,
) -> None:  # fmt: skip
    """Grade submissions and write a result for each.

    HOMEWORK: a name, as under assignments/.

    PATH is a notebook, a .py file, a zip, a folder of any of them, or an unpacked export.
    """
    from autograder.emitters.forms import Batch
    from autograder.grading.batch import Order
    from autograder.grading.intake import OUTPUTS, find_submissions

    loaded = load_homework(homework)
    _demand(paths, merge, column)
    found = find_submissions(paths)
    if not found:
        raise HomeworkError(f"no submission at {', '.join(map(str, paths))}: nothing to grade")
    ordered = Order(homework, **order)
    places = {place.name: place for place in found}
    export = _read_export(merge, column, loaded, {*OUTPUTS, *places})
    done: dict[str, Graded] = {}
    try:
        _grade_with_progress(found, ordered, jobs, done)
    finally:
        results = {name: done[name].result for name in places if name in done}
        interrupted = isinstance(sys.exc_info()[1], KeyboardInterrupt)
        # What was in flight when a person stopped it may lie there, too.
        whole = interrupted or (bool(done) and ordered.resume)
        _write_all(Batch(loaded, results, places, ordered.out), formats, export, whole)
    if ordered.resume:
        _tell_work({name: done[name].work for name in results})
    _exit(list(results.values()), fail_below)


@main.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="DIR")
@click.option(
    "--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Where the page goes.", show_default="DIR/report.html",
)  # fmt: skip
@click.option(
    "--csv", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Write the figures of questions, cases and mistakes, too.",
)  # fmt: skip
@click.option(
    "--against", type=click.Path(path_type=Path, file_okay=False), metavar="OLD",
    help="Show whose points changed since this earlier folder of results, and why.",
)  # fmt: skip
@click.option("--pseudonyms", is_flag=True, help="Leave out names and what may tell them.")
def report(
    folder: Path, html: Path | None, csv: Path | None, against: Path | None, pseudonyms: bool
) -> None:
    """Write a page on a graded class: what to teach again, scores, questions, cases, students.

    DIR: the folder that `grade --out` wrote.
    """
    from autograder.report.command import Wish
    from autograder.report.command import report as write_report

    place = html if html is not None else folder / "report.html"
    for line, is_wrong in write_report(Wish(folder, place, csv, against, pseudonyms)):
        click.echo(line, err=is_wrong)


def _with_checks(name: str) -> Homework:
    """Read a homework and all of its checks, before anything is written."""
    homework = load_homework(name)
    try:
        homework.questions  # noqa: B018 (reads them)
    except HomeworkError as error:
        raise HomeworkError(f"{error}; nothing was written") from error
    return homework


def _demand(paths: Sequence[Path], merge: Path | None, column: str | None) -> None:
    """Refuse a command line that cannot be meant, before anything is done."""
    if missing := [str(path) for path in paths if not _exists(path)]:
        more = f" (nor {len(missing) - 1} more of the paths)" if len(missing) > 1 else ""
        told = f"there is no {missing[0]}{more}; nothing was graded or written"
        raise HomeworkError(one_line(told, 500))
    if column is not None and merge is None:
        raise HomeworkError(
            "--column says which column --merge CANVAS.csv fills: give both or neither"
        )


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # the name is too long, or its folder is closed: there is nothing to read
        return False


def _read_export(
    path: Path | None, column: str | None, homework: Homework, taken: Container[str]
) -> Export | None:
    """Read the Canvas export before anything is graded: it may be the wrong one."""
    from autograder.emitters.canvas import MergeError, read_export

    if path is None:
        return None
    if path.name in taken:
        raise MergeError(f"{path}: results have a file of this name, too: rename the export")
    return read_export(path, homework, column)


def _grade_with_progress(
    found: Sequence[Found], order: Order, jobs: int, done: dict[str, Graded]
) -> None:
    """Grade all into `done`, with a progress bar on a terminal, else with lines now and then."""
    from autograder.grading.batch import grade_all
    from autograder.progress import Lines, progress_bar

    lines = Lines("graded", len(found))
    try:
        with progress_bar() as bar:
            task = bar.add_task("grading", total=len(found))
            for graded in grade_all(found, order, jobs, _tell_isolation):
                done[graded.name] = graded
                bar.advance(task)
                if bar.disable and (line := lines.after(len(done))):
                    click.echo(line, err=True)
    except PlainError as error:
        if done:
            raise
        told = f"{error}; nothing was graded, and results are as they were"
        raise PlainError(told) from error


def _write_all(
    batch: Batch, formats: tuple[str, ...], export: Export | None, with_kept: bool
) -> None:
    """Write what there is, show the table of this run, and say what was written."""
    from autograder.emitters import forms_in
    from autograder.emitters.kept import counted

    whole, lines = counted(batch, with_kept)
    if not whole.results:
        return
    if with_kept:
        formats = (*formats, *forms_in(batch.folder))
    told = [*((line, True) for line in lines), *_write(whole, formats, export)]
    _report(batch.results, batch.homework)
    for line, is_wrong in told:
        click.echo(line, err=is_wrong)


def _write(
    batch: Batch, formats: tuple[str, ...], export: Export | None
) -> Iterator[tuple[str, bool]]:
    """Write the gradebook, and what else is asked for; yields lines, and which are warnings."""
    from autograder.emitters import canvas, emit, gradebook

    path = gradebook.write(batch.results, batch.homework, batch.folder)
    yield f"results in {batch.folder}, gradebook in {path}", False
    for form in dict.fromkeys(formats):
        yield from ((line, False) for line in emit(form, batch))
    if export is not None:
        yield from ((line, True) for line in canvas.merge(export, batch))
        yield f"Canvas gradebook in {batch.folder / export.path.name}", False


def _tell_isolation(isolation: Isolation) -> None:
    """Warn if nothing keeps students' code from what this user may do."""
    if isolation.is_none:
        click.echo(f"warning: students' code is not confined; {isolation}", err=True)
    else:
        click.echo(str(isolation), err=True)


def _report(results: Mapping[str, dict[str, Any]], homework: Homework) -> None:
    from rich.console import Console

    from autograder.emitters import gradebook
    from autograder.emitters.people import labels

    width = max(Console().width, NARROWEST) if sys.stdout.isatty() else UNLIMITED
    Console(width=width).print(gradebook.table(results, homework, width))
    for called, result in zip(labels(results), results.values(), strict=True):
        if problem := gradebook.problem(result):
            click.echo(f"{called}: {problem}", err=True)
        for warning in _faults(result):
            click.echo(f"{called}: {warning}", err=True)


def _tell_work(works: dict[str, Work]) -> None:
    """Say what `--resume` has kept, and what it has graded and why."""
    from autograder.grading.work import told

    for line in told(works):
        click.echo(line)


def _faults(result: dict[str, Any]) -> list[str]:
    from autograder.emitters.gradescope import FAULT

    return [w for w in result["extra_data"]["warnings"] if w.startswith(FAULT)]


def _exit(results: Sequence[dict[str, Any]], fail_below: float | None) -> None:
    """End with 2 if a case is broken or nothing could be graded at all."""
    from autograder.emitters.gradebook import problem

    broken = any(_faults(result) for result in results)
    nothing = all(problem(result) for result in results)
    if broken or nothing:
        sys.exit(COULD_NOT)
    if fail_below is not None and any(result["score"] < fail_below for result in results):
        sys.exit(1)
