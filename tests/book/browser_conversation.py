"""The small model in the page, in a browser: asked, taken back, shared, saved, on a phone and by keyboard."""

import json
import re
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe

from course.play.conversation import CHECKPOINTS, EXAMPLES
from course.play.opening import write_page
from course.showcase.small_model.outcomes import MAX_TOKENS, generator, guide_for
from labkit.small_model.generation import Request
from labkit.small_model.tasks.forms import JsonForm, TextForm
from labkit.small_model.tokenizer import Tokenizer

FREE, MASKED = "without a mask: the tokens", "with the mask: the tokens"
TOLD = "() => [...document.querySelectorAll('.verdict')].every(each => each.textContent.trim())"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return write_page(None, tmp_path_factory.mktemp("play")).as_uri()


@pytest.fixture
def page(opened, address):
    page = opened(address, reduced_motion="reduce")
    page.wait_for_function(TOLD)
    return page


def ask(page):
    """Ask once more, and wait for both answers."""
    page.evaluate("document.querySelectorAll('.verdict').forEach(each => each.textContent = '')")
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_function(TOLD)


def texts(page):
    """What both answers say, without their marks."""
    read = "group => [...group.querySelectorAll('.piece:not(.end)')].map(each => each.textContent).join('')"
    return [page.get_by_role("group", name=name).evaluate(read) for name in (FREE, MASKED)]


@pytest.mark.parametrize("name, prompt, kind, source, seed, checkpoint", EXAMPLES, ids=[each[0] for each in EXAMPLES])
def test_each_example_is_answered_as_by_the_demo(page, name, prompt, kind, source, seed, checkpoint):
    page.evaluate("document.querySelectorAll('.verdict').forEach(each => each.textContent = '')")
    page.get_by_role("button", name=name, exact=True).click()
    page.wait_for_function(TOLD)
    guide = guide_for(JsonForm(json.loads(source)) if kind == "schema" else TextForm(source))
    ids, decode = Tokenizer.load().prompt(prompt), Tokenizer.load().decode
    requests = [Request(ids, MAX_TOKENS, seed=seed), Request(ids, MAX_TOKENS, guide, within_budget=True, seed=seed)]
    assert texts(page) == [decode(each.ids, special=True) for each in generator(checkpoint).answer(requests)]
    assert "your browser agrees" in page.locator(".verdict.good").last.inner_text()


def test_a_free_answer_is_marked_where_it_breaks(page):
    page.get_by_role("button", name="a colour").click()
    page.wait_for_function("document.querySelector('.breaks') && document.querySelector('.verdict.good')")
    before, _, after = page.get_by_role("group", name=FREE).inner_text().partition("breaks here")
    assert before.strip() == "#ff5cc0" and after.strip().startswith("b")
    assert page.locator(".verdict").first.inner_text() == 'not valid: "b" can\'t come after "#ff5cc0"'


def test_bars_are_struck_and_a_token_can_be_put_in_place_of_another(page):
    struck = page.locator(".candidate.struck-out")
    assert struck.first.locator("code").inner_text() == "'Here'"
    struck.first.focus()
    page.keyboard.press("Enter")
    assert "'Here' can't lead to what you asked for" in page.locator(".told").inner_text()
    page.locator("button.candidate:not(.struck-out):not(.chosen)").first.click()
    page.wait_for_function(TOLD)
    assert texts(page)[1].startswith("{") and page.locator(".piece.forced").count() == 1
    assert page.locator(".verdict.good").count() == 1
    assert "1 of 1 with it" in page.locator(".scrub").inner_text(), "an answer with a token of ours isn't counted"
    assert page.evaluate("document.activeElement.classList.contains('candidate')"), "the keyboard stays where it was"
    assert re.search(r"masked=0\.\d+", page.evaluate("location.hash"))


def test_an_address_brings_all_of_it_back(page, opened):
    page.get_by_label("your prompt").fill("Is it true?")
    page.get_by_label("the answer has to be").first.select_option(index=1)
    page.get_by_role("textbox", name="what the answer has to be").fill("maybe|no")
    ask(page)
    page.get_by_role("group", name=MASKED).locator(".piece").last.click()
    other = opened(page.url, reduced_motion="reduce")
    other.wait_for_function(TOLD)
    assert "maybe" in page.locator(".heard").inner_text() or "no" in page.locator(".heard").inner_text()
    assert texts(other) == texts(page) and texts(other)[1] in ("maybe", "no")
    pressed = "document.querySelector('.piece[aria-pressed=true]').textContent"
    assert other.evaluate(pressed) == page.evaluate(pressed) == "end"


@pytest.mark.parametrize(
    "kind, source, words",
    [
        (1, "(a", ["position", "( "[0]]),
        (0, '{"type": "strin"}', ["/type"]),
        (0, '{"type": ', ["JSON"]),
        (1, "a{500}", ["128 tokens"]),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_place(page, kind, source, words):
    page.get_by_label("the answer has to be").first.select_option(index=kind)
    page.get_by_role("textbox", name="what the answer has to be").fill(source)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_function(
        "document.querySelector('.wrong').textContent || document.querySelectorAll('.column').length > 1"
    )
    said = page.locator(".wrong").inner_text()
    assert all(word in said for word in words), said
    page.get_by_role("button", name="an order").click()
    page.wait_for_function(TOLD)
    assert page.locator(".wrong").inner_text() == "" and page.locator(".verdict.good").count() == 1


def test_what_is_typed_makes_the_answers_old_and_each_kind_keeps_its_text(page):
    source, kind = (
        page.get_by_role("textbox", name="what the answer has to be"),
        page.get_by_label("the answer has to be"),
    )
    before = source.input_value()
    kind.first.select_option(index=1)
    assert source.input_value() == "#[0-9a-f]{6}" and page.locator(".columns.aged").count() == 1
    kind.first.select_option(index=0)
    assert source.input_value() == before
    ask(page)
    assert page.locator(".columns.aged").count() == 0


def test_a_prompt_that_is_too_long_leaves_no_old_answer(page):
    page.get_by_label("your prompt").fill("\U0001f600" * 1000)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.wait_for_function("document.querySelector('.wrong').textContent.includes(\"can't be read\")")
    assert page.locator(".column").count() == 0 and page.locator(".candidate").count() == 0


def test_bytes_of_a_character_are_no_text(page):
    page.get_by_label("the answer has to be").first.select_option(index=1)
    page.get_by_role("textbox", name="what the answer has to be").fill("日本(語|人)")
    ask(page)
    assert texts(page)[1] in ("日本語", "日本人")


def test_pictures_can_be_saved(page, tmp_path):
    saved = {}
    for kind in ("SVG", "PNG"):
        with page.expect_download() as download:
            page.get_by_role("button", name=f"save as {kind}").click()
        download.value.save_as(tmp_path / kind)
        saved[kind] = (tmp_path / kind).read_bytes()
    words = " ".join(ElementTree.fromstring(saved["SVG"]).itertext())
    assert "breaks" not in words and "'Here'" in words and "struck" in words and saved["PNG"][:4] == b"\x89PNG"


def test_the_keyboard_gets_everywhere_in_a_few_stops(page):
    page.locator(".piece").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement === document.querySelectorAll('.answer .piece')[1]")
    assert "Token 2, without a mask" in page.locator(".step").inner_text()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    stops = 0
    while page.evaluate(
        "!document.activeElement.textContent.includes('PNG') || document.activeElement === document.body"
    ):
        page.keyboard.press("Tab")
        stops += 1
        assert stops < 30


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_and_can_be_read(opened, address, width, scheme):
    page = opened(address, width, color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_function(TOLD)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    assert not found, [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]


def test_every_checkpoint_is_in_the_page(address, page):
    assert page.evaluate("Object.keys(mtlWeights).sort()") == sorted(CHECKPOINTS)
