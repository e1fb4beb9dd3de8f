"""Lab 06 as a whole against Python's ``re``: all short patterns, random patterns, and signs in any order."""

import random
import re
from contextlib import suppress
from functools import partial
from itertools import product

import interegular
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.errors import UnsupportedPattern
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from tests.labs import listed
from tests.regexes import agrees, compiled
from tests.walks import words


@pytest.mark.parametrize("signs", ["ab|*()", "a?{}1,", "a[]^-b", "(?:i)a"])
def test_every_short_pattern(signs):
    over = words("abi", 3)
    for pattern in words(signs, 4):
        try:
            agrees(pattern, over if len(pattern) < 4 else over[:20])
        except UnsupportedPattern as refused:
            assert "anchor" in refused.problem, pattern


CORNERS = {
    "comments": ("", ["(?#", ")", "\\", "(", "a", "\n"]),
    "verbose comments": ("(?x)", ["#", "\n", "\\", "a", " ", "(?#", ")"]),
    "verbose groups": ("", ["(?x:", "(?-x:", ")", "#", "\n", "\\", "a"]),
    "flags": ("", ["(?i)", "(?x)", "(?#)", "(?i:", "(?-i:", ")", "a", " "]),
    "escapes": ("", ["\\", "x4", "1", "[", "]", "^", "-", "A"]),
    "counts in verbose mode": ("(?x)", ["a", "{2", "}", " ", "#", "\n", "?", "+"]),
}
"""Heads of patterns, and signs to combine after each: every order of up to three, and longer ones by chance."""


@pytest.mark.parametrize("corner", CORNERS)
def test_signs_in_every_order(corner):
    """A comment ends and a flag holds where ``re`` says, also after a backslash and at the end of a pattern."""
    head, signs = CORNERS[corner]
    rng = random.Random(corner)
    orders = [list(order) for length in range(4) for order in product(signs, repeat=length)]
    orders += [rng.choices(signs, k=rng.randint(4, 9)) for _ in range(400)]
    for order in orders:
        pattern = head + "".join(order)
        with suppress(UnsupportedPattern):
            agrees(pattern, ["", "a", "aa", "A", "aA", "a a", " a", "(", ")", "\n", "a\n", "#a", "a#", "A1", "^", "-"])


# Random patterns, from a seed -----------------------------------------------------------------------

LETTERS = [*"aAkKs1_-#", " ", "\n", "\xe9", "\u212a", "\u017f", "\u0130", "\xdf", "\u1e9e"]
ESCAPES = listed(r"""
    \d \D \w \W \s \S \n \x41 \u212a \. \0 \101 \] \#
""")
ESCAPES += [r"\ "]
SIGNS = ["*", "+", "?", "{2}", "{0,2}", "{1,}", "{,2}", "*?", "+?", "??", "{1,2}?", "{}", "{a", "{,}", "{0}"]
SCOPES = ["i", "s", "x", "is", "a", "-i", "i-s", "-x", "u", "x-i", "ia", "-s", ""]
HEADS = ["", "", "", "(?i)", "(?x)", "(?s)", "(?a)", "(?ix)", "(?m)"]
SMALL = ["(?#c)", " ", "#x\n", "^", "$", r"\A", r"\Z", "()", "."]


def random_class(rng: random.Random) -> str:
    members = [rng.choice([*LETTERS, *ESCAPES, r"\b", "-", "^", "[", "&&", "--", "(", "A-z", "0-9", "\xe9-\u212a"])]
    members += rng.choices([*LETTERS, *ESCAPES], k=rng.randint(0, 2))
    return f"[{rng.choice(['', '', '^'])}{''.join(members)}]"


def random_pattern(rng: random.Random, depth: int) -> str:
    """Return a pattern that is mostly well formed."""

    def below() -> str:
        return random_pattern(rng, depth - 1)

    forms = [lambda: random_class(rng), *(partial(rng.choice, stock) for stock in (LETTERS, ESCAPES, SMALL))]
    if depth > 0:
        forms += [lambda: below() + below()] * 3 + [lambda: f"(?:{below()}){rng.choice(SIGNS)}"] * 2
        forms += [lambda: f"{below()}|{below()}", lambda: f"({below()})", lambda: f"(?{rng.choice(SCOPES)}:{below()})"]
    return rng.choice(forms)()


@pytest.mark.parametrize("seed", range(4))
def test_random_patterns(seed):
    """Four hundred patterns of everything that is supported, each on texts made of its own letters."""
    rng = random.Random(seed)
    read = 0
    for _ in range(400):
        pattern = rng.choice(HEADS) + random_pattern(rng, 4)
        own = [char for char in pattern if char not in "()[]|*+?{}\\^$."] or ["a"]
        over = ["".join(rng.choices([*LETTERS, *own], k=rng.randint(0, 4))) for _ in range(12)]
        over += [text.swapcase() for text in over[:4]]
        try:
            agrees(pattern, over)
            read += 1
        except UnsupportedPattern as refused:
            assert "the anchor" in refused.problem, pattern
    assert read > 300


# Signs in any order ------------------------------------------------------------------------------------

JUMBLE = [*"ab01|*+?(){}[]^$.\\-,:<>=!#Pixs ", "(?", "(?:", "(?P<n>", "(?i)", "(?x", "[^"]
JUMBLE += [r"\d", r"\b", "{2}", "{1,}", "*?"]
REFUSED = re.compile("the (anchor|word boundary|backreference|look|atomic group|conditional|possessive quantifier)")


@settings(PROPERTY, max_examples=600)
@given(st.lists(st.sampled_from(JUMBLE), max_size=12), st.booleans(), st.lists(st.text("ab01 -#\n"), max_size=5))
def test_refused_exactly_where_re_refuses(signs, ascii_only, over):
    """No other exception, whatever the pattern; a compiled pattern gives the verdicts of ``re``."""
    pattern = "".join(signs)
    try:
        agrees(pattern, over, ascii_only=ascii_only)
    except UnsupportedPattern as refused:
        assert REFUSED.match(refused.problem), refused.problem
        assert 0 <= refused.position < len(pattern) and compiled(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        *["(a|b)*abb", "a{1,3}(b|cc)*", "((a|bb)*c)+", r"((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}[0-9]{1,3}"],
        *[r"[a-z0-9._%+-]+@[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,6}", r"[0-9]{4}-[0-9]{2}(T[0-9]{2}(:[0-9]{2}){2}Z)?"],
    ],
)
def test_a_second_opinion(pattern):
    """The package interegular makes a minimal automaton too: as many states, but for its dead one."""
    theirs = interegular.parse_pattern(pattern).to_fsm().reduce()
    assert len(compile_dfa(pattern)) == sum(theirs.islive(state) for state in theirs.states)
