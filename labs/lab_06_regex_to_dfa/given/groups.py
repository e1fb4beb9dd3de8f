"""What follows an opening parenthesis: plain and named groups, flags, comments, and constructs to refuse."""

from dataclasses import replace

from labkit.automata.syntax import Close, Item, Open
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.check import MAX_DEPTH
from labs.lab_06_regex_to_dfa.given.cursor import Cursor, Flags

_REFUSED = {
    "(?=": "the lookahead (?=...)",
    "(?!": "the lookahead (?!...)",
    "(?<=": "the lookbehind (?<=...)",
    "(?<!": "the lookbehind (?<!...)",
    "(?>": "the atomic group (?>...)",
    "(?(": "the conditional (?(...)...)",
    "(?P=": "the backreference (?P=...)",
}
_FLAGS = {"i": "ignore_case", "s": "dot_all", "x": "verbose", "a": "ascii_only"}


def open_group(cursor: Cursor) -> list[Item]:
    """Read the start of a group: an ``Open``, or nothing for a comment or for flags of the whole pattern.

    Raises:
        UnsupportedPattern: for the groups that look around, refer back, or decide for good.
        LimitExceeded: if groups are nested deeper than ``MAX_DEPTH``.

    >>> open_group(Cursor("(?P<year>[0-9]+)")), open_group(Cursor("(?i)a"))
    ([Open(position=0)], [])
    """
    start = cursor.position
    for opening, construct in _REFUSED.items():
        if cursor.starts_with(opening):
            raise cursor.unsupported(construct, start)
    if cursor.skip("(?#"):
        cursor.skip_comment(")")
        return []
    flags = cursor.flags
    if cursor.skip("(?P<"):
        cursor.take_until(">")
    elif cursor.skip("(?"):
        flags = _read_flags(cursor)
        if cursor.skip(")"):
            cursor.open_flags[-1] = flags
            return []
        cursor.take()
    else:
        cursor.take()
    if len(cursor.open_flags) > MAX_DEPTH:
        raise LimitExceeded(f"the group at position {start} of the pattern is nested too deep", MAX_DEPTH)
    cursor.open_flags.append(flags)
    return [Open(start)]


def close_group(cursor: Cursor) -> list[Item]:
    """Read the end of a group; the flags of the group around it are in force again."""
    cursor.take()
    cursor.open_flags.pop()
    return [Close(cursor.position - 1)]


def _read_flags(cursor: Cursor) -> Flags:
    """Read the flags after ``(?``, up to the colon or parenthesis: those after a minus are switched off."""
    flags, value = cursor.flags, True
    while not (cursor.starts_with(":") or cursor.starts_with(")")):
        letter = cursor.take()
        if letter == "-":
            value = False
        elif letter == "u":
            flags = replace(flags, ascii_only=False)
        elif letter in _FLAGS:
            flags = replace(flags, **{_FLAGS[letter]: value})
    return flags
