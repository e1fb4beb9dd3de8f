r"""The digits after ``\u`` as trees over classes of characters, made once and shared by all states.

Four hexadecimal digits name a character up to U+FFFF. A character beyond is named by 20 bits in two halves of ten: a
high surrogate D800 to DBFF, then ``\u`` again and a low surrogate DC00 to DFFF.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from labkit.automata.dfa import Dfa

Step = tuple[str, ...]
"""What may be read at one place of an escape: for each option the characters that mean it."""

HEX: Step = (*"0123456789", "aA", "bB", "cC", "dD", "eE", "fF")
BASIC: tuple[Step, ...] = (HEX, HEX, HEX, HEX)
HIGH: tuple[Step, ...] = (("dD",), ("8", "9", "aA", "bB"), HEX, HEX)
LOW: tuple[Step, ...] = (("\\",), ("u",), ("dD",), ("cC", "dD", "eE", "fF"), HEX, HEX)

BEYOND = 0x10000
"""The first character that takes a pair."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The rest of an escape after some of its characters.

    ``step`` is what is read next, with a child for each of its options. A leaf has none, and one class of characters.
    ``classes`` are those of all its leaves, -1 for dead ones.
    """

    step: Step
    children: "tuple[Tree, ...]"
    classes: tuple[int, ...]


class Forest:
    """The trees for the classes of one automaton. Equal trees are the same object.

    >>> digits = Dfa([0, 48, 58], [-1, 0, -1], [[0]], initial=0, accepting=[True])
    >>> tree = Forest(digits).after_u
    >>> tree.classes, tree.children[1].classes, tree.children[0].children[0].children[3].classes
    ((-1, 0), (-1,), (-1, 0))
    """

    def __init__(self, values: Dfa) -> None:
        self._values = values
        self._trees: dict[tuple[object, ...], Tree] = {}

    @cached_property
    def after_u(self) -> Tree:
        r"""Return what may follow ``\u``: the digits of a basic character, or D8 to DB and the rest of a pair."""
        basic = self._grow(BASIC, 0, BEYOND)
        (high,) = self._grow(HIGH + LOW, BEYOND, self._values.symbols - BEYOND).children
        after_d = self._share(BASIC[1:], _replace(basic.children[0xD], 8, high.children))
        return self._share(BASIC, _replace(basic, 0xD, (after_d,)))

    def _grow(self, steps: tuple[Step, ...], first: int, size: int) -> Tree:
        """Return the tree for so many characters. Each option of a step covers an equal part of them."""
        bounds, classes = self._values.bounds, self._values.classes
        start, end = np.searchsorted(bounds, (first, first + size - 1), side="right") - 1
        if start == end:
            return self._uniform(steps, int(classes[start]))
        part = size // len(steps[0])
        return self._share(steps, tuple(self._grow(steps[1:], at, part) for at in range(first, first + size, part)))

    def _uniform(self, steps: tuple[Step, ...], symbol_class: int) -> Tree:
        """Return the tree whose leaves are all of one class."""
        key = (len(steps), symbol_class)
        if not steps:
            return self._trees.setdefault(key, Tree((), (), (symbol_class,)))
        return self._share(steps, (self._uniform(steps[1:], symbol_class),) * len(steps[0]))

    def _share(self, steps: tuple[Step, ...], children: tuple[Tree, ...]) -> Tree:
        key = (len(steps), *map(id, children))
        if key not in self._trees:
            classes = tuple(sorted({number for child in children for number in child.classes}))
            self._trees[key] = Tree(steps[0], children, classes)
        return self._trees[key]


def _replace(tree: Tree, first: int, others: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Return the children of a tree with others in the place of those from ``first`` on."""
    return tree.children[:first] + others + tree.children[first + len(others) :]
