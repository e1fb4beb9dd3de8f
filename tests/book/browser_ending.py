"""Labs 04 and 05 in a browser: own tokens, EOS and a limit."""

import re
from random import Random

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from course.play.typed import ENDING
from labkit.automata import Fsm
from labkit.automata.dfa import DEAD
from labkit.errors import BudgetTooSmall, NoLegalToken
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import states_to_vocab
from labs.lab_04_eos_gating.solution import constrained_generate, mask_row
from labs.lab_05_truncation.solution import budget_row, finish_reason, generate_within, tokens_to_accept
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from tests.book.driven import settle, slide


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
