r"""Lab 08, given: ``pattern``, a search with ECMA-262's classes.

The oracle is ``re.search`` with ASCII classes for patterns that both dialects read alike, once ``$`` is written ``\Z``,
and ``unicodedata``, ``regex`` and data by hand where they differ.
"""

import re
import unicodedata
from contextlib import suppress

import numpy as np
import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.errors import InvalidPattern, LimitExceeded, UnsupportedPattern
from labkit.oracles.automata import accepts as matches
from labs.lab_06_regex_to_dfa.given import unfolding
from labs.lab_06_regex_to_dfa.solution import minimize_dfa
from mask_engine.ecma.patterns import search_automaton
from mask_engine.operations import is_empty
from tests.labs import listed, marked
from tests.walks import matched, words

TEXTS = [*words("ab", 4), *words("ab1\n", 3), "_", "é", "aé", "A\r", " a", "𝄞", "a𝄞b"]
ATOMS = ["a", "b", "^", "$", ".", "[ab]", "[^a]", r"\d", r"\D", r"\w", r"\W", "(?:)", "[^b1]", "ab", "𝄞"]


QUANTIFIERS = ["*", "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "*?", "+?", "??", "{1,2}?"]


def patterns():
    """Return a strategy for patterns of all constructs that both dialects know, with anchors anywhere."""

    def grow(inner):
        group = inner.map("(?:{})".format) | inner.map("({})".format)
        repeated = st.tuples(group, st.sampled_from(QUANTIFIERS)).map("".join)
        sequence = st.lists(inner, min_size=1, max_size=4).map("".join)
        return sequence | st.lists(inner, min_size=2, max_size=3).map("|".join) | repeated | group

    return st.recursive(st.sampled_from(ATOMS), grow, max_leaves=7)


def compile_twin(pattern):
    r"""The pattern for ``re``, with ECMA's ``$`` and dot: the very end, and any character but four line ends."""
    other = {"$": r"\Z", ".": r"[^\n\r\u2028\u2029]"}
    return re.compile(re.sub(r"\\.|[$.]", lambda found: other.get(found[0], found[0]), pattern), re.ASCII)


def searched(pattern):
    compiled = compile_twin(pattern)
    return {text for text in TEXTS if compiled.search(text)}


@settings(PROPERTY, max_examples=300)
@given(patterns())
@example("(?:^|a)b")
@example("a|^b$")
@example("^$")
@example("$^")
@example("(?:^a)+")
@example("(?:a$)+b?")
@example("(?:$|a)(?:^|b)")
@example("(?:^)*a(?:$)+")
@example("^^a$$")
@example("a^")
@example("a?^b")
@example("$a?")
@example("(?:^a|b$)*")
def test_a_pattern_is_searched(pattern):
    automaton = search_automaton(pattern)
    assert matched(automaton, TEXTS) == searched(pattern) and len(minimize_dfa(automaton)) == len(automaton)


def flags(chars):
    """A set of characters as flags: bool[1114112]."""
    held = np.zeros(0x110000, dtype=bool)
    held[[ord(char) for char in chars]] = True
    return held


def all_matched(pattern):
    """The characters that a pattern for a single one matches, as flags."""
    automaton = search_automaton(f"^{pattern}$")
    held = np.zeros(0x110000, dtype=bool)
    for symbol_class, target in enumerate(automaton.transitions[automaton.initial]):
        for first, last in automaton.class_ranges[symbol_class]:
            held[first : last + 1] = target >= 0 and automaton.accepting[target]
    return held


EVERY = np.ones(0x110000, dtype=bool)
EVERY[0xD800:0xE000] = False
SPACES = flags(
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f"
    "\u205f\u3000\ufeff"
)
DIGITS = flags("0123456789")
WORD = DIGITS | flags("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")


@pytest.mark.parametrize(
    ("pattern", "chars"),
    [
        (r"\d", DIGITS),
        (r"\w", WORD),
        (r"\s", SPACES),
        *((name, EVERY & ~chars) for name, chars in ((r"\D", DIGITS), (r"\W", WORD), (r"\S", SPACES))),
        (r"[\d\s]", DIGITS | SPACES),
        (r"[^\w\s]", EVERY & ~WORD & ~SPACES),
        (r"[\S\s]", EVERY),
        (".", EVERY & ~flags("\n\r\u2028\u2029")),
        ("[^]", EVERY),
        ("[^a]", EVERY & ~flags("a")),
        ("[]", flags("")),
        (r"\p{Any}", EVERY),
        (r"\P{ASCII}", EVERY & ~flags(map(chr, range(128)))),
        (r"[\uD800-\uDFFF]", flags("")),
        (r"[^\uD800-\uDFFF]", EVERY),
        (r"[\uD834\uDD1E-\u{1D120}]", flags("\U0001d11e\U0001d11f\U0001d120")),
        ("[\ud834a]", flags("a")),
    ],
)
def test_classes_hold_just_these_characters(pattern, chars):
    assert (all_matched(pattern) == chars).all()


MEANINGS = listed(r"""
    \/ /  \- -  \_ _  \é é  \x41\u0042\u{43}\u{01F600} ABC😀  \uD83D\uDE00 😀  \ud83d\ude00 😀  [\-\]\^]{3} -]^
    [a\-c]{2} a-  [-a]{2} -a  [a-]{2} -a  [\w-]{2} -a  [\w-.]{3} -a.  [.-\d]{3} .-1  [[] [  [(*+?.|^$]{9} (*+?.|^$(
    [\^a]{2} ^a  \^\$\\\.\*\+\?\(\)\[\]\{\}\| ^$\.*+?()[]{}|  a{ a{  a{x} a{x}  { {  {} {}  a{1 a{1  ] ]  } }
    a]b} a]b}  (?<year>[0-9]{4})-(?<$m1>x) 2024-x  (?<é>a) a  [\p{L}\P{L}]\P{Lu} 1é
    \p{L}\p{Lu}\p{Uppercase_Letter}\p{gc=Ll}\p{General_Category=Nd}\p{digit}\p{punct} éÉZz1٣!
""")
MEANT = {**dict(zip(MEANINGS[::2], MEANINGS[1::2], strict=True)), r"\@\ \'": "@ '", "": "", "()": ""}
MEANT |= {r"\t\n\v\f\r\0": "\t\n\v\f\r\0", r"\cA\cz": "\x01\x1a", r"[\b]": "\b", r"[\0]": "\0"}


@pytest.mark.parametrize(("pattern", "text"), MEANT.items())
def test_what_a_pattern_means(pattern, text):
    automaton = search_automaton(f"^(?:{pattern})$")
    assert matches(automaton, text)
    assert not any(matches(automaton, text + more) for more in ("a", "\\", "é"))
    assert not text or not any(matches(automaton, text[:cut]) for cut in range(1, len(text)))


NAMES = ["L", "Lu", "Letter", "Mn", "Decimal_Number", "Sc", "Zs", "Cc", "Cf", "Co", "N", "punct", "LC"]


CHARACTERS = [chr(code_point) for code_point in np.flatnonzero(EVERY)]
CATEGORIES = {char: unicodedata.category(char) for char in CHARACTERS}
OLD = [c for c, name in CATEGORIES.items() if unicodedata.ucd_3_2_0.category(c) == name != "Cn" and c != "ʕ"]
"""Characters whose category is as it was long ago, and (but for that one) has stayed: tables may differ in version."""


@pytest.mark.parametrize("name", NAMES)
def test_general_categories_are_those_of_regex(name):
    twin = {"punct": r"\p{P}", "LC": r"[\p{Lu}\p{Ll}\p{Lt}]"}.get(name, rf"\p{{{name}}}")
    right = flags(regex.findall(twin, "".join(OLD)))
    assert (all_matched(rf"\p{{{name}}}") & flags(OLD) == right).all() and right.any()


@pytest.mark.parametrize(
    ("pattern", "construct", "position"),
    [
        ("a(?=b)", r"the lookahead \(\?=\.\.\.\)", 1),
        ("a(?!b)", r"the lookahead \(\?!\.\.\.\)", 1),
        ("(?<=b)a", r"the lookbehind \(\?<=\.\.\.\)", 0),
        ("x(?<!b)a", r"the lookbehind \(\?<!\.\.\.\)", 1),
        (r"(a)\1", r"the backreference \\1", 3),
        (r"(?<n>a)\k<n>", r"the backreference \\k<n>", 7),
        (r"é\bx", r"the word boundary \\b", 1),
        (r"\B", r"the word boundary \\B", 0),
        (r"a\p{Script=Greek}", r"the property \\p\{Script=Greek\}", 1),
        (r"[\p{Alphabetic}]", r"the property \\p\{Alphabetic\}", 1),
        (r"\p{letter}", r"the property \\p\{letter\}", 0),
        ("(?i)a", r"the group \(\?i\) with flags", 0),
        ("a(?i-s:b)", r"the group \(\?i-s: with flags", 1),
        ("a{,3}", "a quantifier without a lower bound", 1),
    ],
)
def test_what_is_refused_by_name(pattern, construct, position):
    with pytest.raises(UnsupportedPattern, match=construct) as caught:
        search_automaton(pattern)
    assert caught.value.position == position and caught.value.pattern == pattern


MALFORMED = {
    "this group is never closed": "¦(a a¦(b(c)",
    "no group is open": "a¦)",
    "this class is never closed": "¦[a x¦[b ¦[a- ¦[^",
    "this range is reversed": "[¦b-a]",
    "nothing to repeat": "¦*a a|¦+ (?:¦?) a*¦* a{2}¦{3} a+¦++ ^¦* ¦{2}",
    "this quantifier is reversed": "a¦{3,2}",
    r"\\ is no escape": "a¦\\ [a¦\\",
    r"\\a is no escape": r"¦\a",
    r"\\Z is no escape": r"a¦\Z",
    r"\\x is no escape": r"¦\xg1",
    r"\\c is no escape": r"¦\c1 ¦\c",
    r"\\0 is no escape": r"¦\01",
    r"\\1 is no escape": r"[¦\1]",
    r"\\B is no escape": r"[¦\B]",
    r"\\k is no escape": r"¦\k",
    "four hexadecimal digits": r"¦\u12g4 ¦\u{}",
    "up to 10FFFF": r"¦\u{110000}",
    "a property needs braces": r"¦\pL ¦\p{} ¦\p{L",
    r"\(\? starts no group": "¦(?P<n>a) ¦(?>a) ¦(?#a) ¦(?<1>a) ¦(?",
}
"""A message, and patterns that it is about, each with a mark in front of the place."""


@pytest.mark.parametrize(
    ("problem", "pattern", "position"), [(problem, *each) for problem, row in MALFORMED.items() for each in marked(row)]
)
def test_a_malformed_pattern_is_refused(problem, pattern, position):
    with pytest.raises(InvalidPattern, match=problem) as caught:
        search_automaton(pattern)
    assert caught.value.position == position and caught.value.pattern == pattern


@settings(PROPERTY, max_examples=400)
@given(st.text(st.sampled_from(r"ab^$()[]{}|*+?.\d-,1:<=pPux0k"), max_size=8))
def test_any_text_is_a_pattern_or_refused(pattern):
    """No stray error; and outside of brackets, what ``re`` reads as well it reads alike."""
    try:
        automaton = search_automaton(pattern)
    except (InvalidPattern, UnsupportedPattern):
        return
    with suppress(re.error):
        assert "[" in pattern or matched(automaton, TEXTS) == searched(pattern)


def test_limits(monkeypatch):
    monkeypatch.setattr(unfolding, "MAX_NFA_STATES", unfolding.MAX_NFA_STATES // 20)
    with pytest.raises(LimitExceeded, match="nested too deep"):
        search_automaton("(" * 101 + ")" * 101)
    with pytest.raises(LimitExceeded, match="too many NFA states"):
        search_automaton(f"^a{{{'9' * 5000}}}$")
    with pytest.raises(LimitExceeded, match="the pattern has 200,001 characters"):
        search_automaton("a" * 200_001)
    with pytest.raises(TypeError, match="a pattern is a text, not int: 3"):
        search_automaton(3)


def test_what_is_optional_at_the_ends_costs_nothing():
    assert len(search_automaton("x.{0,10000}")) == 2
    assert len(search_automaton("a?" * 2_000)) == 1
    assert len(search_automaton("[a-z]*[0-9]?x+")) == 2
    assert len(search_automaton("(?:ab|x{3,9})")) == 5


def test_what_can_never_match():
    for pattern in ("a^", "$a", "[]", "^a^", r"\uD800", "\ud800"):
        assert is_empty(search_automaton(pattern))
    assert matched(search_automaton("[]a-]"), ["a-]", "]"]) == set()
