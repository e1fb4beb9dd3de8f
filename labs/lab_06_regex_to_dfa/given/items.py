"""From a pattern to its items, in order. The parser of the lab finds their structure."""

from labkit.automata.syntax import Anchor, Bar, Item
from labs.lab_06_regex_to_dfa.given.check import check_pattern
from labs.lab_06_regex_to_dfa.given.classes import read_character, read_class, read_dot
from labs.lab_06_regex_to_dfa.given.cursor import Cursor, Flags
from labs.lab_06_regex_to_dfa.given.groups import close_group, open_group
from labs.lab_06_regex_to_dfa.given.quantifiers import read_quantifier

_WHITESPACE = " \t\n\r\v\f"
_SPECIAL = frozenset("()[{|.*+?^$\\")
_ANCHORS = ("^", "$", r"\A", r"\Z", r"\z")


def read_items(pattern: str, *, ascii_only: bool = False) -> list[Item]:
    r"""Return the items of a pattern in Python's dialect.

    Args:
        ascii_only: whether ``\d``, ``\w``, ``\s`` and case are ASCII's; otherwise they are Unicode's.

    Raises:
        InvalidPattern: wherever ``re`` refuses the pattern.
        UnsupportedPattern: for constructs that are not regular, or are not covered.
        LimitExceeded: if it is too long or too deep.

    >>> for item in read_items("a|[^b]{2}"):
    ...     print(item)
    Class(ranges=((97, 97),), negated=False, position=0)
    Bar(position=1)
    Class(ranges=((98, 98),), negated=True, position=2)
    Quantifier(least=2, most=2, position=6)
    """
    check_pattern(pattern, ascii_only=ascii_only)
    cursor = Cursor(pattern, [Flags(ascii_only=ascii_only)])
    items: list[Item] = []
    while not cursor.at_end:
        items += _read_next(cursor)
    return items


def _read_next(cursor: Cursor) -> list[Item]:
    """Read what comes next: mostly one item; none for space and comments in verbose mode."""
    char = cursor.pattern[cursor.position]
    if char not in _SPECIAL and not cursor.flags.verbose:
        return [read_character(cursor)]
    if cursor.flags.verbose and _skip_space(cursor):
        return []
    match char:
        case "|":
            cursor.take()
            return [Bar(cursor.position - 1)]
        case "(":
            return open_group(cursor)
        case ")":
            return close_group(cursor)
        case "[":
            return [read_class(cursor)]
        case ".":
            return [read_dot(cursor)]
        case "*" | "+" | "?" | "{":
            return read_quantifier(cursor) or [read_character(cursor)]
        case "^" | "$" | "\\":
            return _read_anchor(cursor) or [read_character(cursor)]
    return [read_character(cursor)]


def _read_anchor(cursor: Cursor) -> list[Item]:
    """Read the anchor that comes next; return an empty list if there is none."""
    for source in _ANCHORS:
        if cursor.skip(source):
            return [Anchor(source, cursor.position - len(source))]
    return []


def _skip_space(cursor: Cursor) -> bool:
    """Skip white space or a comment and the end of its line; return whether there was any."""
    if cursor.skip("#"):
        cursor.skip_comment("\n")
        return True
    return bool(cursor.take_while(_WHITESPACE))
