"""Lab 06, given code: refusals, with kind of error, message and position; and hostile input."""

import re

import pytest

from labkit.errors import InvalidPattern, LimitExceeded, UnsupportedPattern
from labs.lab_06_regex_to_dfa.given import pairs, subsets, unfolding
from labs.lab_06_regex_to_dfa.given.check import MAX_DEPTH, MAX_PATTERN
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from tests.labs import listed, marked
from tests.regexes import compiled

UNSUPPORTED = {
    "the lookahead (?=...)": "a¦(?=b)",
    "the lookahead (?!...)": "¦(?!a)b",
    "the lookbehind (?<=...)": "a¦(?<=a)b",
    "the lookbehind (?<!...)": "¦(?<!a)b",
    "the atomic group (?>...)": "a¦(?>b*)",
    "the conditional (?(...)...)": "(a)?¦(?(1)b|c) (?P<n>a)¦(?(n)b)",
    "the backreference (?P=...)": "(?P<n>a)¦(?P=n)",
    r"the backreference \1": r"(a)¦\1",
    r"the backreference \2": r"(a)(b)x¦\2",
    r"the backreference \12": "(a)" * 12 + r"¦\12",
    r"the word boundary \b": r"¦\bword [\b]¦\b",
    r"the word boundary \B": r"a¦\B",
    "the possessive quantifier *+": "a¦*+",
    "the possessive quantifier ++": "ab¦++",
    "the possessive quantifier ?+": "(a)¦?+b",
    "the possessive quantifier {1,2}+": "a¦{1,2}+",
    "the possessive quantifier {3}+": "a¦{3}+",
    "the possessive quantifier {,3}+": "a¦{,3}+",
}
REFUSED = [(*each, construct) for construct, table in UNSUPPORTED.items() for each in marked(table)]
REFUSED += [("(?x) a # c\n (?= b)", 12, "the lookahead (?=...)")]


@pytest.mark.parametrize(("pattern", "position", "construct"), REFUSED)
def test_what_is_not_regular_is_refused_by_name_and_place(pattern, position, construct):
    assert compiled(pattern), "re knows it, so it is not malformed"
    with pytest.raises(UnsupportedPattern) as caught:
        compile_dfa(pattern)
    found = (caught.value.problem, caught.value.position, caught.value.pattern)
    assert found == (f"{construct} is not supported", position, pattern)


MALFORMED = listed(r"""
    a(b a) [a x[b-a] [] a** *a a|* a{2,1} a{2}{3} (?P<n>a)(?P<n>b) a(?i)b (?z) a(?#b \q [\q] \x4 \u12 \U00110000
    \400 a\1 [a-\d]
""")
MALFORMED += listed(r"a{1,2}{3}+ (?(2)a|b) (?<=\1)(a) (?P=n) a*+* \3 (a)\18 (?>a")
MALFORMED += ["\\", r"\N{NO SUCH NAME}", "\n\n(", "\xe9("]


@pytest.mark.parametrize("pattern", MALFORMED)
def test_malformed_patterns_in_the_words_of_re_and_at_its_place(pattern):
    """Whatever else the pattern holds. The message ends in a caret below the place."""
    with pytest.raises(re.error) as theirs:
        compiled(pattern)
    with pytest.raises(InvalidPattern) as caught:
        compile_dfa(pattern)
    assert (caught.value.problem, caught.value.position) == (theirs.value.msg, theirs.value.pos)
    assert str(caught.value).splitlines()[-1] == " " * (4 + len(ascii(pattern[: theirs.value.pos])) - 2) + "^"


@pytest.mark.parametrize("pattern", ["a{4294967295}", "a{1,4294967295}", f"a{{{'9' * 5000}}}"], ids=len)
def test_what_re_refuses_with_other_errors(pattern):
    """Numbers that are too large and flags that conflict do not raise errors of Python's own."""
    with pytest.raises(InvalidPattern, match=r"the repetition number is too large|Exceeds the limit"):
        compile_dfa(pattern)
    with pytest.raises(InvalidPattern, match="ASCII and UNICODE flags are incompatible"):
        compile_dfa("(?u)a", ascii_only=True)


@pytest.mark.parametrize("value", [None, 3, b"ab", ["a"], re.compile("a")], ids=lambda value: type(value).__name__)
def test_a_pattern_is_a_text(value):
    with pytest.raises(TypeError, match="a pattern is a text, not"):
        compile_dfa(value)


# Limits ------------------------------------------------------------------------------------------------

EXPLOSIONS = {
    "more subsets than states": ("(a|b)*a(a|b){20}", pairs.MAX_DFA_STATES // 20, "too many states"),
    "a long table": ("|".join(f"{chr(n)}{{22}}" for n in range(0x4E00, 0x4E8C)), pairs.MAX_TRANSITIONS // 20, "table"),
    "copies of copies": ("((a{100}){100}){100}", unfolding.MAX_NFA_STATES // 20, "too many NFA states"),
    "a large count": ("a{0,4294967294}", unfolding.MAX_NFA_STATES // 20, "too many NFA states"),
    "closures of closures": ("(?:a?){700}", subsets.MAX_SUBSET_MEMBERS // 20, "hold too much"),
    "too long": ("a" * (MAX_PATTERN + 1), MAX_PATTERN, "the pattern has 200,001 characters"),
    "parentheses alone": ("(" * 100_000, MAX_DEPTH, "nested too deep"),
    "one group too deep": ("(" * 101 + "a" + ")" * 101, MAX_DEPTH, "the group at position 100 of the pattern"),
}


@pytest.mark.parametrize("name", EXPLOSIONS)
def test_what_grows_too_large_meets_its_limit(name, monkeypatch):
    """The error says what exploded, and at which limit. Where that takes time, the limit is a twentieth here."""
    pattern, limit, message = EXPLOSIONS[name]
    for module in (pairs, subsets, unfolding):
        for each in [each for each in vars(module) if each.startswith("MAX_")]:
            monkeypatch.setattr(module, each, getattr(module, each) // 20)
    with pytest.raises(LimitExceeded, match=message) as caught:
        compile_dfa(pattern)
    assert caught.value.limit == limit


@pytest.mark.parametrize(
    ("pattern", "n_states"),
    [
        ("(?:){999999999}", 1),
        ("(a{0}|b{0}){999999999}", 1),
        ("(" * 100 + "a" + ")?" * 100, 2),
        ("(?:(?:a|b)*){300}", 1),
        (r"\w{1,500}", 501),
        ("(a|ab|abc){100}", 301),
    ],
)
def test_what_only_looks_large_is_compiled(pattern, n_states):
    assert len(compile_dfa(pattern)) == n_states
