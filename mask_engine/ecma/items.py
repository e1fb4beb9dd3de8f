"""From a pattern of ECMA-262 to the items of lab 06, whose parser finds their structure.

The dialect is that of the flag u, which JSON Schema asks for, read leniently where that is unambiguous: a brace that is
not a quantifier, and a closing bracket alone, mean themselves.
"""

import re

from labkit.automata.syntax import Anchor, Bar, Class, Close, Item, Open, Quantifier
from labkit.errors import InvalidPattern, LimitExceeded
from labs.lab_06_regex_to_dfa.given.check import MAX_DEPTH, MAX_PATTERN
from labs.lab_06_regex_to_dfa.given.cursor import Cursor
from mask_engine.ecma.classes import read_character, read_class

_REFUSED = {
    "(?=": "the lookahead (?=...)",
    "(?!": "the lookahead (?!...)",
    "(?<=": "the lookbehind (?<=...)",
    "(?<!": "the lookbehind (?<!...)",
}
_NAME = re.compile(r"\(\?<([^\W\d]|\$)[\w$]*>")
_FLAGS = re.compile(r"\(\?[a-z]*-?[a-z]*[:)]")
_COUNTS = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_OPEN_COUNTS = re.compile(r"\{,[0-9]+\}")
_SIGNS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_MANY = 10**9
"""More than any automaton has states; every larger count is read as this one."""


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
        item = _read_next(cursor)
        _check_place(item, items, opened, pattern)
        items.append(item)
    if opened:
        raise InvalidPattern("this group is never closed", pattern, opened[-1])
    return items


def _check_place(item: Item, before: list[Item], opened: list[int], pattern: str) -> None:
    """Check that groups are balanced, and that quantifiers follow an operand."""
    match item:
        case Open(position):
            opened.append(position)
            if len(opened) > MAX_DEPTH:
                raise LimitExceeded(f"the group at position {position} of the pattern is nested too deep", MAX_DEPTH)
        case Close(position):
            if not opened:
                raise InvalidPattern("no group is open that this could close", pattern, position)
            opened.pop()
        case Quantifier(position=position):
            if not before or not isinstance(before[-1], Class | Close):
                raise InvalidPattern("there is nothing to repeat", pattern, position)


def _read_next(cursor: Cursor) -> Item:
    position = cursor.position
    match cursor.pattern[position]:
        case "(":
            return _open_group(cursor)
        case "[":
            return read_class(cursor)
        case "^" | "$":
            return Anchor(cursor.take(), position)
        case "|":
            cursor.take()
            return Bar(position)
        case ")":
            cursor.take()
            return Close(position)
        case "*" | "+" | "?" | "{":
            return _read_quantifier(cursor) or read_character(cursor)
    return read_character(cursor)


def _open_group(cursor: Cursor) -> Open:
    start = cursor.position
    for opening, construct in _REFUSED.items():
        if cursor.starts_with(opening):
            raise cursor.unsupported(construct, start)
    if name := _NAME.match(cursor.pattern, start):
        cursor.position = name.end()
    elif not cursor.skip("(?:"):
        if flags := _FLAGS.match(cursor.pattern, start):
            raise cursor.unsupported(f"the group {flags[0]} with flags", start)
        if cursor.starts_with("(?"):
            raise InvalidPattern("(? starts no group that ECMA-262 knows", cursor.pattern, start)
        cursor.take()
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
