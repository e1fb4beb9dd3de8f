"""The states of an ``Nfa`` made from a tree, each when it is first asked for, and kept."""

from collections.abc import Callable
from typing import Any

from labkit.automata.dfa import MAX_NFA_STATES, Nfa
from labkit.automata.syntax import Concat, Node, Ranges
from labkit.automata.work import spend
from labkit.errors import LimitExceeded

Moves = list[tuple[Ranges, int]]

Unfold = Callable[[Any, int, Callable[[Any, int], int]], tuple[Moves, list[int]]]
"""A function as ``unfold`` of ``solution.py``."""

END = 0
"""The state in which nothing is left to read."""


class Unfolding(dict[int, list[int]]):
    """A nondeterministic automaton whose states are what is still to be read: a node, and the state after it.

    It is the epsilon targets of its states, made when they are first asked for, and the moves of a state with them. It
    holds nothing that holds it: where thousands of automata come and go, each is gone when nobody needs it.

    Attributes:
        pairs: for each state, the node and the state after it.
        moves: of the states whose epsilon targets have been asked for.

    >>> from labkit.automata.syntax import Chars
    >>> made = Unfolding(lambda node, after, state: ([(node.ranges, after)], []))
    >>> made.state(Chars(((97, 97),)), END), made.state(Chars(((97, 97),)), END), made.epsilon[1], made.moves[1]
    (1, 1, [], [(((97, 97),), 0)])
    """

    accepting = END

    def __init__(self, unfold: Unfold) -> None:
        super().__init__({END: []})
        self.moves: dict[int, Moves] = {END: []}
        self.unfold = unfold
        self.pairs: list[tuple[Any, int]] = [(Concat(()), END)]
        self._numbers: dict[tuple[Any, int], int] = {}

    def state(self, node: Any, after: int) -> int:
        """Return the number of the state in which a text reads a node, and then what is read from another state.

        Raises:
            LimitExceeded: beyond ``MAX_NFA_STATES``.
        """
        key = (node, after)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.pairs)
            if number >= MAX_NFA_STATES:
                raise LimitExceeded("the pattern needs too many NFA states", MAX_NFA_STATES)
            self.pairs.append(key)
        return number

    @property
    def epsilon(self) -> "Unfolding":
        """The targets of each state's epsilon transitions."""
        return self

    def __missing__(self, state: int) -> list[int]:
        self.moves[state], found = self.unfold(*self.pairs[state], self.state)
        self[state] = found
        return found


def explored(tree: Node, unfold: Unfold) -> Nfa:
    """Return the automaton of a tree as plain data, with all states that can be reached.

    Raises:
        LimitExceeded: beyond ``MAX_NFA_STATES``.

    >>> from labkit.automata.syntax import Chars
    >>> explored(Chars(((97, 97),)), lambda node, after, state: ([(node.ranges, after)], [])).moves
    [[], [(((97, 97),), 0)]]
    """
    made = Unfolding(unfold)
    initial = made.state(tree, END)
    moves, epsilon = list[Moves](), list[list[int]]()
    while len(moves) < len(made.pairs):
        spend(3)
        epsilon.append(made.epsilon[len(moves)])
        moves.append(made.moves[len(moves)])
    return Nfa(moves, epsilon, initial, END)
