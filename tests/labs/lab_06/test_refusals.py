"""Lab 06, given code: refusals, with kind of error, message and position; and hostile input."""

import re

import pytest

from labkit.errors import LimitExceeded, UnsupportedPattern
from labs.lab_06_regex_to_dfa.given import columns, subsets, unfolding
from labs.lab_06_regex_to_dfa.given.check import MAX_DEPTH, MAX_PATTERN
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from tests.labs import listed, marked
from tests.regexes import agrees, compiled
from tests.walks import words

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


ODD = listed(r"""
    (?L)a (?a)(?u:b) (?ai:a)B (?au)a (?i-i:a) (?-a:a) (?-i)a (?-:a) (?:(?i)a) (?iz:a) (?i:a (?P<1>a) (?Pa (?#x (?<n>a)
    (?|a) ^*a a$+ (?#x)* a(?#x)* a{00} a{01,02} (){3}a {a} a|{ ^(?:)^a (|)^a
""")
ODD += ["(?x)\n\t a\v\f\rb", "(?x)a\u00a0b", "(?x)^ a $ # end", "(?x)a{2} ?", "a{ 1}", "a{1 }", "a{\u0661}"]


@pytest.mark.parametrize("pattern", MALFORMED + ODD)
def test_odd_and_malformed_patterns_are_read_or_refused_as_re_does(pattern):
    """In its words and at its place, whatever else the pattern holds; common ones come in ``test_agreement.py``."""
    agrees(pattern, [*words("abA", 3), "aaaaaa", pattern, "a\u00a0b", "\n\t a\v\f\rb"])


@pytest.mark.parametrize("value", [None, 3, b"ab", ["a"], re.compile("a")], ids=lambda value: type(value).__name__)
def test_a_pattern_is_a_text(value):
    with pytest.raises(TypeError, match="a pattern is a text, not"):
        compile_dfa(value)


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


# Limits ------------------------------------------------------------------------------------------------

EXPLOSIONS = {
    "more subsets than states": ("(a|b)*a(a|b){20}", columns.MAX_DFA_STATES // 20, "too many states"),
    "a long table": (
        "|".join(f"{chr(n)}{{22}}" for n in range(0x4E00, 0x4E8C)),
        columns.MAX_TRANSITIONS // 20,
        "table",
    ),
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
    for module in (columns, subsets, unfolding):
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
