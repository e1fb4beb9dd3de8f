"""From the items of a pattern to their tree."""

from collections.abc import Iterable, Sequence

from labkit.automata.syntax import (
    Alternation,
    Anchor,
    Bar,
    Chars,
    Class,
    Close,
    Concat,
    Item,
    Node,
    Open,
    Quantifier,
    Repeat,
)
from labs.lab_06_regex_to_dfa.given.ranges import complement_ranges, merge_ranges


def parse_items(items: Sequence[Item]) -> Node:
    """Parse the items of a pattern into a tree. Groups bind tightest, then quantifiers, then concatenation, then ``|``.

    One pass is enough, with a stack in place of recursion. It has an entry for each group that's still open: a list of
    the group's options, each of which is a list of the parts so far. After ``x(a|bc``, the stack has two entries. The
    pattern itself has one option so far, with the part ``x``, and the open group has two, with the parts ``a`` and
    ``b``, ``c``. The ``)`` then turns the upper entry into one more part, next to ``x``.

    Args:
        items: those of a well-formed pattern: every group is closed, and every quantifier has something before it.

    Returns:
        The tree. A ``Class`` becomes a ``Chars`` of canonical ranges, and an ``Anchor`` stays as it is. The whole
        pattern and every group become an ``Alternation`` of ``Concat``s, even with a single option or a single part.

    >>> from labs.lab_06_regex_to_dfa.given.items import read_items
    >>> parse_items(read_items("a|"))
    Alternation(options=(Concat(parts=(Chars(ranges=((97, 97),)),)), Concat(parts=())))
    """
    groups: list[list[list[Node]]] = [[[]]]  # the whole pattern: one group, one option, no parts
    for item in items:
        match item:
            case Open():
                groups.append([[]])
            case Close():
                # A closed group is one part of the group around it.
                group = _alternation(groups.pop())
                groups[-1][-1].append(group)
            case Bar():
                groups[-1].append([])
            case Quantifier(least, most):
                body = groups[-1][-1].pop()  # subtle: the last part only, not the whole option
                groups[-1][-1].append(Repeat(body, least, most))
            case Class(ranges, negated):
                merged = merge_ranges(ranges)
                groups[-1][-1].append(Chars(complement_ranges(merged) if negated else merged))
            case Anchor():
                groups[-1][-1].append(item)
    return _alternation(groups.pop())


def _alternation(options: Iterable[Iterable[Node]]) -> Alternation:
    """Return the node of a group, from a list of parts for each option."""
    return Alternation(tuple(Concat(tuple(parts)) for parts in options))
