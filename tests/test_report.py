"""The class report: what stands in it, what it is made of, and what it must not tell."""

import base64
import csv
import hashlib
import html.parser
import io
import json
import re
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy
import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.report.items import case_items, question_items
from autograder.report.reading import read_class
from autograder.report.scores import spread

ODD = '<script>alert("1")</script> =cmd() Zoë 🎉 100% #1?'.replace("/", "∕")
HINT = "It seems to triple. Revisit `two`."
CASES = {"double": {"two": 2, "many": 3}, "apply": {"callback": 3, "driven": 2}}


def case_of(question, case, points, failed, **facts):
    """A case that passed, or failed with a message."""
    message, hint = failed or "", facts.pop("hint", "")
    found = {
        "name": f"{question}: Title of {case}",
        "score": 0 if failed else points,
        "max_score": points,
        "status": "failed" if failed else "passed",
        "output": f"{message}. {hint}" if hint else message,
        "extra_data": {
            "question": question,
            "case": case,
            "hidden": case in ("many", "driven"),
            "misconception": facts.get("mistake"),
            "seconds": 0.25,
        },
    }
    return found | ({"failure": {"hint": hint}} if failed else {})


def result(fails=None, homework="tiny", seed=1, problem="", warnings=(), **facts):
    """A result in which some cases failed: by name, each with its message or with more facts."""
    tests = []
    for question, cases in facts.pop("cases", CASES).items():
        for case, points in cases.items():
            how = (fails or {}).get(case)
            more = how if isinstance(how, dict) else {"failed": how}
            if problem:
                more = {"failed": f"not run: {problem}"}
            tests.append(case_of(question, case, points, **more))
    made_of = facts.pop("made_of", {"code": "c", "shared": {}, "questions": {}})
    return {
        "score": sum(test["score"] for test in tests),
        "output": f"Nothing could be graded: {problem}." if problem else "- ok",
        "tests": tests,
        "extra_data": {
            "homework": homework,
            "version": facts.pop("version", "v1"),
            "seed": seed,
            "isolation": "root",
            "warnings": list(warnings),
            "seconds": 1.5,
            "made_of": made_of,
        },
        **facts,
    }


def triples():
    first = {"failed": "wrong: expected 4, got 6", "mistake": "triples", "hint": HINT}
    return {"two": first, "many": {"failed": "3 of 3 are wrong", "mistake": "triples"}}


def write(folder, **results):
    for name, found in results.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "results.json").write_text(
            found if isinstance(found, str) else json.dumps(found), encoding="utf-8"
        )
    return folder


def run(folder, *options):
    """Run the command line; returns what was printed and the page."""
    done = CliRunner().invoke(main, ["report", str(folder), *map(str, options)])
    assert done.exit_code == 0, done.output
    page = next(line for line in done.output.splitlines() if line.startswith("report in "))
    return done, Path(page.removeprefix("report in ")).read_text(encoding="utf-8")


def refused(*arguments):
    done = CliRunner().invoke(main, ["report", *map(str, arguments)])
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    return done.stderr.splitlines()[-1].removeprefix("error: ")


BLOCKS = {"td", "th", "li", "p", "h2", "h3", "summary", "caption", "div", "dd", "dt"}


class Page(html.parser.HTMLParser):
    """Elements with their attributes, and the text of each as a reader sees it."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "text": "", "within": [e["tag"] for e in self.open], **dict(attrs)}
        self.elements.append(element)
        if tag not in ("meta", "link", "input", "wbr", "rect", "line"):
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append({"tag": tag, "text": "", "within": [], **dict(attrs)})

    def handle_endtag(self, tag):
        assert self.open.pop()["tag"] == tag, tag
        if tag in BLOCKS:
            self.handle_data(" ")

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, tag):
        return [element for element in self.elements if element["tag"] == tag]

    def section(self, name):
        return next(e["text"] for e in self.all("section") if e["id"] == name)


@pytest.fixture(scope="module")
def class_folder(tmp_path_factory):
    """Twelve graded submissions and one that is none."""
    folder = tmp_path_factory.mktemp("class")
    absent = "`apply` is not written yet: put your code"
    write(
        folder,
        **{
            ODD: result(triples(), seed=4711, warnings=["cell 3: `<b>secret</b>` raised"]),
            "Ada Lovelace": result(triples(), warnings=["cell 12: `x` raised", "and more"]),
            "Ben": result({"two": "your code raised KeyError: Ben", "driven": "no"}),
            "Cleo": result({"callback": absent, "driven": f"not run: {absent}"}),
            "Dan": result({"many": "wrong", "driven": "no"}),
            "Gwen": result(problem="Gwen.ipynb is empty"),
            **{f"right-{n}": result({"driven": "no"}) for n in range(7)},
        },
    )
    (folder / ODD / "feedback.html").write_text("hello")
    return folder


@pytest.fixture(scope="module")
def page(class_folder):
    return Page(run(class_folder)[1])


# ---- what stands in it


def test_the_terminal_says_the_most_important_and_where_the_page_is(class_folder):
    done, _ = run(class_folder)
    assert done.stdout.splitlines() == [
        "tiny: 13 submissions, 1 could not be graded",
        "median 8 of 10 points; 0 of 12 have full marks",
        "teach again:",
        "  apply: 10 of 12 lost 23 points: otherwise wrong (9), not written (1)",
        "  double: 4 of 12 lost 15 points: triples (2), otherwise wrong (2)",
        f"report in {class_folder}/report.html",
    ]
    assert (
        done.stderr.strip()
        == "there is no homework 'tiny' here: its title and stretch are not known"
    )


def test_first_comes_what_to_teach_again_with_hint_number_and_names(page):
    sections = [section["id"] for section in page.all("section")]
    assert sections == [
        *("teach", "scores", "questions", "cases", "students", "time", "warnings", "replay"),
        "reading",
    ]
    text = " ".join(page.section("teach").split())
    apply, double = (text.index(f" {name} ") for name in ("apply", "double"))
    assert apply < double  # more points were lost
    assert text[apply:].startswith(" apply 10 of 12 lost 23 points (38 % of those there are) ")
    assert "1 did not write it. Cleo" in text[apply:double]
    assert "double 4 of 12 lost 15 points" in text
    assert f"triples 2 answers, 10 points lost Hint: {HINT.replace('`', '')}" in text[double:]
    assert "Ada Lovelace" in text[double:].partition("no known mistake fits")[0]


def test_the_hardest_question_is_told_by_the_share_of_its_points(page):
    told = [" ".join(e["text"].split()) for e in page.all("dd")]
    assert "apply 62 % of the points" in told


def test_the_stretch_comes_last_however_many_have_left_it_out(tmp_path):
    asked = {"train_translator": {"many": 10}, "causal_mask": {"two": 1}}
    failed = result({"many": "no", "two": "no"}, cases=asked, homework="seq2seq")
    write(tmp_path, a=failed, b=failed)
    text = Page(run(tmp_path)[1]).section("teach")
    assert text.index("causal_mask") < text.index("train_translator")


def test_what_no_known_mistake_explains_is_told_with_its_message(page):
    text = " ".join(page.section("teach").split()).partition("no known mistake fits")[2]
    assert "your code raised KeyError: Ben" in text
    text = " ".join(page.section("teach").split())
    assert "9 answers. Failed first: Title of driven (9)" in text
    assert text.count("Cleo") == 1  # has not answered


def test_difficulty_counts_what_could_be_graded(class_folder):
    double, apply = question_items(read_class(class_folder))
    assert (double.count, double.full, double.none, double.unanswered) == (12, 8, 2, 0)
    assert (apply.count, apply.full, apply.none, apply.unanswered) == (12, 2, 1, 1)
    assert double.share == pytest.approx((8 + 3 / 5 + 2 / 5) / 12)


def test_who_passed_a_case_has_answered(tmp_path):
    write(tmp_path, a=result({"driven": "`apply` is not what it was"}))
    assert [item.unanswered for item in question_items(read_class(tmp_path))] == [0, 0]


def test_discrimination_is_the_correlation_with_the_rest(class_folder):
    group = read_class(class_folder)
    points = {name: [r.points[name] for r in group.graded] for name in CASES}
    for item, other in zip(question_items(group), reversed(CASES), strict=True):
        expected = numpy.corrcoef(points[item.name], points[other])[0, 1]
        assert item.discrimination.value == pytest.approx(expected)
    two = next(item for item in case_items(group) if item.name == "two")
    passed = [next(c.passed for c in r.cases if c.name == "two") for r in group.graded]
    rest = [r.score - 2 * has for r, has in zip(group.graded, passed, strict=True)]
    assert two.discrimination.value == pytest.approx(numpy.corrcoef(passed, rest)[0, 1])


def test_where_discrimination_is_undefined_the_reason_stands_there(tmp_path):
    write(tmp_path / "few", **{f"s{n}": result({"two": "no"} if n else {}) for n in range(9)})
    write(tmp_path / "same", **{f"s{n}": result({"two": "no"} if n else {}) for n in range(10)})
    (double, _) = question_items(read_class(tmp_path / "few"))
    assert double.discrimination.reason == "fewer than 10 submissions"
    (double, apply) = question_items(read_class(tmp_path / "same"))
    assert double.discrimination.reason == "all have the same points in the rest"
    assert apply.discrimination.reason == "all have the same points"
    assert "undefined: all have the same points" in run(tmp_path / "same")[1]


def test_cases_that_nobody_or_everybody_failed_are_told(tmp_path):
    write(
        tmp_path,
        **{f"s{n}": result({"driven": "no"} | ({"two": "no"} if n else {})) for n in range(3)},
    )
    text = " ".join(Page(run(tmp_path)[1]).section("cases").split())
    assert "2 of 4 cases were failed by nobody, 1 by everybody." in text
    assert "Failed by everybody (1) 2.2 apply Title of driven hidden case" in text
    assert "Failed by nobody (2) 1.2 double Title of many hidden case 2.1 apply" in text


def test_points_are_counted_in_tenths_of_full_marks(tmp_path, homework):
    asked = {"causal_mask": {"two": 100}, "train_translator": {"many": 10}}
    make = {"none": {"two": "no", "many": "no"}, "full": {"many": "no"}, "more": {}}
    write(tmp_path, **{k: result(v, cases=asked, homework="seq2seq") for k, v in make.items()})
    group = read_class(tmp_path)
    found = spread(group)
    assert {bar.label: bar.count for bar in found.bars if bar.count} == {
        "0": 1,
        "91–100": 1,
        "101–110": 1,
    }
    assert [bar.beyond for bar in found.bars] == [False] * 11 + [True]
    assert (group.full_marks, found.full, found.quartiles[1]) == (100, 2, 100)
    assert group.title == homework.title


def test_students_have_their_points_links_notes_and_seeds(page, class_folder):
    links = {e["text"]: e["href"] for e in page.all("a") if "th" in e["within"]}
    targets = {name: class_folder / unquote(urlsplit(link).path) for name, link in links.items()}
    assert all(target.is_file() for target in targets.values())
    assert targets[ODD].name == "feedback.html"
    assert targets["Ben"].name == "results.json"
    rows = [e["text"] for e in page.all("tr") if e.get("id", "").startswith("student-")]
    assert len(rows) == 13
    assert any("Gwen.ipynb is empty" in row for row in rows)
    assert any("4711" in row for row in rows)
    assert "autograder grade tiny FILE --out replay --seed SEED" in page.section("replay")


def test_warnings_that_differ_in_what_they_quote_are_counted_together(page):
    text = " ".join(page.section("warnings").split())
    assert "cell 3: <b>secret</b> raised 2 " in text
    assert "cell 12" not in text
    assert "and more 1 Ada Lovelace" in text
    assert "Nothing could be graded: Gwen.ipynb is empty. 1 Gwen" in text
    assert "root: 13" in page.section("time")


def test_figures_go_into_a_csv_that_no_spreadsheet_takes_for_formulas(class_folder, tmp_path):
    run(class_folder, "--csv", tmp_path / "items.csv", "--html", tmp_path / "r.html")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "items.csv").read_text())))
    kinds = [row["kind"] for row in rows]
    assert [kinds.count(kind) for kind in ("question", "case", "mistake")] == [2, 4, 1]
    assert rows[-1]["title"] == HINT
    assert (rows[-1]["affected"], rows[-1]["submissions"]) == ("2", "12")
    assert rows[2]["discrimination"] != ""


def test_negative_figures_are_numbers_in_the_csv(tmp_path):
    strong = {f"s{n}": result({"driven": "no"}) for n in range(9)}
    write(tmp_path, **strong, weak=result({"two": "no", "many": "no", "callback": "no"}))
    run(tmp_path, "--csv", tmp_path / "items.csv")
    rows = csv.DictReader(io.StringIO((tmp_path / "items.csv").read_text()))
    found = {row["name"]: row["discrimination"] for row in rows}
    assert float(found["driven"]) == -1


# ---- a page for everybody


def test_the_page_stands_alone(class_folder):
    _, text = run(class_folder)
    page = Page(text)
    assert not re.search(r"https?:|//[a-z]+\.|@import|url\(", text)
    assert not [e for e in page.elements if "src" in e or e["tag"] == "link"]
    (script,) = page.all("script")
    digest = base64.b64encode(hashlib.sha256(script["text"].encode()).digest()).decode()
    policy = next(e["content"] for e in page.all("meta") if "http-equiv" in e)
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_tables_and_figures_can_be_heard(page):
    assert len(page.all("caption")) == len(page.all("table"))
    assert all(head.get("scope") in ("col", "row") for head in page.all("th"))
    ids = [element["id"] for element in page.elements if "id" in element]
    assert len(ids) == len(set(ids))
    for element in page.elements:
        for key in ("aria-labelledby", "for", "data-table", "data-status"):
            assert set(element.get(key, "").split()) <= set(ids), element
        if element["tag"] == "a" and element["href"].startswith("#"):
            assert element["href"][1:] in ids
    figure = next(e for e in page.all("svg") if e.get("role") == "img")
    assert "3 points: " not in figure["text"]
    assert "8 points: 7." in figure["text"]


def test_names_and_messages_stay_text(page):
    assert [e["text"] for e in page.all("bdi")].count(ODD) >= 2
    assert len(page.all("script")) == 1
    assert not page.all("b")


def test_nothing_needs_the_script(page):
    """What only the script can do is not shown without it; what it sorts is there."""
    assert all("hidden" in e for e in page.all("div") if e.get("class") == "tools")
    assert not page.all("button")


# ---- pseudonyms


def test_with_pseudonyms_no_name_file_text_or_seed_stands_there(class_folder, tmp_path):
    old = write(tmp_path / "old", Emil=result(), Ben=result())
    options = ("--pseudonyms", "--against", old, "--html", tmp_path / "p.html")
    done, text = run(class_folder, *options)
    shown = Page(text)
    everything = text + "".join(e["text"] for e in shown.elements)
    for name in (ODD, "Lovelace", "Ben", "Cleo", "Emil", "right-", "Gwen", "KeyError", "secret"):
        assert name not in everything, name
    for telling in ("4711", str(class_folder), str(tmp_path), 'results.json"', "feedback.html"):
        assert telling not in everything, telling
    assert "Ben" not in done.stdout


def test_a_pseudonym_is_the_same_throughout_and_drawn_anew_each_time(class_folder, tmp_path):
    names = set()
    for _ in range(4):
        page = Page(run(class_folder, "--pseudonyms", "--html", tmp_path / "p.html")[1])
        rows = {e["text"][:10] for e in page.all("tr") if e.get("id", "").startswith("student-")}
        assert rows == {f"student {n:02}" for n in range(1, 14)}
        text = " ".join(page.section("teach").split())
        text = text.partition("triples 2 answers")[2].partition("otherwise wrong")[0]
        taught = re.findall(r"student \d\d", text)
        marked = [e["text"] for e in page.all("tr") if "triples" in e["text"]]
        assert sorted(taught) == sorted(text[:10] for text in marked)
        names.add(tuple(taught))
    assert len(names) > 1


# ---- people's names


def test_who_is_known_by_name_is_called_that_and_an_id_stays_in_one_piece(tmp_path):
    write(tmp_path / "new", submission_90010=result(triples()), other=result({"two": "no"}))
    write(tmp_path / "old", submission_90010=result(), submission_7=result())
    for path, name in (("new/submission_90010", "Noor <b>"), ("old/submission_7", "Emil")):
        file = tmp_path / path / "results.json"
        found = json.loads(file.read_text())
        found["extra_data"]["people"] = [{"name": name}, {"name": "Bo"}]
        file.write_text(json.dumps(found))
    options = ("--against", tmp_path / "old")
    text = run(tmp_path / "new", *options)[1]
    page = Page(text)
    for section in ("changes", "teach", "students", "time"):
        assert "Noor <b>; Bo (submission_90010)" in page.section(section), section
    assert "Emil; Bo (submission_7)" in page.section("changes")
    whole = [e["text"] for e in page.all("span") if "whole" in (e.get("class") or "")]
    assert "(submission_90010)" in whole
    assert re.search(r"\.whole \{[^}]*nowrap", text)
    hidden = run(tmp_path / "new", *options, "--pseudonyms")[1]
    assert not re.search(r"Noor|\bBo\b|Emil|submission_", hidden)


# ---- what cannot be read


BAD = {
    "empty": ("", "no JSON"),
    "list": ("[]", "its parts are of other kinds"),
    "half": ('{"score": 1', "no JSON"),
    "deep": ("[" * 100_000, "no JSON"),
    "facts": ("{}", "'extra_data' is missing"),
    "nan": (json.dumps(result(score=float("nan"))), "`score` is nan, and no number"),
    "huge": (json.dumps(result(score=10**400)), "no number"),
    "truth": (json.dumps(result(score=True)), "`score` is True, and no number"),
    "seed": (json.dumps(result(seed="x")), "x is no whole number"),
    "bare": (json.dumps(result(cases={})), "it has no tests"),
    "other": (json.dumps(result(homework="other")), "belongs to the homework 'other'"),
}


def test_each_file_that_is_no_result_is_a_line_and_the_rest_is_reported(tmp_path):
    write(tmp_path, good=result(), better=result(), **{k: text for k, (text, _) in BAD.items()})
    (tmp_path / "binary").mkdir()
    (tmp_path / "binary" / "results.json").write_bytes(b"\xff\xfe")
    (tmp_path / "folder" / "results.json").mkdir(parents=True)
    done, text = run(tmp_path)
    lines = done.stderr.splitlines()
    assert len(lines) == len(BAD) + 2 + 2
    for name, (_, told) in BAD.items():
        (line,) = [line for line in lines if f"/{name}/" in line]
        assert told in line
    assert "tiny: 2 submissions" in done.stdout
    assert "13 files could not be taken as results" in " ".join(
        Page(text).all("p")[1]["text"].split()
    )


def test_where_there_is_nothing_to_report_it_says_so_in_a_line(tmp_path):
    assert "there is no such folder" in refused(tmp_path / "gone")
    assert "there are no results in it" in refused(tmp_path)
    write(tmp_path / "bad", a="{")
    assert "no JSON" in refused(tmp_path / "bad")
    write(tmp_path / "new", a=result())
    write(tmp_path / "old", a=result(homework="other"))
    told = refused(tmp_path / "new", "--against", tmp_path / "old")
    assert "there are no results of 'tiny' in it" in told
    told = refused(tmp_path / "new" / "a")
    assert told.endswith(f"this is one result's folder; name the one above it: {tmp_path / 'new'}")
    write(tmp_path / "others", b=result())
    told = refused(tmp_path / "new", "--against", tmp_path / "others")
    assert "no submission in it is called as one in" in told
    assert not (tmp_path / "new" / "report.html").exists()
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refused(tmp_path / "new", "--html", tmp_path / "file" / "x.html")


def test_texts_that_no_file_can_hold_are_shown_all_the_same(tmp_path):
    write(tmp_path, a=result({"two": "lone \ud800, bell \x07"}))
    assert "lone _, bell _" in run(tmp_path)[1]


def test_a_class_of_which_nothing_could_be_graded_has_a_report(tmp_path):
    write(tmp_path, a=result(problem="empty"))
    text = " ".join(Page(run(tmp_path)[1]).section("scores").split())
    assert text == "Scores Nothing could be graded."


# ---- since an earlier folder


def made(code="c", **parts):
    questions = {name: {"check": "1", "known mistakes": "1"} for name in CASES}
    for name, digest in parts.items():
        questions[name] = {"check": digest, "known mistakes": digest}
    return {"code": code, "shared": {"solutions.py": "1"}, "questions": questions}


def test_against_an_earlier_folder_it_says_whose_points_changed_where_and_why(tmp_path):
    shared = {**made(), "shared": {"solutions.py": "2"}}
    old = {
        "check": result({"two": "no"}, made_of=made()),
        "code": result({"two": "no", "callback": "no"}, made_of=made()),
        "seed": result(made_of=made()),
        "shared": result(made_of=made()),
        "luck": result(made_of=made()),
        "unknown": result(made_of={}),
        "same": result(made_of=made()),
        "hint": result({"two": "no"}, made_of=made()),
        "gone": result(made_of=made()),
    }
    new = {
        "check": result(made_of=made(double="2")),
        "code": result(made_of=made("d"), seed=2),
        "seed": result({"many": "no"}, made_of=made(), seed=2),
        "shared": result({"driven": "no"}, made_of=shared),
        "luck": result({"many": "no"}, made_of=made()),
        "unknown": result({"many": "no"}, version="v2", made_of=made()),
        "same": result(made_of=made(double="2")),
        "hint": result({"two": "another message"}, made_of=made(double="2")),
        "late": result(made_of=made()),
    }
    write(tmp_path / "old", **old)
    write(tmp_path / "new", **new)
    done, text = run(tmp_path / "new", "--against", tmp_path / "old")
    page = Page(text)
    assert page.all("section")[0]["id"] == "changes"
    rows = [" ".join(e["text"].split()) for e in page.all("tr") if "→" in e["text"]]
    two, many = "double: 1 case Title of two: 0 → 2", "double: 1 case Title of many: 3 → 0"
    callback, driven = (f"apply: 1 case Title of {s}" for s in ("callback: 0 → 3", "driven: 2 → 0"))
    unknown = "nothing that is recorded: it may go otherwise each time it is graded"
    assert rows == [
        f"code 5 10 +5 {two} {callback} the submission has changed",
        f"luck 10 7 −3 {many} {unknown}",
        f"seed 10 7 −3 {many} the seed has changed",
        f"unknown 10 7 −3 {many} the homework has changed",
        f"check 8 10 +2 {two} check of double has changed",
        f"shared 10 8 −2 {driven} solutions.py has changed",
    ]
    changes = " ".join(page.section("changes").split())
    assert "Other points than before: 6. The same: 2. New: 1. Gone: 1." in changes
    assert "points changed in 6, stayed in 2" in done.stdout
    assert "  check of double has changed: 1 have more, 0 fewer" in done.stdout


def test_a_case_that_was_not_there_is_called_that(tmp_path):
    cases = {"double": {"two": 2}}
    write(tmp_path / "old", a=result(cases=cases))
    write(tmp_path / "new", a=result(cases=cases | {"double": {"two": 2, "new": 1}}))
    text = " ".join(
        Page(run(tmp_path / "new", "--against", tmp_path / "old")[1]).section("changes").split()
    )
    assert "Title of new: not there → 1" in text


def test_results_of_several_versions_are_noted(tmp_path):
    write(tmp_path, a=result(), b=result(version="v2"))
    assert "the results are of 2 versions of the homework" in run(tmp_path)[0].stderr


# ---- large classes


def test_a_thousand_submissions_take_less_than_ten_seconds(tmp_path):
    cases = {f"question_{q}": {f"case_{q}_{c}": 2 for c in range(6)} for q in range(10)}
    for number in range(1000):
        failed = {f"case_{number % 10}_{number % 6}": f"{number} of 10,000 values are wrong"}
        write(tmp_path, **{f"Student {number}": result(failed, cases=cases)})
    started = time.process_time()
    _, text = run(tmp_path)
    assert time.process_time() - started < 10
    assert text.count('id="student-') == 1003  # and filter, status, table
    assert len(text) < 2_000_000
