r"""Anchors. A pattern here matches whole texts, so ``^`` at its start and ``$`` at its end say nothing new.

Elsewhere they are refused. ``a$\n`` shows why they must not be dropped: ``$`` also matches before a last newline.
"""

from dataclasses import dataclass

from labkit.automata.syntax import Alternation, Anchor, Chars, Concat, Node, Repeat
from labkit.errors import UnsupportedPattern

_AT_START = ("^", r"\A")
_EMPTY = Concat(())


@dataclass(frozen=True)
class _Place:
    """Whether only zero-width parts come before a node, and whether only such parts come after it."""

    first: bool
    last: bool
    repeated: bool = False

    def allows(self, anchor: Anchor) -> bool:
        return not self.repeated and (self.first if anchor.source in _AT_START else self.last)


def strip_anchors(tree: Node, pattern: str) -> Node:
    """Return the tree without its anchors, all of them at the ends, and without repetitions of nothing.

    Raises:
        UnsupportedPattern: for an anchor anywhere else.

    >>> strip_anchors(Concat((Anchor("^", 0), Chars(((97, 97),)), Anchor("$", 2))), "^a$")
    Concat(parts=(Concat(parts=()), Chars(ranges=((97, 97),)), Concat(parts=())))
    >>> strip_anchors(Concat((Chars(((97, 97),)), Anchor("^", 1))), "a^")
    Traceback (most recent call last):
    labkit.errors.UnsupportedPattern: the anchor ^ inside a pattern is not supported, at position 1 of 'a^'
        a^
         ^
    """
    return _strip(tree, pattern, _Place(first=True, last=True))


def _strip(node: Node, pattern: str, place: _Place) -> Node:
    match node:
        case Anchor(source, position):
            if not place.allows(node):
                raise UnsupportedPattern(f"the anchor {source} inside a pattern is not supported", pattern, position)
            return _EMPTY
        case Concat(parts):
            return Concat(tuple(_strip_parts(parts, pattern, place)))
        case Alternation(options):
            return Alternation(tuple(_strip(option, pattern, place) for option in options))
        case Repeat(body, least, most):
            inner = place if most is not None and most <= 1 else _Place(place.first, place.last, repeated=True)
            body = _strip(body, pattern, inner)
            return _EMPTY if _is_empty(body) else Repeat(body, least, most)
    return node


def _strip_parts(parts: tuple[Node, ...], pattern: str, place: _Place) -> list[Node]:
    """Strip the parts of a concatenation: an anchor may come before or after all parts that consume something."""
    solid = [i for i, part in enumerate(parts) if not _is_empty(part)]
    first, last = (solid[0], solid[-1]) if solid else (len(parts), -1)
    return [
        _strip(part, pattern, _Place(place.first and i <= first, place.last and i >= last, place.repeated))
        for i, part in enumerate(parts)
    ]


def _is_empty(node: Node) -> bool:
    """Return whether a node can match nothing but the empty text."""
    match node:
        case Chars():
            return False
        case Concat(parts):
            return all(_is_empty(part) for part in parts)
        case Alternation(options):
            return all(_is_empty(option) for option in options)
        case Repeat(body, _, most):
            return most == 0 or _is_empty(body)
    return True
