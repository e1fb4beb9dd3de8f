"""Quantifiers. A lazy one matches the same whole texts as its greedy twin."""

import re

from labkit.automata.syntax import Item, Quantifier
from labs.lab_06_regex_to_dfa.given.cursor import Cursor

_SIGNS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_COUNTS = re.compile(r"\{(?P<least>[0-9]*)(?P<comma>,(?P<most>[0-9]*))?\}")


def read_quantifier(cursor: Cursor) -> list[Item]:
    """Read the quantifier that comes next; return an empty list if there is none, as in ``x{}`` or ``x{a}``.

    Raises:
        UnsupportedPattern: for a possessive one, which gives nothing back and so matches less.

    >>> read_quantifier(Cursor("{2,}?")), read_quantifier(Cursor("{,3}")), read_quantifier(Cursor("{}"))
    ([Quantifier(least=2, most=None, position=0)], [Quantifier(least=0, most=3, position=0)], [])
    """
    start = cursor.position
    bounds = _read_bounds(cursor)
    if bounds is None:
        return []
    if cursor.skip("+"):
        raise cursor.unsupported(f"the possessive quantifier {cursor.pattern[start : cursor.position]}", start)
    cursor.skip("?")
    return [Quantifier(*bounds, start)]


def _read_bounds(cursor: Cursor) -> tuple[int, int | None] | None:
    for sign, bounds in _SIGNS.items():
        if cursor.skip(sign):
            return bounds
    counts = _COUNTS.match(cursor.pattern, cursor.position)
    if not counts or counts[0] == "{}":
        return None
    cursor.position = counts.end()
    least = int(counts["least"] or 0)
    if not counts["comma"]:
        return least, least
    return least, int(counts["most"]) if counts["most"] else None
