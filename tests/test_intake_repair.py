"""What editors, merges and downloads do to notebooks is undone, and said."""

import json

import nbformat
import pytest

from autograder.grading.intake import documents, find_submissions, read_submission
from tests.test_intake import ANSWER, notebook_text

APPLY = "def apply(f, numbers):\n    return [f(n) for n in numbers]"
STUB = 'def double(x):\n    """Twice x."""\n    raise NotImplementedError("double")'
SETUP = "%matplotlib inline\nimport torch\nfrom torch import Tensor\ngrader = torch.Notebook()"
TYPED = "def double(x: Tensor) -> Tensor:\n    return 2 * x"
markdown, raw, code = (
    nbformat.v4.new_markdown_cell,
    nbformat.v4.new_raw_cell,
    nbformat.v4.new_code_cell,
)


@pytest.fixture
def read(tmp_path, tiny):
    def run(content, name="a.ipynb"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        (found,) = find_submissions([path])
        return read_submission(found, tiny)

    return run


@pytest.fixture
def cells(read):
    """Read a notebook of these cells; return their numbers and the warnings."""

    def run(*made):
        submission = read(notebook_text(*made))
        assert submission.problem is None
        return [cell.number for cell in submission.cells], list(submission.warnings)

    return run


def changed(text, **keys):
    return json.dumps(json.loads(text) | keys)


# Cells


def test_an_undamaged_notebook_has_no_warnings(cells):
    made = [markdown("# Title\n\ndouble is next"), SETUP, TYPED, "double(torch.ones(2))", APPLY]
    assert cells(*made) == ([1, 2, 3, 4], [])


@pytest.mark.parametrize("retyped", [markdown, raw])
def test_a_question_in_a_cell_of_another_type_counts(cells, retyped):
    kind = retyped("")["cell_type"]
    assert cells(retyped(f"# mine\n{ANSWER}"), APPLY) == (
        [0, 1],
        [f"cell 1 is of type {kind}, but defines `double`: it was run as code"],
    )


def test_a_retyped_question_with_a_syntax_error_counts_too(cells):
    assert cells(markdown("# mine\n\ndef double(x:\n    return"), APPLY)[0] == [0, 1]
    assert cells(markdown(f"factor = 2\n{ANSWER}"), APPLY)[0] == [0, 1]


def test_a_question_that_is_tagged_to_be_ignored_counts(cells):
    tagged = code(ANSWER, metadata={"tags": ["otter_ignore"]})
    assert cells(tagged, APPLY) == (
        [0, 1],
        ["cell 1 is tagged to be ignored, but defines `double`: it was run as code"],
    )


def test_an_old_attempt_kept_as_text_does_not_replace_the_answer(cells):
    demonstration = code(STUB, metadata={"tags": ["otter_ignore"]})
    assert cells(ANSWER, raw(STUB), markdown(STUB), demonstration, APPLY) == ([0, 4], [])


def test_prose_that_quotes_a_definition_is_no_answer(cells):
    prose = "# Question\n\nWrite this:\n```python\n" + ANSWER + "\n```"
    assert cells(markdown(prose), markdown(f"```\n{ANSWER}\n```"), APPLY) == ([2], [])


def test_imports_in_a_cell_of_another_type_are_run(cells):
    assert cells(markdown(SETUP), TYPED) == (
        [0, 1],
        ["cell 1 is of type markdown, but holds the imports: it was run as code"],
    )
    assert cells(SETUP, markdown("import this"), TYPED) == ([0, 2], [])
    figures = code(SETUP, metadata={"tags": ["otter_ignore"]})
    assert cells(figures, TYPED) == ([1], [])


def test_of_a_copied_question_all_cells_are_kept_and_named(cells):
    assert cells(ANSWER, APPLY, ANSWER, "x = double(1)", ANSWER) == (
        [0, 1, 2, 3, 4],
        ["`double` is defined in cells 1, 3 and 5: the last one counts"],
    )


def test_a_stub_below_the_answer_is_pointed_out(cells):
    told = "`double` is defined in cells 1 and 2: the last one counts and it is not filled in"
    assert cells(ANSWER, STUB)[1] == [told]
    raising = "def double(x):\n    y = 2 * x\n    print(y)\n    raise ValueError(y)"
    assert cells(ANSWER, f"{raising}\n{STUB.replace('double', 'later')}")[1][0].endswith("counts")


def test_imports_below_the_questions_that_need_them_run_first(cells):
    numbers, notes = cells(TYPED, APPLY, SETUP, "print(1)")
    assert numbers == [2, 0, 1, 3]
    assert notes == ["the imports of cell 3 stand after code that needs them: they were run first"]


@pytest.mark.parametrize(
    "late",
    [
        "import numpy",  # no question uses it
        "import torch\nfrom torch import Tensor",  # known before
        "from torch import Tensor\nx = double(3)",  # it needs the question
        "from torch import Tensor\nfrom operator import neg as double",  # it replaces the question
        "from torch import Tensor\ndef helper(): pass",  # no cell of imports
    ],
)
def test_imports_stay_where_they_are_unless_they_are_missed(cells, late):
    first = [SETUP] if late.startswith("import torch") else []
    assert cells(*first, TYPED, late) == (list(range(len(first) + 2)), [])


def test_a_question_that_is_no_python_needs_its_imports_too(cells):
    assert cells("def double(x: Tensor:\n    pass", APPLY, SETUP)[0] == [2, 0, 1]


def test_a_local_name_does_not_pass_for_an_import(cells):
    local = "def apply(f, numbers):\n    Tensor = f\n    return Tensor"
    assert cells(local, TYPED, SETUP)[0] == [2, 0, 1]


def test_without_imports_nothing_is_invented(cells):
    assert cells(TYPED, APPLY) == ([0, 1], [])


def test_a_merge_conflict_in_a_cell_is_named(cells):
    conflict = f"x = 1\n<<<<<<< HEAD\n{ANSWER}\n=======\n{STUB}\n>>>>>>> branch"
    numbers, notes = cells(conflict)
    assert numbers == [0]
    assert "a merge conflict's mark stands in cell 1, line 2: settle it" in notes


def test_a_notebook_without_code_is_told_so(read):
    for made in ([], [markdown("double")], ["  \n", ""]):
        problem = read(notebook_text(*made)).problem
        assert problem == "the notebook has no code: save your work and hand it in again"


def test_answers_that_are_all_gone_are_a_warning(cells):
    gone = "none of the questions of 'tiny' is defined in it: the cells with the answers are gone"
    assert cells("exec('1')", "grader.check('double')", "double(3)") == ([0, 1, 2], [gone])


@pytest.mark.parametrize(
    "unusual",
    [
        "double = lambda x: 2 * x",
        "if True:\n    def double(x):\n        return 2 * x",
        "from operator import neg as double",
        "double, apply = 1, 2",
        "exec('def double(x): return x')",
        "globals()['double'] = abs",
        "%%time\ndef double(x):\n    return x",
        "!ls\ndef double(x:",
    ],
)
def test_unusual_definitions_are_no_reason_for_doubt(cells, unusual):
    assert cells(unusual) == ([0], [])


# The notebook's file


def test_formats_4_0_to_4_5_and_later_ones_are_read_alike(read):
    for minor in (*range(6), 9):
        submission = read(changed(notebook_text(ANSWER), nbformat_minor=minor))
        assert (submission.cells[0].source, submission.warnings) == (ANSWER, ())
    assert "format 5 is newer" in read(changed(notebook_text(ANSWER), nbformat=5)).warnings[0]


def test_a_notebook_of_format_3_is_converted(read):
    cell = {"cell_type": "code", "input": ANSWER.splitlines(keepends=True), "outputs": []}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [cell]}]}
    submission = read(json.dumps(old))
    assert submission.cells[0].source == ANSWER
    assert submission.warnings == ("the notebook's format 3 is old: it was converted to format 4",)
    broken = read(json.dumps(old | {"worksheets": [{"cells": [{"cell_type": "code"}, 3]}]}))
    assert broken.problem.startswith("the notebook is malformed: ")


def test_missing_keys_are_no_matter_and_doubled_ids_are_told(read):
    bare = {"cells": [{"cell_type": "code", "source": ANSWER}]}
    assert read(json.dumps(bare)).warnings == ()
    twice = [{"cell_type": "code", "id": "a", "source": source} for source in (ANSWER, APPLY)]
    submission = read(json.dumps({"cells": twice, "metadata": []}))
    assert [cell.source for cell in submission.cells] == [ANSWER, APPLY]
    assert submission.warnings == ("some cells have the same id (a): each was read on its own",)


def test_a_malformed_cell_costs_that_cell_only(read):
    cells = [3, {"cell_type": "code", "source": [1]}, {"cell_type": "code", "source": ANSWER}]
    submission = read(json.dumps({"cells": cells}))
    assert [cell.number for cell in submission.cells] == [2]
    assert submission.warnings == (
        "cell 1 is malformed and was skipped",
        "cell 2 is malformed and was skipped",
    )


@pytest.mark.parametrize(
    ("metadata", "language"),
    [
        ({"kernelspec": {"name": "ir", "language": "R"}}, "R"),
        ({"kernelspec": {"name": "julia-1.9", "display_name": "J"}}, "julia-1.9"),
        ({"language_info": {"name": "julia"}}, "julia"),
        ({"kernelspec": {"name": "my-env", "language": "python"}}, None),
        ({"kernelspec": {"name": "irene-venv"}}, None),
        ({"kernelspec": 3, "language_info": []}, None),
    ],
)
def test_another_languages_kernel_is_a_warning(read, metadata, language):
    told = f"the notebook is set to {language}: its cells were run as Python"
    submission = read(changed(notebook_text(ANSWER), metadata=metadata))
    assert submission.cells[0].source == ANSWER
    assert submission.warnings == ((told,) if language else ())


CONFLICTED = """{"cells": [
<<<<<<< HEAD
 {"cell_type": "code", "source": "def double(x): return 2 * x"}
||||||| base
=======
 {"cell_type": "code", "source": "def double(x): return 3 * x"}
>>>>>>> branch
], "metadata": {}}
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_of_a_merge_conflict_in_the_file_the_first_side_counts(read, end):
    submission = read(CONFLICTED.replace("\n", end))
    assert [cell.source for cell in submission.cells] == ["def double(x): return 2 * x"]
    assert "1 unsettled merge conflict in the file" in submission.warnings[0]


def test_a_merge_conflict_that_cannot_be_settled_is_refused_with_its_line(read):
    problem = read(CONFLICTED.replace("], ", "")).problem
    assert problem == (
        "this is not a notebook: line 2 of the file is not JSON, "
        "but a merge conflict's mark: settle it and hand it in again"
    )


def test_a_notebook_of_too_many_values_is_refused_before_it_is_parsed(read, monkeypatch):
    monkeypatch.setattr(documents, "MAX_VALUES", 50)
    bomb = '{"cells": [' + ",".join(["[]"] * 50) + "]}"
    assert read(bomb).problem.startswith("the notebook is too large to read")


# Bytes and texts


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le"])
def test_what_powershell_redirects_is_read(read, encoding):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    submission = read((mark + notebook_text(ANSWER + "  # ½")).encode(encoding))
    assert submission.cells[0].source == ANSWER + "  # ½"
    assert submission.warnings[0].startswith("a.ipynb was read as utf-16")


def test_nul_bytes_at_the_end_are_dropped(read):
    submission = read(notebook_text(ANSWER).encode() + b"\0" * 512)
    assert submission.cells[0].source == ANSWER
    assert "ended in NUL bytes" in submission.warnings[0]
    assert read(b"\0" * 512).problem.startswith("a.ipynb is empty")


def test_a_script_is_read_as_its_coding_comment_says(read):
    text = "# -*- coding: latin-1 -*-\n" + ANSWER + "  # é"
    assert read(text.encode("latin-1"), "a.py").cells[-1].source.endswith("# é")
    assert read(text[26:].encode("latin-1"), "b.py").problem.startswith("b.py is not text (byte ")


def test_a_notebook_in_windows_own_letters_is_read(read):
    text = json.dumps({"cells": [{"cell_type": "code", "source": ANSWER + " # é"}]}, ensure_ascii=0)
    submission = read(text.encode("latin-1"))
    assert submission.cells[0].source.endswith("# é")
    assert submission.warnings == ("a.ipynb was read as latin-1: save it as UTF-8",)


def test_windows_and_old_line_ends_are_no_matter(read):
    for end in ("\r\n", "\r"):
        assert read(notebook_text(ANSWER.replace("\n", end))).cells[0].source == ANSWER
        assert read(ANSWER.replace("\n", end), "a.py").cells[0].source == ANSWER


def test_half_characters_are_replaced(read):
    text = notebook_text(ANSWER).replace("return", "'\\ud83d\\ude00 \\ud800'; return")
    assert "'😀 �'; return" in read(text).cells[0].source


def test_a_form_feed_is_no_line_end_to_python(read):
    script = f"import math\n\x0c\nx = '\u2028'\n{ANSWER}\n\n{APPLY}\n"
    assert [cell.source.strip() for cell in read(script, "a.py").cells][-2:] == [ANSWER, APPLY]


def test_a_notebook_called_py_and_a_script_called_ipynb_are_known_by_their_content(read):
    for content, name in ((notebook_text(ANSWER), "a.py"), (ANSWER, "b.ipynb")):
        submission = read(content, name)
        assert submission.cells[0].source == ANSWER
        assert submission.warnings[0].endswith("and was read as one")
    assert read('{"a": 1}\n' + ANSWER, "c.py").warnings == ()


@pytest.mark.parametrize(("data", "kind"), [(b"PK\3\4..", "a zip"), (b"%PDF-1.7", "a PDF")])
def test_other_files_that_are_called_ipynb_are_named(read, data, kind):
    assert read(data).problem == f"a.ipynb is {kind}, not a notebook: hand in the .ipynb file"


def test_marks_in_a_script_whose_header_is_broken_are_comments(read):
    script = f"# ---\n# jupyter: [\n# ---\n\n# %%\n{ANSWER}\n"
    assert any(ANSWER in cell.source for cell in read(script, "a.py").cells)


def test_warnings_do_not_pile_up(cells):
    notes = cells(*[f"<<<<<<<\n{ANSWER}"] * 50)[1]
    assert len(notes) == 31
    assert notes[-1] == "… and 21 more of the kind"


def test_source_that_overwhelms_the_parser_is_read_all_the_same(read):
    deep = "x = " + "-" * 50_000 + "1"
    for source in (deep, "x = " + "(" * 500 + ")" * 500, "a.b" * 20_000, "\0"):
        assert read(f"{source}\n{ANSWER}\n", "a.py").problem is None
        assert read(notebook_text(source, ANSWER)).problem is None
