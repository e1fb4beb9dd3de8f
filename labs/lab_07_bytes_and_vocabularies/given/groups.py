"""What your ``lift`` writes down: the functions it has found, and which function you get from each by one more byte."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.dfa import DEAD
from labkit.automata.transitions import Transitions

NOWHERE = 0
"""The group of the function that is dead in every state."""

IDENTITY = 1
"""The group of the root, where no byte has been read: every state leads to itself."""

UNKNOWN = -1
"""What ``after`` says about a key that nobody has worked out yet."""


class Groups:
    """The groups of one lifting. Nodes of the trie that are the same function are in the same group.

    Args:
        states: the states to start from, ascending.
        n_classes: the number of classes of bytes, C.

    In ``ab*``, where ``a`` has class 1 and ``b`` class 2, each is one function: 0 to 1, and 1 to 1. A second ``b`` does
    no more than the first, so it's in the same group:

    >>> from labs.lab_07_bytes_and_vocabularies.solution import ascii_dfa
    >>> automaton = ascii_dfa("ab*")
    >>> groups = Groups([0, 1], automaton.n_byte_classes)
    >>> groups.look_up(automaton, IDENTITY * 3 + np.array([0, 1, 2])).tolist()
    [0, 2, 3]
    >>> groups.look_up(automaton, 3 * 3 + np.array([1, 2])).tolist()
    [0, 3]
    """

    def __init__(self, states: Sequence[int] | NDArray[np.integer], n_classes: int) -> None:
        if not len(states) or (np.diff(states) <= 0).any():
            raise ValueError("the states to lift must ascend, and there must be one")
        self.transitions = Transitions(np.array([0, 0, len(states)]), np.array(states), np.array(states))
        """The functions, by group."""
        self.after = np.array([NOWHERE] * n_classes + [UNKNOWN] * n_classes)
        """``intp[G * C]``: at ``g * C + c`` the group after group g and a byte of class c, or ``UNKNOWN``."""
        self._n_classes = n_classes
        self._numbers = {key: number for number, key in enumerate(self.transitions.encoded())}

    def look_up(self, automaton: ByteDfa, keys: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the group of each key. A key is group * C + class: the function of that group, and then one more byte.

        A key that nobody has asked for before is worked out now, with one step of the automaton for each of its
        transitions; asked for again, it costs nothing.

        Raises:
            ValueError: if there is no such group.
        """
        outside = keys[(keys < 0) | (keys >= len(self.after))]
        if len(outside):
            key, last = int(outside[0]), len(self.transitions) - 1
            asked = f"key {key} asks for group {key // self._n_classes}, and there are only groups 0 to {last}"
            raise ValueError(f"{asked}: a key is group * C + class, and C is {self._n_classes}")
        found = self.after.take(keys)
        if found.min(initial=NOWHERE) == UNKNOWN:
            fresh = self.fresh(keys)
            added = self.add(self.follow(automaton, *np.divmod(fresh, self._n_classes)))  # this makes after longer
            self.after[fresh] = added
            found = self.after.take(keys)
        return found

    def add(self, transitions: Transitions) -> NDArray[np.intp]:
        """Give each function a group. Equal functions get the same one, whether they're old or new."""
        numbers, groups, new = self._numbers, [], []
        for place, key in enumerate(transitions.encoded()):
            if key not in numbers:
                numbers[key] = len(numbers)
                new.append(place)
            groups.append(numbers[key])
        if new:
            self.transitions = self.transitions.followed_by(transitions.take(np.array(new)))
            self.after = np.append(self.after, np.full(len(new) * self._n_classes, UNKNOWN))
        return np.array(groups, dtype=np.intp)

    def fresh(self, keys: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return those of the keys that ``after`` doesn't know yet, each once, ascending.

        >>> Groups([0, 3], n_classes=2).fresh(np.array([3, 2, 3, 0])).tolist()
        [2, 3]
        """
        # A flag for each place: raising it twice changes nothing, and flags need no sorting.
        asked = np.zeros(len(self.after), bool)
        asked[keys] = True
        return np.flatnonzero(asked & (self.after == UNKNOWN))

    def follow(self, automaton: ByteDfa, groups: NDArray[np.intp], byte_classes: NDArray[np.intp]) -> Transitions:
        """Add a byte to each of some functions: the automaton takes one more step from the target of every transition.

        Args:
            groups: ``intp[F]``: the functions, in any order, each any number of times.
            byte_classes: ``intp[F]``: the class of the byte that follows each.

        Returns:
            F functions, in the order of ``groups``. A transition whose step is dead is left out.

        Raises:
            ValueError: if there is no such group or class.

        >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
        >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa
        >>> automaton = byte_dfa(compile_dfa("ab*"))
        >>> after = Groups([0, 1], automaton.n_byte_classes).follow(
        ...     automaton, np.array([1, 1]), automaton.byte_classes[[97, 98]]
        ... )
        >>> after.first.tolist(), after.sources.tolist(), after.targets.tolist()
        ([0, 1, 2], [0, 1], [1, 1])
        """
        for name, numbers, size in (("group", groups, len(self.transitions)), ("class", byte_classes, self._n_classes)):
            outside = numbers[(numbers < 0) | (numbers >= size)]
            if len(outside):
                raise ValueError(f"there is no {name} {outside[0]}, only 0 to {size - 1}: a key is group * C + class")
        followed = self.transitions.take(groups)
        # One step for all transitions of all wanted functions; dead ones go.
        owner = followed.functions
        targets = automaton.successors(followed.targets, byte_classes[owner])
        alive = np.flatnonzero(targets != DEAD)
        # Owners ascend, so searchsorted counts the transitions before each function, also before an empty one.
        first = np.searchsorted(owner[alive], np.arange(len(groups) + 1))
        return Transitions(first, followed.sources[alive], targets[alive])
