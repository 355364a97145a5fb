"""Shows what the public cases say: of one question after its check, of all of them in a table.

Otter runs the checks; this module says in words what came of them. It imports otter only where
otter is already running.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup, escape

MIME = "application/vnd.public-cases+json"
"""What `send` marks its message with."""
MAX_WORDS = 160
HIDDEN = "Hidden cases decide the grade: they try what else the docstring promises."


def coded(text: object) -> Markup:
    """Return a text as HTML that shows it letter by letter; what stands in `…` is set as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(str(text)))))  # noqa: S704


ENVIRONMENT = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
"""Students' text is text: it becomes no markup."""
ENVIRONMENT.filters["coded"] = coded
VERDICT = ENVIRONMENT.from_string(
    """
<div style="border-left: 4px solid {{ verdict.colour }}; padding: 1px 0 1px 12px">
<p style="margin: 4px 0">{{ verdict.mark }} {{ verdict | coded }}.</p>
{% if verdict.passes %}
<p style="margin: 4px 0; opacity: 0.75">{{ hidden }}</p>
{% elif not verdict.reason %}
<ul style="margin: 4px 0; padding-left: 1.4em; list-style: none">
{% for case in verdict.cases %}
<li style="margin: 4px 0">{{ "✓" if case.passed else "✗" }} {{ case.title | coded }}
{% if not case.passed %}
<div style="margin: 2px 0 2px 1.2em"><b>{{ case.told | coded }}</b></div>
{% if case.line %}
<details style="margin-left: 1.2em; opacity: 0.75"><summary>the line of the check</summary>
<pre>{{ case.line }}</pre></details>
{% endif %}
{% endif %}
</li>
{% endfor %}
</ul>
{% endif %}
</div>
"""
)
TABLE = ENVIRONMENT.from_string(
    """
<p><b>{{ progress.sentence | coded }}</b></p>
<table>
<thead><tr><th style="text-align: left">Question</th><th style="text-align: left">Public cases</th>
<th style="text-align: left">In words</th></tr></thead>
<tbody>
{% for mark, question, count, words in progress.rows() %}
<tr><td style="text-align: left; white-space: nowrap">{{ mark }} <code>{{ question }}</code></td>
<td style="text-align: left">{{ count }}</td>
<td style="text-align: left">{{ words | coded }}</td></tr>
{% endfor %}
</tbody>
</table>
"""
)


@dataclass(frozen=True)
class Tried:
    """How one public case went.

    Attributes:
        title: what it is called.
        points: what it counts.
        told: what is wrong, or empty.
        line: the line of the check that found it.
        source, raised: the cell and the line in it, from 1, that raised; empty and 0 if none did.
    """

    title: str
    points: int
    passed: bool
    told: str = ""
    line: str = ""
    source: str = ""
    raised: int = 0


@dataclass(frozen=True)
class Verdict:
    """How the public cases of a question went."""

    question: str
    cases: tuple[Tried, ...]

    @property
    def failed(self) -> list[Tried]:
        """The cases that did not pass."""
        return [case for case in self.cases if not case.passed]

    @property
    def passes(self) -> bool:
        """Whether all of them passed."""
        return not self.failed

    @property
    def reason(self) -> str:
        """What is wrong where all cases say the same, such as that the question is not written."""
        told = {case.told for case in self.failed}
        alike = len(told) == 1 and len(self.failed) == len(self.cases)
        return told.pop() if alike and (len(self.cases) > 1 or self.is_missing) else ""

    @property
    def is_missing(self) -> bool:
        """Whether there is nothing to check yet: it is not written, or its cell did not run."""
        start = f"`{self.question}` is"
        return bool(self.failed) and all(case.told.startswith(start) for case in self.failed)

    @property
    def is_unwritten(self) -> bool:
        """Whether the stub is as it was."""
        return self.is_missing and "is not written yet" in self.reason

    @property
    def mark(self) -> str:
        """A sign for it."""
        return "✓" if self.passes else "○" if self.is_missing else "✗"

    @property
    def colour(self) -> str:
        """A colour that goes with the sign: green, orange or red."""
        return {"✓": "#009E73", "○": "#E69F00", "✗": "#D55E00"}[self.mark]

    @property
    def words(self) -> str:
        """Say it without the question's name."""
        if self.reason:
            return self.reason.removeprefix(f"`{self.question}` ")
        count, wrong = len(self.cases), len(self.failed)
        if 0 < wrong < count:
            return f"{wrong} of {count} public cases {'fails' if wrong == 1 else 'fail'}"
        if count == 1:
            return f"the public case {'fails' if wrong else 'passes'}"
        cases = "both public cases" if count == 2 else f"all {count} public cases"
        return f"{cases} {'fail' if wrong else 'pass'}"

    def __str__(self) -> str:
        """Say it in a sentence."""
        return f"`{self.question}`{' ' if self.is_missing else ': '}{self.words}"


class Shown:
    """A verdict as a notebook shows it."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict

    def _repr_html_(self) -> str:
        return VERDICT.render(verdict=self.verdict, hidden=HIDDEN).strip()

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        verdict = self.verdict
        yield f"{verdict}."
        if verdict.passes:
            yield HIDDEN
        elif not verdict.reason:
            for case in verdict.cases:
                yield f"  {'✓' if case.passed else '✗'} {case.title}"
                if not case.passed:
                    yield f"      → {' '.join(case.told.split())}"


class Progress:
    """Which questions pass their public cases: a sentence and a table.

    Args:
        questions: all of them, in order.
        verdicts: of those that were tried so far, by question.
        slow: those that are not tried here.
    """

    def __init__(
        self, questions: Sequence[str], verdicts: dict[str, Verdict], slow: Sequence[str] = ()
    ) -> None:
        self.questions = questions
        self.verdicts = verdicts
        self.slow = slow

    @property
    def sentence(self) -> str:
        """Say it in words."""
        passing = sum(verdict.passes for verdict in self.verdicts.values())
        tried = [question for question in self.questions if question not in self.slow]
        told = f"{passing} of {len(tried)} questions pass their public cases."
        if len(self.verdicts) < len(tried):
            return f"{told} Trying `{tried[len(self.verdicts)]}` …"
        if passing == len(tried):
            return f"All {told.partition(' of ')[2]} {HIDDEN}"
        return f"{told} Next: `{next(n for n, v in self.verdicts.items() if not v.passes)}`."

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield a mark, the question, how many cases pass, and what is wrong."""
        for question in self.questions:
            verdict = self.verdicts.get(question)
            if verdict is None:
                slow = "trains for long: see its own check" if question in self.slow else ""
                yield "·", question, "", slow
                continue
            passed = f"{len(verdict.cases) - len(verdict.failed)} of {len(verdict.cases)}"
            yield verdict.mark, question, passed, _cut(self._words(verdict))

    @staticmethod
    def _words(verdict: Verdict) -> str:
        if verdict.passes:
            return "passes"
        if verdict.is_unwritten:
            return "not written yet"
        first = verdict.failed[0]
        return verdict.words if verdict.reason else f"{first.title}: {first.told}"

    def _repr_html_(self) -> str:
        return TABLE.render(progress=self).strip()

    def __repr__(self) -> str:
        width = max(map(len, self.questions))
        rows = [f"{m} {q:{width}}  {count:7}  {words}" for m, q, count, words in self.rows()]
        return "\n".join([self.sentence, "", *(row.rstrip() for row in rows)])


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_WORDS else f"{text[: MAX_WORDS - 1]}…"


def run(question: str, scope: dict[str, Any]) -> Verdict:
    """Run the public cases of a question on the functions of a notebook.

    Args:
        question: its name; `tests/<question>.py` has the cases.
        scope: the notebook's names: `globals()`.
    """
    path = Path("tests") / f"{question}.py"
    names: dict[str, Any] = {"__name__": f"tests.{question}"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)  # noqa: S102
    cases = [value for value in names.values() if hasattr(value, "test_func")]
    return Verdict(question, tuple(_tried(case, scope) for case in cases))


def _tried(case: Any, scope: dict[str, Any]) -> Tried:
    try:
        case.call_func(scope)
    except SystemExit:
        return Tried(case.name, case.points, passed=False, told="your code called `exit`")
    except Exception:  # the case knows what to say of it
        return _failed(case)
    return Tried(case.name, case.points, passed=True)


def _failed(case: Any) -> Tried:
    line = linecache.getline(*case.failed_at).strip() if case.failed_at else ""
    place, number = case.raised_at or ("", 0)
    source = "".join(linecache.getlines(place)) if place else ""
    return Tried(case.name, case.points, False, case.told, line, source, number)


def progress(scope: dict[str, Any], questions: Sequence[str], slow: Sequence[str] = ()) -> None:
    """Show which questions pass their public cases, in a table that fills while they run.

    Args:
        scope: the notebook's names: `globals()`.
        questions: all of them, in order.
        slow: those among them that are left out, as they would keep the others waiting.
    """
    from IPython.display import DisplayHandle

    shown = DisplayHandle()
    verdicts: dict[str, Verdict] = {}
    shown.display(Progress(questions, verdicts, slow))
    for question in questions:
        if question not in slow:
            with _silence():
                verdicts[question] = run(question, scope)
            shown.update(Progress(questions, verdicts, slow))


def send(scope: dict[str, Any], question: str) -> None:
    """Run the public cases of a question, and give the verdict to the program that asked for it."""
    from IPython.display import display

    with _silence():
        verdict = run(question, scope)
    display({MIME: asdict(verdict)}, raw=True)


def received(message: dict[str, Any]) -> Verdict:
    """Return the verdict that `send` gave."""
    return Verdict(message["question"], tuple(Tried(**case) for case in message["cases"]))


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Drop what students' functions print: a table is to be read."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


def register() -> None:
    """Let the results of otter's checks be shown in words, where a notebook shows them."""
    if "IPython" not in sys.modules or "otter" not in sys.modules:
        return
    from IPython import get_ipython
    from otter.test_files import TestFile

    shell = get_ipython()
    if shell is not None:
        formatters = shell.display_formatter.formatters
        formatters["text/html"].for_type(TestFile, lambda result: _shown(result)._repr_html_())
        formatters["text/plain"].for_type(
            TestFile, lambda result, p, _: p.text(repr(_shown(result)))
        )


def _shown(result: Any) -> Any:
    """Return what shows a check's result: in words, or as otter does if it is not ours."""
    cases = [(found.test_case.body, found) for found in result.test_case_results]
    if not all(hasattr(case, "told") for case, _ in cases):
        return _AsOtterDoes(result)
    tried = [
        Tried(case.name, case.points, passed=True) if found.passed else _failed(case)
        for case, found in cases
    ]
    return Shown(Verdict(result.name, tuple(tried)))


class _AsOtterDoes:
    """A result of cases that are not of this homework."""

    def __init__(self, result: Any) -> None:
        self._result = result

    def _repr_html_(self) -> str:
        return str(type(self._result)._repr_html_(self._result))

    def __repr__(self) -> str:
        return str(self._result.summary())
