"""What is handed out is complete, the same each time, and gives nothing away."""

import ast
import dataclasses
import io
import json
import sys
import zipfile

import pytest

from autograder.building.added_cells import packed, setup_cell, unpacked
from autograder.building.build import committed_files, stale_files, starter_folder
from autograder.building.definitions import Definitions, replace_solutions, without_marks
from autograder.building.errors import BuildError
from autograder.building.handout import compose
from autograder.building.leaks import find_leaks
from autograder.building.package import autograder_zip
from autograder.building.public_cases import public_cases
from autograder.homework import ROOT, Homework, homework_names
from tests.conftest import command

SOLUTIONS = '''
"""Tiny."""

_SCALE, _OFFSET = 2, 0


def _scaled(x):
    return _SCALE * x + _OFFSET


def double(x):
    """Return twice x."""
    doubled_by_the_answer = _scaled(x)
    return doubled_by_the_answer


def apply(f, numbers):
    """Call f for each number."""
    return [f(one_of_the_numbers) for one_of_the_numbers in numbers]


class Given:
    """Something given."""
'''

BESIDE = {"tests/double.py": b"# Public cases\n", "data/bytes": bytes(range(256))}
HANDOUT = """# %% [markdown]
# # Tiny

# %%
import otter

grader = otter.Notebook()

# %% question="double"

# %% given="Given"

# %% tags=["otter_ignore"]
shown = 1
# BEGIN SOLUTION
secret = 2
# END SOLUTION

# %% question="apply"
"""


@pytest.fixture
def small(tiny, tmp_path):
    """The tiny homework with solutions and a handout, in a folder of the test's own."""
    (tmp_path / "checks").mkdir()
    for path in tiny.folder.glob("checks/*.py"):
        (tmp_path / "checks" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "notebook.py").write_text(HANDOUT)
    (tmp_path / "solution.py").write_text(SOLUTIONS)

    class Small(Homework):
        folder = tmp_path
        solutions = tmp_path / "solution.py"

    return Small(**{f.name: getattr(tiny, f.name) for f in dataclasses.fields(tiny)})


def composed(homework, *, solved):
    definitions = Definitions.read(homework.solutions)
    return json.loads(compose(homework, definitions, BESIDE, solved=solved))


def sources(notebook):
    return {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}


def test_a_stub_keeps_signature_and_docstring_and_nothing_else(small):
    stub = sources(composed(small, solved=False))["answer-double"]
    assert stub == (
        'def double(x):\n    """Return twice x."""\n    raise NotImplementedError("double")'
    )


def test_an_answer_brings_the_private_definitions_that_it_needs_once(small):
    answer = sources(composed(small, solved=True))["answer-double"]
    assert [line for line in answer.splitlines() if line and line[0] != " "] == [
        "_SCALE, _OFFSET = 2, 0",
        "def _scaled(x):",
        "def double(x):",
    ]


def test_solutions_between_marks_stay_out_of_the_starter(small):
    assert "secret = 2" not in json.dumps(composed(small, solved=False))
    solved = json.dumps(composed(small, solved=True))
    assert "secret = 2" in solved
    assert "SOLUTION" not in solved


def test_ids_are_stable_and_say_which_question(small):
    ids = [cell["id"] for cell in composed(small, solved=False)["cells"]]
    assert ids == [
        *("cell-000", "setup", "cell-001", "answer-double", "check-double"),
        *("cell-004", "cell-005", "answer-apply", "check-apply", "about-progress", "progress"),
    ]


def run_setup(notebook, folder, monkeypatch):
    """Run the setup cell in a folder, as plain Python; return the names that it leaves."""
    monkeypatch.chdir(folder)
    names = {}
    exec(sources(notebook)["setup"], names)
    return names.keys() - {"__builtins__"}


def test_the_setup_cell_writes_what_is_missing_and_changes_nothing(small, tmp_path, monkeypatch):
    bare = tmp_path / "bare"
    (bare / "tests").mkdir(parents=True)
    (bare / "tests" / "double.py").write_text("mine")
    assert run_setup(composed(small, solved=False), bare, monkeypatch) == set()
    assert (bare / "tests" / "double.py").read_text() == "mine"
    assert (bare / "data" / "bytes").read_bytes() == BESIDE["data/bytes"]


def test_on_colab_the_setup_cell_installs_what_is_required(small, tmp_path, monkeypatch):
    asked = []

    class Shell:
        run_line_magic = staticmethod(lambda *words: asked.append(words))

    monkeypatch.setitem(sys.modules, "google.colab", sys)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setattr("builtins.get_ipython", Shell, raising=False)
    run_setup(composed(small, solved=False), tmp_path, monkeypatch)
    assert asked == [("pip", "install --quiet --requirement requirements.txt")]


def test_files_are_packed_to_the_same_text_and_come_out_again():
    assert packed(BESIDE) == packed(dict(reversed(BESIDE.items())))
    text = f"x = 1\n{setup_cell(BESIDE)['source']}"
    assert dict(unpacked(text)) == BESIDE


def test_the_real_starter_brings_along_its_whole_folder(homework):
    folder = starter_folder(homework)
    notebook = json.loads((folder / "seq2seq.ipynb").read_text())
    brought = dict(unpacked(sources(notebook)["setup"]))
    there = [path for path in folder.rglob("*.*") if path.is_file() and ".github" not in path.parts]
    assert brought.keys() | {"seq2seq.ipynb", "README.md"} == {
        path.relative_to(folder).as_posix() for path in there if "__pycache__" not in path.parts
    }
    assert all(data == (folder / name).read_bytes() for name, data in brought.items())


@pytest.mark.parametrize(
    "mark",
    ["#BEGIN SOLUTION", "# Begin solution", "# SOLUTION", "## END SOLUTION", "# BEGIN SOLUTIONS"],
)
def test_malformed_marks_stop_the_build(mark):
    with pytest.raises(BuildError, match="looks like a malformed mark"):
        replace_solutions(f"x = 1\n{mark}\ny = 2", None, "notebook.py")


@pytest.mark.parametrize(
    "text",
    [
        "# BEGIN SOLUTION\nx = 1",
        "x = 1\n# END SOLUTION",
        "# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION",
    ],
)
def test_unbalanced_marks_stop_the_build(text):
    for step in (lambda: replace_solutions(text, None, "x"), lambda: without_marks(text, "x")):
        with pytest.raises(BuildError, match=r"has no"):
            step()


def test_a_stray_mark_in_prose_stops_the_build(small):
    path = small.folder / "notebook.py"
    path.write_text(HANDOUT.replace("# # Tiny", "# # Tiny\n# # END SOLUTION"))
    with pytest.raises(BuildError, match="has no partner"):
        composed(small, solved=False)


def test_a_question_that_is_not_placed_stops_the_build(small):
    path = small.folder / "notebook.py"
    path.write_text(HANDOUT.replace('# %% question="apply"\n', ""))
    with pytest.raises(BuildError, match="places the question 'apply' 0 times"):
        composed(small, solved=False)


def test_a_question_that_is_none_of_the_homeworks_stops_the_build(small):
    path = small.folder / "notebook.py"
    path.write_text(HANDOUT + '\n# %% question="treble"\n')
    with pytest.raises(BuildError, match=r"notebook\.py: places 'treble', which is none"):
        composed(small, solved=False)


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("2 · Twice (3 points)", "stands over double, which has the number 1"),
        ("1 · Twice (99 points)", "says 99 points; its cases have"),
        ("7 · Nothing (1 point)\n# # 1 · Twice (99 points)", "says 1 points; its cases have 0"),
        ("1a · Twice (3 points in two parts)", "stands over double"),
    ],
)
def test_a_heading_that_says_other_than_the_cases_stops_the_build(small, heading, told):
    path = small.folder / "notebook.py"
    path.write_text(HANDOUT.replace("# # Tiny", f"# # {heading}"))
    with pytest.raises(BuildError, match=told):
        composed(small, solved=False)


def leaks(small, name, text):
    definitions = Definitions.read(small.solutions)
    return find_leaks({name: text.encode()}, small, definitions)


def test_the_starter_of_the_tiny_homework_gives_nothing_away(small):
    starter = compose(small, Definitions.read(small.solutions), BESIDE, solved=False)
    public = public_cases(small.checks("double"))
    assert leaks(small, "n.ipynb", starter) == leaks(small, "double.py", public) == []


@pytest.mark.parametrize(
    "secret",
    [
        "doubled_by_the_answer = _scaled(x)",
        "return [f(one_of_the_numbers)   for one_of_the_numbers\n in numbers]",
        "Numbers that are drawn",
        "for number in torch.randint(5, 99, (3,), generator=rng).tolist():",
        "# BEGIN SOLUTION",
    ],
)
def test_a_planted_leak_is_found_in_every_place(small, secret):
    starter = composed(small, solved=False)
    assert leaks(small, "README.md", f"Hello, {secret} there")
    for place in (
        {"cells": [{**starter["cells"][0], "source": secret}]},
        {"metadata": {"otter": {"tests": {"x": secret}}}},
        {"cells": [{**starter["cells"][1], "metadata": {"note": [secret]}}]},
        {"cells": [{**starter["cells"][1], "source": secret.splitlines(keepends=True)}]},
        {"metadata": {secret: 1}},
        {"cells": [setup_cell({"tests/double.py": secret.encode()})]},
    ):
        assert leaks(small, "n.ipynb", json.dumps({**starter, **place}))


@pytest.mark.parametrize("figure", ["31415", "2.718"])
def test_a_figure_of_a_hidden_case_is_a_secret(small, figure):
    path = small.checks("double")
    path.write_text(path.read_text().replace("randint(5, 99", f"randint(5, 99 + int({figure})"))
    assert leaks(small, "README.md", f"It is {figure} in all.")
    assert not leaks(small, "README.md", "It is 99 in all.")


def test_a_leak_stops_the_build_of_the_real_homework(homework, monkeypatch):
    readme = "\nTip: `angle = position / 10000.0**exponent`.\n"
    monkeypatch.setattr("autograder.building.build._rendered", lambda *_: readme.encode())
    with pytest.raises(BuildError, match="a line of the answer to positional_encoding"):
        committed_files(homework)


def test_a_public_case_that_needs_the_solutions_stops_the_build(tmp_path):
    path = tmp_path / "x.py"
    path.write_text(
        "from solutions import seq2seq\nfrom autograder.checking import test_case\n"
        "@test_case(points=1)\ndef f(x):\n    seq2seq.x\n"
    )
    with pytest.raises(BuildError, match="which students do not have"):
        public_cases(path)


def test_a_hidden_case_stays_out_even_if_a_local_variable_has_its_name(homework):
    text = public_cases(homework.checks("shift_targets"))
    names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert names == ["assert_shifted", "sentence_of_the_lesson"]


def test_two_zips_are_byte_equal_and_laid_out_for_gradescope(homework):
    first, second = autograder_zip(homework), autograder_zip(homework)
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        names = archive.namelist()
        assert names == sorted(names)
        for name in ("run_autograder", "setup.sh"):
            assert archive.getinfo(name).external_attr >> 16 == 0o100755
        assert not any(b"\r\n" in archive.read(name) for name in names)
        environment = archive.read("environment.yml").decode()
        assert environment.count("otter-grader") == 1
    assert {f"tests/{name}.py" for name in homework.question_names} <= set(names)
    assert not any("variants" in name or "__pycache__" in name for name in names)


def test_what_is_committed_equals_a_fresh_build(homework):
    assert list(stale_files(homework)) == []


def test_stale_and_stray_files_are_shown(homework):
    stray = starter_folder(homework) / "stray.txt"
    readme = starter_folder(homework) / "README.md"
    before = readme.read_bytes()
    try:
        stray.write_text("x")
        readme.write_bytes(before + b"more\n")
        lines = list(stale_files(homework))
    finally:
        stray.unlink()
        readme.write_bytes(before)
    assert "student_starter/seq2seq/README.md: stale" in lines
    assert "    -more" in lines
    assert "student_starter/seq2seq/stray.txt: comes from no build" in lines


def test_the_starter_holds_all_that_a_student_needs(homework):
    names = {p.relative_to(starter_folder(homework)).as_posix() for p in committed_files(homework)
             if starter_folder(homework) in p.parents}  # fmt: skip
    assert names == {
        "seq2seq.ipynb", "README.md", "requirements.txt", ".github/workflows/public-cases.yml",
        "checking.py", "showing.py", "pointing.py", "check_all.py",
        *(f"tests/{name}.py" for name in homework.question_names),
    }  # fmt: skip


def test_build_check_succeeds_from_the_command_line():
    done = command("build", "--check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == f"up to date: {', '.join(homework_names())}\n"


def test_an_unknown_homework_is_one_clear_line():
    done = command("build", "nonsense", cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no homework 'nonsense'; there is: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_class_may_end_with_a_solution(tmp_path):
    path = tmp_path / "asked.py"
    path.write_text(
        'class Asked:\n    """Doc."""\n\n    def f(self):\n        """Do it."""\n'
        "        # BEGIN SOLUTION\n        return 1\n        # END SOLUTION\n\n\nlater = 2\n"
    )
    definitions = Definitions.read(path)
    assert definitions.stub("Asked").endswith(
        '"""Do it."""\n        raise NotImplementedError("Asked")'
    )
    assert definitions.answer("Asked").endswith('"""Do it."""\n        return 1')
