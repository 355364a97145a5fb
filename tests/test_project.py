"""Rules of the house that a reader would otherwise have to check by hand."""

import ast
import statistics
import subprocess

from autograder.homework import ROOT


def functions():
    for folder in ("autograder", "solutions", "assignments"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    body = node.body[1:] if ast.get_docstring(node) else node.body
                    size = body[-1].end_lineno - body[0].lineno + 1 if body else 0
                    yield f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", size


def test_functions_are_short():
    sizes = dict(functions())
    assert [name for name, size in sizes.items() if size > 40] == []
    assert statistics.median(sizes.values()) < 10


def test_the_worker_imports_nothing_of_the_grader():
    for path in (ROOT / "autograder" / "worker").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autograder"):
                assert node.module.startswith("autograder.worker"), path


def test_the_program_knows_no_homework_by_name():
    names = [path.parent.name for path in (ROOT / "assignments").glob("*/assignment.toml")]
    for path in (ROOT / "autograder").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not any(name in text for name in names), path


def test_tracked_files_are_text_of_the_project_alone():
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\n")
    for name in filter(None, listed):
        path = ROOT / name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "/" + "work/" not in text, name
            assert "\r" not in text, name
