"""A homework as the program sees it: questions, cases, limits, and where their files are."""

from __future__ import annotations

import ast
import hashlib
import importlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from autograder import __version__
from autograder.assignment import VISIBILITIES, read_assignment
from autograder.errors import HomeworkError, last_line_within

ROOT = Path(__file__).resolve().parents[1]
SLOW_SECONDS = 60
HELPERS = ("checking.py", "language_model.py")
"""What check files import of the program."""
CHECK, TIME, KNOWN_MISTAKES = "check", "time for a case", "known mistakes"
"""What a question is made of."""


@dataclass(frozen=True)
class Limits:
    """What a submission may use: seconds, megabytes, threads, characters."""

    load_seconds: float = 60
    case_seconds: float = 10
    total_seconds: float = 540
    memory_mb: int = 1024
    file_mb: int = 16
    threads: int = 32
    output_characters: int = 1_000_000


@dataclass(frozen=True)
class CaseFacts:
    """What a result needs to know of a case: plain facts, which can go to another process.

    Attributes:
        number: of its question and its own, as in 4a.2.
    """

    question: str
    number: str
    name: str
    title: str
    points: int
    hidden: bool


@dataclass(frozen=True)
class Case:
    """One case of a question: the facts, and the function of the check file."""

    facts: CaseFacts
    test_func: Callable[..., None]

    @property
    def stand_ins(self) -> dict[str, Any]:
        """Right versions of other questions' functions: see `checking.STAND_INS`."""
        from autograder.checking import STAND_INS  # imports torch, which takes its time

        found = self.test_func.__globals__.get(STAND_INS, {})
        return {name: right for name, right in found.items() if name != self.facts.question}


@dataclass(frozen=True)
class Question:
    """One function (or class) that the student writes, and its cases."""

    name: str
    cases: tuple[Case, ...]
    stretch: bool
    case_seconds: float

    @property
    def points(self) -> int:
        """The sum of the cases' points."""
        return sum(case.facts.points for case in self.cases)

    @property
    def is_slow(self) -> bool:
        """Whether its cases train for so long that nobody should run them more than needed."""
        return self.case_seconds > SLOW_SECONDS


@dataclass(frozen=True)
class Homework:
    """What `assignment.toml` says, with the paths of all that belongs to it.

    Attributes:
        numbers: what the handout's headings call each question, such as 4a.
        hidden_cases: when students see how a hidden case went, one of `VISIBILITIES`.
    """

    name: str
    title: str
    question_names: tuple[str, ...]
    numbers: dict[str, str]
    stretch: frozenset[str]
    requirements: tuple[str, ...]
    limits: Limits
    case_seconds: dict[str, float]
    hidden_cases: str = "visible"

    @property
    def folder(self) -> Path:
        """The authored files."""
        return ROOT / "assignments" / self.name

    @property
    def solutions(self) -> Path:
        """The module of reference solutions."""
        return ROOT / "solutions" / f"{self.name}.py"

    @property
    def modules(self) -> list[Path]:
        """The reference solutions, `X.py`, and what check files need beside them, `X_*.py`."""
        return [self.solutions, *sorted(self.solutions.parent.glob(f"{self.name}_*.py"))]

    @cached_property
    def data(self) -> dict[str, bytes]:
        """Files that lie beside the notebook, for students and while cells run, by their place."""
        files = [path for path in sorted((self.folder / "data").rglob("*")) if path.is_file()]
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in files}

    def checks(self, question: str) -> Path:
        """The check file of a question."""
        return self.folder / "checks" / f"{question}.py"

    def bank(self, kind: str, question: str) -> Path:
        """The file of a question's known mistakes, or of its unusual right answers."""
        return self.folder / kind / f"{question}.py"

    def reference(self, question: str) -> Any:
        """The right answer, of the module of reference solutions."""
        module = importlib.import_module(f"solutions.{self.name}")
        return getattr(module, question)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """All questions with their cases, in the order of the homework.

        Raises:
            HomeworkError: if a check file is missing or malformed.
        """
        return tuple(self._question(name) for name in self.question_names)

    @property
    def points(self) -> int:
        """What full marks are, without the stretch."""
        return sum(question.points for question in self.questions if not question.stretch)

    @property
    def public_points(self) -> int:
        """What the public cases count together, without the stretch."""
        cases = (case.facts for q in self.questions if not q.stretch for case in q.cases)
        return sum(case.points for case in cases if not case.hidden)

    @cached_property
    def shared_parts(self) -> dict[str, str]:
        """What decides about the points of all questions: the program's version, and digests."""
        helpers = [ROOT / "autograder" / name for name in HELPERS]
        limits = {f.name: getattr(self.limits, f.name) for f in fields(Limits)}
        del limits["case_seconds"]  # is a part of each question
        return {
            "the program": __version__,
            **{path.relative_to(ROOT).as_posix(): _digest(path) for path in helpers},
            **{path.relative_to(ROOT).as_posix(): _digest(path) for path in self.modules},
            **{name: _digest(content) for name, content in self.data.items()},
            "the limits": _digest(repr(limits).encode()),
            "the list of questions": _digest(repr(self.question_names).encode()),
        }

    def question_parts(self, question: str) -> dict[str, str]:
        """What decides about one question alone: digests of files, and the time for a case."""
        return {
            CHECK: _digest(self.checks(question)),
            TIME: f"{self._seconds(question):g} s",
            KNOWN_MISTAKES: _digest(self.bank("mistakes", question)),
        }

    @cached_property
    def version(self) -> str:
        """The program's version and a digest of everything that decides about points."""
        own = {name: self.question_parts(name) for name in self.question_names}
        for parts in own.values():
            del parts[KNOWN_MISTAKES]  # they decide about hints
        return f"{__version__}+{_digest(repr((self.shared_parts, own)).encode())}"

    @property
    def slow_names(self) -> tuple[str, ...]:
        """The questions whose cases train for long."""
        return tuple(question.name for question in self.questions if question.is_slow)

    @property
    def quick_names(self) -> tuple[str, ...]:
        """The questions that are not slow."""
        return tuple(question.name for question in self.questions if not question.is_slow)

    def _question(self, name: str) -> Question:
        cases = load_cases(self.checks(name), name, self.numbers[name])
        return Question(name, cases, name in self.stretch, self._seconds(name))

    def _seconds(self, question: str) -> float:
        """How long a case of a question may take."""
        return self.case_seconds.get(question, self.limits.case_seconds)


def support_modules() -> list[Path]:
    """List the modules of this program that lie beside a starter's notebook."""
    program = ROOT / "autograder"
    return [program / "checking.py", *sorted(program.glob("student/[!_]*.py"))]


def homework_names() -> list[str]:
    """Name every homework that there is."""
    return sorted(path.parent.name for path in (ROOT / "assignments").glob("*/assignment.toml"))


def load_homework(name: str) -> Homework:
    """Read `assignments/<name>/assignment.toml`.

    Raises:
        HomeworkError: if there is no such homework or its file is malformed.
    """
    path = ROOT / "assignments" / name / "assignment.toml"
    if name not in homework_names():
        raise HomeworkError(
            f"there is no homework {name!r}; there is: {', '.join(homework_names())}"
        )
    if not name.isidentifier():
        raise HomeworkError(f"{path.parent}: a homework is called like a module, such as my_work")
    data = read_assignment(path)
    limits, names = data.get("limits", {}), tuple(data["questions"])
    numbers = data.get("numbers", [str(number) for number, _ in enumerate(names, 1)])
    return Homework(
        name=name,
        title=data["title"],
        question_names=names,
        numbers=dict(zip(names, numbers, strict=True)),
        stretch=frozenset(data.get("stretch", ())),
        requirements=tuple(data["requirements"]),
        hidden_cases=data.get("hidden_cases", VISIBILITIES[0]),
        case_seconds=limits.pop("case_seconds_of", {}),
        limits=Limits(**limits),
    )


def load_cases(path: Path, question: str, number: str) -> tuple[Case, ...]:
    """Run a check file and collect its cases in order.

    Args:
        path: the file.
        question: that it is about.
        number: of that question.

    Raises:
        HomeworkError: if the file is missing, does not run, or breaks a rule of check files.
    """
    if not path.is_file():
        raise HomeworkError(f"{path}: the question {question!r} has no check file")
    scope: dict[str, Any] = {"__name__": f"checks.{question}"}
    try:
        source = path.read_text(encoding="utf-8")
        exec(compile(source, str(path), "exec"), scope)  # noqa: S102
    except Exception as error:
        told = error.msg if isinstance(error, SyntaxError) else error
        raise HomeworkError(f"{_place(path, error)}: {type(error).__name__}: {told}") from error
    if scope.get("name") != question:
        raise HomeworkError(f"{path}: `name` must be {question!r}")
    found = [value for value in scope.values() if _is_case(value)]
    cases = tuple(_case(question, f"{number}.{n}", value) for n, value in enumerate(found, 1))
    _demand_rules(path, cases)
    _demand_unique_names(path, source)
    return cases


def _place(path: Path, error: Exception) -> str:
    """Find the line of the author's that does not run: in the check file, or in what it imports."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}"
    found = last_line_within(error, path, ROOT / "solutions")
    return f"{found[0]}:{found[1]}" if found else str(path)


def _digest(content: bytes | Path) -> str:
    """Make a short digest of bytes or of a file, if it is there; how lines end does not matter."""
    if isinstance(content, Path):
        return _digest(content.read_bytes()) if content.is_file() else ""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:12]


def _is_case(value: Any) -> bool:
    return isinstance(getattr(value, "test_func", None), Callable) and hasattr(value, "hidden")  # type: ignore[arg-type]


def _case(question: str, number: str, check: Any) -> Case:
    function = check.test_func
    title = str(check.name or function.__name__)
    facts = CaseFacts(question, number, function.__name__, title, check.points, bool(check.hidden))
    return Case(facts, function)


def _demand_rules(path: Path, cases: tuple[Case, ...]) -> None:
    if all(case.facts.hidden for case in cases):
        raise HomeworkError(f"{path}: there is no public case")
    titles = [case.facts.title for case in cases]
    for case, title in zip(cases, titles, strict=True):
        if type(case.facts.points) is not int or case.facts.points < 0:
            raise HomeworkError(f"{path}: {case.facts.name}: points must be a whole number")
        if not case.test_func.__doc__:
            raise HomeworkError(f"{path}: {case.facts.name}: the docstring is missing")
        if titles.count(title) > 1:
            raise HomeworkError(f"{path}: two cases are called {title!r}")


def _demand_unique_names(path: Path, source: str) -> None:
    """Python keeps only the second of two functions of one name, and a case would be gone."""
    names = [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    for name in names:
        if names.count(name) > 1:
            raise HomeworkError(f"{path}: two functions are called {name!r}")
