"""A student's path in a real browser: JupyterLab, a stub filled in, its check seen, the progress.

Run by `make browser`, which says what it needs. Pictures of the steps are in `dist/browser`.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "dist" / "browser"
STUB = 'raise NotImplementedError("causal_mask")'
WRONG = "return torch.full((size, size), -math.inf).tril(-1)"
RAISES = "return torch.full((size, size), -math.inf)[size]"
RIGHT = "return torch.full((size, size), -math.inf).triu(1)"
SECONDS = 60_000
GREEN, RED = "rgb(0, 158, 115)", "rgb(213, 94, 0)"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """JupyterLab in a copy of the starter, as its README starts it."""
    home = tmp_path_factory.mktemp("home")
    folder = home / "seq2seq"
    shutil.copytree(ROOT / "student_starter" / "seq2seq", folder)
    at = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "jupyter", "lab", "seq2seq.ipynb", "--no-browser"]
    command += [f"--port={at.rpartition(':')[2]}", "--ip=127.0.0.1", "--IdentityProvider.token="]
    command += ["--allow-root"] if os.geteuid() == 0 else []
    settings = {"HOME": str(home), "JUPYTER_CONFIG_DIR": str(home), "OMP_NUM_THREADS": "1"}
    log = (home / "log.txt").open("w")
    with subprocess.Popen(
        command, cwd=folder, env={**os.environ, **settings}, stdout=log, stderr=log
    ) as server:
        try:
            wait_for(f"{at}/api", server)
            yield f"{at}/lab/tree/seq2seq.ipynb"
        finally:
            server.terminate()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(url, server):
    for _ in range(120):
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except OSError:
            assert server.poll() is None, "JupyterLab has ended"
            time.sleep(0.5)
    raise TimeoutError(url)


@pytest.fixture(scope="module")
def page(address):
    """The notebook, open, with its first cells run."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM"], args=flags)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(SECONDS)
        page.goto(address)
        expect(page.locator(".jp-Cell").first).to_be_visible(timeout=SECONDS)
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=SECONDS)
        decline_news(page)
        yield page
        browser.close()


def decline_news(page):
    """Answer JupyterLab's own question, which a student gets once."""
    news = page.get_by_role("button", name="No", exact=True)
    news.wait_for()
    news.click()


def picture(page, name):
    """Write what is seen now to `dist/browser`."""
    page.wait_for_timeout(500)
    page.screenshot(path=PICTURES / f"{name}.png")


def cell_with(page, text):
    """Find the code cell that holds a text, and bring it into view."""
    editor = page.locator(".cm-content", has_text=text)
    cell = page.locator(".jp-CodeCell", has=editor).first
    page.locator(".jp-WindowedPanel-outer").hover()
    for _ in range(100):  # cells out of view have no editor
        if cell.count():
            break
        page.mouse.wheel(0, 700)
        page.wait_for_timeout(50)
    cell.scroll_into_view_if_needed()
    return cell


def run(page, cell):
    """Select a cell, press Shift+Enter, and wait until it has run; return its output."""
    prompt = cell.locator(".jp-InputPrompt")
    before = prompt.inner_text()
    prompt.click()
    page.keyboard.press("Shift+Enter")
    expect(prompt).not_to_have_text(before, timeout=SECONDS)
    expect(prompt).to_have_text(re.compile(r"\[\d+\]:"), timeout=SECONDS)
    return cell.locator(".jp-OutputArea")


def fill_in(page, line):
    """Put a line of code in place of what stands last in the question's cell, and run it."""
    cell = cell_with(page, "def causal_mask(")
    cell.locator(".cm-line").last.click()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Home")
    page.keyboard.type(line)
    picture(page, "3-filled-in")
    return run(page, cell)


def checked(page, name):
    """Run the check below the question; return what it shows."""
    cell = cell_with(page, 'grader.check("causal_mask")')
    output = run(page, cell)
    cell.scroll_into_view_if_needed()
    picture(page, name)
    return output


def test_the_first_cells_run_without_a_word(page):
    picture(page, "1-open")
    setup = page.locator(".jp-CodeCell").first
    setup.scroll_into_view_if_needed()
    picture(page, "2-setup")
    setup.locator(".jp-Placeholder-content").click()
    for text in ("# Setup: run this cell first", "grader = otter.Notebook()"):
        expect(run(page, cell_with(page, text))).to_have_text("")


def test_a_stub_is_said_to_be_unwritten(page):
    run(page, cell_with(page, "def causal_mask("))
    output = checked(page, "4-unwritten")
    expect(output).to_contain_text("causal_mask is not written yet: put your code in place of")


def test_a_wrong_answer_is_seen_with_its_message(page):
    fill_in(page, WRONG)
    output = checked(page, "5-wrong")
    expect(output).to_contain_text("causal_mask: the public case fails.")
    expect(output).to_contain_text("6 of 9 values are wrong: at [0, 1] expected -inf, got 0")
    assert colour(output) == RED


def test_an_error_is_seen_with_the_line_that_raised_it(page):
    fill_in(page, RAISES)
    expect(checked(page, "6-raised")).to_contain_text(f"of its cell: {RAISES}")


def test_a_right_answer_is_seen_green(page):
    fill_in(page, RIGHT)
    output = checked(page, "7-right")
    expect(output).to_contain_text("causal_mask: the public case passes.")
    assert colour(output) == GREEN


def test_the_last_cell_shows_which_questions_pass(page):
    cell = cell_with(page, "showing.progress(")
    output = run(page, cell)
    cell.scroll_into_view_if_needed()
    picture(page, "8-progress")
    expect(output).to_contain_text("1 of 9 questions pass their public cases.")
    expect(output.get_by_role("row")).to_have_count(11)


def colour(output):
    """Return the colour of the bar beside a verdict, as the browser has it."""
    return output.locator("div[style*=border-left]").evaluate(
        "element => getComputedStyle(element).borderLeftColor"
    )
