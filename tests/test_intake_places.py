"""Where submissions lie: exports, folders, zips, links, and the names that results get."""

import io
import os
import struct
import unicodedata
import zipfile

import pytest

from autograder.grading.intake import files, find_submissions, read_submission
from tests.test_intake import ANSWER, notebook_text, zipped

GOOD = notebook_text(ANSWER)
OTHER = notebook_text("x = 1")
STATED = notebook_text("x = 1", otter={"assignment_name": "tiny"})

METADATA = """\
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '007'
    :email: ada@uni.edu
  - :name: Zoë
    :email:
    :sid: 2026-13-45
  :created_at: 2026-04-26 17:34:00.861687000 Z
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    output: |-
      submission_2:
        :submitters:
        - :name: Mallory
submission_2:
  :submitters: []
"""


def place(folder, **contents):
    """Write files below a folder; the names are paths."""
    for name, content in contents.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def names(*paths):
    return [found.name for found in find_submissions(paths)]


@pytest.fixture
def read(tiny):
    """Read all that there is at a path, by name."""

    def run(path):
        return {found.name: read_submission(found, tiny) for found in find_submissions([path])}

    return run


@pytest.fixture
def gradescope(tmp_path):
    return place(
        tmp_path / "assignment_5_export",
        **{
            "submission_metadata.yml": METADATA,
            "submission_1/my work/hw.ipynb": GOOD,
            "submission_1/notes.pdf": "",
            "submission_2/essay.pdf": "",
        },
    )


def check_gradescope(found):
    assert list(found) == ["submission_1", "submission_2"]
    assert found["submission_1"].cells[0].source == ANSWER
    assert found["submission_1"].owner == "Ada Lovelace <ada@uni.edu> 007; Zoë 2026-13-45"
    assert "holds no notebook" in found["submission_2"].problem
    assert found["submission_2"].owner is None


def test_a_gradescope_export_has_a_submission_in_each_folder(gradescope, read):
    check_gradescope(read(gradescope))
    check_gradescope(read(gradescope.parent))


def test_a_gradescope_export_may_still_be_a_zip(gradescope, read):
    path = gradescope.parent / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in gradescope.rglob("*.*"):
            archive.write(file, file.relative_to(gradescope.parent))
    check_gradescope(read(path))


def test_a_linked_folder_is_none_of_gradescopes(gradescope):
    (gradescope / "submission_3").symlink_to(place(gradescope.parent / "x", **{"a.py": ANSWER}))
    assert names(gradescope) == ["submission_1", "submission_2"]


def test_broken_metadata_costs_the_owners_names_only(gradescope, read):
    (gradescope / "submission_metadata.yml").write_text("submission_1:\n  :submitters:\n  - {:\n")
    assert read(gradescope)["submission_1"].owner is None


CANVAS = {
    "doejane_123456_7890123_hw01.ipynb": OTHER,
    "doejane_123456_7890200_hw01-1.ipynb": OTHER,
    "doejane_LATE_123456_7890300_hw01-2.ipynb": GOOD,
    "ångströmzoë_222222_7890124_my_hw_1_2.ipynb": GOOD,
    "LATE_anon_x7Kq2_7890125_hw01.ipynb": GOOD,
    "roemax_333333_7890126_hw01.pdf": "",
}


def check_canvas(found):
    assert set(found) == {
        "doejane_LATE_123456_7890300_hw01-2",
        "ångströmzoë_222222_7890124_my_hw_1_2",
        "LATE_anon_x7Kq2_7890125_hw01",
        "roemax_333333_7890126_hw01",
    }
    newest = found["doejane_LATE_123456_7890300_hw01-2"]
    assert newest.cells[0].source == ANSWER
    assert newest.owner == "123456"
    assert newest.warnings[0].startswith("3 versions were handed in (doejane_123456_7890123_hw01")
    assert newest.warnings[0].endswith(
        "the newest, doejane_LATE_123456_7890300_hw01-2.ipynb, counts"
    )
    assert found["LATE_anon_x7Kq2_7890125_hw01"].warnings == ()
    assert found["roemax_333333_7890126_hw01"].problem is not None


def test_of_a_canvas_export_the_newest_version_of_each_student_counts(tmp_path, read):
    check_canvas(read(place(tmp_path, **CANVAS)))


def test_a_canvas_export_may_still_be_a_zip(tmp_path, read):
    path = tmp_path / "submissions.zip"
    path.write_bytes(zipped(**CANVAS))
    check_canvas(read(path))


def test_the_tenth_version_is_newer_than_the_ninth(tmp_path):
    for number in (9, 10):
        place(tmp_path, **{f"doe_123456_{7000 - number}_hw-{number}.ipynb": GOOD})
    assert names(tmp_path) == ["doe_123456_6990_hw-10"]


def test_other_files_of_a_canvas_student_are_told_apart_by_their_content(tmp_path, read):
    canvas = {
        "doe_123456_7001_homework.ipynb": GOOD,
        "doe_123456_7002_scratch.ipynb": OTHER,
        "doe_123456_7003_helper.py": "x = 1",
        "roe_222222_7004_homework.ipynb": GOOD,
    }
    found = read(place(tmp_path / "class", **canvas))
    assert set(found) == {"doe_123456_7002_scratch", "roe_222222_7004_homework"}
    assert found["doe_123456_7002_scratch"].cells[0].source == ANSWER


MIXED = {
    "doe_123456_7001_hw.ipynb": OTHER,
    "doe_123456_7002_hw-1.ipynb": GOOD,
    "fox_LATE_5005_7705_seq2seq.ipynb": GOOD,
    "hw (1).ipynb": GOOD,
    "roemax_333333_7890126_hw01.pdf": "",
}
OF_MIXED = {
    "doe_123456_7002_hw-1": "123456",
    "fox_LATE_5005_7705_seq2seq": "5005",
    "hw (1)": None,
    "roemax_333333_7890126_hw01": "333333",
}


def owners(*paths):
    return {found.name: found.owner for found in find_submissions(paths)}


def test_a_stray_file_takes_nobodys_id_in_a_canvas_export(tmp_path):
    place(tmp_path / "class", **MIXED)
    assert owners(tmp_path / "class") == OF_MIXED
    assert owners(*sorted((tmp_path / "class").iterdir())) == OF_MIXED  # as a shell's *
    (tmp_path / "class.zip").write_bytes(zipped(**MIXED))
    assert owners(tmp_path / "class.zip") == OF_MIXED


def test_a_single_file_of_a_canvas_export_keeps_its_students_id(tmp_path):
    assert owners(tmp_path / "fox_5005_7705_seq2seq.ipynb") == {"fox_5005_7705_seq2seq": "5005"}
    others = ("hw.ipynb", "mae_2024_1205_hw.ipynb", "roe_333_7002_hw.ipynb")
    assert list(owners(*(tmp_path / name for name in others)).values()) == [None, "2024", "333"]


@pytest.mark.parametrize(
    "ordinary",
    [
        ["hw_2024_12_final.ipynb"],
        ["hw_2024_1205_ann.ipynb", "hw_2024_1205_ben.ipynb"],
        ["hw_2023_1205_ann.ipynb"],
        ["ann_20241205_1430_hw.ipynb"],
        ["ann_1_2_hw.ipynb", "week_3_task_12.ipynb"],
    ],
)
def test_numbers_in_ordinary_names_are_no_ids(tmp_path, ordinary):
    place(tmp_path / "class", **dict.fromkeys(ordinary, GOOD))
    stems = [name.removesuffix(".ipynb") for name in ordinary]
    assert owners(tmp_path / "class") == dict.fromkeys(stems)
    assert owners(*(tmp_path / "class" / name for name in ordinary)) == dict.fromkeys(stems)


def test_files_that_share_a_number_and_all_else_are_not_one_students(tmp_path):
    place(tmp_path, **{"lab_101_1001_ann.ipynb": GOOD, "lab_101_1002_ben.ipynb": GOOD})
    assert names(tmp_path) == ["lab_101_1001_ann", "lab_101_1002_ben"]


def test_absurdly_long_numbers_are_no_ids(tmp_path):
    path = tmp_path / "a.zip"
    path.write_bytes(zipped(**{f"doe_123456_{'7' * 5000}_hw.ipynb": GOOD}))
    assert names(path) == ["a"]


def test_dates_in_names_are_no_canvas_export(tmp_path):
    place(tmp_path, **{"hw_2024_01_ann.ipynb": "", "hw_2024_01_ben.ipynb": ""})
    assert names(tmp_path) == ["hw_2024_01_ann", "hw_2024_01_ben"]


def test_a_student_cannot_pass_for_others_by_the_form_of_an_export(tmp_path):
    forged = {"doejane_123456_7001_hw.ipynb": GOOD, "roe_222222_7002_hw.ipynb": GOOD}
    place(tmp_path / "zips", **{"mallory.zip": zipped(**forged)})
    for name in ("sub/a", "sub/b"):
        export = {"submission_metadata.yml": METADATA, "submission_1/a.ipynb": GOOD}
        place(tmp_path / name, **export)
    assert names(tmp_path / "zips") == ["mallory"]
    assert names(tmp_path / "sub") == ["a", "b"]


@pytest.mark.parametrize("right", [GOOD, STATED.replace("x = 1", "apply = 1")])
def test_of_several_notebooks_the_only_one_of_this_homework_counts(tmp_path, read, right):
    place(tmp_path, **{"ann/scratch.ipynb": OTHER, "ann/hw.ipynb": right, "ann/broken.ipynb": "{"})
    found = read(tmp_path)["ann"]
    assert found.problem is None
    assert found.warnings[0] == (
        "the folder holds 3 notebooks (broken.ipynb, hw.ipynb, scratch.ipynb): "
        "only hw.ipynb belongs to this homework, and it counts"
    )


def test_two_notebooks_of_this_homework_are_refused(tmp_path, read):
    two = {"ann/a.ipynb": GOOD, "ann/b.ipynb": GOOD}
    place(tmp_path, **two, **{"ben.zip": zipped(**two)})
    found = read(tmp_path)
    assert found["ann"].problem == "the folder holds 2 notebooks (a.ipynb, b.ipynb): hand in one"
    assert found["ben"].problem.startswith("the zip holds 2 notebooks (ann/a.ipynb, ann/b.ipynb)")


def test_several_scripts_are_told_apart_as_well(tmp_path, read):
    place(tmp_path, **{"ann/a.py": "x = 1", "ann/b.py": ANSWER})
    assert "the folder holds 2 scripts (a.py, b.py): only b.py" in read(tmp_path)["ann"].warnings[0]


def test_a_flood_of_notebooks_is_not_searched(tmp_path, read):
    place(tmp_path, **{f"ann/{n}.ipynb": OTHER for n in range(20)}, **{"ann/x.ipynb": GOOD})
    assert read(tmp_path)["ann"].problem.startswith("the folder holds 21 notebooks (0.ipynb, 1.")


def test_what_students_were_given_is_no_submission(tmp_path):
    assert names(place(tmp_path, **{"ann.ipynb": GOOD, "checking.py": ""})) == ["ann"]


def test_scripts_that_students_were_given_are_not_their_answer(tmp_path, read):
    given = {"ann/checking.py": ANSWER, "ann/tests/double.py": ANSWER, "ann/hw.py": "apply = 1"}
    assert read(place(tmp_path, **given))["ann"].cells[0].source == "apply = 1"


def test_a_saved_copy_is_better_than_nothing(tmp_path, read):
    assert read(place(tmp_path, **{"ann/hw-checkpoint.ipynb": GOOD}))["ann"].cells


def test_of_two_zips_none_is_taken(tmp_path, read):
    zips = dict.fromkeys(("ann/a.zip", "ann/b.zip"), zipped(**{"a.ipynb": GOOD}))
    assert read(place(tmp_path, **zips))["ann"].problem.startswith("the folder holds 2 zips")


def test_a_folder_may_be_called_like_a_notebook(tmp_path, read):
    found = read(place(tmp_path, **{"ann.ipynb/hw.ipynb": GOOD}))
    assert list(found) == ["ann.ipynb"]
    assert found["ann.ipynb"].cells


def test_saved_copies_and_what_systems_leave_behind_are_ignored(tmp_path, read):
    litter = {
        "ann/hw.ipynb": GOOD,
        "ann/hw-checkpoint.ipynb": OTHER,
        "ann/.hw.ipynb": GOOD,
        "ann/.ipynb_checkpoints/x.ipynb": GOOD,
        "ann/__MACOSX/._hw.ipynb": "junk",
        "ann/Thumbs.db": "junk",
        "__MACOSX/ann/hw.ipynb": "junk",
    }
    found = read(place(tmp_path, **litter))
    assert list(found) == ["ann"]
    assert found["ann"].cells
    assert found["ann"].warnings == ()


def test_a_zip_in_a_students_folder_is_read(tmp_path, read):
    assert read(place(tmp_path, **{"ann/hw.zip": zipped(**{"hw.ipynb": GOOD})}))["ann"].cells


def test_names_that_programs_give_to_downloads_are_known(tmp_path, read):
    downloads = ("a.ipynb.txt", "b.ipynb.json", "c.IPYNB", "d.ipynb (1)", "e (2).ipynb")
    found = read(place(tmp_path, **dict.fromkeys(downloads, GOOD)))
    assert list(found) == ["a.ipynb", "b.ipynb", "c", "d", "e (2)"]
    assert all(submission.cells for submission in found.values())


# Names of results


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        (r"a\b+(1)[2]%41 'q' Zoë 東京", r"a\b+(1)[2]%41 'q' Zoë 東京"),
        ("-rf", "-rf"),
        ("nul", "nul" if os.name != "nt" else "_nul"),
        (".hidden", "_.hidden"),
        ("..", "_"),
        ("...", "_"),
        (" ", "_"),
        ("ends. ", "ends"),
        ("two\nlines\x1b[31m", "two_lines_[31m"),
        ("turned\u202epy", "turned_py"),
        ("not utf-8 \udce9", "not utf-8 _"),
    ],
)
def test_a_name_gives_a_folder_that_can_be_made(tmp_path, stem, name):
    found = names(tmp_path / f"{stem}.ipynb")
    assert found == [name]
    (tmp_path / "out" / found[0]).mkdir(parents=True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == [name]


def test_the_working_directory_has_a_name_too(tmp_path, monkeypatch):
    starter = place(
        tmp_path / "ann", **{"checking.py": "", "tests/double.py": "", "hw.ipynb": GOOD}
    )
    monkeypatch.chdir(starter)
    assert names(type(tmp_path)(".")) == ["ann"]


def test_long_names_are_cut_and_stay_apart(tmp_path):
    long = [tmp_path / f"{'x' * 150}{end}.ipynb" for end in "ab"]
    long += [tmp_path / f"{'東' * 80}{end}.ipynb" for end in "ab"]
    found = names(*long)
    assert len(set(found)) == 4
    assert all(len(name) <= 100 and len(name.encode()) <= 200 for name in found)
    assert found == [names(path)[0] for path in long]  # whatever else is handed in


def test_names_that_a_file_system_may_not_tell_apart_are_numbered(tmp_path):
    paths = [tmp_path / f"{unicodedata.normalize(form, 'Zoë')}.py" for form in ("NFC", "NFD")]
    assert names(*paths) == ["Zoë", unicodedata.normalize("NFD", "Zoë") + "-2"]


# Links, pipes, and zips that are up to something


@pytest.mark.parametrize("where", ["ann/hw.ipynb", "hw.ipynb", "ann"])
def test_a_link_out_of_the_folder_is_not_followed(tmp_path, read, where):
    secret = place(tmp_path / "secret", **{"hw.ipynb": GOOD})
    link = tmp_path / "class" / where
    link.parent.mkdir(parents=True)
    link.symlink_to(secret / "hw.ipynb" if link.suffix else secret)
    (found,) = read(tmp_path / "class").values()
    assert found.problem.startswith(f"{link.name} is a link to a place outside the folder")


def test_a_link_within_the_folder_is_no_second_notebook(tmp_path, read):
    place(tmp_path, **{"ann/hw.ipynb": GOOD})
    (tmp_path / "ann" / "again.ipynb").symlink_to("hw.ipynb")
    (tmp_path / "ann" / "circle").symlink_to("circle")
    assert read(tmp_path)["ann"].cells
    assert read(tmp_path)["ann"].warnings == ()


def test_a_link_within_the_class_is_a_submission(tmp_path, read):
    place(tmp_path, **{"ann.ipynb": GOOD})
    (tmp_path / "ben.ipynb").symlink_to("ann.ipynb")
    assert [bool(found.cells) for found in read(tmp_path).values()] == [True, True]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes")
def test_a_pipe_is_not_opened(tmp_path, read):
    place(tmp_path, **{"ann/notes.txt": ""})
    for name in ("hw.ipynb", "z.zip", "ann/hw.ipynb"):
        os.mkfifo(tmp_path / name)
    found = read(tmp_path)
    assert found["hw"].problem == "hw.ipynb is not an ordinary file"
    assert found["ann"].problem == "hw.ipynb is not an ordinary file"
    assert found["z"].problem == "z.zip is not an ordinary file"


def test_a_file_that_may_not_be_read_is_one_clear_line(tmp_path, read, monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    place(tmp_path, **{"a.ipynb": GOOD})
    monkeypatch.setattr(type(tmp_path), "open", refuse)
    problem = read(tmp_path)["a"].problem
    assert problem == "the file cannot be read: Permission denied"


def test_files_over_the_limit_are_refused(tmp_path, read, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    place(tmp_path, **{"a.ipynb": " " * 1001, "b.zip": zipped(**{"b.ipynb": " " * 1001})})
    found = read(tmp_path)
    assert "a.ipynb is larger than" in found["a"].problem
    assert "b.ipynb in the zip is larger than" in found["b"].problem


def test_a_zip_that_lies_about_its_size_is_not_believed(tmp_path, read, monkeypatch):
    monkeypatch.setattr(files, "MAX_BYTES", 1000)
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.ipynb", " " * 5000)
    lying = data.getvalue().replace(struct.pack("<L", 5000), struct.pack("<L", 900))
    problem = read(place(tmp_path, **{"a.zip": lying}))["a"].problem
    assert problem.startswith(("the zip is damaged", "a.ipynb in the zip is larger"))


def test_a_zip_of_very_many_files_is_not_even_listed(tmp_path, read, monkeypatch):
    monkeypatch.setattr(files, "MAX_MEMBERS", 3)
    many = zipped(**{f"{n}.txt": "" for n in range(4)})
    found = read(place(tmp_path, **{"a.zip": many}))["a"]
    assert found.problem == "the zip holds more than 3 files: hand in one notebook"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped(**{"inner.zip": zipped()}), "the zip holds another zip (inner.zip)"),
        (zipped(**{"a\x1b[2J\n.ipynb": b"{}"}), "this is not a notebook"),
        (zipped(**{"hw.ipynb": GOOD})[:-40], "the zip cannot be opened"),
        (zipped(**{"hw.ipynb": GOOD}).replace(b"double", b"douple"), "the zip is damaged"),
        (
            zipped(**{"hw.ipynb": GOOD}).replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1"),
            "the zip is locked with a password",
        ),
    ],
)
def test_a_zip_that_cannot_be_read_says_why(tmp_path, read, data, words):
    problem = read(place(tmp_path, **{"a.zip": data}))["a"].problem
    assert problem.startswith(words)
    assert problem.isprintable()


def test_members_paths_are_names_only(tmp_path, read):
    for number, name in enumerate(("../../a.ipynb", "/etc/a.ipynb", "C:\\Users\\me\\a.ipynb")):
        place(tmp_path, **{f"{number}.zip": zipped(**{name: GOOD, "__MACOSX\\x.ipynb": "junk"})})
    assert [bool(found.cells) for found in read(tmp_path).values()] == [True, True, True]


def test_large_members_in_the_zip64_form_are_read(tmp_path, read):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive, archive.open("a.ipynb", "w", force_zip64=True) as f:
        f.write(GOOD.encode())
    assert read(place(tmp_path, **{"a.zip": data.getvalue()}))["a"].cells
