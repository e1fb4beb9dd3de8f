"""How a set of characters is written on an arrow."""

import unicodedata
from collections.abc import Iterable
from itertools import groupby

from labkit.automata import Fsm

Arrow = tuple[int, int]
"""From one state to another."""

LABEL_LIMIT = 16
"""The most characters of a label in a drawing; its tooltip holds the rest."""


def char_label(chars: Iterable[str], *, limit: int | None = None, unicode: bool = True) -> str:
    r"""A character as itself, several as a class with ranges; what cannot be seen is escaped.

    ``limit`` is the most characters to write before an ellipsis; without ``unicode`` the label is ASCII.

    >>> char_label("0123456789abcdef"), char_label("x"), char_label(" \n"), char_label(" ")
    ('[0-9a-f]', 'x', '[\\n␣]', '␣')
    >>> char_label("acegikmoq", limit=8), char_label("é€", unicode=False), char_label("]^a-\\")
    ('[acegi…]', '[\\xe9\\u20ac]', '[\\-\\\\-\\^a]')
    >>> char_label("")
    Traceback (most recent call last):
    ValueError: a label needs at least one character
    """
    marks = sorted(set(chars))
    if not marks:
        raise ValueError("a label needs at least one character")
    if len(marks) == 1:
        return _shown(marks[0], unicode)
    items = [_run_text(first, last, unicode) for first, last in _runs(marks)]
    return f"[{_shorten(items, limit, '…' if unicode else '...')}]"


def collapse(fsm: Fsm) -> dict[Arrow, frozenset[str]]:
    """Every pair of states that a transition joins, in order, with all the characters between the two.

    >>> [(arrow, sorted(chars)) for arrow, chars in collapse(Fsm(({"b": 0, "a": 0},), 0, frozenset())).items()]
    [((0, 0), ['a', 'b'])]
    """
    found: dict[Arrow, set[str]] = {}
    for state, row in enumerate(fsm.transitions):
        for char, target in row.items():
            found.setdefault((state, target), set()).add(char)
    return {arrow: frozenset(found[arrow]) for arrow in sorted(found)}


def _shown(char: str, unicode: bool) -> str:
    if char == " ":
        return "␣" if unicode else r"\x20"
    # A combining mark alone would sit on its neighbour, and a real U+2423 would pass for a space.
    readable = char.isprintable() and unicodedata.category(char)[0] != "M" and char != "␣"
    return char if readable and (unicode or char.isascii()) else ascii(char)[1:-1]


def _runs(marks: list[str]) -> list[tuple[int, int]]:
    """The first and the last code point of each run of neighbours."""
    groups = groupby(enumerate(map(ord, marks)), key=lambda pair: pair[1] - pair[0])
    runs = [[code for _, code in group] for _, group in groups]
    return [(run[0], run[-1]) for run in runs]


def _run_text(first: int, last: int, unicode: bool) -> str:
    """``a``, ``ab`` or ``a-c``, with a backslash before what a class would take for its own."""
    ends = ["\\" * (chr(code) in "\\]^-") + _shown(chr(code), unicode) for code in sorted({first, last})]
    return ("-" if last - first > 1 else "").join(ends)


def _shorten(items: list[str], limit: int | None, ellipsis: str) -> str:
    """Whole items only: half an escape would be another character."""
    text = "".join(items)
    if limit is None or len(text) + 2 <= limit:
        return text
    while len(items) > 1 and len("".join(items)) + len(ellipsis) + 2 > limit:
        items.pop()
    return "".join(items) + ellipsis
