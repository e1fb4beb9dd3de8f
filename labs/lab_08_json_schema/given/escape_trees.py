r"""What may follow a backslash in a JSON string, as a tree that ends in classes of characters.

Four hexadecimal digits after ``\u`` name a character up to U+FFFF. A character beyond is named by 20 bits in two halves
of ten: a high surrogate D800 to DBFF, then ``\u`` again and a low surrogate DC00 to DFFF.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import Ranges
from labs.lab_06_regex_to_dfa.solution import merge_ranges

EscapeTree = dict[Ranges, Any]
"""For each set of characters that may come next: the tree of what follows, or, where the escape is complete, the class
(an int) of the character that it means. Equal parts are one object."""

QUOTE: Ranges = ((0x22, 0x22),)
BACKSLASH: Ranges = ((0x5C, 0x5C),)
ESCAPED = frozenset([0x22, 0x5C, *range(0x20), *range(0xD800, 0xE000)])
"""The code points that no JSON string holds raw: quote, backslash, control characters, and halves of pairs."""

SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
"""The short escapes: the letter after the backslash, and the character that it means."""

_Step = tuple[str, ...]
"""What may be read at one place of an escape: for each option the characters that mean it."""

_HEX: _Step = (*"0123456789", "aA", "bB", "cC", "dD", "eE", "fF")
_PAIR: tuple[_Step, ...] = (_HEX, _HEX, ("\\",), ("u",), ("dD",), ("cC", "dD", "eE", "fF"), _HEX, _HEX)
"""A surrogate pair after its first two digits, which are d and one of 8, 9, a, b."""


def escape_tree(values: Dfa) -> EscapeTree:
    r"""Return what may follow a backslash, down to the classes of an automaton over plain texts.

    >>> tree = escape_tree(Dfa([0, 10, 11], [-1, 0, -1], [[0]], initial=0, accepting=[True]))
    >>> after = lambda tree, char: tree[((ord(char), ord(char)),)]
    >>> after(tree, "n"), list(after(after(after(after(tree, "u"), "0"), "0"), "0"))
    (0, [((65, 65), (97, 97))])
    """
    grower = _Grower(values)
    digits = [grower.grow((_HEX,) * 3, first, 0x1000) for first in range(0, 0x10000, 0x1000)]
    # After a first digit d come 0 to 7 and two digits more, or 8 to b and the rest of a pair.
    after_d = [grower.grow((_HEX,) * 2, first, 0x100) for first in range(0xD000, 0xD800, 0x100)]
    after_d += [grower.grow(_PAIR, first, 0x40000) for first in range(0x10000, 0x110000, 0x40000)]
    digits[0xD] = grower.node(_HEX[:12], after_d)
    meant = [values.class_of(ord(char)) for char in SHORT.values()]
    found = grower.node((*SHORT, "u"), [*meant, grower.node(_HEX, digits)])
    return found if isinstance(found, dict) else {}


class _Grower:
    """Makes trees; equal ones are the same object. A dead tree is ``DEAD``."""

    def __init__(self, values: Dfa) -> None:
        self._bounds, self._classes = values.bounds, values.classes
        self._known: dict[tuple[object, ...], EscapeTree] = {}

    def grow(self, steps: tuple[_Step, ...], first: int, size: int) -> EscapeTree | int:
        """Return the tree for so many characters. Each option of a step covers an equal part of them."""
        start, end = np.searchsorted(self._bounds, (first, first + size - 1), side="right") - 1
        if start == end:
            return self._uniform(steps, int(self._classes[start]))
        part = size // len(steps[0])
        return self.node(steps[0], [self.grow(steps[1:], at, part) for at in range(first, first + size, part)])

    def node(self, step: _Step, children: Sequence[EscapeTree | int]) -> EscapeTree | int:
        """Return the tree with these children; options that lead to the same one are read together."""
        key = (step, *(child if isinstance(child, int) else ("tree", id(child)) for child in children))
        if key not in self._known:
            options: dict[object, tuple[str, EscapeTree | int]] = {}
            for chars, child, name in zip(step, children, key[1:], strict=True):
                if child != DEAD:
                    options[name] = (options.get(name, ("", child))[0] + chars, child)
            self._known[key] = {
                merge_ranges((ord(c), ord(c)) for c in chars): child for chars, child in options.values()
            }
        return self._known[key] or DEAD

    def _uniform(self, steps: tuple[_Step, ...], symbol_class: int) -> EscapeTree | int:
        """Return the tree whose leaves are all of one class."""
        if not steps or symbol_class == DEAD:
            return symbol_class
        return self.node(steps[0], [self._uniform(steps[1:], symbol_class)] * len(steps[0]))
