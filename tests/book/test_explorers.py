"""The book's explorers: their data against plain code; in a browser, where playwright and a Chromium are there."""

import json
import re
import shutil

import pytest

from book.explorers.__main__ import MADE, write_all
from labkit.scenes import VOCABULARY

PATTERNS = {2: "0x[0-9a-f]+", 6: "0x(a|f|1)+|0x(ff|1f)*7"}
BODY = "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'><body {}>{}</body>"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Every fragment, by the number of its lab."""
    return {int(file.stem[-2:]): file for file in write_all(tmp_path_factory.mktemp("explorers"))}


def data_of(file):
    """What a fragment holds."""
    text = file.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', text, re.S)[1])


def test_fragments_are_small_and_ask_nobody(made):
    assert set(made) == set(MADE) >= {1, 2, 3, 5, 6, 8, 9, 10, 12}
    for file in made.values():
        text = file.read_text(encoding="utf-8")
        assert len(text.encode()) < 150_000, file.name
        assert not re.search(
            r"(src|href)=|@import|url\(|fetch\(", re.sub(r"<script type.*?</script>", "", text, flags=re.S)
        )


def test_twenty_runs_end_with_a_match_under_the_mask(made):
    runs = data_of(made[1])["runs"]
    assert len(runs) == 20 and {run["note"] for run in runs} == {"a match", "no match"}
    for run in runs:
        steps, pattern = run["trace"]["steps"], run["trace"]["scene"]["grammar"]
        assert re.fullmatch(pattern, steps[-1]["text"]) and "EOS" in steps[-1]["end"]
        assert bool(re.fullmatch(pattern, run["trace"]["scene"]["no_mask"])) == (run["note"] == "a match")


@pytest.mark.parametrize("number", PATTERNS)
def test_every_place_of_a_stepper_is_what_the_pattern_says(made, number):
    data, rows_seen = data_of(made[number]), 0
    pattern = re.compile(PATTERNS[number])
    assert data["tokens"] == [text for text in VOCABULARY.texts() if text]
    for stage in data["stages"]:
        waiting, seen = [(0, "")] if stage["rows"] else [], set()
        while waiting:
            place, text = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            row = stage["rows"][place]
            assert row["accepting"] == bool(pattern.fullmatch(text))
            waiting += [(to, text + token) for to, token in zip(row["next"], data["tokens"], strict=True) if to >= 0]
        rows_seen += len(seen)
    assert rows_seen > 3


def test_a_trie_never_looks_up_more_than_token_by_token(made):
    data = data_of(made[3])
    texts = [text for text in VOCABULARY.texts() if text]
    first = data["walks"][0]
    assert first["naive"] == sum(2 if text[0] == "0" and len(text) > 1 else 1 for text in texts) + (
        sum(text.startswith("0x") and len(text) > 2 for text in texts)
    )
    alive = {node for node, is_alive in first["looked"] if is_alive}
    assert {prefix for node, prefix, _ in data["nodes"] if node in alive} == {"'0'", "'0x'"}
    assert all(len(walk["looked"]) <= walk["naive"] for walk in data["walks"])


# In a browser -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        pytest.skip("this system has no Chromium")
    with sync_api.sync_playwright() as play:
        opened = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(browser, made, tmp_path):
    """Open a fragment in a page of its own; afterwards the console is empty, and nobody was asked."""
    pages, faults = [], []

    def open_page(number, width=800, attributes="", **options):
        file = tmp_path / f"{number}.html"
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
    names = page.evaluate(
        "[...document.querySelectorAll('button,input,select')].map(e => e.ariaLabel || e.textContent)"
    )
    assert all(names)


def test_dark_follows_the_system_and_the_books_switch(visit):
    def ground(page):
        return page.evaluate("getComputedStyle(document.querySelector('.mtl')).backgroundColor")

    light, dark = "rgb(255, 255, 255)", "rgb(22, 27, 34)"
    assert ground(visit(2)) == light and ground(visit(2, color_scheme="dark")) == dark
    assert ground(visit(2, attributes="data-theme=dark")) == dark
    assert ground(visit(2, attributes="data-theme=light", color_scheme="dark")) == light


def test_clicks_of_tokens_light_states_and_strike_tokens(visit):
    page = visit(2)
    page.get_by_role("button", name="0x", exact=True).click()
    assert page.locator(".current").get_attribute("data-state") == "2"
    assert page.get_by_role("button", name="q, struck").is_disabled()
    page.get_by_role("button", name="1f", exact=True).click()
    assert page.locator(".current").get_attribute("data-state") == "3"
    page.get_by_role("button", name="undo").click()
    assert page.locator(".current").get_attribute("data-state") == "2"


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
