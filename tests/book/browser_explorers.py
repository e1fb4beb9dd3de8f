"""The explorers in a browser: ``pytest tests/book/browser_explorers.py``, where playwright and a Chromium are there."""

import io
import shutil

import pytest
from playwright.sync_api import sync_playwright
from rich.console import Console

from book.explorers.__main__ import MADE, write_all
from course.student.core.catalog import find_lab
from course.student.show import run_show

BODY = "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'><body {}>{}</body>"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Every fragment, by the number of its lab."""
    return {int(file.stem[-2:]): file for file in write_all(tmp_path_factory.mktemp("explorers"))}


@pytest.fixture(scope="module")
def browser():
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(browser, made):
    """Open a fragment in a page of its own; afterwards the console is empty, and nobody was asked."""
    pages, faults = [], []

    def open_page(number, width=800, attributes="", **options):
        file = made[number].with_name("page.html")  # beside the script that some load
        file.write_text(BODY.format(attributes, made[number].read_text(encoding="utf-8")), encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": 800}, **options)
        pages.append(page)
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda request: request.url.startswith(("file:", "data:")) or faults.append(request.url))
        page.goto(file.as_uri())
        return page

    yield open_page
    for page in pages:
        page.close()
    assert not faults


@pytest.mark.parametrize("number", MADE)
def test_a_fragment_fits_a_phone_and_moves_by_keys(visit, number):
    page = visit(number, 390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if page.locator("section input[type=range]").count():
        page.focus("section")
        page.keyboard.press("Home")
        before = page.locator("output").inner_text()
        page.keyboard.press("ArrowRight")
        after = page.locator("output").inner_text()
        page.keyboard.press(" ")
        assert len({before, after, page.locator("output").inner_text()}) == 3
        page.keyboard.press("ArrowLeft")
        assert page.locator("output").inner_text() == after
    named = "e => e.ariaLabel || e.textContent || e.labels[0]?.textContent"
    names = page.evaluate(f"[...document.querySelectorAll('button,input,select')].map({named})")
    assert all(names)


def test_dark_follows_the_system_and_the_books_switch(visit):
    def ground(page):
        return page.evaluate("getComputedStyle(document.querySelector('.mtl')).backgroundColor")

    light, dark = "rgb(255, 255, 255)", "rgb(22, 27, 34)"
    assert ground(visit(2)) == light and ground(visit(2, color_scheme="dark")) == dark
    assert ground(visit(2, attributes="data-theme=dark")) == dark
    assert ground(visit(2, attributes="data-theme=light", color_scheme="dark")) == light


def test_a_painted_bit_is_in_its_word(visit):
    page = visit(9)
    before = int(page.locator("table code").nth(1).inner_text())
    page.locator(".bits button").nth(31).click()
    after = int(page.locator("table code").nth(1).inner_text())
    assert after - before == -(1 << 31) and "the sign bit" in page.locator("p[aria-live]").inner_text()
    assert page.locator(".bits button").nth(37).is_disabled()


def test_a_key_lights_its_part_everywhere(visit):
    page = visit(8)
    page.locator("pre").first.locator("[data-key=n]").hover()
    lit = page.locator(".key.on").all_inner_texts()
    assert len(lit) == 2 and all('"n"' in text for text in lit)
    assert page.locator("[data-from].lit").count() > 4


def test_the_page_of_show_replays_its_steps(browser, tmp_path):
    file, faults = tmp_path / "page.html", []
    assert run_show(find_lab(4), Console(file=io.StringIO()), "solution", html=file) == 0
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.on("console", lambda message: faults.append(message.text))
    page.goto(file.as_uri())
    seen = []
    for key in ("ArrowRight", " ", "ArrowRight", "ArrowLeft"):  # nothing is focused: keys count anywhere
        page.keyboard.press(key)
        seen.append((page.locator("output").inner_text()[:6], page.locator(".current").get_attribute("data-state")))
    assert seen == [("step 2", "1"), ("step 3", "2"), ("step 4", "3"), ("step 3", "2")] and not faults
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
