"""Lab 06, given code: the syntax of a pattern. Groups, flags, verbose mode, quantifiers, braces, anchors.

The oracle is the running Python's ``re``: a pattern that it refuses is refused, and any other gives the same verdicts.
"""

import doctest
import importlib

import pytest

from course.student.core.catalog import ROOT
from labkit.automata.syntax import Anchor, Bar, Class, Close, Open, Quantifier
from labkit.errors import InvalidPattern, UnsupportedPattern
from labs.lab_06_regex_to_dfa.given.items import read_items
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from tests.labs.lab_06 import listed
from tests.regexes import agrees, check_texts, texts

GIVEN = sorted(path.stem for path in (ROOT / "labs" / "lab_06_regex_to_dfa" / "given").glob("*.py"))


@pytest.mark.parametrize("name", GIVEN)
def test_examples_in_the_given_code_are_true(name):
    module = importlib.import_module(f"labs.lab_06_regex_to_dfa.given.{name}")
    found = doctest.testmod(module)
    assert found.failed == 0 and (found.attempted or name == "__init__")


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


@pytest.mark.parametrize("pattern", GROUPS)
def test_groups(pattern):
    agrees(pattern, [*texts("abc", 3), "(", "?"])


FLAGS = listed(r"""
    (?i)aB (?i:a)b (?i)a(?-i:b)a (?i)(?-i:a(?i:b))a ((?i:a))a (?i:a|b)a (?i:(a)b)*a (?s).a (?s:.)a. (?s)(?-s:.).
    (?is)A. (?i)(?s)a. (?i-s:.A) (?s)(?i-s:.A)a (?m)a (?m)^a$ (?u)a (?a)a (?a:a)b (?u:a)b (?L)a (?a)(?u:b) (?ai:a)B
    (?au)a (?i-i:a) (?-a:a) (?-i)a (?-:a) (?:(?i)a) a(?i)b (?i)a(?s)b (?z)a (?iz:a) (?i (?i:a (?i:a)(?i:b)*
""")
FLAGS += ["(?x)(?i)a b", "(?i)(?x) a b"]


@pytest.mark.parametrize("pattern", FLAGS)
def test_flags_for_all_and_for_a_part(pattern):
    agrees(pattern, texts("abAB\n", 3))


VERBOSE = [
    "(?x) a b ",
    "(?x)a # the first\n b # the second",
    "(?x)a # the end",
    "(?x)a#",
    "(?x)\n\t a\v\f\rb",
    "(?x)a\\ b",
    "(?x)a\\#b",
    "(?x)[ #]a",
    "(?x)a[ ]b # ]",
    "(?x)a *",
    "(?x)a {2}",
    "(?x)a{2} ?",
    "(?x)a + +",
    "(?x)a{1, 2}",
    "(?x)( a | b ) *",
    "(?x)( ?: a)",
    "(?x)(?: a # (\n )",
    "(?x: a b )a b",
    "(?x: a (?-x: b) )a",
    "(?x)a(?-x: b)a",
    "a (?x: b )",
    "(?x)(?i) a",
    "(?x: a#b\n)a",
    "(?x)a\u00a0b",
    "(?x)^ a $",
    "(?x)^ a $ # end",
    "(?x)a |",
    "(?x)(?# a ) b",
    "(?x)# all of it is a comment",
    "a# no comment",
]


@pytest.mark.parametrize("pattern", VERBOSE)
def test_verbose_mode(pattern):
    agrees(pattern, [*texts("ab #", 3), "a\u00a0b", "a {2}", "a# no comment", "a{1,2}", "a{1, 2}", "ab#b\n"])


QUANTIFIED = listed(r"""
    a* a+ a? a*?b a+?b a??b a{2} a{2}? a{2,} a{2,}?b a{,2} a{,2}?b a{1,2}?a a{,} a{0} a{0}b a{0,0}b (ab){0}a a{00}
    a{01,02} a{2,1} (a{2}){2} (a?){2} (a*)* (a*b?)* (|a)+ (a|){2,3} a** a{2}{2} a+* *a |* (*a) a|? (?:)* (?:)+a
    (){3}a (?#x)* a(?#x)* [a]* .{2} \d{1,2}a a{4294967295} a{1,4294967295} {2} ^*a a$+
""")


@pytest.mark.parametrize("pattern", QUANTIFIED)
def test_quantifiers(pattern):
    """Lazy is greedy for a whole text; a count may lack either end; a quantifier without a body is refused."""
    if pattern.endswith("4294967295}"):
        with pytest.raises(InvalidPattern, match="the repetition number is too large"):
            compile_dfa(pattern)
        return
    agrees(pattern, [*texts("ab", 5), "", "1a", "12a", "aaaaaa"])


BRACES = listed(r"""
    { } {} a{ a{} a{1 a{1, a{, a{1,2 a{a} a{1,a} a{-1} a{,1 {a} {a}* a{}* a{{1} a{1}} {,} (?:a){ [{]{2} a{+1} a{1}{
    a|{ ({)
""")
BRACES += ["a{ 1}", "a{1 }", "a{\u0661}"]


@pytest.mark.parametrize("pattern", BRACES)
def test_braces_that_count_nothing_are_characters(pattern):
    agrees(pattern, [*texts("a{}", 3), pattern, pattern + "}", "a{1}", "a{1}}", "a{{", "aa", "{a}}", "a{-1}", "{1}"])


ANCHORED = listed(r"""
    ^a a$ ^a$ \Aa\Z ^\Aa\Z$ ^^a$$ ^(a|b)$ ^a|b$ ^a$|^b$ (^a|b)(a|b$) (^)a a($) ^ $ ^$ $^ \A\Z \Z\A ()^a (|)^a
    ^(?:)^a a$() (?:^a)? (^a)? a(b$)? a{0}^a (^a){1} (?:^){1}a (?m)^a$ (?m)\Aa\Z (?i)^A$ ^(a$) ^((^a$)|b)$ |^a
""")
ANCHORED += ["", "(?x)^ a $"]


@pytest.mark.parametrize("pattern", ANCHORED)
def test_anchors_at_the_ends_say_nothing_new(pattern):
    check_texts(pattern, [*texts("ab\n", 3), "A"])


INNER = [
    ("a^", 1, "^"),
    ("$a", 0, "$"),
    ("a$\n", 1, "$"),
    ("a$b", 1, "$"),
    ("a^b", 1, "^"),
    (r"a\Ab", 1, r"\A"),
    (r"a\Zb", 1, r"\Z"),
    ("(a$)b", 2, "$"),
    ("a(^b)", 2, "^"),
    ("(a|b$)c", 4, "$"),
    ("a?^b", 2, "^"),
    ("a*$b*", 2, "$"),
    ("(^a)*", 1, "^"),
    ("(a$)+", 2, "$"),
    ("(^a){2}", 1, "^"),
    ("(a$){0,2}", 2, "$"),
    ("(?m)a$\n^b", 5, "$"),
    ("^a|b^", 4, "^"),
    ("x(?:^|a)b", 4, "^"),
    ("(a|^)*b", 3, "^"),
]


@pytest.mark.parametrize(("pattern", "position", "anchor"), INNER)
def test_anchors_inside_are_refused(pattern, position, anchor):
    """They have a meaning there, mostly that nothing matches: refused by name and place, never dropped."""
    with pytest.raises(UnsupportedPattern) as caught:
        compile_dfa(pattern)
    assert (caught.value.position, caught.value.pattern) == (position, pattern)
    assert caught.value.problem == f"the anchor {anchor} inside a pattern is not supported"
