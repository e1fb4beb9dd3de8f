"""Escapes, with the meaning that Python's ``re`` gives them, as ranges of code points."""

import unicodedata

from labkit.automata.syntax import Ranges
from labs.lab_06_regex_to_dfa.given.cursor import Cursor
from labs.lab_06_regex_to_dfa.given.unicode_classes import shorthand

_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_SHORTHANDS = "dDsSwW"
_OCTAL = "01234567"
_DIGITS = "0123456789"


def read_escape(cursor: Cursor) -> Ranges:
    r"""Read an escape outside a class; the cursor follows its backslash.

    Raises:
        UnsupportedPattern: for a backreference or a word boundary.

    >>> read_escape(Cursor("x41")), read_escape(Cursor(".")), read_escape(Cursor("012"))
    (((65, 65),), ((46, 46),), ((10, 10),))
    """
    start = cursor.position - 1
    if cursor.starts_with("b") or cursor.starts_with("B"):
        raise cursor.unsupported(rf"the word boundary \{cursor.take()}", start)
    digits = cursor.pattern[cursor.position : cursor.position + 3]
    # a character's octal number comes after a 0, or has three octal digits
    if "1" <= digits[:1] <= "9" and not (len(digits) == 3 and all(digit in _OCTAL for digit in digits)):
        raise cursor.unsupported(rf"the backreference \{cursor.take_while(_DIGITS, 2)}", start)
    return _read_common(cursor)


def read_class_escape(cursor: Cursor) -> Ranges:
    r"""Read an escape within ``[...]``, where ``\b`` is the backspace and digits are octal.

    >>> read_class_escape(Cursor("b")), read_class_escape(Cursor("07x"))
    (((8, 8),), ((7, 7),))
    """
    return one(8) if cursor.skip("b") else _read_common(cursor)


def _read_common(cursor: Cursor) -> Ranges:
    """Return the escapes that mean the same inside and outside a class."""
    if not cursor.at_end and cursor.pattern[cursor.position] in _OCTAL:
        return one(int(cursor.take_while(_OCTAL, 3), 8))
    letter = cursor.take()
    if letter in _SHORTHANDS:
        return shorthand(letter, ascii_only=cursor.flags.ascii_only)
    if letter in _HEX_DIGITS:
        return one(int(cursor.take(_HEX_DIGITS[letter]), 16))
    if letter == "N":
        cursor.take()
        return one(ord(unicodedata.lookup(cursor.take_until("}"))))
    return one(_CONTROLS.get(letter, ord(letter)))


def one(code_point: int) -> Ranges:
    """Return the ranges of a single code point."""
    return ((code_point, code_point),)
