"""What automata do, step by step: oracles of the labs' tests."""

import random
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from labkit.automata import Dfa
from labkit.automata.dfa import DEAD

_Item = TypeVar("_Item", bound=Hashable)


def closed(start: Iterable[_Item], more: Callable[[_Item], Iterable[_Item]]) -> set[_Item]:
    """Return what can be reached from some items, where ``more`` says what each of them leads to.

    >>> closed([3], lambda n: [n - 1] * (n > 0))
    {0, 1, 2, 3}
    """
    found = set(start)
    waiting = list(found)
    while waiting:
        new = set(more(waiting.pop())) - found
        found |= new
        waiting += new
    return found


def dfa_over(letters: int, rows: Sequence[Sequence[int]], accepting: Collection[int] = (), initial: int = 0) -> Dfa:
    """Return an automaton over the first letters of the alphabet: for each state, where each letter leads.

    >>> accepts(dfa_over(2, [(1, DEAD), (DEAD, DEAD)], {1}), "a")  # from state 0, a leads to 1 and b nowhere
    True
    """
    bounds, classes = [0, *range(97, 98 + letters)], [DEAD, *range(letters), DEAD]
    return Dfa(bounds, classes, rows, initial, [state in accepting for state in range(len(rows))])


def dfa_by_character(rows: Sequence[Mapping[str, int]], accepting: Collection[int] = (), initial: int = 0) -> Dfa:
    """Return an automaton from a dictionary for each state, from characters to the states that they lead to.

    >>> accepts(dfa_by_character([{"a": 1}, {"b": 0}], {0}), "ab")  # (ab)*
    True
    """
    symbols = sorted({ord(char) for row in rows for char in row})
    bounds = sorted({0, *symbols, *(symbol + 1 for symbol in symbols)})
    classes = [symbols.index(bound) if bound in symbols else DEAD for bound in bounds]
    table = [[row.get(chr(symbol), DEAD) for symbol in symbols] for row in rows]
    ends = [state in accepting for state in range(len(rows))]
    return Dfa(bounds, classes, np.array(table).reshape(len(rows), -1), initial, ends)


def dfa_of_texts(texts: Collection[str], extra: str = "") -> Dfa:
    """Return the automaton of some texts, with a state for each prefix; the characters of ``extra`` have classes too.

    >>> dfa = dfa_of_texts(["ab", "b"], "c")
    >>> accepts(dfa, "ab"), accepts(dfa, "a"), len(dfa), dfa.n_classes
    (True, False, 4, 3)
    """
    prefixes = list(dict.fromkeys(["", *(text[:end] for text in texts for end in range(1, len(text) + 1))]))
    state = {prefix: number for number, prefix in enumerate(prefixes)}
    rows = [dict.fromkeys(extra, DEAD) for _ in prefixes]
    for prefix in prefixes[1:]:
        rows[state[prefix[:-1]]][prefix[-1]] = state[prefix]
    return dfa_by_character(rows, {state[text] for text in texts})


def any_automata(letters: int, count: int, most: int, seed: int = 0) -> list[Dfa]:
    """Return random automata over some letters, small ones first; some states are dead ends or never reached.

    >>> [len(dfa) for dfa in any_automata(2, count=4, most=2)]
    [1, 1, 2, 2]
    """
    rng, made = random.Random(seed), []
    for size in (1 + number * most // count for number in range(count)):
        rows = [rng.choices(range(DEAD, size), k=letters) for _ in range(size)]
        made.append(dfa_over(letters, rows, {s for s in range(size) if rng.random() < 0.4}, rng.randrange(size)))
    return made


def walk(automaton: Any, state: int, text: str | bytes) -> list[int]:
    """Return the states of a walk over characters or bytes, up to the first dead one.

    >>> walk(dfa_over(1, [[1], [DEAD]], {1}), 0, "aaa")
    [0, 1, -1]
    """
    states = [state]
    for symbol in map(ord, text) if isinstance(text, str) else text:
        if states[-1] == DEAD:
            break
        states.append(automaton.step(states[-1], symbol))
    return states


def accepts(dfa: Dfa, text: str | bytes) -> bool:
    """Return the verdict of an automaton on a whole text.

    >>> accepts(dfa_over(1, [[1], [DEAD]], {1}), "aa")  # one a, and no more
    False
    """
    end = walk(dfa, dfa.initial, text)[-1]
    return end != DEAD and bool(dfa.accepting[end])


def reached(dfa: Dfa) -> set[int]:
    """Return the states that some text leads to.

    >>> reached(dfa_over(1, [[0], [0]], {1}))  # nothing leads to state 1
    {0}
    """
    rows = dfa.transitions.tolist()
    return closed([dfa.initial], lambda state: {*rows[state]} - {DEAD})


def living(dfa: Dfa) -> set[int]:
    """Return the states from which some text is accepted.

    >>> living(dfa_over(1, [[1], [DEAD], [2]], {1}))  # state 2 leads only to itself
    {0, 1}
    """
    found, rows = {state for state in range(len(dfa)) if dfa.accepting[state]}, dfa.transitions.tolist()
    while more := {state for state, row in enumerate(rows) if found & {*row}} - found:
        found |= more
    return found


def kinds_of(dfa: Dfa, states: Collection[int]) -> dict[int, int]:
    """Return a number for each of some states, equal where no text tells two of them apart.

    >>> kinds_of(dfa_over(1, [[1], [2], [0]], {0, 1, 2}), {0, 1, 2})  # from each of them any number of a's may come
    {0: 0, 1: 0, 2: 0}
    """
    rows, count = dfa.transitions.tolist(), 0
    kinds = {state: int(dfa.accepting[state]) for state in states}
    while len({*kinds.values()}) > count:  # Moore: cut until every cut is made
        count = len({*kinds.values()})
        signs = {state: (kinds[state], *(kinds.get(target) for target in rows[state])) for state in states}
        numbers = {sign: number for number, sign in enumerate(dict.fromkeys(signs.values()))}
        kinds = {state: numbers[sign] for state, sign in signs.items()}
    return kinds


def fewest_states(dfa: Dfa) -> int:
    """Return how many states the smallest automaton for the same texts has.

    >>> fewest_states(dfa_over(1, [[1], [2], [0]], {0, 1, 2}))
    1
    """
    return max(1, len({*kinds_of(dfa, reached(dfa) & living(dfa)).values()}))
