"""Lab 06, given code: the syntax of a pattern. Groups, flags, verbose mode, quantifiers, braces, anchors.

The oracle is the running Python's ``re``: a pattern that it refuses is refused, and any other gives the same verdicts.
"""

import random
from contextlib import suppress
from itertools import product

import pytest

from labkit.automata.syntax import Anchor, Bar, Class, Close, Open, Quantifier
from labkit.errors import UnsupportedPattern
from labs.lab_06_regex_to_dfa.given.items import read_items
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from tests.labs import listed, marked
from tests.regexes import agrees, check_texts
from tests.walks import words


def test_items_with_their_places():
    """Every item knows its position; comments, flags and the names of groups are no items."""
    items = read_items(r"^(?P<y>[\x61-c]+?)|(?#no)\n{2}$")
    expected = [
        Anchor("^", 0),
        Open(1),
        Class(((97, 99),), False, 7),
        Quantifier(1, None, 15),
        Close(17),
        Bar(18),
        Class(((10, 10),), False, 25),
        Quantifier(2, 2, 27),
        Anchor("$", 30),
    ]
    assert items == expected


GROUPS = listed(r"""
    (a)(b) (?:a|b)c (?P<name>a)(?P<other_1>b) (?P<n>a)(?P<n>b) (?P<1>a) (?P<>a) (?P<a (?Pa) (?#comment)a a(?#a|b(c)b
    a(?#)* (?#x ((a)(?:(b)))c? () (|) a||b (a a) (?) (? (?a (?: (?<n>a) (?|a)
""")
FLAGS = listed(r"""
    (?i)aB (?i:a)b (?i)a(?-i:b)a (?i)(?-i:a(?i:b))a ((?i:a))a (?i:a|b)a (?i:(a)b)*a (?s).a (?s:.)a. (?s)(?-s:.).
    (?is)A. (?i)(?s)a. (?i-s:.A) (?s)(?i-s:.A)a (?m)a (?m)^a$ (?u)a (?a)a (?a:a)b (?u:a)b (?L)a (?a)(?u:b) (?ai:a)B
    (?au)a (?i-i:a) (?-a:a) (?-i)a (?-:a) (?:(?i)a) a(?i)b (?i)a(?s)b (?z)a (?iz:a) (?i (?i:a (?i:a)(?i:b)*
""")
VERBOSE = listed(r"""
    (?x)(?i)a_b (?i)(?x)_a_b (?x)_a_b_ (?x)a_#_the_first~_b_#_the_second (?x)a_#_the_end (?x)a# (?x)a\_b (?x)a\#b
    (?x)[_#]a (?x)a[_]b_#_] (?x)a_* (?x)a_{2} (?x)a{2}_? (?x)a_+_+ (?x)a{1,_2} (?x)(_a_|_b_)_* (?x)(_?:_a)
    (?x)(?:_a_#_(~_) (?x:_a_b_)a_b (?x:_a_(?-x:_b)_)a (?x)a(?-x:_b)a a_(?x:_b_) (?x)(?i)_a (?x:_a#b~)a
    (?x)^_a_$ (?x)^_a_$_#_end (?x)a_| (?x)(?#_a_)_b (?x)#_all_of_it_is_a_comment a#_no_comment
""")
VERBOSE = ["(?x)\n\t a\v\f\rb", "(?x)a\u00a0b", *(each.replace("_", " ").replace("~", "\n") for each in VERBOSE)]
QUANTIFIED = listed(r"""
    a* a+ a? a*?b a+?b a??b a{2} a{2}? a{2,} a{2,}?b a{,2} a{,2}?b a{1,2}?a a{,} a{0} a{0}b a{0,0}b (ab){0}a a{00}
    a{01,02} a{2,1} (a{2}){2} (a?){2} (a*)* (a*b?)* (|a)+ (a|){2,3} a** a{2}{2} a+* *a |* (*a) a|? (?:)* (?:)+a
    (){3}a (?#x)* a(?#x)* [a]* .{2} \d{1,2}a {2} ^*a a$+
""")
BRACES = listed(r"""
    { } {} a{ a{} a{1 a{1, a{, a{1,2 a{a} a{1,a} a{-1} a{,1 {a} {a}* a{}* a{{1} a{1}} {,} (?:a){ [{]{2} a{+1} a{1}{
    a|{ ({)
""")
BRACES += ["a{ 1}", "a{1 }", "a{\u0661}"]
SPACED = ["a\u00a0b", "a {2}", "a# no comment", "a{1,2}", "a{1, 2}", "ab#b\n"]
BRACED = ["a{1}", "a{1}}", "a{{", "aa", "{a}}", "a{-1}", "{1}"]
READ = [
    *((pattern, [*words("abc", 3), "(", "?"]) for pattern in GROUPS),
    *((pattern, words("abAB\n", 3)) for pattern in FLAGS),
    *((pattern, [*words("ab #", 3), *SPACED]) for pattern in VERBOSE),
    *((pattern, [*words("ab", 5), "1a", "12a", "aaaaaa"]) for pattern in QUANTIFIED),
    *((pattern, [*words("a{}", 3), *BRACED, pattern, pattern + "}"]) for pattern in BRACES),
]


@pytest.mark.parametrize(("pattern", "over"), READ, ids=[pattern for pattern, _ in READ])
def test_every_construct_is_read_or_refused_as_re_does(pattern, over):
    agrees(pattern, over)


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


@pytest.mark.parametrize(
    ("pattern", "text"), [(r"ab(?#comment\))cd", "abcd"), (r"a(?#\)(x)b", "ab"), ("(?x)a#\\\nb", "a")]
)
def test_a_backslash_hides_the_end_of_a_comment(pattern, text):
    check_texts(pattern, [text, "ab", "axb", "a"])
    assert fullmatch(compile_dfa(pattern), text)


ANCHORED = listed(r"""
    ^a a$ ^a$ \Aa\Z ^\Aa\Z$ ^^a$$ ^(a|b)$ ^a|b$ ^a$|^b$ (^a|b)(a|b$) (^)a a($) ^ $ ^$ $^ \A\Z \Z\A ()^a (|)^a
    ^(?:)^a a$() (?:^a)? (^a)? a(b$)? a{0}^a (^a){1} (?:^){1}a (?m)^a$ (?m)\Aa\Z (?i)^A$ ^(a$) ^((^a$)|b)$ |^a
""")
ANCHORED += ["", "(?x)^ a $"]


@pytest.mark.parametrize("pattern", ANCHORED)
def test_anchors_at_the_ends_say_nothing_new(pattern):
    check_texts(pattern, [*words("ab\n", 3), "A"])


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
