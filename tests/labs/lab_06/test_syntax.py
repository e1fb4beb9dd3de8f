"""Lab 06, given code: the syntax of a pattern. Groups, flags, verbose mode, quantifiers, braces, anchors.

The oracle is the running Python's ``re``: a pattern that it refuses is refused, and any other gives the same verdicts.
"""

import random
from contextlib import suppress
from itertools import product

import pytest

from labkit.errors import UnsupportedPattern
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from tests.labs import listed, marked
from tests.regexes import agrees
from tests.walks import words

ODD = listed(r"""
    (?L)a (?a)(?u:b) (?ai:a)B (?au)a (?i-i:a) (?-a:a) (?-i)a (?-:a) (?:(?i)a) a(?i)b (?z)a (?iz:a) (?i:a (?P<1>a)
    (?Pa (?P<n>a)(?P<n>b) (?#x (?<n>a) (?|a) ^*a a$+ (?#x)* a(?#x)* a{00} a{01,02} a{2,1} (){3}a {a} a|{ ^(?:)^a (|)^a
""")
ODD += ["(?x)\n\t a\v\f\rb", "(?x)a\u00a0b", "(?x)^ a $ # end", "(?x)a{2} ?", "a{ 1}", "a{1 }", "a{\u0661}"]


@pytest.mark.parametrize("pattern", ODD)
def test_odd_constructs_are_read_or_refused_as_re_does(pattern):
    """The common ones come in every order below, and in ``test_agreement.py``."""
    agrees(pattern, [*words("abA", 3), "aaaaaa", pattern, "a\u00a0b", "\n\t a\v\f\rb"])


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
    orders += [rng.choices(signs, k=rng.randint(4, 9)) for _ in range(800)]
    for order in orders:
        pattern = head + "".join(order)
        with suppress(UnsupportedPattern):
            agrees(pattern, ["", "a", "aa", "A", "aA", "a a", " a", "(", ")", "\n", "a\n", "#a", "a#", "A1", "^", "-"])


INNER = marked(r"""
    a¦^ ¦$a a¦$b a¦^b a¦\Ab a¦\Zb (a¦$)b a(¦^b) (a|b¦$)c a?¦^b a*¦$b* (¦^a)* (a¦$)+ (¦^a){2} (a¦$){0,2} ^a|b¦^
    x(?:¦^|a)b (a|¦^)*b
""")
INNER += [("a$\n", 1), ("(?m)a$\n^b", 5)]


@pytest.mark.parametrize(("pattern", "position"), INNER)
def test_anchors_inside_are_refused(pattern, position):
    """They have a meaning there, mostly that nothing matches: refused by name and place, never dropped."""
    anchor = pattern[position:][: 2 if pattern[position] == "\\" else 1]
    with pytest.raises(UnsupportedPattern) as caught:
        compile_dfa(pattern)
    assert (caught.value.position, caught.value.pattern) == (position, pattern)
    assert caught.value.problem == f"the anchor {anchor} inside a pattern is not supported"
