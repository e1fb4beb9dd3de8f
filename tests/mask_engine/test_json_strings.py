"""The engine's JSON string literals of an automaton over values, spelled by lab 08. The oracle is ``json.loads``."""

import json
import re
from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.oracles.automata import accepts as matches
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, nfa_to_dfa
from mask_engine.operations import ANY, intersect
from mask_engine.patterns.lazy import LazyDfa
from mask_engine.reading.texts import keys_but
from mask_engine.trees.pieces import string_of
from tests.labs import listed

SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
PATTERNS = listed(r"""
    (?s:.)* (?s:.){0,3} [a-z]{2,3} [^a]b? é|𝄞|\n ["\\/]* [\x00-\x2f]+ [\x1f-~] \w[\d\s] [^\W\d]{1,2}[!-~]? [^\U00012345]
    [\ud700-\ue0ff] [\uffff-\U00010400]+x? [\U0010fc00-\U0010ffff]
""")


def encode_string(values):
    """Return the minimal automaton of the strings whose value matches; none has a lone surrogate."""
    return minimize_dfa(nfa_to_dfa(LazyDfa(string_of(intersect(values, ANY)))))


AUTOMATA = {pattern: encode_string(compile_dfa(pattern)) for pattern in PATTERNS}


def spellings(char):
    """Return all forms of a character in JSON, but for the case of hexadecimal digits."""
    units = char.encode("utf-16-be").hex()
    escape = "".join("\\u" + units[start : start + 4] for start in range(0, len(units), 4))
    short = [SHORT[char]] if char in SHORT else []
    return [*short, escape] + ([] if char < " " or char in '"\\' else [char])


def decoded(text):
    """Return the value of a JSON string, or None if it is not one, or holds a lone surrogate."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    surrogates = isinstance(value, str) and re.search("[\ud800-\udfff]", value)
    return value if isinstance(value, str) and text[0] == '"' and text[-1] == '"' and not surrogates else None


@st.composite
def literals_of(draw, values):
    """Return a strategy for values, with each character in one of its forms."""
    written = ""
    for char in draw(values):
        spelling = draw(st.sampled_from(spellings(char)))
        upper = spelling[:2] == "\\u" and draw(st.booleans())
        written += spelling.upper().replace("\\U", "\\u") if upper else spelling
    return f'"{written}"'


EDGES = '"\\/\b\n\x00\x1f\x7f\ud7ff\ue000\uffff𐀀\U0010ffff'
VALUES = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(EDGES), max_size=3)
PIECES = ["\\", "\\u", "u", '"', "d8", "D8", "dc", "DC", "00", "2", "f", "n", "a", "\n", "é", "g", "/"]


@settings(PROPERTY, max_examples=300)
@given(literals_of(VALUES))
def test_every_spelling_of_a_value_stands_for_it(text):
    value = decoded(text)
    assert value is not None
    for pattern, automaton in AUTOMATA.items():
        assert matches(automaton, text) == bool(re.fullmatch(pattern, value)), pattern


@settings(PROPERTY, max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
@example("\\ud8000\\udc00")
@example("\\ud800\\u0041")
@example("\\udc00\\ud800")
@example("\\ud800")
@example("\\u 041")
@example("\\U0041")
def test_malformed_literals_are_not_matched(body):
    for text in (f'"{body}"', body, f'"{body}', f'{body}"'):
        value = decoded(text)
        assert matches(AUTOMATA["(?s:.)*"], text) == (value is not None)
        assert matches(AUTOMATA["(?s:.){0,3}"], text) == (value is not None and len(value) <= 3)


@pytest.mark.parametrize("names", [[], [""], ["a"], ["id", "in", 'say "é"', "\U0001f600/"]])
def test_no_spelling_of_a_key_is_another_key(names):
    automaton = minimize_dfa(nfa_to_dfa(LazyDfa(string_of(keys_but(names)))))
    for value in [*names, "", "a", "i", "inn", "é", *(name + "a" for name in names)]:
        for spelled in product(*map(spellings, value[:4])):
            text = f'"{"".join(spelled)}{json.dumps(value[4:])[1:]}'
            assert matches(automaton, text) == (value not in names), text
