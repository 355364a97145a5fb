"""A check is fixed after the deadline: `--resume` grades what that touches, and says so."""

import dataclasses
import json
import shutil

import pytest
from click.testing import CliRunner

from autograder import bank
from autograder.cli import main
from autograder.grading import batch
from autograder.grading.batch import Order, _grade_each
from autograder.grading.engine import grade
from autograder.grading.intake import find_submissions, read_submission
from autograder.grading.work import Work, told
from autograder.homework import Homework, Limits
from tests.conftest import TINY_CHECKS, results

APPLY = "def apply(step, numbers):\n    return [step(number) for number in numbers]\n"
RIGHT = "def double(x):\n    return 2 * x\n\n\n" + APPLY
CLASS = {
    "all": RIGHT,
    "none": RIGHT.replace("2 * x", "3 * x").replace("step(number)", "number"),
    "small": RIGHT.replace("2 * x", "2 * x if x < 3 else 0"),
}
HARSH = 'assert_number(double(2), 4, "the result")'
BANK = 'def triples(x):\n    """It seems to triple. Revisit two."""\n    return 3 * x\n'


@dataclasses.dataclass
class Course:
    """A homework whose files may be changed, a class, and its results."""

    root: object
    launcher: object
    homework: Homework

    def change(self, **facts):
        self.homework = dataclasses.replace(self.homework, **facts)

    def change_check(self, question, old, new):
        path = self.homework.checks(question)
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        self.change()  # forgets what was read

    def grade(self, **order):
        bank._compiled.cache_clear()  # each run is a process of its own
        found = find_submissions([self.root / "in"])
        order = Order("tiny", self.root / "out", **{"resume": True, **order})
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(batch, "load_homework", lambda _: self.homework)
            return {g.name: g.work for g in _grade_each(found, order, self.launcher)}

    def result(self, name):
        return results(self.root / "out", name)

    def edit(self, name, edit):
        path = self.root / "out" / name / "results.json"
        result = json.loads(path.read_text())
        edit(result)
        path.write_text(json.dumps(result))

    def mark(self):
        """Write something into each test, which is gone where the test is run anew."""

        def edit(result):
            for test in result["tests"]:
                test["tags"] = ["marked"]

        for name in CLASS:
            self.edit(name, edit)

    def run_anew(self):
        return {
            (name, test["extra_data"]["question"])
            for name in CLASS
            for test in self.result(name)["tests"]
            if test["tags"] != ["marked"]
        }


@pytest.fixture
def course(launcher, tmp_path):
    for place, text in [
        *((f"checks/{name}.py", text) for name, text in TINY_CHECKS.items()),
        *((f"in/{name}.py", text) for name, text in CLASS.items()),
        ("mistakes/double.py", BANK),
    ]:
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(text)

    class Tiny(Homework):
        folder = tmp_path
        modules = ()

        def reference(self, _):
            return lambda x: 2 * x

    limits = Limits(load_seconds=3, case_seconds=1, total_seconds=60)
    names = {"double": "1", "apply": "2"}
    homework = Tiny("tiny", "Tiny", tuple(names), names, frozenset(), (), limits, {})
    course = Course(tmp_path, launcher, homework)
    course.grade(resume=False)
    course.mark()
    return course


def all_of(*names):
    return {(name, question) for name in names for question in ("double", "apply")}


def test_a_check_that_was_fixed_is_run_anew_and_the_others_keep_what_they_have(course):
    before = {name: course.result(name) for name in CLASS}
    course.change_check("double", HARSH, HARSH.replace("2), 4", "3), 6"))
    works = course.grade()
    assert course.run_anew() == {(name, "double") for name in CLASS}
    assert list(told(works)) == [
        "kept 0 of 3 results",
        "graded double of 3: check changed",
        "points changed in 1:",
        "    small: 5 → 4",
    ]
    for name in CLASS:
        was, now = before[name]["extra_data"], course.result(name)["extra_data"]
        assert now["seed"] == was["seed"]
        assert now["version"] == course.homework.version != was["version"]


def test_what_is_put_together_is_what_its_seed_replays(course):
    course.change_check("apply", "points=3", "points=5")
    course.grade()
    for place in find_submissions([course.root / "in"]):
        found = course.result(place.name)
        submission = read_submission(place, course.homework)
        seed = found["extra_data"]["seed"]
        again = grade(submission, course.homework, seed, course.launcher)
        assert [(t["name"], t["score"], t["output"]) for t in found["tests"]] == [
            (f"{c.case.question}: {c.case.title}", c.score, c.message) for c in again.cases
        ]
        assert [t["number"] for t in found["tests"]] == ["1.1", "1.2", "2.1", "2.2"]
        assert found["score"] == again.score


def test_a_report_against_the_results_before_says_whose_points_changed_and_why(course):
    shutil.copytree(course.root / "out", course.root / "before")
    course.change_check("double", HARSH, HARSH.replace("2), 4", "3), 6"))
    course.grade()
    options = ["--against", str(course.root / "before"), "--csv", str(course.root / "items.csv")]
    done = CliRunner().invoke(main, ["report", str(course.root / "out"), *options])
    assert done.exit_code == 0, done.output
    assert "points changed in 1, stayed in 2" in done.stdout
    assert "  check of double has changed: 0 have more, 1 fewer" in done.stdout


def test_known_mistakes_that_change_concern_those_who_failed(course):
    path, version = course.homework.bank("mistakes", "double"), course.homework.version
    path.write_text(BANK.replace("triples", "takes_three_times"))
    course.change()
    works = course.grade()
    assert course.homework.version == version
    assert course.run_anew() == {("none", "double"), ("small", "double")}
    assert "graded double of 2: known mistakes changed" in list(told(works))
    first = course.result("none")["tests"][0]
    assert first["extra_data"]["misconception"] == "takes_three_times"
    course.mark()
    assert not any(work.reason for work in course.grade().values())


def test_what_all_questions_share_concerns_all_of_them(course):
    course.change(limits=dataclasses.replace(course.homework.limits, memory_mb=900))
    assert "graded 3: the limits changed" in list(told(course.grade()))
    assert course.run_anew() == all_of(*CLASS)


def test_more_time_for_a_question_concerns_that_question(course):
    course.change(case_seconds={"apply": 2})
    course.grade()
    assert course.run_anew() == {(name, "apply") for name in CLASS}


def test_a_title_concerns_no_result(course):
    course.change(title="Another title", stretch=frozenset(["apply"]), requirements=("numpy",))
    assert list(told(course.grade())) == ["kept 3 of 3 results"]
    assert course.run_anew() == set()


def test_a_submission_that_was_handed_in_again_is_graded_as_a_whole(course):
    (course.root / "in" / "none.py").write_text(RIGHT)
    (course.root / "in" / "late.py").write_text(RIGHT)
    assert list(told(course.grade())) == [
        "kept 2 of 4 results",
        "graded 1: new",
        "graded 1: the submission has changed",
        "points changed in 1:",
        "    none: 0 → 7",
    ]
    assert course.run_anew() == all_of("none")


def test_a_seed_that_was_given_is_kept_as_long_as_it_is_given(course):
    course.grade(seed=7)
    course.mark()
    course.grade(seed=7)
    assert course.run_anew() == set()
    course.grade()
    assert course.run_anew() == all_of(*CLASS)
    assert course.result("all")["extra_data"]["seed"] != 7


@pytest.mark.parametrize(
    "sign",
    [
        lambda result: result["extra_data"].update(isolation="another"),
        lambda result: result["extra_data"]["warnings"].append("The grader failed: apply, driven"),
        lambda result: result["extra_data"]["warnings"].append("it printed 9,999,999 characters"),
        lambda result: result["tests"][3].update(
            output="not run: the submission has used up all its time"
        ),
    ],
)
def test_where_one_question_may_have_cost_another_all_of_them_run_again(course, sign):
    course.edit("all", sign)
    course.change_check("double", HARSH, HARSH + "  # fixed")
    course.grade()
    assert course.run_anew() == all_of("all") | {("none", "double"), ("small", "double")}


@pytest.mark.parametrize("text", ["{", "[]", '{"extra_data": {"seed": 1}}', "{}"])
def test_a_result_that_cannot_be_read_is_made_anew(course, text):
    (course.root / "out" / "all" / "results.json").write_text(text)
    assert "graded 1: the result that was there cannot be read" in list(told(course.grade()))
    assert course.result("all")["score"] == 7


def test_of_many_whose_points_changed_the_first_are_named():
    works = {str(n): Work("new", before=1, after=2) for n in range(25)}
    assert list(told(works))[-1] == "    … and in 5 more: see `report --against`"
