"""The explorers in a browser: a step of ``make check``, because ``make test`` has to do without a Chromium."""

import io
import re

import numpy as np
import pytest
from rich.console import Console

from course.play.__main__ import MADE
from course.play.tables import speeds
from course.student.core.catalog import find_lab
from course.student.show import run_show
from course.upkeep.stills import path_of, stills
from labs.lab_14_drafts.solution import overlap, residual, tokens_a_pass
from tests.book.driven import number_of, slide


@pytest.mark.parametrize("number", MADE)
def test_a_fragment_fits_a_phone_and_moves_by_keys(visit, number):
    page = visit(number, 390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    if page.get_by_role("button", name="next", exact=True).count():
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


@pytest.mark.parametrize("number", MADE)
def test_a_few_tab_stops_cross_an_explorer(visit, number):
    page = visit(number, 390)
    stops = "each => each.tabIndex >= 0 && !each.disabled && each.checkVisibility() && !each.matches('.mtl')"
    for section in page.locator("section").all():
        section.scroll_into_view_if_needed()
        section.locator("svg, .bits, .tokens button").first.wait_for()
        reached = section.locator("button, input, select, textarea, summary, [tabindex]").evaluate_all(
            f"all => all.filter({stops}).length"
        )
        assert 2 <= reached <= (10 if number in (9, 15) else 12)


def test_arrow_keys_move_in_a_painter(visit):
    page = visit(15)
    page.locator("select").focus()
    page.keyboard.press("Tab")
    at = "document.activeElement.dataset.token"
    seen = [page.evaluate(at)]
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "End", "ArrowRight", "Home", "ArrowUp"):
        page.keyboard.press(key)
        seen.append(page.evaluate(at))
    assert seen == ["2", "3", "19", "18", "2", "69", "69", "0", "0"]
    page.keyboard.press("Tab")
    assert page.evaluate("[document.activeElement.dataset.row, document.activeElement.dataset.token]") == ["1", "0"]
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(at) == "0", "the stop is where the reader was"


@pytest.mark.parametrize("number", [9, 15])
def test_a_painted_bit_is_in_its_word(visit, number):
    page = visit(number)
    bit, value = page.locator(".bits button").nth(31), page.locator(".word .value").first
    was_set, before = bit.get_attribute("aria-pressed") == "true", number_of(value)
    bit.click()
    assert number_of(value) - before == (1 << 31) * (1 if was_set else -1)
    assert "the sign bit" in page.locator("p[aria-live]").inner_text()
    assert page.locator(".bits button").nth(37 if number == 9 else 70).is_disabled()


def test_a_token_belongs_to_one_instance_of_the_kernel(visit):
    page = visit(15)
    for number, size in enumerate((32, 64, 128)):
        page.locator("select").select_option(index=number)
        page.locator(".bits").nth(1).get_by_role("button", name="token 65").click()
        first = 65 // size * size
        said = page.locator("p[aria-live]").inner_text()
        assert f"Instance (1, {65 // size}) of the kernel masks it, with columns {first} to {first + size - 1}" in said
        mine = page.locator(".mine").evaluate_all("all => all.map(each => +each.dataset.token)")
        assert mine == list(range(first, min(first + size, 96)))
        assert f"2 x {128 // size} instances" in page.locator("output").inner_text()


@pytest.mark.parametrize(("wants", "says", "illegal"), [(50, 67, 25), (50, 75, 0), (20, 90, 60), (0, 100, 100)])
def test_a_draft_is_rejected_or_cut_off(visit, wants, says, illegal):
    page = visit(14)
    slide(page, "the target wants yes", wants)
    slide(page, "the drafter prefers yes", says)
    slide(page, "the drafter says maybe", illegal)
    p = np.array([wants, 100 - wants, 0]) / 100
    for way, maybe in enumerate((illegal, illegal, 0)):
        page.get_by_label("if it says maybe").select_option(index=way)
        q = np.array([says * (100 - maybe), (100 - says) * (100 - maybe), 100 * maybe]) / 10_000
        cut = q[2] if way == 1 else 0
        odds = np.minimum(p, q) + (1 - overlap(p, q) - cut) * residual(p, q) + cut * p
        shown = page.locator(".fair svg text").all_text_contents()
        assert [each for each in shown if "%" in each] == [f"{share:.1%}" for share in odds[:2]]
        said = page.locator("p[aria-live]").inner_text()
        for length in (1, 8):
            slide(page, "tokens in a draft", length)
            expected = f"a pass of the target gives {tokens_a_pass(overlap(p, q), length):.2f} tokens"
            assert expected in page.locator("p[aria-live]").inner_text()
        assert ("no text shows it" in said) == (abs(odds[0] - p[0]) >= 5e-4)


def test_the_law_and_the_runs_are_one_picture(visit):
    page, runs = visit(10), speeds()["runs"]
    said = page.locator("p[aria-live]")
    for share, cost in ((0, 10), (50, 50), (40, 0), (80, 0)):
        slide(page, "forced tokens", share)
        slide(page, "cost of one, in passes", cost)
        speed = 1 / (1 - share / 100 + share * cost / 10_000)
        assert f"= {speed:.2f} times faster" in said.inner_text()
    for number, run in enumerate(runs):
        page.locator("select").select_option(index=number + 1)
        speed = 1 / (1 - run["share"] + run["share"] * run["cost"])
        assert said.inner_text().endswith(f"= {speed:.2f} times faster; measured: {run['ratio']:.2f}")
    place = page.locator("[data-run='30']").bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    assert page.locator("select").evaluate("each => each.selectedIndex") > 0


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


def test_the_stills_show_what_the_explorers_open_with(browser):
    """To draw them again: ``python -m course.upkeep.stills``. Where a line breaks depends on the fonts."""
    for number, drawn in stills(MADE, browser):
        committed = path_of(number).read_text(encoding="utf-8")
        said, shown = (" ".join(re.findall(r">([^<>]+)</text>", text)) for text in (committed, drawn))
        assert said.split() == shown.split(), f"lab {number}"
        assert 60_000 > len(committed) > 2_000
