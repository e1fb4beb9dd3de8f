r"""Building trees of regular expressions, and writing them as text.

A pattern is one way to write a tree; code that *makes* patterns is better off with the tree itself. There, a bar can't
reach into its neighbours, and nothing has to be escaped. ``regex_of`` shows a tree as the pattern that you'd write.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from labkit.automata.syntax import LAST_CODE_POINT, Alternation, Chars, Concat, Node, Repeat

NOTHING: Node = Chars(())
"""The tree without texts: one character out of none. What's made here is this very object or has texts."""

EMPTY: Node = Concat(())
"""The tree of the empty text."""


@lru_cache(maxsize=1024)
def char(text: str) -> Node:
    """Return the tree of one character.

    >>> char("a")
    Chars(ranges=((97, 97),))
    """
    return Chars(((ord(text), ord(text)),))


def chars(first: str, last: str) -> Node:
    """Return the tree of one character from ``first`` to ``last``.

    >>> regex_of(chars("a", "f"))
    '[a-f]'
    """
    return Chars(((ord(first), ord(last)),))


def one_of(characters: str) -> Node:
    """Return the tree of one of some characters.

    >>> regex_of(one_of("eE"))
    '[Ee]'
    """
    codes = sorted(set(map(ord, characters)))
    starts = [code for code in codes if code - 1 not in codes]
    ends = [code for code in codes if code + 1 not in codes]
    return Chars(tuple(zip(starts, ends, strict=True)))


def text(characters: str) -> Node:
    r"""Return the tree of one text.

    >>> print(regex_of(text("a+")))  # a plus sign, and no repetition
    a\+
    """
    return row(*map(char, characters))


def row(*parts: Node) -> Node:
    """Return the tree of some texts, one after another.

    >>> regex_of(row(char("<"), choice([char("a"), char("b")]), char(">")))
    '<(?:a|b)>'
    """
    return parts[0] if len(parts) == 1 else Concat(parts)


def choice(options: Sequence[Node]) -> Node:
    """Return the tree of what at least one tree matches; ``NOTHING`` if there is none.

    >>> choice([]) is NOTHING, regex_of(choice([text("on"), text("off")]))
    (True, '(?:on|off)')
    """
    found = [each for each in options if each is not NOTHING] or [NOTHING]
    return found[0] if len(found) == 1 else Alternation(tuple(found))


def times(body: Node, least: int, most: int | None) -> Node:
    """Return the tree of ``least`` to ``most`` texts of another, one after another; None means no upper bound.

    Raises:
        ValueError: if ``most`` is less than ``least``.

    >>> regex_of(times(text("ab"), 2, None)), regex_of(times(char("a"), 0, 1))
    ('(?:ab){2,}', 'a?')
    """
    return body if (least, most) == (1, 1) else Repeat(body, least, most)


def optional(body: Node) -> Node:
    """Return the tree that also matches the empty text.

    >>> regex_of(optional(text("ab")))
    '(?:ab)?'
    """
    return times(body, 0, 1)


def size_of(tree: Node, most: int | None = None) -> int:
    """Return how many nodes a tree has; a shared node counts once.

    Args:
        most: stop counting beyond this many.

    >>> a = char("a")
    >>> size_of(row(a, a, a)), size_of(row(Chars(((98, 98),)), Chars(((98, 98),))))  # one node thrice; equal nodes
    (2, 3)
    """
    met, waiting = {id(tree)}, [tree]
    for node in waiting:  # the list grows meanwhile
        parts = node.parts if isinstance(node, Concat) else node.options if isinstance(node, Alternation) else ()
        parts = (node.body,) if isinstance(node, Repeat) else parts
        new = {id(each): each for each in parts if id(each) not in met}
        met |= new.keys()
        waiting += new.values()
        if most is not None and len(waiting) > most:
            break
    return len(waiting)


@dataclass(frozen=True)
class Whitespace:
    """Where a JSON text may have white space: trees for the edges inside brackets, a comma, and what's after a key.

    >>> regex_of(Whitespace(edge=EMPTY, comma=char(","), colon=row(char(":"), optional(char(" ")))).colon)
    ': ?'
    """

    edge: Node
    comma: Node
    colon: Node


# As text ------------------------------------------------------------------------------------------------

_COUNTS = {(0, 1): "?", (0, None): "*", (1, None): "+"}


def regex_of(tree: Node) -> str:
    r"""Return the pattern of a tree, as lab 06 and Python's ``re`` read it.

    >>> regex_of(row(char('"'), times(Chars(((48, 57), (97, 102))), 1, 3), char('"')))
    '"[0-9a-f]{1,3}"'
    """
    match tree:
        case Chars(ranges):
            return _class(ranges)
        case Concat(parts):
            return "".join(map(regex_of, parts))
        case Alternation((only,)):
            return regex_of(only)
        case Alternation(options):
            return f"(?:{'|'.join(map(regex_of, options))})"
        case Repeat(body, least, most):
            inside = regex_of(body)
            unit = (
                inside
                if isinstance(body, Chars) or (isinstance(body, Alternation) and len(body.options) > 1)
                else f"(?:{inside})"
            )
            bounds = f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"
            return unit + _COUNTS.get((least, most), bounds)
    raise TypeError(f"a pattern can't say {type(tree).__name__}")


def _class(ranges: Sequence[tuple[int, int]]) -> str:
    if not ranges:
        return rf"[^\x00-\U{LAST_CODE_POINT:08x}]"
    if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
        return _written(ranges[0][0], ".^$*+?{}[]()|\\")
    if ranges[-1][1] == LAST_CODE_POINT:  # nearly everything: it reads better by what's left out
        starts, ends = [0, *(last + 1 for _, last in ranges)], [first - 1 for first, _ in ranges]
        left_out = [(first, last) for first, last in zip(starts, ends, strict=False) if first <= last]
        return f"[^{''.join(map(_range, left_out))}]" if left_out else "(?s:.)"
    return f"[{''.join(map(_range, ranges))}]"


def _range(bounds: tuple[int, int]) -> str:
    first, last = (_written(code, "\\]^-[&~|") for code in bounds)
    return first if first == last else first + last if bounds[1] == bounds[0] + 1 else f"{first}-{last}"


def _written(code: int, special: str) -> str:
    character = chr(code)
    if character.isprintable():
        return f"\\{character}" if character in special else character
    return rf"\x{code:02x}" if code < 0x100 else rf"\u{code:04x}" if code < 0x10000 else rf"\U{code:08x}"
