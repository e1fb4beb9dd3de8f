"""Automata from a rule: ``explore`` finds the states that the rule can reach."""

from collections.abc import Callable, Hashable
from typing import TypeVar

from labkit.automata.dfa import MAX_DFA_STATES, Dfa
from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.words import tabulate
from labs.lab_06_regex_to_dfa.solution import minimize_dfa

State = TypeVar("State", bound=Hashable)


def explore(
    initial: State, step: Callable[[State, str], State | None], accepts: Callable[[State], bool], alphabet: str
) -> Dfa:
    """Return the minimal automaton of a rule, by trying every character in every state until none is new.

    Args:
        initial: a state, any hashable value but None.
        step: the state after a character, or None where the text is dead.
        accepts: whether a text may end in a state.
        alphabet: the characters to try.

    Raises:
        LimitExceeded: if it is larger than the limits of ``labkit.automata.dfa``.

    Binary numbers that are multiples of three:

    >>> dfa = explore(0, lambda rest, bit: (2 * rest + int(bit)) % 3, lambda rest: rest == 0, "01")
    >>> len(dfa), dfa.step(dfa.initial, ord("2"))
    (3, -1)
    """
    states = [initial]
    numbers = {initial: 0}
    rows: list[dict[str, int]] = []
    for state in states:  # the list grows meanwhile
        spend(2 * len(alphabet))
        targets = {char: target for char in alphabet if (target := step(state, char)) is not None}
        for target in targets.values():
            if numbers.setdefault(target, len(states)) == len(states):
                states.append(target)
        if len(states) > MAX_DFA_STATES:
            raise LimitExceeded("an automaton made from texts or a rule has too many states", MAX_DFA_STATES)
        rows.append({char: numbers[target] for char, target in targets.items()})
    return minimize_dfa(tabulate(rows, 0, [accepts(state) for state in states]))
