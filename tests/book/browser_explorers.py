"""The explorers in a browser: a step of ``make check``, because ``make test`` has to do without a Chromium."""

import io
import re
from random import Random

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from rich.console import Console

from course.play.__main__ import MADE
from course.play.formats import call_formats
from course.play.tables import ONE_OF_TWO, speeds
from course.play.typed import ENDING
from course.student.core.catalog import find_lab
from course.student.show import run_show
from course.upkeep.stills import path_of, stills
from labkit.automata import Fsm
from labkit.automata.dfa import DEAD
from labkit.errors import BudgetTooSmall, NoLegalToken
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import states_to_vocab
from labs.lab_04_eos_gating.solution import constrained_generate, mask_row
from labs.lab_05_truncation.solution import budget_row, finish_reason, generate_within, tokens_to_accept
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_12_pushdown.given.gbnf import read_gbnf, shipped
from labs.lab_12_pushdown.given.stacks import END, items_of, stacks_of
from labs.lab_12_pushdown.solution import Rules, call_closure, step
from labs.lab_14_drafts.solution import overlap, residual, tokens_a_pass

BODY = "<!doctype html><meta charset=utf-8><link rel=icon href='data:,'><body {}>{}</body>"


@pytest.fixture
def visit(opened, made):
    """Open a fragment in a page of its own."""

    def visit(number, width=800, attributes="", **options):
        file = made[number].with_name("page.html")  # beside the script that some load
        file.write_text(BODY.format(attributes, made[number].read_text(encoding="utf-8")), encoding="utf-8")
        return opened(file.as_uri(), width, 800, **options)

    return visit


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


def settle(page):
    """Wait until the page has read what was typed; its timers keep their order even when the machine is busy."""
    page.evaluate("new Promise(done => setTimeout(done, 200))")


def slide(page, label, value):
    """Put a slider to a value, as a hand would."""
    page.get_by_label(label, exact=True).evaluate(
        "(range, value) => { range.value = value; range.dispatchEvent(new Event('input')); }", value
    )


def number_of(element):
    return int(element.inner_text().replace(",", ""))


@pytest.mark.parametrize("number", MADE)
def test_a_few_tab_stops_cross_an_explorer(visit, number):
    page = visit(number, 390)
    page.wait_for_timeout(600)
    stops = "each => each.tabIndex >= 0 && !each.disabled && each.checkVisibility() && !each.matches('.mtl')"
    for section in page.locator("section").all():
        reached = section.locator("button, input, select, textarea, summary, [tabindex]").evaluate_all(
            f"all => all.filter({stops}).length"
        )
        assert 1 <= reached <= 12


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


@pytest.mark.parametrize(("forbidden", "lean"), [(75, 0), (75, 100), (30, 100), (90, 50), (0, 0)])
def test_bars_move_from_masked_to_fair(visit, forbidden, lean):
    """Texts of two groups: only after the beginning of the second one the model may go on illegally."""
    page, hours = visit(13), [str(hour) for hour in range(10, 24)]
    for name, fair, first in (
        ("no or yes", {"no": 0.8, "yes": 0.2}, ["no"]),
        ("hours", dict.fromkeys(hours, 1 / 14), hours[:10]),
    ):
        page.get_by_role("button", name=name, exact=True).click()
        slide(page, "how often the model, left alone, writes what the mask forbids", forbidden)
        slide(page, "from masked to fair", lean)
        begins = sum(fair[text] for text in first) * (1 - forbidden / 100)  # the chance of the first group
        ends = (1 - forbidden / 100 - begins) / (1 - begins)  # the weight after the beginning of the second one
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
        kernel, text = items_of([(rules.initial[0], END)]), ""
        for _ in range(rng.randrange(1, 12)):
            after = {char: kernel_after(rules, kernel, char) for char in chars}
            alive = [char for char in chars if after[char]]
            if not alive:
                break
            text += (char := rng.choice(alive))
            kernel = after[char]
        field.fill(text)
        stacks = stacks_of(kernel)
        boxes = sum(len(stack) - 1 for stack in stacks)
        said = page.locator("section p[aria-live]").last.inner_text()
        assert said.startswith(f"{len(stacks)} stack") and f"written out {boxes} box" in said, text
        assert ("may end here" in said) == ((END,) in stacks), text
        enabled = keys.locator("button:enabled").evaluate_all("all => all.map(each => each.value)")
        assert enabled == [char for char in chars if kernel_after(rules, kernel, char)], text


def kernel_after(rules, kernel, char):
    for byte in char.encode():
        kernel = step(rules, call_closure(rules, [item for item in kernel if item[0] != END]), byte)
    return kernel


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
        assert ("has no automaton" in shown) == (form["name"] == "gemma4") != answer.is_visible()
        if answer.is_visible():
            assert answer.input_value() == form["start"] and "Inside a call" in shown
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


def lifted(pattern, words):
    """An automaton over the words' characters, its table, and the vocabulary of the words and EOS."""
    dfa, chars = compile_dfa(pattern, ascii_only=True), {*"".join(words)}
    moves = [{c: to for c in chars if (to := dfa.step(s, ord(c))) != DEAD} for s in range(len(dfa))]
    fsm = Fsm(tuple(moves), int(dfa.initial), frozenset(map(int, np.flatnonzero(dfa.accepting))))
    vocabulary = Vocabulary([*(word.encode() for word in words), b"</s>"], eos_id=len(words))
    return fsm, states_to_vocab(fsm, vocabulary.texts()), vocabulary


@pytest.mark.parametrize("number", [4, 5])
@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        *[("(\\d+)?\\.\\d+", "a . .2 1"), ("[0-9]+\\.[0-9]+", "3 .1 a. . 1. 22"), ("a[bc]d", "ab a cd")],
        *[("(a|br)*(c|bs)", "r s a c b"), ("(ab|ba)*(c|cc)", "c cc b a ab ba bab"), ("x{2,5}y?", "x xx yy y xxxy")],
        ('\\{"n":\\[(\\d(,\\d)*)?\\]\\}', '{" n ": [ 7 ] } ]} ,7 , []'),
    ],
)
def test_own_tokens_and_a_limit_are_masked_as_in_the_labs(visit, number, pattern, words):
    page, rng = visit(number), Random(number)
    fsm, table, vocabulary = lifted(pattern, words.split())
    distance, eos = tokens_to_accept(table, fsm.accepting), vocabulary.eos_id
    wanted = np.arange(len(vocabulary), dtype=np.float32)  # the last token first
    wanted[eos] = 99 if number == 4 else -1
    said = page.get_by_text(re.compile("^(In state|The model has|Cut|A dead|Refused before)"))
    buttons, go = page.locator(".tokens button"), page.get_by_role("button", name="let the model write")
    page.get_by_label("pattern", exact=True).fill(pattern)
    page.get_by_label("up to 24 tokens, with spaces between them").fill(words)
    settle(page)

    def take_back():
        while page.get_by_role("button", name="undo").is_enabled():
            page.get_by_role("button", name="undo").click()

    def written():
        tokens = page.locator("p:has-text('written:') .token").all_inner_texts()
        return [eos if token == "EOS" else words.split().index(token) for token in tokens]

    for limit in (16,) if number == 4 else (1, 2, 3, 5, 8, 12):
        for budgeted in (False,) if number == 4 else (False, True):
            if number == 5:
                slide(page, "max_tokens", limit)
                page.get_by_label("mask", exact=True).select_option(index=int(budgeted))
            take_back()
            ids, state = [], fsm.initial
            for _ in range(rng.randrange(limit + 1)):
                row = mask_row(fsm, table, state, vocabulary)
                if budgeted:
                    row = budget_row(row, table[state], distance, limit - len(ids))
                    row[eos] &= distance[fsm.initial] + 1 <= limit
                enabled = [place for place, each in enumerate(buttons.all()) if each.is_enabled()]
                assert enabled == np.flatnonzero(row).tolist(), ids
                if not row.any() or (chosen := rng.choice(enabled)) == eos:
                    break
                buttons.nth(chosen).click()
                ids.append(chosen)
                state = table[state][chosen]
            assert written() == ids
            take_back()
            try:
                if budgeted:
                    expected = generate_within(lambda ids: wanted, fsm, table, vocabulary, limit)
                else:
                    expected = constrained_generate(lambda ids: wanted, fsm, table, vocabulary, limit)
            except BudgetTooSmall as refused:
                needs = f"takes {refused.needed:.0f} token" if np.isfinite(refused.needed) else "can't write any match"
                assert needs in said.inner_text()
                assert not go.is_enabled()
            except NoLegalToken:
                go.click()
                assert said.inner_text().startswith("A dead end")
            else:
                go.click()
                assert written() == expected
                assert said.inner_text().endswith("stop.") == (finish_reason(expected, eos) == "stop")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("number", ENDING)
def test_each_example_of_an_ending_fits_a_phone(visit, number, scheme):
    page = visit(number, 390, color_scheme=scheme)
    for button in page.get_by_role("group", name="examples").get_by_role("button").all():
        button.click()
        page.get_by_role("button", name="let the model write").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert not Axe().run(page, {"include": ["section"]}).response["violations"]


def test_what_was_written_stays_as_far_as_the_mask_allows(visit):
    page = visit(5)
    page.get_by_role("button", name="let the model write").click()
    tokens = page.locator("p:has-text('written:') .token")
    assert tokens.all_inner_texts() == ["1", "1", "1", ".2", "EOS"]
    slide(page, "max_tokens", 4)
    assert tokens.all_inner_texts() == ["1", "1"]
    assert page.get_by_role("button", name="1, struck needs 3").is_disabled()
    page.get_by_label("up to 24 tokens, with spaces between them").fill("a . 1")
    settle(page)
    assert tokens.all_inner_texts() == ["1"]  # without .2 the rest takes two tokens, and EOS
    page.get_by_label("pattern", exact=True).fill("(1")
    settle(page)
    assert page.locator("mark").inner_text() == "(" and not page.locator("svg").is_visible()


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
    """To draw them anew: ``python -m course.upkeep.stills``. Where a line breaks depends on the fonts."""
    for number, drawn in stills(MADE, browser):
        committed = path_of(number).read_text(encoding="utf-8")
        said, shown = (" ".join(re.findall(r">([^<>]+)</text>", text)) for text in (committed, drawn))
        assert said.split() == shown.split(), f"lab {number}"
        assert 60_000 > len(committed) > 2_000
