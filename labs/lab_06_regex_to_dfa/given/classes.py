"""Everything that matches one character, read into a ``Class`` item: a literal, an escape, a dot, or ``[...]``."""

import re

from labkit.automata.syntax import Class, Ranges
from labs.lab_06_regex_to_dfa.given.cursor import Cursor
from labs.lab_06_regex_to_dfa.given.escapes import one, read_class_escape, read_escape
from labs.lab_06_regex_to_dfa.given.unicode_classes import case_changes

_NEWLINE = ((10, 10),)


def read_dot(cursor: Cursor) -> Class:
    """Return any character but a newline; with the flag ``s`` any at all.

    >>> read_dot(Cursor("."))
    Class(ranges=((10, 10),), negated=True, position=0)
    """
    cursor.take()
    return Class(() if cursor.flags.dot_all else _NEWLINE, True, cursor.position - 1)


def read_character(cursor: Cursor) -> Class:
    r"""Return a literal character or an escape.

    >>> read_character(Cursor(r"\x41"))
    Class(ranges=((65, 65),), negated=False, position=0)
    """
    start = cursor.position
    ranges = read_escape(cursor) if cursor.skip("\\") else one(ord(cursor.take()))
    if not cursor.flags.ignore_case:
        return Class(ranges, False, start)
    single = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
    source = re.escape(chr(ranges[0][0])) if single else cursor.pattern[start : cursor.position]
    return Class(_without_case(cursor, ranges, source), False, start)


def read_class(cursor: Cursor) -> Class:
    """Return a class in brackets; a ``]`` in the first place is a member.

    >>> read_class(Cursor("[^]a-c]"))
    Class(ranges=((93, 93), (97, 99)), negated=True, position=0)
    """
    start = cursor.position
    cursor.take()
    negated = cursor.skip("^")
    first = cursor.position
    ranges: list[tuple[int, int]] = []
    while cursor.position == first or not cursor.starts_with("]"):
        ranges += _read_member(cursor)
    cursor.take()
    members = cursor.pattern[first : cursor.position]
    escape = "\\" if members.startswith("^") else ""  # a ^ that is a member must not negate the class given to re
    source = f"[{escape}{members}"
    return Class(_without_case(cursor, tuple(ranges), source), negated, start)


def _read_member(cursor: Cursor) -> Ranges:
    """Return a character, a shorthand, or a range; a ``-`` before the closing bracket is a character."""
    low = _read_end(cursor)
    if not cursor.starts_with("-") or cursor.starts_with("-]"):
        return low
    cursor.take()
    return ((low[0][0], _read_end(cursor)[0][1]),)


def _read_end(cursor: Cursor) -> Ranges:
    if cursor.skip("\\"):
        return read_class_escape(cursor)
    return one(ord(cursor.take()))


def _without_case(cursor: Cursor, ranges: Ranges, source: str) -> Ranges:
    """Return a class; with the flag ``i`` add the characters that differ from its members in case only.

    Negation comes after this, as in ``re``: ``(?i)[^x]`` matches neither ``x`` nor ``X``.
    """
    if not cursor.flags.ignore_case:
        return ranges
    added, dropped = case_changes(source, ascii_only=cursor.flags.ascii_only)
    for gone, _ in dropped:
        halves = [
            half for first, last in ranges for half in ((first, min(last, gone - 1)), (max(first, gone + 1), last))
        ]
        ranges = tuple((first, last) for first, last in halves if first <= last)
    return ranges + added
