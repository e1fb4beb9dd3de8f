r"""Regular expressions as data: the flat items that a pattern is read into, and the tree that a parser makes of them.

``a|[bc]{2}`` is read into ``Class Bar Class Quantifier`` and parsed into an alternation of a ``Chars`` and a
``Repeat``. A character class is a set of code points kept as ranges, both ends included: ``\w`` names more than
130,000 characters, in fewer than 800 ranges.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

Ranges = tuple[tuple[int, int], ...]
"""Ranges of code points, each ``(first, last)``. *Canonical* ranges ascend and neither overlap nor touch."""

LAST_CODE_POINT = 0x10FFFF

ASCII = 128
"""How many characters ASCII has."""

BEYOND = ((ASCII, 0xD7FF), (0xE000, LAST_CODE_POINT))
"""All other characters; a surrogate is none."""


def check_ranges(ranges: Ranges) -> None:
    """Check that ranges are canonical.

    Raises:
        ValueError: naming the first range that is out of bounds, reversed, or not beyond the one before it.

    >>> check_ranges(((48, 57), (97, 97)))
    >>> check_ranges(((48, 57), (58, 60)))
    Traceback (most recent call last):
    ValueError: the range (58, 60) overlaps or touches the one before it, which ends at 57
    """
    end = -2
    for first, last in ranges:
        if not 0 <= first <= last <= LAST_CODE_POINT:
            raise ValueError(f"({first}, {last}) is no range of code points, which are 0 to {LAST_CODE_POINT}")
        if first <= end + 1:
            raise ValueError(f"the range ({first}, {last}) overlaps or touches the one before it, which ends at {end}")
        end = last


# The items of a pattern, in the order in which they stand there.


@dataclass(frozen=True)
class Class:
    """One character of a given kind: a literal, an escape, a dot, or ``[...]``.

    ``ranges`` are as written: in any order, and they may overlap. ``negated`` means every character but these.

    >>> from labs.lab_06_regex_to_dfa.given.items import read_items
    >>> read_items("[^ca-b]")
    [Class(ranges=((99, 99), (97, 98)), negated=True, position=0)]
    """

    ranges: Ranges
    negated: bool
    position: int


@dataclass(frozen=True)
class Open:
    """The start of a group.

    >>> from labs.lab_06_regex_to_dfa.given.items import read_items
    >>> [type(item).__name__ for item in read_items("(a|b)+")]
    ['Open', 'Class', 'Bar', 'Class', 'Close', 'Quantifier']
    """

    position: int


@dataclass(frozen=True)
class Close:
    """The end of a group.

    >>> Close(4)  # the ) of (a|b)+
    Close(position=4)
    """

    position: int


@dataclass(frozen=True)
class Bar:
    """``|``, which separates the options of its group.

    >>> Bar(2)  # the | of (a|b)+
    Bar(position=2)
    """

    position: int


@dataclass(frozen=True)
class Quantifier:
    """``* + ? {n,m}``: repeats the item before it ``least`` to ``most`` times; None means no upper limit.

    >>> Quantifier(least=1, most=None, position=1)  # the + of a+
    Quantifier(least=1, most=None, position=1)
    """

    least: int
    most: int | None
    position: int


@dataclass(frozen=True)
class Anchor:
    r"""``^ $ \A \Z``, which match a place and no character. It stands among the items and, as a leaf, in the tree.

    >>> Anchor("$", 2)  # the $ of a+$
    Anchor(source='$', position=2)
    """

    source: str
    position: int
    flags = 0


Item = Class | Open | Close | Bar | Quantifier | Anchor


class Grafted:
    """The base of leaves that are no syntax: an engine may put a whole automaton, or a rule, in the place of a node.

    >>> from mask_engine.patterns.lazy import Rule
    >>> (Concat((Chars(((91, 91),)), Rule("list"))).flags & Rule.flags) == Rule.flags  # a tree notes what's in it
    True
    """

    __slots__ = ()
    flags = 0


# The tree. Nodes are keys, of which states are made, so each notes its hash, from those of its parts. It is made of
# numbers alone: None has another hash in each process, and trees are sent from one to another. And each notes what's in
# it, so that nobody has to go through a tree to learn that there's nothing to do.

PLAIN, READS, COUNTS, APART = 1, 2, 4, 8
"""What's noted of a node, as bits of its ``flags``. It's syntax alone, each part of which has a text, and no row or
choice is of a single one. Some text of it isn't empty. It has a repeat with a limit of ``MANY`` rounds or more. It has
a set that tells characters beyond ASCII apart."""

MANY = 8
"""Limits on fewer rounds than this aren't worth a look."""


class _Noted:
    _hash: int
    flags: int

    def _note(self, number: int, flags: int) -> None:
        object.__setattr__(self, "_hash", number)
        object.__setattr__(self, "flags", flags)


def _noted_hash(node: _Noted) -> int:
    return node._hash


def _together(parts: "tuple[Node, ...]") -> int:
    """Return the flags of several nodes in one."""
    some, every = 0, PLAIN if len(parts) > 1 else 0
    for part in parts:
        some |= part.flags
        every &= part.flags
    return some & ~PLAIN | every


def beyond_ascii(ranges: Ranges) -> Ranges:
    """Return what's beyond ASCII of a set of characters.

    >>> beyond_ascii(((97, 200),))  # a to È; ASCII ends at 127
    ((128, 200),)
    """
    return tuple((max(first, ASCII), last) for first, last in ranges if last >= ASCII)


def with_flag(trees: "Iterable[Node]", flag: int) -> "Iterator[Node]":
    """Yield the nodes of some trees that have a flag, each object once.

    >>> a = Chars(((97, 97),))
    >>> list(with_flag([Concat((a, Concat(()), a))], READS))[1:]
    [Chars(ranges=((97, 97),))]
    """
    waiting, met = [*trees], set[int]()
    while waiting:
        node = waiting.pop()
        if node.flags & flag and id(node) not in met:
            met.add(id(node))
            yield node
            parts = node.parts if isinstance(node, Concat) else node.options if isinstance(node, Alternation) else ()
            waiting += [node.body] if isinstance(node, Repeat) else parts


@dataclass(frozen=True)
class Chars(_Noted):
    """A leaf: one character out of canonical ranges.

    >>> Chars(((97, 122),)).ranges  # [a-z]
    ((97, 122),)
    """

    ranges: Ranges

    def __post_init__(self) -> None:
        check_ranges(self.ranges)
        apart = self.ranges and self.ranges[-1][1] >= ASCII and beyond_ascii(self.ranges) != BEYOND
        self._note(hash(self.ranges), (PLAIN | READS if self.ranges else 0) | (APART if apart else 0))

    __hash__ = _noted_hash


@dataclass(frozen=True)
class Concat(_Noted):
    """The parts, one after another. Without parts it matches the empty text.

    >>> Concat((Chars(((97, 97),)), Chars(((98, 98),)))).parts[1]  # the b of ab
    Chars(ranges=((98, 98),))
    """

    parts: "tuple[Node, ...]"

    def __post_init__(self) -> None:
        self._note(hash((1, self.parts)), _together(self.parts))

    __hash__ = _noted_hash

    def __reduce__(self) -> Any:
        return _nested, _levels(self)


@dataclass(frozen=True)
class Alternation(_Noted):
    """One of the options.

    >>> Alternation((Concat((Chars(((97, 97),)),)), Concat(()))).options[1]  # nothing, which is an option of a|
    Concat(parts=())
    """

    options: "tuple[Node, ...]"

    def __post_init__(self) -> None:
        self._note(hash((2, self.options)), _together(self.options))

    __hash__ = _noted_hash


@dataclass(frozen=True)
class Repeat(_Noted):
    """The body, ``least`` to ``most`` times; None means no upper limit.

    >>> Repeat(Chars(((97, 97),)), 3, 2)
    Traceback (most recent call last):
    ValueError: a repetition from 3 to 2 times
    """

    body: "Node"
    least: int
    most: int | None

    def __post_init__(self) -> None:
        if self.least < 0 or (self.most is not None and self.most < self.least):
            raise ValueError(f"a repetition from {self.least} to {self.most} times")
        most, flags = -1 if self.most is None else self.most, self.body.flags
        flags = flags & ~PLAIN if not flags & READS or most == 0 else flags
        self._note(hash((self.body, self.least, most)), flags | (COUNTS if most >= MANY else 0))

    __hash__ = _noted_hash

    def __reduce__(self) -> Any:
        return _nested, _levels(self)


Node = Chars | Anchor | Concat | Alternation | Repeat | Grafted

TOGETHER = 50
"""So many nodes that end with each other are sent to another process as one: ``pickle`` goes as deep as they nest."""


def _levels(node: Any) -> tuple[list[tuple[Any, ...]], Any]:
    """Return what a row or a repetition is made of, from the outside in, and what its innermost one ends with."""
    levels = list[tuple[Any, ...]]()
    while len(levels) < TOGETHER:
        if isinstance(node, Concat):
            *before, last = node.parts or (None,)
            levels.append((before,))
        elif isinstance(node, Repeat):
            last = node.body
            levels.append((node.least, node.most))
        else:
            break
        node = last
    return levels, node


def _nested(levels: list[tuple[Any, ...]], node: Any) -> Any:
    """Return the node that ``_levels`` took apart."""
    for level in reversed(levels):
        node = Repeat(node, *level) if len(level) == 2 else Concat(() if node is None else (*level[0], node))
    return node
