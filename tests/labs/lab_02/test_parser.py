"""Lab 02, given code: escapes, items and classes, against Python's ``re``."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.errors import InvalidPattern, PatternError, UnsupportedPattern
from labs.lab_02_atom_fsm.solution import parse_class, parse_escape, parse_item

ALPHABET = "ab-9]\\n\n0c["


def test_an_escape_means_what_re_means_or_is_refused():
    for char in string.printable + "éßΩ٣":
        pattern = f"\\.\\{char}0041\\."
        if char.isascii() and char.isalnum() and char not in "nrt":
            with pytest.raises(UnsupportedPattern) as caught:
                parse_escape(pattern, 2)
            assert caught.value.position == 2
        else:
            meant, after = parse_escape(pattern, 2)
            assert after == 4 and re.fullmatch(pattern, f".{meant}0041.")


ITEMS = [
    *[("[abc]", 2, "b", 3), ("[a-f]", 1, "abcdef", 4), ("[x0-3]", 2, "0123", 5), (r"[\+-\.]", 1, "+,-.", 6)],
    *[("[a-]", 1, "a", 2), ("[-a]", 1, "-", 2), ("[a-", 1, "a", 2), ("[xa-]bc]", 2, "a", 3), ("[+--]", 1, "+,-", 4)],
    *[("[Z-[]", 1, "Z[", 4), (r"[Z-\]]", 1, r"Z[\]", 5), (r"[a\-z]", 1, "a", 2), ("[à-â]", 1, "àáâ", 4)],
]
"""Pattern and position, then the item there: its characters, and the position after it."""


@pytest.mark.parametrize(("pattern", "position", "chars", "after"), ITEMS)
def test_items_of_a_class(pattern, position, chars, after):
    assert parse_item(pattern, position) == (set(chars), after)


@pytest.mark.filterwarnings("ignore:Possible set difference:FutureWarning")
@PROPERTY
@given(st.text("ab-9]\\n", min_size=1, max_size=6))
def test_a_class_means_what_re_means_or_is_refused(inside):
    pattern = f"[{inside}]"
    try:
        chars, after = parse_class(pattern, 0)
    except PatternError:
        return
    assert not pattern.startswith("[]") and re.fullmatch(r"\[(?:[^\]\\]|\\.)+\]", pattern[:after], re.S)
    assert chars & {*ALPHABET} == {char for char in ALPHABET if re.fullmatch(pattern[:after], char)}


@pytest.mark.parametrize(
    ("kind", "pattern", "start", "position"),
    [
        *[(InvalidPattern, "[", 0, 0), (InvalidPattern, "x[a-", 1, 1), (InvalidPattern, r"[a\]", 0, 0)],
        *[(InvalidPattern, "a[]b]", 1, 1), (UnsupportedPattern, "a[^b]", 1, 1), (UnsupportedPattern, "[^", 0, 0)],
        *[(InvalidPattern, "[9-0", 0, 1), (UnsupportedPattern, r"x[a\d]", 1, 3), (InvalidPattern, "x[a\\", 1, 3)],
    ],
)
def test_a_class_is_refused_at_its_bracket_and_an_item_where_it_is(kind, pattern, start, position):
    with pytest.raises(kind) as caught:
        parse_class(pattern, start)
    assert caught.value.position == position
