r"""Lab 06, given code: constructs that match one character. Escapes, ``\d \w \s``, classes, the dot, and case.

Where it matters all 1,114,112 code points are compared with the running Python's ``re``.
"""

import re
from functools import cache

import pytest

from labkit.errors import InvalidPattern, UnsupportedPattern
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from tests.labs import listed
from tests.regexes import check_characters, check_texts, compiled, everything

LATIN = [chr(n) for n in range(256)]
ANCHORS = "AZz"


def is_valid(pattern: str) -> bool:
    try:
        compiled(pattern)
    except re.error:
        return False
    return True


@pytest.mark.parametrize("form", ["\\{}", "[\\{}]", "x\\{}y", "[^\\{}]", "[a\\{}-]"])
def test_every_escape_of_one_letter(form):
    """A backslash before any of the first 256 characters: refused where re refuses, and otherwise the same."""
    for char in LATIN:
        pattern = form.format(char)
        inside = form.startswith("[")
        if not is_valid(pattern):
            with pytest.raises(InvalidPattern):
                compile_dfa(pattern)
        elif char in "bB" and not inside:
            with pytest.raises(UnsupportedPattern, match="the word boundary"):
                compile_dfa(pattern)
        elif char in ANCHORS and form == "x\\{}y":
            with pytest.raises(UnsupportedPattern, match="the anchor"):
                compile_dfa(pattern)
        else:
            x, y = ("x", "y") if "x" in form else ("", "")
            check_texts(pattern, [x + other + y for other in [*LATIN, "", "\\" + char, "\u03a9", "\U0010ffff"]])


LETTERS = (
    "abikszABIKSZ\xe9\xc9\xdf\u1e9e\u017f\u0131\u0130\xb5\u03bc\u03a9\u03c9\u2126\u212a\u212b\xc5\xe5\u01c5\u01c6"
    "\u03a3\u03c3\u03c2\u03b8\u03d1\u03d0\u03b2\u1e9b\u0345\u03b9\u0390\u1fd3\ufb05\ufb06"
    "\uab70\u13a0\u2d00\u10a0\U00010428\U00010400"
)
"""Among them the Kelvin, Ohm and Angstrom signs, the long s, both Turkish letters i, the three sigmas, Cherokee."""


@cache
def cased() -> list[str]:
    return [char for char in everything() if char.lower() != char or char.upper() != char]


@pytest.mark.parametrize("ascii_only", [False, True])
def test_letters_whose_case_does_not_matter(ascii_only):
    """Each letter and its negated class, by all characters that have a case."""
    for letter in LETTERS:
        for body in (letter, f"[^{letter}]"):
            oracle = compiled(f"(?i:{body})", ascii_only=ascii_only)
            dfa = compile_dfa(f"(?i:{body})", ascii_only=ascii_only)
            wrong = [c for c in cased() if (oracle.match(c) is not None) != (dfa.step(0, ord(c)) != -1)]
            assert not wrong, f"(?i:{body}), ascii {ascii_only}: {wrong[0]!r}"


SHORTHANDS = [form.format(letter) for form in ("\\{}", "[\\{}]", "[^\\{}]") for letter in "dDwWsS"]
PLAIN = listed(r"""
    \u212a \U0001f600 \U0010ffff \ud800 [\ud800-\udfff] [\x00-\U0010ffff] \377 \000 \0 . [^\n]
    [\w\s] [^\w\s] [\d\D] [^\d\D] [\W\d_] [\w.-] [^\S\n] [\s\S] [a\wz] [^\W\d]
""")
NAMED = [r"\N{KELVIN SIGN}", r"[\N{GREEK SMALL LETTER ALPHA}-\N{GREEK SMALL LETTER OMEGA}]"]
CASED = listed("""
    k \u017f \u0130 ß \uab70 1 \\. \U00010400 [a-z] [^a-z] [A-Z] [K-S] [^k] [\u13a0-\u13f4] [\u03b1-\u03c9]
    [\\w] [^\\d] [\\S] \\x4b [\\x41-\\x5a_] [^^] [^^a-c] [0\U00010400] [^0\U00010400k] [\U00010400-\U00010410]
    [^\u017f\u0130] [a-\U0010ffff]
""")
SOME = {"": [*PLAIN, *NAMED], "s": [".", "[.]"], "m": ["."], "a": [r"\d", r"[\w-]", r"\S", r"[^\s\d]"]}
BODIES = {**SOME, "i": CASED, "ia": CASED}


@pytest.mark.parametrize(("flags", "body"), [(flags, body) for flags, bodies in BODIES.items() for body in bodies])
def test_a_construct_matches_the_code_points_that_re_matches(flags, body):
    check_characters(body, flags)


@pytest.mark.parametrize("body", SHORTHANDS)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_shorthands_over_all_code_points(body, ascii_only):
    check_characters(body, ascii_only=ascii_only)


def test_a_capital_beyond_the_first_65536_keeps_its_case_in_a_choice():
    """Here alone the automaton and re may differ: where re makes one class of a choice, it forgets such capitals."""
    dfa = compile_dfa("(?i)0|\U00010400")
    assert [fullmatch(dfa, text) for text in ("0", "\U00010400", "\U00010428", "1")] == [True, True, True, False]
