"""Which bytes make up the characters of an automaton: the tree of your ``byte_dfa``, without making it each time.

Most patterns treat all characters beyond ASCII alike, or refuse them all. For these, your function is called only once.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import DEAD, Dfa
from labs.lab_06_regex_to_dfa.given.subsets import bits_of

ASCII = 128
MANY = 100
"""We keep alphabets of more bounds than this. They come from Unicode's classes, which many patterns share."""

Classes = int
"""A set of classes of characters: bit c is class c."""

Begun = list[tuple[Classes, list[tuple[int, int]]]]

FIRST_SURROGATE, LAST_SURROGATE = 0xD800, 0xDFFF


@dataclass(frozen=True, eq=False)
class ByteAlphabet:
    """The bytes of the characters of each class.

    Args:
        byte_classes: ``intp[256]``: the class of each byte.
        steps: for each node of the tree, by class of bytes: the next node, 0 for dead, or -1 - c if a character of
            class c is complete. Node 0 is the root.
        below: for each node, the classes of the characters that you can complete from there.
        n_character_classes: how many classes of characters there are.
        uniform: the class of all characters beyond ASCII, if they are in one; -1 if they are in none; None otherwise.
    """

    byte_classes: NDArray[np.intp]
    steps: list[list[int]]
    below: list[list[int]]
    n_character_classes: int
    uniform: int | None
    known_completing: dict[tuple[int, Classes], list[int]] = field(default_factory=dict, repr=False)
    _begun: dict[int, Begun] = field(default_factory=dict, repr=False)
    _outside: dict[Classes, tuple[bytes, bool | None]] = field(default_factory=dict, repr=False)

    @cached_property
    def class_list(self) -> list[int]:
        """``byte_classes`` as a list."""
        found: list[int] = self.byte_classes.tolist()
        return found

    def completing(self, node: int, classes: Classes) -> list[int]:
        """Return the classes of bytes that complete a character of some classes."""
        if (node, classes) not in self.known_completing:
            steps = enumerate(self.steps[node])
            self.known_completing[node, classes] = [byte for byte, step in steps if step < 0 and classes >> ~step & 1]
        return self.known_completing[node, classes]

    def begun(self, node: int) -> Begun:
        """Return the classes of bytes that lead to a node, grouped by the characters that can be completed there."""
        if node not in self._begun:
            found: dict[Classes, list[tuple[int, int]]] = {}
            for byte_class, step in enumerate(self.steps[node]):
                if step > 0:
                    below = sum(1 << symbol_class for symbol_class in self.below[step])
                    found.setdefault(below, []).append((byte_class, step))
            self._begun[node] = list(found.items())
        return self._begun[node]

    @cached_property
    def class_of_ascii(self) -> list[int]:
        """The class of each ASCII character, or -1."""
        root = self.steps[0]
        return [max(DEAD, ~root[byte_class]) for byte_class in self.class_list[:ASCII]]

    @cached_property
    def bytes_of(self) -> list[bytes]:
        """The ASCII characters of each class."""
        found: list[bytearray] = [bytearray() for _ in range(self.n_character_classes)]
        for byte, number in enumerate(self.class_of_ascii):
            if number != DEAD:
                found[number].append(byte)
        return [bytes(each) for each in found]

    def beginning(self, classes: Classes) -> NDArray[np.bool_]:
        """Return the bytes with which a character of some classes begins, as ``bool[256]``."""
        ways = [[] if step == 0 else [~step] if step < 0 else self.below[step] for step in self.steps[0]]
        begins = np.array([any(classes >> each & 1 for each in way) for way in ways])
        found: NDArray[np.bool_] = begins[self.byte_classes]
        return found

    def outside(self, inside: Classes) -> tuple[bytes, bool | None]:
        """Return the ASCII bytes outside some classes, and whether the characters beyond ASCII are inside.

        Returns:
            The second is None if it depends on the character.
        """
        if inside not in self._outside:
            own = {byte for number in bits_of(inside) for byte in self.bytes_of[number]}
            beyond = None if self.uniform is None else self.uniform != DEAD and bool(inside >> self.uniform & 1)
            self._outside[inside] = bytes(byte for byte in range(ASCII) if byte not in own), beyond
        return self._outside[inside]

    def ascii_of(self, classes: Classes) -> bytes:
        """Return the ASCII characters of some classes."""
        return b"".join(self.bytes_of[each] for each in bits_of(classes))

    @cached_property
    def paths(self) -> list[bytes]:
        """For each node of the tree, bytes that lead to it."""
        bytes_of = dict(zip(self.byte_classes.tolist(), range(256), strict=True))
        found, waiting = {0: b""}, [0]
        for node in waiting:  # the list grows meanwhile
            for byte_class, below in enumerate(self.steps[node]):
                if below > 0 and below not in found:
                    found[below] = found[node] + bytes([bytes_of[byte_class]])
                    waiting.append(below)
        return [found[node] for node in range(len(self.steps))]

    @cached_property
    def bytes_left(self) -> list[int]:
        """For each node of the tree, how many more bytes its character has. The first byte of a character tells."""
        found = [0] * len(self.steps)
        for node, path in enumerate(self.paths):
            if path:
                found[node] = (2 if path[0] < 0xE0 else 3 if path[0] < 0xF0 else 4) - len(path)
        return found

    def written_with(self, byte_classes: Collection[int]) -> tuple[Classes, Classes]:
        """Return which classes have some character that's written with certain bytes alone, and which have only such.

        Args:
            byte_classes: the classes of these bytes.

        >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
        >>> vowels = byte_alphabet([0, 97, 98, 0xE9, 0xEA], [-1, 0, -1, 0, -1], byte_dfa)
        >>> vowels.written_with({vowels.class_list[97]}), vowels.written_with(range(9))
        ((1, 0), (1, 1))
        """
        some, others = [0] * len(self.steps), 0
        for node in [*sorted(range(1, len(self.steps)), key=self.bytes_left.__getitem__), 0]:
            for byte_class, step in enumerate(self.steps[node]):
                if step and byte_class in byte_classes:
                    some[node] |= some[step] if step > 0 else 1 << ~step
                elif step:
                    others |= sum(1 << each for each in self.below[step]) if step > 0 else 1 << ~step
        return some[0], ((1 << self.n_character_classes) - 1) & ~others


def byte_alphabet(bounds: Sequence[int], classes: Sequence[int], make: Callable[[Dfa], ByteDfa]) -> ByteAlphabet:
    """Return the bytes of the classes of characters of an automaton.

    Args:
        bounds, classes: as a ``Dfa`` has them.
        make: makes the tree: your ``byte_dfa``. It's only called if characters beyond ASCII differ.

    >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
    >>> letters = byte_alphabet([0, 97, 123], [-1, 0, -1], byte_dfa)
    >>> letters.byte_classes[[96, 97, 200]].tolist(), letters.steps, letters.uniform
    ([0, 1, 0], [[0, -1]], -1)
    """
    if len(bounds) > MANY:
        return _kept(make, tuple(bounds), tuple(classes))
    return _alphabet(make, bounds, classes)


def _alphabet(make: Callable[[Dfa], ByteDfa], bounds: Sequence[int], classes: Sequence[int]) -> ByteAlphabet:
    n_character_classes = max(classes) + 1  # a class of nothing but surrogates has no bytes, but it counts
    bounds, classes = _without_surrogates(bounds, classes)
    if bounds[-1] > ASCII:
        return replace(_made(make, bounds, classes), n_character_classes=n_character_classes)
    beyond = classes[-1]
    n_classes = max(classes) + 1
    tree = beyond_ascii(make)
    lead = n_classes + 1
    byte_classes = np.zeros(256, np.intp)
    for start, end, symbol_class in zip(bounds, [*bounds[1:], ASCII], classes, strict=True):
        byte_classes[start:end] = symbol_class + 1
    known = {*byte_classes.tolist()}  # a class of characters that are all beyond ASCII has a column, and no byte here
    root = [-each if each in known else 0 for each in range(lead)]
    if beyond == DEAD:
        byte_classes[ASCII:] = 0
        return ByteAlphabet(byte_classes, [root], [[]], n_character_classes, DEAD)
    byte_classes[ASCII:] = tree.byte_classes[ASCII:] + lead
    rows = [[-1 - beyond if step < 0 else step for step in row] for row in tree.steps]
    steps = [root + rows[0], *([0] * lead + row for row in rows[1:])]
    return ByteAlphabet(byte_classes, steps, [[beyond]] * len(steps), n_character_classes, beyond)


def _without_surrogates(bounds: Sequence[int], classes: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the same classes without the gap at the surrogates. They have no bytes, so they may be in any class."""
    at = bisect_left(bounds, FIRST_SURROGATE)
    if [*bounds[at : at + 2]] != [FIRST_SURROGATE, LAST_SURROGATE + 1]:
        return [*bounds], [*classes]
    end = at + 1 + (classes[at - 1] == classes[at + 1])
    return [*bounds[:at], *bounds[end:]], [*classes[:at], *classes[end:]]


@lru_cache(maxsize=8)
def beyond_ascii(make: Callable[[Dfa], ByteDfa]) -> ByteAlphabet:
    """Return the bytes of all characters beyond ASCII, as one class; ASCII is dead."""
    return _made(make, [0, ASCII], [DEAD, 0])


def _made(make: Callable[[Dfa], ByteDfa], bounds: Sequence[int], classes: Sequence[int]) -> ByteAlphabet:
    n_classes = max(classes) + 1
    automaton = make(Dfa(bounds, classes, np.zeros((1, n_classes)), 0, [True]))
    below = [np.flatnonzero(row).tolist() for row in automaton.classes_below]
    return ByteAlphabet(automaton.byte_classes, automaton.class_steps.tolist(), below, n_classes, None)


_kept = lru_cache(maxsize=32)(_alphabet)
