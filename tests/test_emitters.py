"""Results in other forms: what stands in each file, and what odd names and texts become there."""

import csv
import dataclasses
import html
import html.parser
import io
import json
import re
import shutil
import xml.etree.ElementTree as ET
from itertools import pairwise

import jsonschema
import markdown_it
import pytest
from click.testing import CliRunner
from rich.console import Console

from autograder.bank import MISTAKES, read_bank
from autograder.cli import main
from autograder.emitters import FORMS, canvas, emit, github, gradebook, markdown
from autograder.emitters.forms import Batch
from autograder.emitters.gradescope import as_dict, published, stored
from autograder.emitters.kept_csv import read_sheet
from autograder.emitters.spreadsheet import csv_text
from autograder.errors import HomeworkError
from autograder.grading import batch as batch_module
from autograder.grading.batch import Order, _grade_each
from autograder.grading.intake import Found, find_submissions
from autograder.grading.intake.facts import Person
from autograder.grading.intake.lines import line_in_file
from autograder.homework import load_homework
from tests.conftest import command, results

ODD = '=cmd(), "Zoë" 🎉\n'
SHOWN = ODD.replace("\n", "_")
RAISES = "\ndef causal_mask(n):\n    pad = '% \"x\"'\n    return 1 / (n - n)\n"
GRADESCOPE = """\
submission_77:
  :submitters:
  - :name: Ada, "the first" Lovelace
    :email: ada@uni.edu
    :sid: '0042'
  - :name: =HYPERLINK("x")
    :email: zoe@uni.edu
    :sid: ''
"""
EXPORT = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Homework 2: seq2seq (4711),"
    "Essay (4712),Current Score\r\n"
    ",,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,100.00,10.00,(read only)\r\n"
    '"Doe, Jane",123456,7,jane,"Sec ""A"", B","","8,50",1\r\n'
    "Ada Lovelace,2,0042,a.l,Sec,,7.00,2\r\n"
    '"Zoë, ""Z""",3,,zoe,Sec,1.00,,3\r\n'
    '"=""=cmd()""",4,,x,Sec,EX,,4\r\n'
)


def write(folder, **files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


@pytest.fixture(scope="module")
def handed_in(homework, author, tmp_path_factory):
    """A class of the oddly named, and exports of Gradescope and Canvas."""
    folder = tmp_path_factory.mktemp("handed-in")
    right = author.answers(["causal_mask"])
    known = [mistake.name for mistake in read_bank(homework, MISTAKES, "causal_mask")]
    wrong = author.bank(MISTAKES, ["causal_mask"], known.index("returns_float64"))
    (folder / "class").mkdir()
    (folder / "class" / f"{ODD}.ipynb").write_bytes(author.notebook(wrong))
    write(
        folder,
        **{
            "class/raises.ipynb": author.notebook({"causal_mask": RAISES}),
            "class/script.py": author.script({"causal_mask": RAISES}),
            "class/empty.ipynb": b"",
            "gradescope/submission_metadata.yml": GRADESCOPE,
            "gradescope/submission_77/mine/a.ipynb": author.notebook(right),
            "canvas/doejane_123456_7890_hw.ipynb": author.notebook(wrong),
            "grades.csv": EXPORT,
        },
    )
    return folder


@pytest.fixture(scope="module")
def run(handed_in, tmp_path_factory):
    """Grades the class in all forms; returns what was printed, and the folder of results."""
    out = tmp_path_factory.mktemp("out")
    forms = [word for form in FORMS for word in ("--format", form)]
    places = [handed_in / name for name in ("class", "gradescope", "canvas")]

    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("GITHUB_STEP_SUMMARY", raising=False)
        patch.setenv("GITHUB_WORKSPACE", str(handed_in))
        options = ("--out", out, "--jobs", 1, *forms, "--merge", handed_in / "grades.csv")
        done = command("grade", "seq2seq", *places, *options)
        assert done.returncode == 0, done.stderr
        yield done, out


@pytest.fixture(scope="module")
def graded(run):
    return run[1]


def annotations(text):
    """Read workflow commands as GitHub's runner does."""
    found = []
    for line in text.splitlines():
        if line.startswith("::"):
            head, data = line[2:].split("::", 1)
            kind, _, properties = head.partition(" ")
            pairs = (pair.split("=", 1) for pair in properties.split(","))
            found.append((kind, {key: plain(value) for key, value in pairs}, plain(data)))
    return found


def plain(text):
    for code, letter in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        text = text.replace(code, letter)
    return text


@pytest.fixture
def alone(graded, handed_in, homework, tmp_path):
    """Makes a batch of one file of the class, of the results that are there."""

    def make(file):
        (found,) = find_submissions([handed_in / "class" / file])
        result = results(graded, found.name)
        return Batch(homework, {found.name: result}, {found.name: found}, tmp_path)

    return make


@pytest.fixture
def batch(grade_cells, tiny, tmp_path):
    """Makes a batch of a submission to the tiny homework."""

    def make(*cells, name="someone", hidden_cases="visible"):
        result = dataclasses.replace(grade_cells(*cells), submission=name)
        found = stored(result, hidden_cases)
        place = Found(name, tmp_path / "nothing.ipynb")
        return Batch(tiny, {name: found}, {name: place}, tmp_path)

    return make


# ---- where a failure is


@pytest.mark.parametrize(
    ("name", "line", "unit"),
    [
        ("raises.ipynb", '    "    return 1 / (n - n)\\n"', "cell"),
        ("script.py", "    return 1 / (n - n)", "line"),
    ],
)
def test_an_annotation_points_at_the_line_of_the_raw_file_that_raised(
    alone, handed_in, name, line, unit
):
    told = "\n".join(emit("github", alone(name)))
    kind, facts, message = next(a for a in annotations(told) if "causal_mask" in a[1]["title"])
    assert (kind, facts["file"]) == ("error", f"class/{name}")
    assert facts["title"] == "causal_mask: 5 cases failed, 8 points lost"
    lines = (handed_in / "class" / name).read_text().splitlines()
    assert lines[int(facts["line"]) - 1].rstrip(",") == line
    assert f"your code raised ZeroDivisionError in {unit}" in message


def test_a_wrong_answer_is_found_where_its_function_is_defined(graded, handed_in):
    for name, path in (
        (SHOWN, handed_in / "class" / f"{ODD}.ipynb"),
        ("doejane_123456_7890_hw", handed_in / "canvas" / "doejane_123456_7890_hw.ipynb"),
    ):
        failed = [t for t in results(graded, name)["tests"] if t["status"] == "failed"]
        place = next(t["failure"] for t in failed if t["extra_data"]["question"] == "causal_mask")
        line = line_in_file(path.read_bytes(), path.name, place["cell"], place["line"])
        assert "def causal_mask(" in path.read_text().splitlines()[line - 1]


def test_a_cell_that_is_no_python_is_the_place_of_what_it_does_not_define(grade_cells):
    result = grade_cells("x = 1", "def apply(step):\n    return [\n\ndef double(x:\n    pass")
    places = {case.case.question: case.place for case in result.cases}
    assert {place.cell for place in places.values()} == {2}
    assert places["double"] == places["apply"]


def test_what_passes_has_no_place_and_what_is_not_there_has_none_either(grade_cells):
    result = grade_cells("double = lambda x: 2 * x")
    assert {case.place for case in result.cases} == {None}
    result = grade_cells("# first\ndouble = lambda x: 3 * x")
    assert (result.cases[0].place.cell, result.cases[0].place.line) == (1, 2)


def test_a_zip_and_a_folder_have_no_lines_but_a_file_in_a_folder_has(tmp_path):
    write(tmp_path, **{"a/mine/x.py": "double = 1", "a.zip": ""})
    failure = {"file": "mine/x.py", "cell": 1, "line": 1}
    test = {"name": "double: x", "output": "wrong", "score": 0, "max_score": 1}
    test |= {"extra_data": {"question": "double"}, "failure": failure}
    for path, line in ((tmp_path / "a", 1), (tmp_path / "a.zip", None), (tmp_path / "b.py", None)):
        made = github._annotation(github.Finding(Found("a", path), (test,)))
        assert made.line == line


# ---- Gradescope

VISIBILITY = {"enum": ["visible", "hidden", "after_due_date", "after_published"]}
OUTPUT_FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}
GRADESCOPES = {
    "score": {"type": "number"},
    "execution_time": {"type": "number"},
    "output": {"type": "string"},
    "output_format": OUTPUT_FORMAT,
    "test_output_format": OUTPUT_FORMAT,
    "test_name_format": OUTPUT_FORMAT,
    "visibility": VISIBILITY,
    "stdout_visibility": VISIBILITY,
    "extra_data": {"type": "object"},
    "leaderboard": {"type": "array"},
    "tests": {
        "type": "array",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "score": {"type": "number"},
                "max_score": {"type": "number"},
                "status": {"enum": ["passed", "failed"]},
                "name": {"type": "string"},
                "name_format": OUTPUT_FORMAT,
                "number": {"type": "string", "pattern": r"^\d+\.\d+$"},
                "output": {"type": "string"},
                "output_format": OUTPUT_FORMAT,
                "tags": {"type": "array", "items": {"type": "string"}},
                "visibility": VISIBILITY,
                "extra_data": {"type": "object"},
            },
        },
    },
}
"""What Gradescope's documentation lists under "Output format"."""


def test_what_a_host_gets_has_only_what_gradescope_documents(grade_cells):
    schema = {"type": "object", "additionalProperties": False, "properties": GRADESCOPES}
    for cells in (["double = 3"], ["def double(x): return 2 * x"]):
        jsonschema.validate(as_dict(grade_cells(*cells)), schema)


def test_results_add_the_place_and_the_hint_of_what_failed_and_nothing_else(graded):
    schema = {"type": "object", "properties": GRADESCOPES, "additionalProperties": False}
    result = results(graded, SHOWN)
    failures = [test.pop("failure", None) for test in result["tests"]]
    jsonschema.validate(result, schema)
    passed = [test["status"] == "passed" for test in result["tests"]]
    assert passed == [failure is None for failure in failures]
    told = next(t for t in result["tests"] if t["extra_data"]["misconception"])
    hint = failures[result["tests"].index(told)]["hint"]
    assert hint
    assert told["output"].endswith(f". {hint}")
    assert [t["number"] for t in result["tests"]][8:10] == ["2.1", "2.2"]


def test_the_output_tells_points_and_notes_as_markdown_in_which_nothing_is_markup(grade_cells):
    found = as_dict(grade_cells("x = '`<b>*a*</b> [b](c)'; boom", "def double(x): return 2 * x"))
    assert found["output_format"] == "md"
    shown = markdown_it.MarkdownIt().render(found["output"])
    assert "<code>double</code>: 3 of 3 points" in shown
    assert "`x = '`&lt;b&gt;*a*&lt;/b&gt; [b](c)'; boom`" in shown
    assert {test["output_format"] for test in found["tests"]} == {"text"}


@pytest.mark.parametrize("policy", ["after_due_date", "after_published", "hidden"])
def test_hidden_cases_may_be_shown_later_and_then_nothing_tells_their_points(grade_cells, policy):
    result = grade_cells("def double(x): return 2 * x")
    found = as_dict(result, policy)
    for test in found["tests"]:
        assert test["visibility"] == (policy if test["extra_data"]["hidden"] else "visible")
    assert "`double`: 1 of 1 points" in found["output"]
    assert "`apply`: 0 of 3 points" in found["output"]
    assert published(found, "visible") == as_dict(result)


def test_a_homework_may_choose_when_hidden_cases_are_shown(monkeypatch, tmp_path):
    monkeypatch.setattr("autograder.homework.ROOT", tmp_path)
    text = 'title = "X"\nquestions = ["x"]\nrequirements = ["torch"]\nhidden_cases = '
    write(tmp_path, **{"assignments/x/assignment.toml": f'{text}"after_published"'})
    assert load_homework("x").hidden_cases == "after_published"
    write(tmp_path, **{"assignments/x/assignment.toml": f'{text}"never"'})
    with pytest.raises(HomeworkError, match="hidden_cases must be one of"):
        load_homework("x")


# ---- JUnit

JUNIT = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "tests", "failures", "errors", "time", "skipped", "id", "file", "timestamp"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
    ),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": (
        {"name", "time", "classname", "group"},
        {"skipped", "error", "failure", "system-out", "system-err"},
    ),
    "failure": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}
REQUIRED = {
    "testsuite": {"name", "tests", "failures", "errors"},
    "property": {"name", "value"},
    "testcase": {"name"},
}
"""What `junit-10.xsd` of Jenkins' xUnit plugin allows and demands of the elements that we use."""
SUREFIRE_TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?")


def demand_junit(element):
    attributes, children = JUNIT[element.tag]
    assert REQUIRED.get(element.tag, set()) <= set(element.keys()) <= attributes, element.tag
    assert SUREFIRE_TIME.fullmatch(element.get("time", ""))
    for child in element:
        assert child.tag in children
        demand_junit(child)


def test_junit_has_a_suite_for_each_submission_and_a_case_for_each_case(graded, homework):
    root = ET.parse(graded / "junit.xml").getroot()
    demand_junit(root)
    suites = {suite.get("name"): suite for suite in root}
    assert suites.keys() == {p.parent.name for p in graded.glob("*/results.json")}
    cases = suites[SHOWN].findall("testcase")
    facts = [case.facts for question in homework.questions for case in question.cases]
    assert [(c.get("classname"), c.get("name")) for c in cases] == [
        (f.question, f.title) for f in facts
    ]
    failed = [t for t in results(graded, SHOWN)["tests"] if t["status"] == "failed"]
    messages = [case.find("failure") for case in cases if case.find("failure") is not None]
    assert [failure.get("message") for failure in messages] == [t["output"] for t in failed]
    assert suites[SHOWN].get("failures") == str(len(failed))
    assert int(root.get("tests")) == len(facts) * len(suites)
    assert "line " in messages[0].text


def test_what_xml_cannot_hold_is_left_out(batch):
    made = batch("x = 1")
    (result,) = made.results.values()
    result["tests"][0]["output"] = "a\x00b\x1b[31m\ufffe <&\"'>]]> é🎉\n"
    result["extra_data"]["warnings"] = ["\x08"]
    list(emit("junit", made))
    root = ET.parse(made.folder / "junit.xml").getroot()
    assert root.find(".//failure").get("message") == "ab[31m <&\"'>]]> é🎉\n"


# ---- GitHub


def test_there_are_ten_annotations_at_most_and_the_last_says_how_many_more(run):
    found = annotations(run[0].stdout)
    assert len(found) == github.MAX_ANNOTATIONS
    titles = [facts["title"] for _, facts, _ in found]
    count = int(re.fullmatch(r"… and (\d+) more", titles[-1])[1])
    assert found[-1][2].startswith(f"{count} more places, with ")
    assert len(set(titles[:-1])) == len(titles) - 1 or count


@pytest.mark.parametrize("text", ["100%, a:b\r\nc", "%0A", "::error::x", ODD])
def test_what_is_escaped_comes_out_as_it_went_in(text):
    made = str(github.Annotation(text, text, text, 7))
    assert "\n" not in made
    [(kind, facts, message)] = annotations(made)
    assert (kind, facts["title"], facts["file"], facts["line"]) == ("error", text, text, "7")
    assert message == text


def test_a_stretch_that_nobody_has_begun_is_no_error(batch):
    stub = "def apply(function, numbers):\n    raise NotImplementedError('apply')"
    some = batch("def double(x):\n    return 2 * x", stub)
    for stretch, count in (({"apply"}, 0), (set(), 1)):
        homework = dataclasses.replace(some.homework, stretch=frozenset(stretch))
        told = "\n".join(emit("github", dataclasses.replace(some, homework=homework)))
        assert told.count("::error") == count
        summary = (some.folder / "summary.md").read_text(encoding="utf-8")
        assert summary.count("**`apply`**") == count


def test_a_submission_that_could_not_be_read_is_an_annotation_on_its_file(alone):
    [(_, facts, message)] = annotations("\n".join(emit("github", alone("empty.ipynb"))))
    assert facts == {"file": "class/empty.ipynb", "title": "nothing could be graded"}
    assert message.startswith("empty.ipynb is empty")


def test_the_summary_shows_odd_names_as_they_are(graded):
    text = (graded / "summary.md").read_text()
    shown = markdown_it.MarkdownIt().enable("table").render(text)
    assert "<td>=cmd(), &quot;Zoë&quot; 🎉_</td>" in shown
    assert "<h3>raises</h3>" in shown
    assert "your code raised ZeroDivisionError" in shown


def test_text_that_looks_like_markdown_is_shown_letter_by_letter():
    for text in ("# a", "- a", "1. a", "<script>", "a | b", "`a` *b* __c__ [d](e) ![f](g)", "&lt;"):
        shown = markdown_it.MarkdownIt().render(markdown.escaped(text))
        letters = shown.removeprefix("<p>").removesuffix("</p>\n")
        assert html.unescape(letters) == text
        assert not re.search("<", letters)


def test_the_summary_goes_after_what_the_step_has_written_and_is_cut_to_a_mebibyte(
    batch, monkeypatch, tmp_path
):
    path = tmp_path / "step.md"
    path.write_text("# Before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    made = batch("double = 3")
    list(emit("github", made))
    assert path.read_text().startswith("# Before\n## Tiny\n")
    assert not (made.folder / "summary.md").exists()
    (result,), (place,) = made.results.values(), made.found.values()
    many = [f"{number:05} é" for number in range(9000)]
    whole = dict.fromkeys(many, result)
    list(emit("github", Batch(made.homework, whole, dict.fromkeys(many, place), tmp_path)))
    written = path.read_bytes()
    assert (1 << 20) - 2000 < len(written) <= 1 << 20
    assert written.decode().endswith("see the files of results.\n")


# ---- Classroom 50

TEXT = {"type": "string", "minLength": 1}
POINTS = {"type": "integer", "minimum": 0}
CLASSROOM_50 = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("schema", "classroom", "assignment", "assignment_type", "owner", "submission"),
        *("commit", "release", "review", "datetime", "score", "max-score", "tests"),
    ],
    "properties": {
        "schema": {"const": "classroom50/result/v1"},
        **dict.fromkeys(("classroom", "assignment", "owner", "commit", "release", "review"), TEXT),
        "assignment_type": {"enum": ["individual", "group"]},
        "submission": {"type": "string", "pattern": "^submit/"},
        "datetime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
        "score": POINTS,
        "max-score": POINTS,
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {
                    "test-name": TEXT,
                    "passed": {"type": "boolean"},
                    "score": POINTS,
                    "max-score": POINTS,
                },
            },
        },
    },
}
"""What `schemas/result-v1.schema.json` of Classroom 50 demands."""


def test_classroom_50_gets_public_cases_with_whole_points(graded, homework):
    public = [c.facts for q in homework.questions for c in q.cases if not c.facts.hidden]
    for path in graded.glob("*/result.json"):
        found = json.loads(path.read_text())
        jsonschema.validate(found, CLASSROOM_50)
        names = [f"{facts.question}: {facts.title}" for facts in public]
        assert [test["test-name"] for test in found["tests"]] == names
        assert found["max-score"] == sum(facts.points for facts in public)
        assert found["score"] == sum(test["score"] for test in found["tests"])
    assert json.loads((graded / "submission_77" / "result.json").read_text())["score"] == 2


def test_classroom_50s_runner_says_what_is_graded(batch, monkeypatch):
    facts = {"CLASSROOM": "c", "ASSIGNMENT": "a", "SUBMISSION_TAG": "submit/1", "USERNAME": "u"}
    facts |= {"COMMIT_URL": "x/commit", "RELEASE_URL": "x/release", "ASSIGNMENT_TYPE": "group"}
    for name, value in facts.items():
        monkeypatch.setenv(name, value)
    list(emit("classroom50", batch("double = 3")))
    found = json.loads((batch("double = 3").folder / "someone" / "result.json").read_text())
    expected = {"classroom": "c", "assignment": "a", "owner": "u", "submission": "submit/1"}
    expected |= {"assignment_type": "group", "review": "x/commit", "release": "x/release"}
    assert expected.items() <= found.items()


# ---- tables


def rows_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_scores_have_gradescopes_columns_and_a_row_for_each_person(graded):
    rows = rows_of(graded / "scores.csv")
    assert list(rows[0])[:11] == [
        *("Name", "SID", "Email", "Total Score", "Max Points", "Status", "Submission ID"),
        *("Submission Time", "Lateness (H:M:S)", "View Count", "Submission Count"),
    ]
    assert "2: causal_mask (8.0 pts)" in rows[0]
    people = [row for row in rows if row["Submission ID"] == "77"]
    assert [(row["Name"], row["SID"], row["Email"]) for row in people] == [
        ('Ada, "the first" Lovelace', "0042", "ada@uni.edu"),
        ('\'=HYPERLINK("x")', "", "zoe@uni.edu"),
    ]
    assert {(row["Total Score"], row["Max Points"]) for row in people} == {("8.0", "100.0")}
    assert f"'{SHOWN}" in [row["Name"] for row in rows]


def test_the_long_table_has_a_row_for_each_case(graded):
    rows = [row for row in rows_of(graded / "long.csv") if row["student"] == f"'{SHOWN}"]
    tests = results(graded, SHOWN)["tests"]
    columns = ("question", "case", "misconception", "points", "seconds")
    expected = [[t["extra_data"] | {"points": t["score"]}, t] for t in tests]
    assert [[row[c] for c in columns] for row in rows] == [
        [str(facts[c] if facts[c] is not None else "") for c in columns] for facts, _ in expected
    ]
    assert {row["misconception"] for row in rows} == {"", "returns_float64"}
    assert sum(int(row["max_points"]) for row in rows) == 110


def test_people_are_called_by_name_where_the_export_names_them(run):
    done, graded = run
    names = 'Ada, "the first" Lovelace; =HYPERLINK("x")'
    label = f"{names} (submission_77)"
    assert label in done.stdout
    people = results(graded, "submission_77")["extra_data"]["people"]
    assert [person["name"] for person in people] == names.split("; ")
    assert "people" not in results(graded, "raises")["extra_data"]
    for form, own in (("gradebook", "submission"), ("long", "student")):
        rows = rows_of(graded / f"{form}.csv")
        assert list(rows[0])[-1] == "name"
        told = {row[own]: row["name"] for row in rows}
        assert (told["submission_77"], told["raises"]) == (names, "")
    page = (graded / "submission_77" / "feedback.html").read_text(encoding="utf-8")
    assert f'<h1 dir="auto">{label}</h1>' in html.unescape(page)


def test_what_is_printed_about_forms_comes_after_the_table(run):
    table, _, rest = run[0].stdout.partition("results in ")
    assert "score" in table
    assert "feedback in" in rest
    assert "::error" not in table


def shown(batch, width, warnings):
    """The table as a terminal of this width shows it, for two with the same remarks."""
    (result,) = batch.results.values()
    facts = {"warnings": warnings, "people": [{"name": "Noor Lovelace"}]}
    known = result | {"extra_data": result["extra_data"] | facts}
    some = {"submission_90010": known, "b": known | {"score": 100}}
    console = Console(width=width, file=io.StringIO())
    console.print(gradebook.table(some, batch.homework, width))
    return console.file.getvalue()


@pytest.mark.parametrize("width", [32, 40, 60, 80, 100, 120, 130, 160])
@pytest.mark.parametrize("warnings", [[], ["x" * 100]])
def test_numbers_are_never_cut_and_a_narrow_table_has_no_questions(batch, width, warnings):
    text = shown(batch("def double(x):\n    return 2 * x"), width, warnings)
    assert re.search(r"│\s+100 │", text)
    assert max(map(len, text.splitlines())) <= width
    assert "Noor Lovelace" in text
    assert ("remark" in text) == (bool(warnings) and width >= 60)
    assert (" /3 " in text) == (width >= (80 if warnings else 60))


def test_who_lists_forms_after_one_option_is_told_how_to():
    done = CliRunner().invoke(
        main, ["grade", "seq2seq", "x", "--out", "y", "--format", "long,junit"]
    )
    assert done.exit_code == 2
    told = "'long,junit': give --format once for each form: --format long --format junit"
    assert told in done.stderr


def test_help_tells_exit_codes_and_an_example():
    told = CliRunner().invoke(main, ["grade", "--help"]).stdout
    assert re.search(r"^    130  interrupted", told, re.MULTILINE)
    assert "autograder grade HOMEWORK submissions/ --out results" in told


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@a", "\t=1", "\r1", "\n=1", " =1", "＝1"])
def test_a_cell_that_would_be_a_formula_is_none(text):
    ((cell, number),) = csv.reader(io.StringIO(csv_text([[text, -1]]), newline=""))
    assert (cell, number) == (f"'{text}".replace("\r", "\n"), "-1")


# ---- Canvas


def test_a_canvas_export_is_filled_and_else_stays_to_the_letter(run, graded):
    written = (graded / "grades.csv").read_bytes().decode()
    expected = EXPORT.replace('B","",', 'B","7",')
    expected = expected.replace("Ada Lovelace,2,0042,a.l,Sec,,", "Ada Lovelace,2,0042,a.l,Sec,8,")
    assert written == expected.replace('""Z""",3,,zoe,Sec,1.00', '""Z""",3,,zoe,Sec,8')
    told = [line for line in run[0].stderr.splitlines() if line.startswith("grades.csv: ")]
    assert told == [
        f"grades.csv: no student for {SHOWN}: 7 points are not in it",
        "grades.csv: no student for empty: 0 points are not in it",
        "grades.csv: no student for raises: 0 points are not in it",
        "grades.csv: no student for script: 0 points are not in it",
        "grades.csv: no submission for 1 of 4 students, cells as before: =cmd()",
    ]


@pytest.fixture
def merge(batch, tiny, tmp_path):
    """Fills the column "tiny" of an export for people with these points; returns it and notes."""
    result = next(iter(batch("double = 3").results.values()))

    def run(text, *people, column=None):
        path = tmp_path / "x.csv"
        path.write_bytes(text.encode())
        scored = {f"s{n}": {**result, "score": score} for n, (_, score) in enumerate(people)}
        found = {f"s{n}": Found(f"s{n}", path, (), who) for n, (who, _) in enumerate(people)}
        made = Batch(tiny, scored, found, tmp_path / "out")
        notes = list(canvas.merge(canvas.read_export(path, tiny, column), made))
        return (tmp_path / "out" / "x.csv").read_bytes().decode(), notes

    return run


HEAD = "Student,ID,SIS Login ID,Section,Tiny (7)\n"


@pytest.mark.parametrize(
    ("head", "row", "filled"),
    [
        (HEAD, '"Doe, Jo",1,jo,S,\n', '"Doe, Jo",1,jo,S,5\n'),
        (HEAD, '"Doe, Jo",1,jo,S', '"Doe, Jo",1,jo,S,5'),
        (HEAD, '"Doe, Jo",1,jo,"a\nb","2"\r\n', '"Doe, Jo",1,jo,"a\nb","5"\r\n'),
        (HEAD.replace(",", ";"), "Doe, Jo;1;jo;S;2,5\n", "Doe, Jo;1;jo;S;5\n"),
        (HEAD.replace("Student", "LastName,FirstName"), "Doe,Jo,1,jo,S,\n", "Doe,Jo,1,jo,S,5\n"),
        (HEAD.replace("Tiny", "Week 3: tiny!, tiny"), "Jo Doe,1,jo,S,", "Jo Doe,1,jo,S,5"),
    ],
)
@pytest.mark.parametrize(
    "person",
    [Person(canvas="1"), Person(sid="0", email="JO"), Person(email="jo@x"), Person("jo  doe")],
)
def test_students_are_found_by_id_login_and_name_in_exports_of_all_kinds(
    merge, head, row, filled, person
):
    if "tiny!" in head:
        head = head.replace("Week 3: tiny!, tiny", '"Week 3: tiny, again"').replace(
            '" (7)', ' (7)"'
        )
    assert merge(head + row, ((person,), 5)) == (head + filled, [])


def test_where_an_id_may_be_a_date_the_name_before_it_decides(tiny, batch, tmp_path):
    text = f'{HEAD}"O\'Neill-Roe, Zoë",2024,z,S,\n"Hw, A",2025,h,S,\n'
    path = tmp_path / "x.csv"
    path.write_text(text)
    (result,) = batch("double = 3").results.values()
    names = ("oneillroezoë_2024_1205_hw", "hw_2025_1206_ben")
    found = {place.name: place for place in find_submissions([tmp_path / f"{names[0]}.ipynb"])}
    found |= {place.name: place for place in find_submissions([tmp_path / f"{names[1]}.ipynb"])}
    made = Batch(tiny, {name: {**result, "score": 5} for name in names}, found, tmp_path / "out")
    notes = list(canvas.merge(canvas.read_export(path, tiny, None), made))
    written = (tmp_path / "out" / "x.csv").read_text()
    assert written == text.replace("2024,z,S,", "2024,z,S,5")
    assert notes[0] == "x.csv: no student for hw_2025_1206_ben: 5 points are not in it"


def test_nobody_gets_anothers_points_and_what_is_not_filled_is_told(merge):
    text = f"{HEAD}    Points Possible,,,,10\nA B,1,x,S,EX\nA B,2,y,S,3\nC,3,z,S,N/A\nD,4,d,S,1\n"
    written, notes = merge(
        text,
        ((Person("A B"),), 5),
        ((Person(canvas="1"),), 5),
        ((Person(canvas="3"),), 6),
        ((Person(canvas="anon_x7"),), 7),
        ((Person(canvas="4"),), 4),
        ((Person(canvas="4"),), 2),
    )
    assert written == text.replace("D,4,d,S,1", "D,4,d,S,4")
    assert notes == [
        "x.csv: 2 students for s0 (A B): 5 points are not in it",
        "x.csv: no student for s3 (anon_x7): 7 points are not in it",
        "x.csv: s4 and s5 are one student's: the better counts",
        "x.csv: s1, A B: 'EX' stays in place of 5 points",
        "x.csv: s2, C: 'N/A' stays in place of 6 points",
        "x.csv: no submission for 1 of 4 students, cells as before: A B",
        "x.csv: Points Possible is 10, full marks are 7",
    ]


@pytest.mark.parametrize("text", ["", "a", "a,\n", '"', 'a,"b', '"a"b,""\r\n\r\n', "\ufeff;;\n;\r"])
def test_a_sheet_is_written_as_it_was_read(text):
    assert read_sheet(text).text() == text


@pytest.mark.parametrize(
    ("content", "options", "words"),
    [
        (None, [], "cannot be read: No such file"),
        (b"\xff\xfe", [], "is not UTF-8"),
        (b"", [], "is no gradebook export of Canvas"),
        (b"Name,SID\nx,1\n", [], "is no gradebook export of Canvas"),
        (b"Student,ID,Section,Essay (3)\n", [], "has no column for 'seq2seq': name one by --col"),
        (b"Student,ID,Section,a seq2seq (1),b seq2seq (2)\n", [], "has 2 columns for 'seq2seq'"),
        (b"Student,ID,Section,seq2seq (1)\n", ["--column", "Essay"], "no column for 'Essay'"),
    ],
)
def test_a_wrong_export_is_one_line_before_anything_is_graded(
    handed_in, tmp_path, content, options, words
):
    path = tmp_path / "x.csv"
    if content is not None:
        path.write_bytes(content)
    arguments = ("--out", tmp_path / "out", "--merge", path, *options)
    done = command("grade", "seq2seq", handed_in / "class", *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert words in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_export_that_is_called_as_a_file_of_results_is_refused(handed_in, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("Student,ID,Section,seq2seq (1)\n")
    arguments = ("--out", tmp_path, "--merge", path)
    done = command("grade", "seq2seq", handed_in / "class", *arguments)
    assert (done.returncode, list(tmp_path.iterdir())) == (2, [path])
    assert "rename the export" in done.stderr


# ---- the page for a student


class Page(html.parser.HTMLParser):
    """Collects a page's elements, and the text within each."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append([tag, dict(attributes), ""])
        if tag not in ("meta", "wbr"):
            self.open.append(self.elements[-1])

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def texts(self, tag, **attributes):
        found = (e for e in self.elements if e[0] == tag and attributes.items() <= e[1].items())
        return [" ".join(text.split()) for _, _, text in found]


def page(graded, name):
    text = (graded / name / "feedback.html").read_text(encoding="utf-8")
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">')
    return Page(text)


def test_the_page_says_what_passed_what_failed_and_why_with_the_hint_set_off(graded):
    found = page(graded, SHOWN)
    assert found.texts("h1") == [SHOWN]
    assert found.texts("p", **{"class": "points"}) == ["7 of 100 points"]
    tests = results(graded, SHOWN)["tests"]
    (hint,) = found.texts("p", **{"class": "hint"})
    told = next(t for t in tests if t["extra_data"]["misconception"])
    assert hint == f"Hint: {told['failure']['hint']}".replace("`", "")
    text = " ".join(found.texts("main"))
    assert text.count(hint.removeprefix("Hint: ")) == 1  # and not in the message as well
    for test in tests:
        if test["status"] == "passed":
            assert test["name"].partition(": ")[2].replace("`", "") in text
    assert "Not run: 7 cases" in text
    assert f"--seed {results(graded, SHOWN)['extra_data']['seed']}" in text


def test_the_page_stands_alone_and_is_built_for_all_readers(graded):
    for path in graded.glob("*/feedback.html"):
        found = page(graded, path.parent.name)
        assert found.open == []
        tags = [tag for tag, _, _ in found.elements]
        assert not {"script", "link", "img", "iframe"} & set(tags)
        assert "://" not in path.read_text()
        headings = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
        assert headings[0] == 1
        assert all(b - a <= 1 for a, b in pairwise(headings))
        ids = {attributes["id"] for _, attributes, _ in found.elements if "id" in attributes}
        links = [attributes["href"] for tag, attributes, _ in found.elements if tag == "a"]
        assert all(link[1:] in ids for link in links)
        assert all(a["scope"] for tag, a, _ in found.elements if tag == "th")


def test_a_page_about_nothing_says_why(graded):
    found = page(graded, "empty")
    assert found.texts("p", **{"class": "problem"})[0].startswith("Nothing could be graded. empty")
    assert found.texts("table") == []


def test_nothing_that_a_student_writes_becomes_markup(batch):
    made = batch("raise ValueError('<img src=x>')", "double = '<script>'", name="<b>&")
    list(emit("feedback", made))
    text = (made.folder / "<b>&" / "feedback.html").read_text()
    assert "<img" not in text
    assert "<script" not in text
    assert Page(text).texts("h1") == ["<b>&"]


def test_forms_for_students_leave_out_hidden_cases_that_they_may_not_see(batch, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    made = batch("double = lambda x: 4 if x == 2 else 0", hidden_cases="after_published")
    told = "\n".join(line for form in FORMS for line in emit(form, made))
    files = ("junit.xml", "summary.md", "someone/feedback.html", "someone/result.json")
    for text in (told, *((made.folder / name).read_text() for name in files)):
        assert "Numbers that are drawn" not in text
        assert "A function that lives beside" not in text
    assert "1 of 4 points in the cases shown" in (made.folder / "summary.md").read_text()
    assert "many" in (made.folder / "long.csv").read_text()


# ---- all together


def test_forms_are_made_of_results_as_they_stand_in_the_files(
    run, handed_in, homework, tmp_path, monkeypatch
):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    _, out = run
    places = [handed_in / name for name in ("class", "gradescope", "canvas")]
    found = {place.name: place for place in find_submissions(places)}
    batch = Batch(homework, {name: results(out, name) for name in found}, found, tmp_path)
    for form in FORMS:
        list(emit(form, batch))
    assert len(written(tmp_path)) == 4 + 2 * len(found)
    assert written(tmp_path).items() <= written(out).items()


def test_a_batch_that_goes_on_may_change_what_is_shown_and_nothing_else(
    graded, handed_in, launcher, tmp_path
):
    shutil.copytree(graded, tmp_path, dirs_exist_ok=True)
    places = find_submissions([handed_in / "class"])
    names = {place.name for place in places}

    def go_on(hidden_cases):
        before = written(tmp_path)
        order = Order("seq2seq", tmp_path, resume=True, hidden_cases=hidden_cases)
        list(_grade_each(places, order, launcher))
        return {name for name, data in written(tmp_path).items() if data != before[name]}

    assert go_on(None) == go_on("visible") == set()
    assert go_on("hidden") == {f"{name}/results.json" for name in names}
    assert go_on("hidden") == set()
    for test in results(tmp_path, "raises")["tests"]:
        assert (test["visibility"] == "hidden") == test["extra_data"]["hidden"]
    assert go_on("visible") == {f"{name}/results.json" for name in names}
    assert written(tmp_path) == written(graded)


def test_when_hidden_cases_are_shown_may_be_said_on_the_command_line(
    handed_in, monkeypatch, tmp_path
):
    orders = []
    monkeypatch.setattr(batch_module, "grade_all", lambda _, order, *__: orders.append(order) or [])
    places = [str(handed_in / "class" / "raises.ipynb"), "--out", str(tmp_path)]
    for options in ([], ["--hidden-cases", "after_published"]):
        CliRunner().invoke(main, ["grade", "seq2seq", *places, *options])
    assert [order.hidden_cases for order in orders] == [None, "after_published"]


def written(folder):
    """Read all files below a folder; the time at which they were made is left out."""
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return {name: re.sub(rb'"datetime": ".*"', b"", data) for name, data in files.items()}


def test_a_form_that_is_not_known_is_refused(handed_in, tmp_path):
    done = command("grade", "seq2seq", handed_in, "--out", tmp_path / "o", "--format", "pdf")
    assert done.returncode == 2
    assert not (tmp_path / "o").exists()
