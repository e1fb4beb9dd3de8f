r"""Single characters of ECMA-262 patterns with the flag u: escapes, classes in brackets, the dot.

Ranges exclude surrogates, which occur in no text: ``\uD800`` matches nothing, and ``[^\uD800]`` everything.
"""

from labkit.automata.syntax import Class, Ranges
from labkit.errors import InvalidPattern
from labs.lab_06_regex_to_dfa.given.cursor import Cursor
from labs.lab_06_regex_to_dfa.solution import complement_ranges, merge_ranges
from mask_engine.ecma.escapes import one, read_escape

SURROGATES: Ranges = ((0xD800, 0xDFFF),)
_LINE_ENDS = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))


def characters(ranges: Ranges, *, negated: bool) -> Ranges:
    """Return the characters in the ranges, or outside them: canonical, without surrogates.

    >>> characters(((0x61, 0x7A), (0x62, 0x62)), negated=False), characters(((0, 0xFFFF),), negated=True)
    (((97, 122),), ((65536, 1114111),))
    """
    others = merge_ranges(ranges) if negated else complement_ranges(merge_ranges(ranges))
    return complement_ranges(merge_ranges((*others, *SURROGATES)))


def read_character(cursor: Cursor) -> Class:
    r"""Read a literal, an escape, or a dot.

    >>> read_character(Cursor(r"\x41")).ranges, read_character(Cursor(".")).ranges[:2]
    (((65, 65),), ((0, 9), (11, 12)))
    """
    start = cursor.position
    if cursor.skip("."):
        return Class(characters(_LINE_ENDS, negated=True), False, start)
    ranges = read_escape(cursor, in_class=False) if cursor.starts_with("\\") else one(ord(cursor.take()))
    return Class(characters(ranges, negated=False), False, start)


def read_class(cursor: Cursor) -> Class:
    """Read a class in brackets. ``[]`` matches nothing and ``[^]`` everything: a ``]`` always ends it.

    Raises:
        InvalidPattern: if it is never closed, or a range is reversed.

    >>> read_class(Cursor("[a-c-]")).ranges, read_class(Cursor("[]x]")).ranges
    (((45, 45), (97, 99)), ())
    """
    start = cursor.position
    cursor.take()
    negated = cursor.skip("^")
    ranges: list[tuple[int, int]] = []
    while not cursor.skip("]"):
        if cursor.at_end:
            raise InvalidPattern("this class is never closed", cursor.pattern, start)
        ranges += _read_member(cursor)
    return Class(characters(tuple(ranges), negated=negated), False, start)


def _read_member(cursor: Cursor) -> Ranges:
    r"""Read a character, a shorthand or a range. A ``-`` beside a shorthand, as in ``[\w-.]``, is a character."""
    start = cursor.position
    low = _read_end(cursor)
    if not cursor.starts_with("-") or cursor.starts_with("-]") or cursor.position + 1 == len(cursor.pattern):
        return low
    cursor.take()
    high = _read_end(cursor)
    if not (_is_single(low) and _is_single(high)):
        return (*low, *one(ord("-")), *high)
    if low[0][0] > high[0][0]:
        raise InvalidPattern("this range is reversed", cursor.pattern, start)
    return ((low[0][0], high[0][0]),)


def _read_end(cursor: Cursor) -> Ranges:
    return read_escape(cursor, in_class=True) if cursor.starts_with("\\") else one(ord(cursor.take()))


def _is_single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]
