"""An ``Nfa`` that makes its states when they're first asked for, by calling your ``unfold``."""

from collections.abc import Callable, Container
from typing import Any

from labkit.automata.dfa import MAX_NFA_STATES, Nfa
from labkit.automata.syntax import Concat, Node, Ranges
from labkit.automata.work import spend
from labkit.errors import LimitExceeded

Moves = list[tuple[Ranges, int]]

Unfold = Callable[[Any, int, Callable[[Any, int], int]], tuple[Moves, list[int]]]
"""Your ``unfold``, or a function like it."""

ENOUGH = MAX_NFA_STATES // 2
"""Having made so many states, an automaton is full: whoever asks it again and again should begin a new one."""

END = 0
"""The state with nothing left to read."""


class Unfolding(dict[int, list[int]]):
    """A nondeterministic automaton. Each state says what's still to be read: a node, and the state to continue in.

    To ask for a state's epsilon targets is to unfold it. There are no reference cycles in here, so if thousands of
    automata come and go, each one is freed as soon as nobody needs it.

    Attributes:
        pairs: for each state, the node and the state after it.
        moves: the moves of each state that has been unfolded.
        n_given: how many states were carried over from an older automaton. They count towards no limit.

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
        self.n_given: float = 0
        self._numbers: dict[tuple[Any, int], int] = {}

    def state(self, node: Any, after: int) -> int:
        """Return the number of the state that reads a node and then continues in another state.

        Raises:
            LimitExceeded: beyond ``MAX_NFA_STATES`` that weren't carried over.
        """
        key, new = (node, after), len(self.pairs)
        number = self._numbers.setdefault(key, new)  # the node is hashed once
        if number == new:
            if number - self.n_given >= MAX_NFA_STATES:
                del self._numbers[key]
                raise LimitExceeded("the pattern needs too many NFA states", MAX_NFA_STATES)
            self.pairs.append(key)
        return number

    @property
    def is_full(self) -> bool:
        """Whether it has made ``ENOUGH`` states."""
        return len(self.pairs) - self.n_given > ENOUGH

    def from_known(self, state: int, known: Container[int]) -> list[int]:
        """Return the first known state that comes after a state, and what's read before it: back to the state itself.

        >>> from labkit.automata.syntax import Chars
        >>> made = Unfolding(lambda node, after, state: ([(node.ranges, after)], []))
        >>> first = made.state(Chars(((98, 98),)), made.state(Chars(((97, 97),)), END))
        >>> made.from_known(first, {END})
        [0, 1, 2]
        """
        chain = [state]
        while chain[-1] not in known:
            chain.append(self.pairs[chain[-1]][1])
        return chain[::-1]

    def carried_over(self, to: "Unfolding") -> Callable[[int], int]:
        """Return a function that makes the equal of a state of this automaton in another one, and returns its number.

        >>> from labkit.automata.syntax import Chars
        >>> old, new = (Unfolding(lambda node, after, state: ([(node.ranges, after)], [])) for _ in range(2))
        >>> state = [old.state(Chars(((code, code),)), END) for code in (97, 98)][1]
        >>> state, old.carried_over(new)(state)
        (2, 1)
        """
        known = {END: END}

        def carried(state: int) -> int:
            last, *chain = self.from_known(state, known)
            after = known[last]
            for each in chain:
                after = known[each] = to.state(self.pairs[each][0], after)
            return after

        return carried

    @property
    def epsilon(self) -> "Unfolding":
        """The targets of each state's epsilon transitions."""
        spend(1)  # a closure asks once for each of its states, and knows how many there are only at its end
        return self

    def __missing__(self, state: int) -> list[int]:
        spend(6)
        self.moves[state], found = self.unfold(*self.pairs[state], self.state)
        self[state] = found
        return found


def explored(tree: Node, unfold: Unfold) -> Nfa:
    """Unfold every state that can be reached, and return the automaton as plain data.

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
