r"""Escapes of ECMA-262 with the flag u, as ranges of code points.

More lenient than the standard in one point, as validators are: any character that is not a letter or a digit may have a
backslash before it and means itself.
"""

import re

from labkit.automata.syntax import LAST_CODE_POINT, Ranges
from labkit.errors import InvalidPattern
from labs.lab_06_regex_to_dfa.given.cursor import Cursor
from labs.lab_06_regex_to_dfa.solution import complement_ranges
from mask_engine.ecma.properties import property_ranges, white_space

_CONTROLS = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_DIGITS: Ranges = ((0x30, 0x39),)
_WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_PAIR = re.compile(r"([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_BRACED = re.compile(r"\{([0-9a-fA-F]+)\}")
_FOUR = re.compile(r"[0-9a-fA-F]{4}")
_TWO = re.compile(r"[0-9a-fA-F]{2}")
_PROPERTY = re.compile(r"\{([A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?)\}")
_REFERENCE = re.compile(r"[1-9][0-9]*|k<[^>]*>")


def one(code_point: int) -> Ranges:
    """Return the ranges of a single code point."""
    return ((code_point, code_point),)


def read_escape(cursor: Cursor, *, in_class: bool) -> Ranges:
    r"""Read the escape at the cursor; within ``[...]`` a ``\b`` is the backspace.

    Raises:
        InvalidPattern: if there is no such escape.
        UnsupportedPattern: for a backreference, a word boundary, or a property that is not covered.

    >>> read_escape(Cursor(r"\/"), in_class=False), read_escape(Cursor(r"\cJ"), in_class=False)
    (((47, 47),), ((10, 10),))
    """
    start = cursor.position
    cursor.take()
    if not in_class:
        _refuse(cursor, start)
    letter = cursor.take()
    if letter in _CONTROLS:
        return one(_CONTROLS[letter])
    if letter and letter in "dDsSwW":
        ranges = white_space() if letter in "sS" else _DIGITS if letter in "dD" else _WORD
        return complement_ranges(ranges) if letter.isupper() else ranges
    if letter and letter in "pP":
        return _read_property(cursor, start, negated=letter == "P")
    return one(_read_code_point(cursor, letter, start, in_class=in_class))


def _refuse(cursor: Cursor, start: int) -> None:
    """Refuse word boundaries and backreferences."""
    if cursor.starts_with("b") or cursor.starts_with("B"):
        raise cursor.unsupported(rf"the word boundary \{cursor.take()}", start)
    if reference := _REFERENCE.match(cursor.pattern, cursor.position):
        raise cursor.unsupported(rf"the backreference \{reference[0]}", start)


def _read_property(cursor: Cursor, start: int, *, negated: bool) -> Ranges:
    named = _take(cursor, _PROPERTY)
    if named is None:
        raise InvalidPattern("a property needs braces, as in \\p{L}", cursor.pattern, start)
    ranges = property_ranges(named[1])
    if ranges is None:
        raise cursor.unsupported(f"the property \\p{named[0]}", start)
    return complement_ranges(ranges) if negated else ranges


def _read_code_point(cursor: Cursor, letter: str, start: int, *, in_class: bool) -> int:
    """Read the rest of an escape that means a single character; its letter is read already."""
    if letter == "u":
        return _read_unicode(cursor, start)
    if letter == "x" and (digits := _take(cursor, _TWO)):
        return int(digits[0], 16)
    if letter == "c" and cursor.position < len(cursor.pattern) and _is_letter(cursor.pattern[cursor.position]):
        return ord(cursor.take()) % 32
    if letter == "0" and not _is_digit(cursor.pattern[cursor.position : cursor.position + 1]):
        return 0
    if letter == "b" and in_class:
        return 8
    if not letter or _is_letter(letter) or _is_digit(letter):
        shown = cursor.pattern[start : start + 2]
        raise InvalidPattern(f"{shown} is no escape of ECMA-262 with the flag u", cursor.pattern, start)
    return ord(letter)


def _read_unicode(cursor: Cursor, start: int) -> int:
    r"""Read the digits after ``\u``: four, or a surrogate pair of two times four, or any number in braces."""
    if pair := _take(cursor, _PAIR):
        high, low = (int(half, 16) for half in pair.groups())
        return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)
    if digits := _take(cursor, _FOUR):
        return int(digits[0], 16)
    braced = _take(cursor, _BRACED)
    if braced is None or int(braced[1], 16) > LAST_CODE_POINT:
        raise InvalidPattern("\\u needs four hexadecimal digits, or braces around up to 10FFFF", cursor.pattern, start)
    return int(braced[1], 16)


def _take(cursor: Cursor, what: re.Pattern[str]) -> re.Match[str] | None:
    """Read a match of an expression at the cursor, if there is one."""
    found = what.match(cursor.pattern, cursor.position)
    if found:
        cursor.position = found.end()
    return found


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _is_digit(char: str) -> bool:
    return char.isascii() and char.isdigit()
