"""Lab 07's automata as plain arrays, to be sent to a device once: steps, masks, and initial states."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import BYTES, DEAD
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.solution import TokenFSM, TokenVocabularyIndex

MOST_WORDS = 1 << 26
"""The most words of all rows of masks together: 256 MiB."""


class Automaton(NamedTuple):
    """The automata over bytes of some patterns in one; its states are 0 to S - 1.

    ``steps`` is ``int32[S, 256]``: the state after each byte, -1 where it is dead. ``accepting`` is ``bool[S]``,
    ``masks`` ``int32[S, ceil(V / 32)]``, and ``initial`` ``int32[P]``, the initial state of each pattern.
    """

    steps: NDArray[np.int32]
    accepting: NDArray[np.bool_]
    masks: NDArray[np.int32]
    initial: NDArray[np.int32]


class DeviceTables(NamedTuple):
    """The tables that stay on the device while the patterns are in use.

    ``masks`` is ``int32[S + 2, ceil(V / 32)]``, ``steps`` ``int32[S + 2, 258]``, ``symbols`` ``int16``, and ``offsets``
    ``int32[V + 1]``; ``initial`` has the initial state of each pattern. State S is finished, and S + 1 is dead.

    >>> DeviceTables._fields
    ('masks', 'steps', 'symbols', 'offsets', 'initial')
    """

    masks: NDArray[np.int32]
    steps: NDArray[np.int32]
    symbols: NDArray[np.int16]
    offsets: NDArray[np.int32]
    initial: NDArray[np.int32]


def automaton_of(patterns: Sequence[str], index: TokenVocabularyIndex) -> Automaton:
    """Return the automaton of some patterns over a vocabulary, with every state that bytes reach.

    Raises:
        InvalidPattern, UnsupportedPattern, LimitExceeded: see lab 06; also if the masks would take too much memory.

    >>> from labkit.vocabulary import Vocabulary
    >>> automaton = automaton_of(["1+", "a"], TokenVocabularyIndex(Vocabulary.toy()))
    >>> automaton.steps.shape, automaton.accepting.tolist(), automaton.masks.tolist(), automaton.initial.tolist()
    ((4, 256), [False, True, False, True], [[8], [24], [1], [16]], [0, 2])
    """
    steps, accepting, masks, initial = list[NDArray[np.int32]](), list[bool](), list[NDArray[np.int32]](), list[int]()
    for pattern in patterns:
        fsm, first = TokenFSM(compile_dfa(pattern), index), len(steps)
        states, numbers = [fsm.initial_state], {fsm.initial_state: first}
        for state in states:  # which grows
            row = np.full(BYTES, DEAD, np.int32)
            for byte, target in fsm.bytes_from(state).items():
                if target not in numbers:
                    numbers[target] = first + len(states)
                    states.append(target)
                row[byte] = numbers[target]
            steps.append(row)
            accepting.append(fsm.is_terminal(state))
        if len(states) * -(-len(index) // 32) > MOST_WORDS:
            raise LimitExceeded(f"the masks of {len(states):,} states take too many words", MOST_WORDS)
        masks += map(fsm.mask, states)
        initial.append(first)
    return Automaton(np.stack(steps), np.array(accepting), np.stack(masks), np.array(initial, np.int32))
