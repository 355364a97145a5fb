"""An instructor's look at a class in a real browser: the report opened, sorted, narrowed down.

Run by `make browser`, which says what it needs. Pictures of the steps are in `dist/browser`.
"""

import os
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "dist" / "browser"
HEAD = "import math\nimport torch\n\n\ndef causal_mask(size):\n    return "
CLASS = {
    "ada": HEAD + "torch.full((size, size), -math.inf).triu(1)",
    "ben": HEAD + "torch.full((size, size), -math.inf).tril(-1)",
    "cleo": HEAD + "torch.full((size, size), -math.inf)[size]",
}


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report on a class of three, each of whom has answered one question."""
    folder = tmp_path_factory.mktemp("class")
    for name, text in CLASS.items():
        (folder / f"{name}.py").write_text(text + "\n", encoding="utf-8")
    out = tmp_path_factory.mktemp("results")
    program = [os.environ["PROGRAM"], "-m", "autograder"]
    command = [*program, "grade", "seq2seq", folder, "--out", out, "--format", "feedback"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    subprocess.run([*program, "report", out], cwd=ROOT, check=True, capture_output=True)
    return out / "report.html"


@pytest.fixture
def page(report):
    """The report, open; nothing may come over the network, and no script may complain."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    asked, told = [], []
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=flags)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: told.append(message.text))
        page.goto(report.as_uri())
        yield page
        browser.close()
    assert [url for url in asked if not url.startswith("file:")] == []
    assert told == []


def names(page):
    """Read the names of the students that are shown, from the top."""
    rows = page.locator("#student-table tbody tr:visible th, #student-table tbody tr:visible a")
    return list(dict.fromkeys(rows.all_inner_texts()))


def test_the_first_screen_says_what_to_teach_again(page):
    page.screenshot(path=PICTURES / "report-1-open.png")
    expect(page.get_by_role("heading", name="What to teach again")).to_be_in_viewport()
    expect(page.get_by_text("2 of 3 lost 16 points").first).to_be_visible()


def test_students_are_sorted_by_a_click_and_by_a_key(page):
    head = page.locator("#student-table thead th", has_text="score").first
    head.get_by_role("button").click()
    assert names(page)[-1] == "ada"
    expect(head).to_have_attribute("aria-sort", "ascending")
    head.get_by_role("button").press("Enter")
    assert names(page)[0] == "ada"
    expect(head).to_have_attribute("aria-sort", "descending")
    page.locator("#students").screenshot(path=PICTURES / "report-2-sorted.png")


def test_students_are_narrowed_down_by_words_and_a_name_leads_to_the_page(page):
    page.locator("#student-table-filter").fill("hides the past")
    expect(page.locator("#student-table-status")).to_have_text("1 of 3 shown")
    assert names(page) == ["ben"]
    page.locator("#students").screenshot(path=PICTURES / "report-3-narrowed.png")
    page.locator("#student-table a:visible", has_text="ben").first.click()
    expect(page.get_by_role("heading", name="ben")).to_be_visible()
    page.screenshot(path=PICTURES / "report-4-feedback.png")


def test_the_page_is_read_on_a_phone_and_in_the_dark(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=PICTURES / "report-5-phone.png")
    wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not page.evaluate(wide)
    red, green, blue = page.evaluate(
        "getComputedStyle(document.body).backgroundColor.match(/[0-9]+/g).map(Number).slice(0, 3)"
    )
    assert red + green + blue < 200
