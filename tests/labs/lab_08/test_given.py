"""The functions of lab 08 that students get: characters and their spellings, digits, and a text that automata share."""

import re

import pytest

from labkit.automata.trees import regex_of
from labkit.oracles.automata import accepts, any_automata
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.integers import digits_between
from labs.lab_08_json_schema.given.sharing import shared_text
from mask_engine.operations import automaton_of
from tests.walks import words

SPELLED = {
    "a": "a",
    ".": r"\.",
    '"': r'\\"',
    "\\": r"\\\\",
    "/": r"\\?/",
    "\n": r"\\n|\\u000[Aa]",
    "\x01": r"\\u0001",
    "\x7f": r"\x7f|\\u007[Ff]",
    "é": r"é|\\u00[Ee]9",
    "😀": r"😀|\\u[Dd]83[Dd]\\u[Dd][Ee]00",
}


@pytest.mark.parametrize(("character", "pattern"), SPELLED.items())
def test_every_form_of_a_character(character, pattern):
    assert lab.equivalent(compile_dfa(pattern), automaton_of(lab.spell_character(character)))


def test_digits_between_any_two():
    for length in (0, 1, 2):
        every = [f"{number:0{length}}" for number in range(10**length)] if length else [""]
        for first in every[:: length or 1]:
            for last in every[int(first or 0) :: length * 2 or 1]:
                pattern = regex_of(digits_between(first, last))
                found = [digits for digits in every if re.fullmatch(pattern, digits)]
                assert found == [digits for digits in every if first <= digits <= last]


def test_the_shortest_text_that_automata_share():
    some, texts = any_automata(3, 120, 4, 11), words("abc", 5)
    for number in range(0, len(some) - 2, 2):
        together = some[number : number + 1 + number // 2 % 3]
        short = next((text for text in texts if all(accepts(dfa, text) for dfa in together)), None)
        found = shared_text(together)
        if found is None or short is None:
            assert short is None and (found is None or len(found) > 5)
        else:
            assert len(found) == len(short) and all(accepts(dfa, found) for dfa in together)
    assert shared_text([]) == "" and shared_text([compile_dfa("[k-z]"), compile_dfa("[a-m]")]) in ("k", "l", "m")
