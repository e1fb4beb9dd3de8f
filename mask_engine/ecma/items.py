r"""From a pattern of ECMA-262 to the items of lab 06, whose parser finds their structure.

The dialect is that of the flag u, which JSON Schema asks for, read leniently where that is unambiguous: a brace that is
not a quantifier, and a closing bracket alone, mean themselves, and any character that is not a letter or a digit may
have a backslash before it. Ranges exclude surrogates, which occur in no text: ``[^\uD800]`` matches everything.
"""

import re
from typing import NoReturn

from labkit.automata.syntax import LAST_CODE_POINT, Anchor, Bar, Class, Close, Item, Open, Quantifier, Ranges
from labkit.errors import InvalidPattern, LimitExceeded
from labs.lab_06_regex_to_dfa.given.check import MAX_DEPTH, MAX_PATTERN
from labs.lab_06_regex_to_dfa.given.cursor import Cursor
from labs.lab_06_regex_to_dfa.given.escapes import one
from labs.lab_06_regex_to_dfa.given.ranges import complement_ranges, merge_ranges
from mask_engine.ecma.properties import WHITE_SPACE, property_ranges

_GROUP = re.compile(
    r"\((?:(?P<look>\?<?[=!])|\?<(?:[^\W\d]|\$)[\w$]*>|\?:|(?P<flags>\?[a-z]*-?[a-z]*[:)])|(?P<bad>\?))?"
)
_COUNTS = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_OPEN_COUNTS = re.compile(r"\{,[0-9]+\}")
_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_MANY = 10**9
"""More than any automaton has states; every larger count is read as this one."""

_ESCAPE = re.compile(
    r"""\\(?: (?P<border>[bB]) | (?P<reference>[1-9][0-9]*|k<[^>]*>)
      | (?P<set>[dDsSwW]) | (?P<property>[pP])(?:\{(?P<name>[A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?)\})?
      | u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})
      | u(?P<four>[0-9a-fA-F]{4}) | u\{(?P<braced>[0-9a-fA-F]+)\} | x(?P<two>[0-9a-fA-F]{2})
      | (?P<named>[tnvfr]|0(?![0-9])) | c(?P<letter>[A-Za-z]) | (?P<itself>[^A-Za-z0-9]))""",
    re.VERBOSE | re.DOTALL,
)
_NAMED = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13, "0": 0}
_SETS: dict[str, Ranges] = {
    "d": ((0x30, 0x39),),
    "w": ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)),
    "s": WHITE_SPACE,
}
_LINE_ENDS = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))


def read_items(pattern: str) -> list[Item]:
    r"""Return the items of a pattern, in order.

    Raises:
        TypeError: if it is not a text.
        InvalidPattern: if it is malformed.
        UnsupportedPattern: for look-around, for what is not regular, or what engines read differently.
        LimitExceeded: if it is too long, or its groups are nested too deep.

    >>> for item in read_items(r"^\/{2}"):
    ...     print(item)
    Anchor(source='^', position=0)
    Class(ranges=((47, 47),), negated=False, position=1)
    Quantifier(least=2, most=2, position=3)
    """
    if not isinstance(pattern, str):
        raise TypeError(f"a pattern is a text, not {type(pattern).__name__}: {pattern!r:.80}")
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    cursor = Cursor(pattern)
    items: list[Item] = []
    opened: list[int] = []
    while not cursor.at_end:
        items.append(_read_next(cursor))
        _check_place(items, opened, pattern)
    if opened:
        raise InvalidPattern("this group is never closed", pattern, opened[-1])
    return items


def _check_place(items: list[Item], opened: list[int], pattern: str) -> None:
    """Check that groups are balanced, and that quantifiers follow an operand."""
    match items[-1]:
        case Open(position):
            opened.append(position)
            if len(opened) > MAX_DEPTH:
                raise LimitExceeded(f"the group at position {position} of the pattern is nested too deep", MAX_DEPTH)
        case Close(position):
            if not opened:
                raise InvalidPattern("no group is open that this could close", pattern, position)
            opened.pop()
        case Quantifier(position=position):
            if len(items) < 2 or not isinstance(items[-2], Class | Close):
                raise InvalidPattern("there is nothing to repeat", pattern, position)


def _read_next(cursor: Cursor) -> Item:
    start = cursor.position
    match cursor.pattern[start]:
        case "(":
            return _open_group(cursor)
        case "[":
            return _read_class(cursor)
        case "^" | "$":
            return Anchor(cursor.take(), start)
        case "|" | ")" as sign:
            cursor.take()
            return Bar(start) if sign == "|" else Close(start)
        case "*" | "+" | "?" | "{":
            if found := _read_quantifier(cursor):
                return found
        case ".":
            cursor.take()
            return Class(characters(_LINE_ENDS, negated=True), False, start)
    return Class(characters(_read_one(cursor, in_class=False), negated=False), False, start)


def _open_group(cursor: Cursor) -> Open:
    start = cursor.position
    found = _GROUP.match(cursor.pattern, start)
    assert found is not None  # a parenthesis is here
    if look := found["look"]:
        raise cursor.unsupported(f"the look{'behind' if '<' in look else 'ahead'} {found[0]}...)", start)
    if found["flags"]:
        raise cursor.unsupported(f"the group {found[0]} with flags", start)
    if found["bad"]:
        raise InvalidPattern("(? starts no group that ECMA-262 knows", cursor.pattern, start)
    cursor.position = found.end()
    return Open(start)


def _read_quantifier(cursor: Cursor) -> Quantifier | None:
    """Read a quantifier, lazy ones included; return None for a brace that means itself."""
    start = cursor.position
    if _OPEN_COUNTS.match(cursor.pattern, start):
        raise cursor.unsupported("a quantifier without a lower bound, which engines read differently,", start)
    if counts := _COUNTS.match(cursor.pattern, start):
        cursor.position = counts.end()
        least, most = _count(counts[1]), _count(counts[3]) if counts[3] else None
        bounds = least, most if counts[2] else least
    elif cursor.starts_with("{"):
        return None
    else:
        bounds = _SIGNS[cursor.take()]
    if bounds[1] is not None and bounds[0] > bounds[1]:
        raise InvalidPattern("this quantifier is reversed", cursor.pattern, start)
    cursor.skip("?")
    return Quantifier(*bounds, start)


def _count(digits: str) -> int:
    """Return a count; Python reads no integers of thousands of digits."""
    return int(digits) if len(digits.lstrip("0")) < len(str(_MANY)) else _MANY


# Single characters and classes ----------------------------------------------------------------------------


def characters(ranges: Ranges, *, negated: bool) -> Ranges:
    """Return the characters in the ranges, or outside them: canonical, without surrogates.

    >>> characters(((0x61, 0x7A), (0x62, 0x62)), negated=False), characters(((0, 0xFFFF),), negated=True)
    (((97, 122),), ((65536, 1114111),))
    """
    others = merge_ranges(ranges) if negated else complement_ranges(merge_ranges(ranges))
    return complement_ranges(merge_ranges((*others, (0xD800, 0xDFFF))))


def _read_class(cursor: Cursor) -> Class:
    """Read a class in brackets. ``[]`` matches nothing and ``[^]`` everything: a ``]`` always ends it."""
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
    low = _read_one(cursor, in_class=True)
    if not cursor.starts_with("-") or cursor.pattern[cursor.position + 1 :][:1] in ("]", ""):
        return low
    cursor.take()
    high = _read_one(cursor, in_class=True)
    if any(len(end) > 1 or end[0][0] != end[0][1] for end in (low, high)):
        return (*low, *one(ord("-")), *high)
    if low > high:
        raise InvalidPattern("this range is reversed", cursor.pattern, start)
    return ((low[0][0], high[0][0]),)


def _read_one(cursor: Cursor, *, in_class: bool) -> Ranges:
    r"""Read a character or an escape; within ``[...]`` a ``\b`` is the backspace, and there are no references."""
    start = cursor.position
    if not cursor.starts_with("\\"):
        return one(ord(cursor.take()))
    found = _ESCAPE.match(cursor.pattern, start)
    if found is None or found.lastgroup is None:
        _no_escape(cursor, start)
    cursor.position = found.end()
    match found.lastgroup, found[found.lastgroup]:
        case "border", "b" if in_class:
            return one(8)
        case "border", _ if not in_class:
            raise cursor.unsupported(f"the word boundary {found[0]}", start)
        case "reference", _ if not in_class:
            raise cursor.unsupported(f"the backreference {found[0]}", start)
        case "set", letter:
            return complement_ranges(_SETS[letter.lower()]) if letter.isupper() else _SETS[letter]
        case "property", _:
            raise InvalidPattern("a property needs braces, as in \\p{L}", cursor.pattern, start)
        case "name", name:
            if (ranges := property_ranges(name)) is None:
                raise cursor.unsupported(f"the property \\p{{{name}}}", start)
            return complement_ranges(ranges) if found["property"] == "P" else ranges
        case "low", digits:
            return one(0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + (int(digits, 16) - 0xDC00))
        case "four" | "two" | "braced", digits if int(digits, 16) <= LAST_CODE_POINT:
            return one(int(digits, 16))
        case "named", letter:
            return one(_NAMED[letter])
        case "letter", letter:
            return one(ord(letter) % 32)
        case "itself", char:
            return one(ord(char))
    _no_escape(cursor, start)


def _no_escape(cursor: Cursor, start: int) -> NoReturn:
    problem = f"{cursor.pattern[start : start + 2]} is no escape of ECMA-262 with the flag u"
    if cursor.pattern.startswith("\\u", start):
        problem = "\\u needs four hexadecimal digits, or braces around up to 10FFFF"
    raise InvalidPattern(problem, cursor.pattern, start)
