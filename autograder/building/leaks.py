"""Looks through everything that is published for what must stay with the instructor."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.building.added_cells import unpacked
from autograder.building.definitions import BEGIN, END, Definitions
from autograder.building.public_cases import is_hidden, public_cases
from autograder.homework import Homework

DISTINCTIVE = 25
"""A line of code with fewer characters than this may well stand elsewhere by chance."""


def find_leaks(
    published: Mapping[str, bytes], homework: Homework, definitions: Definitions
) -> list[str]:
    """Name each secret that a published file holds, and the file.

    Args:
        published: contents by file name. Notebooks are searched string by string, metadata too, and
            so are the files that are packed into them.
        homework: whose hidden cases are secret.
        definitions: whose answers are.
    """
    secrets = dict(_secrets(homework, definitions))
    return [
        f"{name}: holds {what}: {secret!r}"
        for name, data in published.items()
        for text in [_searchable(name, data)]
        for secret, what in secrets.items()
        if secret in text
    ]


def _searchable(name: str, data: bytes) -> str:
    """Return a file's text with every run of white space as one blank."""
    text = data.decode("utf-8", errors="replace")
    for _, content in unpacked(text):
        text += "\n" + content.decode("utf-8", errors="replace")
    if name.endswith((".ipynb", ".json")):
        text += "\n" + "\n".join(_strings(json.loads(data)))
    return _squeeze(text)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        if value and all(isinstance(item, str) for item in value):
            yield "".join(value)
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)


def _secrets(homework: Homework, definitions: Definitions) -> Iterator[tuple[str, str]]:
    yield from ((mark, "a mark of solutions") for mark in (BEGIN, END))
    handed_out = _handed_out(homework, definitions)
    for question in homework.question_names:
        for line in _answer_lines(question, definitions):
            if line not in handed_out:
                yield line, f"a line of the answer to {question}"
        for text, what in _hidden_texts(homework.checks(question), question):
            if text not in handed_out:
                yield text, what


def _answer_lines(question: str, definitions: Definitions) -> Iterator[str]:
    """Yield the distinctive lines of an answer: of its body, and of the helpers that it needs."""
    node = definitions.nodes[question]
    bodies = [_after_docstring(node)]
    bodies += [[definitions.nodes[helper]] for helper in definitions.helpers(question)]
    return _distinctive(definitions.text, bodies)


def _handed_out(homework: Homework, definitions: Definitions) -> str:
    """Return what students get of the module: stubs, and what is given whole."""
    questions = homework.question_names
    stubs = [definitions.stub(question) for question in questions]
    public = [n for n in definitions.nodes if n not in questions and not n.startswith("_")]
    return _squeeze("\n".join([*stubs, *map(definitions.given, public)]))


def _after_docstring(node: Any) -> list[Any]:
    return node.body[1:] if ast.get_docstring(node) is not None else node.body  # type: ignore[no-any-return]


def _hidden_texts(path: Path, question: str) -> Iterator[tuple[str, str]]:
    """Yield distinctive lines, titles and figures of hidden cases, less what is public."""
    text = path.read_text(encoding="utf-8")
    public = _squeeze(public_cases(path))
    hidden = [node for node in ast.parse(text).body if is_hidden(node)]
    secret = set(_distinctive(text, [[node] for node in hidden]))
    secret |= {figure for node in hidden for figure in _figures(node)}
    secret |= {_squeeze(ast.get_docstring(node) or "") for node in hidden}  # type: ignore[arg-type]
    for line in sorted(secret):
        if line and line not in public:
            yield line, f"a hidden case of {question}"


def _figures(node: ast.AST) -> Iterator[str]:
    """Yield numbers of four digits and more: expected values, not sizes."""
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and type(child.value) in (int, float):
            written = repr(child.value)
            if len(re.sub(r"\D", "", written).strip("0")) >= 4:
                yield written


def _distinctive(text: str, bodies: Iterable[list[Any]]) -> Iterator[str]:
    lines = text.splitlines()
    for body in bodies:
        for node in body:
            for line in lines[node.lineno - 1 : node.end_lineno]:
                squeezed = _squeeze(line)
                if len(squeezed) >= DISTINCTIVE:
                    yield squeezed


def _squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
