"""Helpers of the subset construction: closures that are kept, and limits that stop an explosion."""

from collections.abc import Callable

from labkit.automata.dfa import MAX_DFA_STATES, MAX_SUBSET_MEMBERS, MAX_TRANSITIONS, Nfa
from labkit.automata.work import spend
from labkit.errors import LimitExceeded

Subset = tuple[int, ...]
"""States of an ``Nfa``, ascending."""


class SubsetLimits:
    """Counts the states and members that a subset construction makes.

    >>> limits = SubsetLimits(n_nfa_states=40, n_classes=9_000_000)
    >>> limits.count_subset((1, 2))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    labkit.errors.LimitExceeded: the table of 2 DFA states by 9,000,000 classes of characters grows too large; ...
    """

    def __init__(self, n_nfa_states: int, n_classes: int) -> None:
        self.n_nfa_states = n_nfa_states
        self.n_classes = n_classes
        self.n_subsets = 1
        self.n_members = 0

    def count_subset(self, subset: Subset) -> None:
        """Count a new state of the ``Dfa``.

        Raises:
            LimitExceeded: beyond the limits of ``labkit.automata.dfa``; it says which, and what exploded.
        """
        self.n_subsets += 1
        spend(15)  # a row is made, and minimised
        if self.n_subsets > MAX_DFA_STATES:
            problem = f"the subset construction makes too many DFA states of an NFA of {self.n_nfa_states:,} states"
            raise LimitExceeded(problem, MAX_DFA_STATES)
        if self.n_subsets * self.n_classes > MAX_TRANSITIONS:
            size = f"{self.n_subsets:,} DFA states by {self.n_classes:,} classes of characters"
            raise LimitExceeded(f"the table of {size} grows too large", MAX_TRANSITIONS)
        self.count_members(subset)

    def count_members(self, subset: Subset) -> None:
        """Count the members of a subset, or of a closure."""
        spend(len(subset))
        self.n_members += len(subset)
        if self.n_members > MAX_SUBSET_MEMBERS:
            made = f"{self.n_subsets:,} DFA states of an NFA of {self.n_nfa_states:,} states"
            raise LimitExceeded(f"the sets after {made}, and more to come, hold too much", MAX_SUBSET_MEMBERS)


class Closures(dict[int, Subset]):
    """The epsilon closure of each state, made when it is first asked for, and kept.

    It leaves out what makes no difference between two sets of states: those that neither read a character nor accept.

    >>> nfa = Nfa([[], [(((97, 97),), 2)], []], [[1, 2], [], []], accepting=2)
    >>> Closures(nfa, lambda nfa, state: frozenset({state, *nfa.epsilon[state]}), SubsetLimits(3, 1))[0]
    (1, 2)
    """

    def __init__(self, nfa: Nfa, epsilon_closure: Callable[[Nfa, int], frozenset[int]], limits: SubsetLimits) -> None:
        super().__init__()
        self._nfa = nfa
        self._closure = epsilon_closure
        self._limits = limits

    def __missing__(self, state: int) -> Subset:
        nfa = self._nfa
        counts = (other for other in self._closure(nfa, state) if nfa.moves[other] or other == nfa.accepting)
        self[state] = tuple(sorted(counts))
        self._limits.count_members(self[state])
        return self[state]
