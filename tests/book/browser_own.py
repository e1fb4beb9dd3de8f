"""Labs 03, 11, 12 and 13 in a browser, with words, answers, grammars and models of a reader's own."""

import re
from random import Random

import pytest

from course.play.formats import call_formats
from course.play.tables import ONE_OF_TWO
from labs.lab_12_pushdown.given.gbnf import read_gbnf, shipped
from labs.lab_12_pushdown.given.stacks import END, stacks_of
from labs.lab_12_pushdown.solution import Rules
from tests.book.driven import settle, slide
from tests.book.engine.grammar import kernel_after, random_text


@pytest.mark.parametrize(("forbidden", "lean"), [(75, 0), (75, 100), (30, 100), (90, 50), (0, 0)])
def test_bars_move_from_masked_to_fair(visit, forbidden, lean):
    """Texts of two groups: only after the prefix of the second one the model may go on illegally."""
    page, hours = visit(13), [str(hour) for hour in range(10, 24)]
    for name, fair, first in (
        ("no or yes", {"no": 0.8, "yes": 0.2}, ["no"]),
        ("hours", dict.fromkeys(hours, 1 / 14), hours[:10]),
    ):
        page.get_by_role("button", name=name, exact=True).click()
        slide(page, "how often the model, left alone, writes what the mask forbids", forbidden)
        slide(page, "from masked to fair", lean)
        begins = sum(fair[text] for text in first) * (1 - forbidden / 100)  # the chance of the first group
        ends = (1 - forbidden / 100 - begins) / (1 - begins)  # the weight after the prefix of the second one
        group = [begins, (1 - begins) * ends ** (lean / 100)]
        inner = [sum(share for text, share in fair.items() if (text in first) == own) for own in (True, False)]
        odds = {t: share / inner[t not in first] * group[t not in first] / sum(group) for t, share in fair.items()}
        shown = page.locator(".fair svg text:not(.struck)").all_text_contents()
        assert [each for each in shown if each in fair] == [*fair]
        assert [each for each in shown if "%" in each] == [f"{each:.1%}" for each in odds.values()]
        page.get_by_role("button", name="let the weights flow back").click()
        assert page.locator(".flow").count() > 5
    assert page.locator(".fair svg text.struck").all_text_contents() == [f"{hour}" for hour in range(24, 30)]


def test_an_own_model_is_read_and_refused(visit):
    page = visit(13)
    mask, model, said = (
        page.get_by_label("the mask: a pattern"),
        page.get_by_label("the model:"),
        page.locator("section"),
    )
    mask.fill("a+b")
    model.fill("1 a b\n2 a c\n7 a a")
    page.wait_for_timeout(250)
    assert "with probability 0.1. Under the mask 87.5% of its texts get stuck" in said.inner_text()
    assert page.locator("svg").get_attribute("aria-label") == "ab: masked 12.5%, fair 100.0%"
    for pattern, lines, problem in [
        *[
            ("a+b", "x a", "x is no weight, in line 1"),
            ("a+b", "1 [0-9] [0-9]", "100 texts are too many"),
            ("(", "1 a", "missing )"),
        ],
    ]:
        mask.fill(pattern)
        model.fill(lines)
        page.wait_for_timeout(250)
        assert problem in page.locator(".wrong").first.inner_text() and not page.locator("div.fair").is_visible()


@pytest.mark.parametrize(
    "source",
    [
        *('root ::= "<" ("é" | root | "b" root?)+ ">"', 'root ::= a a\na ::= "x" a "x" | "y" | "x"'),
        ONE_OF_TWO,
        shipped("brackets"),
    ],
)
def test_stacks_of_the_page_are_those_of_the_lab(visit, source):
    page, rng, rules = visit(12), Random(source), Rules(read_gbnf(source))
    page.get_by_label("grammar").fill(source)
    page.wait_for_timeout(250)
    field, keys = page.get_by_label("text, up to 60 letters"), page.get_by_role("group", name="characters")
    chars = keys.locator("button").evaluate_all("all => all.map(each => each.value)")
    assert {*chars} == {*re.sub(r"#.*", "", "".join(re.findall(r'"(.)"', source)))}
    for _ in range(12):
        text, kernel = random_text(rules, chars, rng, rng.randrange(1, 12))
        field.fill(text)
        stacks = stacks_of(kernel)
        boxes = sum(len(stack) - 1 for stack in stacks)
        said = page.locator("section p[aria-live]").last.inner_text()
        assert said.startswith(f"{len(stacks)} stack") and f"written out {boxes} box" in said, text
        assert ("may end here" in said) == ((END,) in stacks), text
        enabled = keys.locator("button:enabled").evaluate_all("all => all.map(each => each.value)")
        assert enabled == [char for char in chars if kernel_after(rules, kernel, char)], text


def test_no_letter_of_a_text_is_dropped_without_a_word(visit):
    page = visit(12)
    field, said = page.get_by_label("text, up to 60 letters"), page.locator("[role=status]")
    field.fill("aad😀")
    assert (
        said.inner_text()
        == '"😀" can\'t come here: no rule of this grammar reads it at all. The picture stops before it.'
    )
    field.fill("aadd")
    assert said.inner_text() == '"d" can\'t come here. The picture stops before it.'
    field.fill("a" * 63)
    assert said.inner_text() == "Only the first 60 letters are read; 3 letters after them are left out."
    shown = page.locator("section p[aria-live]").last.inner_text()
    assert shown.startswith(f"{2**60:,} stacks; written out {60 * 2**60:,} boxes, shared 120.")
    assert page.locator(".tokens button:enabled").count() == 0 and len(field.input_value()) == 63


def test_a_frame_is_pushed_and_popped_and_a_refusal_is_marked(visit):
    page = visit(12)
    page.get_by_role("button", name="brackets", exact=True).click()
    page.get_by_label("text, up to 60 letters").fill("[")
    page.get_by_role("button", name="(", exact=True).click()
    assert page.locator(".frame.pushed").count() == 1 and page.locator(".frame.popped").count() == 0
    for bracket in ")]":
        page.get_by_role("button", name=bracket, exact=True).press("Enter")
    assert page.locator(".frame.popped").count() == 1
    page.get_by_label("grammar").fill('root ::= "a" |\n  rest')
    page.wait_for_timeout(250)
    assert "there is no rule rest, at line 2, column 3:   rest" in page.locator(".wrong").inner_text().replace(
        "\u00a0", " "
    )
    assert page.locator("mark").inner_text() == "r"
    assert not page.get_by_label("text, up to 60 letters").is_visible()
    for source, problem in (
        ('root ::= a "x" | "y" a ::= root', "left recursion: root, a, root"),
        ('root ::= "a" root', "no text of this grammar can ever end"),
    ):
        page.get_by_label("grammar").fill(source)
        page.wait_for_timeout(250)
        assert problem in page.locator(".wrong").inner_text()
    page.get_by_label("grammar").fill('root ::= [x-z] "1" root?')
    page.wait_for_timeout(250)
    assert page.get_by_label("text, up to 60 letters").input_value() == "x1x", "a text that fits"


def test_every_format_starts_inside_a_call_and_refuses_paris(visit):
    page, formats = visit(11), call_formats()["formats"]
    answer, tokens = page.get_by_label("answer", exact=True), page.get_by_role("group", name="tokens")
    assert len(formats) == 36
    for number, form in enumerate(formats[1:], 1):
        page.locator("select").select_option(index=number)
        shown = page.locator("section").inner_text()
        assert all(f"{each}" in shown for each in [*form["triggers"], "get_weather(city: Rome | Oslo)"])
        assert ("has no automaton" in shown) == (form["name"] == "gemma4")
        if form["name"] == "gemma4":
            assert not answer.is_visible()
        else:
            page.get_by_text("Inside a call. EOS is not legal.").wait_for()  # it is unpacked meanwhile
            assert answer.input_value() == form["start"]
            city = {each: tokens.locator(f"button[value='{each}']").is_enabled() for each in ("Rome", "Oslo", "Paris")}
            assert city == {"Rome": True, "Oslo": True, "Paris": False}, form["name"]
            tokens.locator("button[value='Oslo']").press("Enter")
            assert answer.input_value() == form["start"] + "Oslo"
            answer.fill(form["example"])
            marks = {*page.locator(".char").evaluate_all("all => all.map(each => each.classList[1])")}
            assert "call" in marks and "dead" not in marks


def test_own_words_are_walked_as_in_lab_03(visit):
    page = visit(3)
    page.get_by_label("words, with spaces").wait_for()
    page.get_by_label("pattern", exact=True).first.fill("ab+")
    page.get_by_label("words, with spaces").fill("a ab abb  b ba bab <b> a")
    settle(page)
    tree, said = page.locator("svg.trie"), page.locator("section p[aria-live]").nth(1)
    # 9 prefixes begin where all is alive: a ab abb, b, <; from state 1: a, b ba bab, <
    for state, looked, alone, row in (
        (0, 5, 10, ["a \u2192 1", "ab \u2192 2", "abb \u2192 2"]),
        (1, 4, 9, ["b \u2192 2"]),
    ):
        page.get_by_label("from state").select_option(index=state)
        assert f"{looked} look-ups of {looked} over the trie. Word by word it would be {alone}" in said.inner_text()
        assert page.locator("p:has-text('The row of state') .token").all_inner_texts() == row
        assert tree.locator(".alive").count() + tree.locator(".dead").count() == looked + 1
        assert tree.locator(".unvisited").count() == 9 - looked
    page.focus("section")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert "1 look-up of 4" in said.inner_text() and tree.locator(".latest").count() == 1
    page.get_by_label("pattern", exact=True).first.fill("ab**")
    settle(page)
    assert page.locator("mark").inner_text() == "*" and not tree.is_visible()
