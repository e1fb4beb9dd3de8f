"""What tokens do to an automaton: functions from states to states, one function for many tokens."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges


@dataclass(frozen=True, eq=False)
class Transitions:
    """Functions from states to states, dead where they have no transition.

    Args:
        first: ``intp[G + 1]``: function g has the transitions from ``first[g]`` up to, but not including,
            ``first[g + 1]``.
        sources: ``int32[E]``: where each transition starts; ascending within a function.
        targets: ``int32[E]``: where it leads.

    Function 0 has no transition, and function 1 leads from 5 to 6 and from 7 to 7:

    >>> transitions = Transitions(first=[0, 0, 2], sources=[5, 7], targets=[6, 7])
    >>> len(transitions), transitions.functions.tolist()
    (2, [1, 1])
    """

    first: NDArray[np.intp]
    sources: NDArray[np.int32]
    targets: NDArray[np.int32]

    def __post_init__(self) -> None:
        for name, dtype in (("first", np.intp), ("sources", np.int32), ("targets", np.int32)):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=dtype))
        if self.sources.shape != self.targets.shape or self.sources.shape != (self.first[-1],):
            raise ValueError(
                f"sources {self.sources.shape} and targets {self.targets.shape} do not fit {self.first[-1]} transitions"
            )

    def __len__(self) -> int:
        """Return the number of functions: G."""
        return len(self.first) - 1

    @cached_property
    def functions(self) -> NDArray[np.intp]:
        """``intp[E]``: the function of each transition."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    def encoded(self) -> list[bytes]:
        """Return each function's transitions as bytes, the same for two functions if and only if they are equal.

        >>> one, two, three = Transitions([0, 1, 2, 3], [5, 5, 5], [6, 7, 6]).encoded()
        >>> one == two, one == three
        (False, True)
        """
        pairs = np.stack([self.sources, self.targets], axis=1).tobytes()
        places = (self.first * 8).tolist()
        return [pairs[start:end] for start, end in pairwise(places)]

    def take(self, functions: NDArray[np.intp]) -> "Transitions":
        """Return some of the functions, in the given order.

        >>> Transitions([0, 1, 3], [5, 5, 7], [6, 7, 7]).take(np.array([1])).targets.tolist()
        [7, 7]
        """
        counts = self.first[functions + 1] - self.first[functions]
        picked = ranges(self.first[functions], counts)
        return Transitions(np.append(0, np.cumsum(counts)), self.sources[picked], self.targets[picked])

    def followed_by(self, others: "Transitions") -> "Transitions":
        """Return these functions followed by the others.

        >>> together = Transitions([0, 1], [5], [6]).followed_by(Transitions([0, 0, 1], [7], [7]))
        >>> together.first.tolist(), together.sources.tolist()
        ([0, 1, 1, 2], [5, 7])
        """
        return Transitions(
            np.concatenate([self.first, self.first[-1] + others.first[1:]]),
            np.concatenate([self.sources, others.sources]),
            np.concatenate([self.targets, others.targets]),
        )


@dataclass(frozen=True, eq=False)
class Lifted:
    """A vocabulary lifted: each token as a function from some states of an automaton to its states.

    Args:
        groups: ``intp[V]``: the function of each token, a number of ``transitions``. Function 0 is dead everywhere.
        transitions: the functions, no two of them equal.

    Raises:
        ValueError: if the two do not fit together, or function 0 has a transition.

    Five tokens and two functions that are alive somewhere:

    >>> lifted = Lifted(groups=[0, 1, 2, 1, 0], transitions=Transitions([0, 0, 2, 3], [5, 7, 5], [6, 7, 5]))
    >>> lifted.target(5, 1), lifted.target(7, 3), lifted.target(7, 2)
    (6, 7, -1)
    >>> lifted.alive_from(7).tolist()
    [False, True, False]
    """

    groups: NDArray[np.intp]
    transitions: Transitions

    def __post_init__(self) -> None:
        groups = np.asarray(self.groups, dtype=np.intp)
        groups.flags.writeable = False
        object.__setattr__(self, "groups", groups)
        if groups.ndim != 1 or (len(groups) and not (groups.min() >= 0 and groups.max() < len(self.transitions))):
            raise ValueError(f"groups must be numbers from 0 to {len(self.transitions) - 1}, one for each token")
        if self.transitions.first[1] != 0:
            raise ValueError("function 0 must be dead in every state: it may have no transition")

    def target(self, state: int, token_id: int) -> int:
        """Return where a token leads from a lifted state, or -1 where it is not allowed.

        >>> Lifted([1], Transitions([0, 0, 1], [5], [6])).target(5, 0)
        6
        """
        start, end = self.transitions.first[self.groups[token_id] : self.groups[token_id] + 2].tolist()
        place = start + int(self.transitions.sources[start:end].searchsorted(state))
        return (
            int(self.transitions.targets[place]) if place < end and self.transitions.sources[place] == state else DEAD
        )

    def alive_from(self, state: int) -> NDArray[np.bool_]:
        """Return, as ``bool[G]``, which functions are alive in a lifted state.

        >>> Lifted([1], Transitions([0, 0, 1], [5], [6])).alive_from(5).tolist()
        [False, True]
        """
        alive = np.zeros(len(self.transitions), bool)
        alive[self.transitions.functions[self.transitions.sources == state]] = True
        return alive
