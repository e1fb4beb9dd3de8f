"""Lab 06, given code: refusals, with kind of error, message and position; and hostile input."""

import re

import pytest

from labkit.automata.dfa import MAX_DFA_STATES, MAX_NFA_STATES, MAX_SUBSET_MEMBERS, MAX_TRANSITIONS
from labkit.errors import InvalidPattern, LimitExceeded, UnsupportedPattern
from labs.lab_06_regex_to_dfa.given.check import MAX_DEPTH, MAX_PATTERN
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from tests.labs.lab_06 import listed
from tests.regexes import compiled

UNSUPPORTED = [
    ("a(?=b)", 1, "the lookahead (?=...)"),
    ("(?!a)b", 0, "the lookahead (?!...)"),
    ("a(?<=a)b", 1, "the lookbehind (?<=...)"),
    ("(?<!a)b", 0, "the lookbehind (?<!...)"),
    ("a(?>b*)", 1, "the atomic group (?>...)"),
    ("(a)?(?(1)b|c)", 4, "the conditional (?(...)...)"),
    ("(?P<n>a)(?(n)b)", 8, "the conditional (?(...)...)"),
    ("(?P<n>a)(?P=n)", 8, "the backreference (?P=...)"),
    (r"(a)\1", 3, r"the backreference \1"),
    (r"(a)(b)x\2", 7, r"the backreference \2"),
    (r"(a)" * 12 + r"\12", 36, r"the backreference \12"),
    (r"(a)\18", None, None),
    (r"\bword", 0, r"the word boundary \b"),
    (r"a\B", 1, r"the word boundary \B"),
    ("a*+", 1, "the possessive quantifier *+"),
    ("ab++", 2, "the possessive quantifier ++"),
    ("(a)?+b", 3, "the possessive quantifier ?+"),
    ("a{1,2}+", 1, "the possessive quantifier {1,2}+"),
    ("a{3}+", 1, "the possessive quantifier {3}+"),
    ("a{,3}+", 1, "the possessive quantifier {,3}+"),
    ("(?x) a # c\n (?= b)", 12, "the lookahead (?=...)"),
    (r"[\b]\b", 4, r"the word boundary \b"),
]


@pytest.mark.parametrize(("pattern", "position", "construct"), UNSUPPORTED)
def test_what_is_not_regular_is_refused_by_name_and_place(pattern, position, construct):
    if construct is None:  # re does not know group 18 either
        with pytest.raises(InvalidPattern):
            compile_dfa(pattern)
        return
    assert compiled(pattern), "re knows it, so it is not malformed"
    with pytest.raises(UnsupportedPattern) as caught:
        compile_dfa(pattern)
    found = (caught.value.problem, caught.value.position, caught.value.pattern)
    assert found == (f"{construct} is not supported", position, pattern)


@pytest.mark.parametrize(
    "pattern", ["a{1,2}{3}+", "(?<=a*)b", "(?(2)a|b)", r"(?<=\1)(a)", "(?P=n)", "a*+*", r"\3", "(?>a"]
)
def test_malformed_comes_first(pattern):
    """A pattern that ``re`` refuses is malformed, whatever else it holds."""
    with pytest.raises(re.error):
        compiled(pattern)
    with pytest.raises(InvalidPattern):
        compile_dfa(pattern)


MALFORMED = listed(r"""
    a(b a) [a x[b-a] [] a** *a a|* a{2,1} a{2}{3} (?P<n>a)(?P<n>b) a(?i)b (?z) a(?#b \q [\q] \x4 \u12 \U00110000
    \400 a\1 [a-\d]
""")
MALFORMED += ["\\", r"\N{NO SUCH NAME}", "\n\n(", "\xe9("]


@pytest.mark.parametrize("pattern", MALFORMED)
def test_malformed_patterns_in_the_words_of_re_and_at_its_place(pattern):
    """The message ends in a caret below the place."""
    with pytest.raises(re.error) as theirs:
        compiled(pattern)
    with pytest.raises(InvalidPattern) as caught:
        compile_dfa(pattern)
    assert (caught.value.problem, caught.value.position) == (theirs.value.msg, theirs.value.pos)
    assert str(caught.value).splitlines()[-1] == " " * (4 + len(ascii(pattern[: theirs.value.pos])) - 2) + "^"


@pytest.mark.parametrize(
    ("pattern", "ascii_only", "message"),
    [
        ("a{4294967295}", False, "the repetition number is too large"),
        (f"a{{{'9' * 5000}}}", False, "Exceeds the limit"),
        ("(?u)a", True, "ASCII and UNICODE flags are incompatible"),
    ],
)
def test_what_re_refuses_with_other_errors(pattern, ascii_only, message):
    """Numbers that are too large and flags that conflict do not raise errors of Python's own."""
    with pytest.raises(InvalidPattern, match=message):
        compile_dfa(pattern, ascii_only=ascii_only)


@pytest.mark.parametrize("value", [None, 3, b"ab", ["a"], re.compile("a")], ids=lambda value: type(value).__name__)
def test_a_pattern_is_a_text(value):
    with pytest.raises(TypeError, match="a pattern is a text, not"):
        compile_dfa(value)


# Limits ------------------------------------------------------------------------------------------------

EXPLOSIONS = {
    "more subsets than states": ("(a|b)*a(a|b){20}", MAX_DFA_STATES, "too many DFA states of an NFA of 111 states"),
    "a long table": (
        "(" + "|".join(f"{chr(n)}{{400}}" for n in range(0x4E00, 0x4E00 + 150)) + ")",
        MAX_TRANSITIONS,
        "table",
    ),
    "copies of copies": ("((a{100}){100}){100}", MAX_NFA_STATES, "too many NFA states"),
    "a large count": ("a{0,4294967294}", MAX_NFA_STATES, "too many NFA states"),
    "closures of closures": ("(?:a?){3000}", MAX_SUBSET_MEMBERS, "hold too much"),
    "too long": ("a" * (MAX_PATTERN + 1), MAX_PATTERN, "the pattern has 200,001 characters"),
    "parentheses alone": ("(" * 100_000, MAX_DEPTH, "nested too deep"),
    "parentheses in pairs": ("(" * 50_000 + ")" * 50_000, MAX_DEPTH, "nested too deep"),
    "ten thousand groups inside each other": ("(?:" * 10_000 + "a" + ")" * 10_000, MAX_DEPTH, "nested too deep"),
    "one group too deep": (
        "(" * 101 + "a" + ")" * 101,
        MAX_DEPTH,
        "the group at position 100 of the pattern is nested",
    ),
}


@pytest.mark.parametrize("name", EXPLOSIONS)
def test_what_grows_too_large_meets_its_limit(name):
    """The error says what exploded, and at which limit."""
    pattern, limit, message = EXPLOSIONS[name]
    with pytest.raises(LimitExceeded, match=message) as caught:
        compile_dfa(pattern)
    assert caught.value.limit == limit


@pytest.mark.parametrize(
    ("pattern", "n_states"),
    [
        ("(?:){999999999}", 1),
        ("(|(?:)){999999999}", 1),
        ("(a{0}|b{0}){999999999}", 1),
        ("(" * 100 + "a" + ")*" * 100, 1),
        ("(" * 100 + "a" + ")?" * 100, 2),
        ("(?:(?:a|b)*){300}", 1),
        ("a" * 5000, 5001),
        (r"\w{1,500}", 501),
        ("(a|ab|abc){500}", 1501),
        (".{0,200}", 201),
        ("|".join(f"word{n}" for n in range(500)), None),
    ],
    ids=lambda value: f"{value[:20]}..." if isinstance(value, str) else str(value),
)
def test_what_only_looks_large_is_compiled(pattern, n_states):
    dfa = compile_dfa(pattern)
    assert n_states is None or len(dfa) == n_states


@pytest.mark.parametrize("text", ["\0", "\ud800", "\udfff\ud800", "\U0010ffff", "\x7f\x80", "\u2028"])
def test_odd_characters_are_characters(text):
    """NUL, halves of surrogate pairs, the last code point: each matches itself."""
    dfa = compile_dfa(re.escape(text))
    assert fullmatch(dfa, text) and not fullmatch(dfa, text + text) and not fullmatch(dfa, "")
    inside = compile_dfa(f"[{re.escape(text)}]")
    assert all(fullmatch(inside, char) for char in text) and not fullmatch(inside, "a")
