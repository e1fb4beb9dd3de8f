"""The labels of arrows: sets of characters as text."""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise

from labkit.automata.dfa import BYTES, CODE_POINTS
from labkit.automata.syntax import Ranges

Arrow = tuple[int, int]
"""From one state to another."""

LABEL_LIMIT = 16
"""The most characters of a label in a drawing; its tooltip holds the rest."""


def char_label(chars: Iterable[str], *, limit: int | None = None, unicode: bool = True) -> str:
    r"""Return one character as itself, several as a class with ranges; invisible ones are escaped.

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
    consecutive = groupby(enumerate(map(ord, marks)), key=lambda pair: pair[1] - pair[0])
    runs = [[code for _, code in group] for _, group in consecutive]
    return _class_label([(run[0], run[-1]) for run in runs], "", limit, unicode)


def range_label(ranges: Ranges, *, limit: int | None = None, unicode: bool = True, alphabet: int = CODE_POINTS) -> str:
    r"""Return the label of canonical ranges, negated where that is shorter; bytes in hexadecimal if all are from 80 on.

    >>> range_label(((48, 57),)), range_label(((0, 9), (11, 0x10FFFF))), range_label(((0, 255),), alphabet=256)
    ('[0-9]', '[^\\n]', 'any')
    >>> range_label(((48, 57), (1632, 1641), (1776, 1785), (1984, 1993)), limit=12)
    '[0-9…]'
    >>> range_label(((34, 34), (194, 223)), alphabet=256)
    '["\\xc2-\\xdf]'
    >>> range_label(((168, 169), (194, 223)), alphabet=256)
    'A8 A9 C2-DF'
    """
    if not ranges:
        raise ValueError("a label needs at least one character")
    if alphabet == BYTES and ranges and ranges[0][0] >= 0x80:
        spelled_out = [" -"[b > a + 1].join(f"{byte:02X}" for byte in sorted({a, b})) for a, b in ranges]
        return _shorten([f"{item} " for item in spelled_out], limit, "…" if unicode else "...").strip()
    unicode = unicode and alphabet != BYTES
    edges = ((-1, -1), *ranges, (alphabet, alphabet))
    lacking = tuple((one[1] + 1, two[0] - 1) for one, two in pairwise(edges) if one[1] + 1 < two[0])
    if not lacking:
        return "any"
    spelled = [(ranges, ""), (lacking, "^")]
    shorter, sign = min(spelled, key=lambda label: len(_class_label(label[0], label[1], None, unicode)))
    return _class_label(shorter, sign, limit, unicode)


def _class_label(ranges: Sequence[tuple[int, int]], negation: str, limit: int | None, unicode: bool) -> str:
    first, last = ranges[0]
    if len(ranges) == 1 and first == last and not negation:
        return _shown(chr(first), unicode)
    items = []
    for first, last in ranges:
        # a, ab or a-c, with a backslash before characters that are special in a class
        ends = ["\\" * (chr(code) in "\\]^-") + _shown(chr(code), unicode) for code in sorted({first, last})]
        items.append(("-" if last - first > 1 else "").join(ends))
    room = None if limit is None else limit - len(negation)
    return f"[{negation}{_shorten(items, room, '…' if unicode else '...')}]"


def _shown(char: str, unicode: bool) -> str:
    if char == " ":
        return "␣" if unicode else r"\x20"
    # A combining mark alone would sit on its neighbour, and a real U+2423 would pass for a space.
    readable = char.isprintable() and unicodedata.category(char)[0] != "M" and char != "␣"
    return char if readable and (unicode or char.isascii()) else ascii(char)[1:-1]


def _shorten(items: list[str], limit: int | None, ellipsis: str) -> str:
    """Return as many whole items as fit, since half an escape would be another character; ASCII is preferred."""
    text = "".join(items)
    if limit is None or len(text) + 2 <= limit:
        return text
    items = [item for item in items if item.isascii()] or items
    while len(items) > 1 and len("".join(items)) + len(ellipsis) + 2 > limit:
        items.pop()
    return "".join(items) + ellipsis
