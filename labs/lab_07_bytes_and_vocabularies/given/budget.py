"""Budgets: lab 05's tokens to accept and its rule for a token, over the transitions of a lifted automaton."""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.ranges import ranges
from labkit.automata.transitions import Lifted


def fewest_steps(
    n_states: int, sources: NDArray[np.integer], targets: NDArray[np.integer], accepting: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return the fewest transitions from each state to an accepting one: lab 05's breadth-first search, by levels.

    Args:
        sources, targets: integers ``[E]``: the transitions.
        accepting: ``intp``: the accepting states.

    Returns:
        ``float64[S]``: ``inf`` where no accepting state can be reached.

    >>> fewest_steps(4, np.array([0, 1, 3]), np.array([1, 2, 3]), np.array([2])).tolist()
    [2.0, 1.0, 0.0, inf]
    """
    order = np.argsort(targets, kind="stable")
    before = sources[order]
    first = np.searchsorted(targets[order], np.arange(n_states + 1))
    distance = np.full(n_states, np.inf)
    level, steps = accepting, 0
    while len(level):
        distance[level] = steps
        earlier = before[ranges(first[level], first[level + 1] - first[level])]
        level, steps = np.unique(earlier[np.isinf(distance[earlier])]), steps + 1
    return distance


def affordable(lifted: Lifted, state: int, distance: dict[int, float], remaining: int) -> NDArray[np.bool_]:
    """Return the functions alive in a state after which the rest of the budget suffices: ``bool[G]``.

    Args:
        distance: the fewest tokens to an accepting state, for each state that a token leads to.
        remaining: how many tokens may still be emitted, this one and EOS included.

    Function 1 leads to the accepting state 6, function 2 to one that is a token away from it:

    >>> from labkit.automata.transitions import Transitions
    >>> lifted = Lifted([0, 1, 2], Transitions([0, 0, 1, 2], [5, 5], [6, 7]))
    >>> affordable(lifted, 5, {6: 0.0, 7: 1.0}, remaining=2).tolist()
    [False, True, False]
    """
    transitions = lifted.transitions
    here = np.flatnonzero(transitions.sources == state)
    # A function may belong to a node at which no token ends; then the state that it leads to may have no distance.
    needed = np.array([distance.get(target, np.inf) + 2 for target in transitions.targets[here].tolist()])
    alive = np.zeros(len(transitions), bool)
    alive[transitions.functions[here[needed <= remaining]]] = True
    return alive
