"""Strings of some lengths beside a pattern or a format: a state is a state and a count."""

from collections.abc import Iterable
from functools import cache, reduce
from operator import or_

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.subsets import bits_of
from labs.lab_06_regex_to_dfa.solution import live_states
from mask_engine.operations import NOTHING, is_empty
from mask_engine.reading.scalars import Text

MAX_PAIRS = 400_000
"""The most states of an automaton times the characters that are counted beside it."""

MAX_PRODUCT = 70_000
"""The most of these pairs that a text reaches."""

MOST_NARROWED = 45_000
"""The most pairs of a format that is written shorter than its length allows."""


def fewer_or_counted(case: Text, free: Dfa, least: int, most: int | None) -> Dfa:
    """Return texts of some lengths; of a format alone, rather shorter ones than none at all.

    An automaton of a format leaves out some of its texts in any case.
    """
    try:
        return counted(free, least, most)
    except LimitExceeded:
        fewer = MOST_NARROWED // len(free)
        if case.patterns or not case.formats or most is None or fewer < least:
            raise
        found = counted(free, least, fewer)
        if is_empty(found):
            raise
        return found


def counted(dfa: Dfa, least: int, most: int | None) -> Dfa:
    """Return an automaton's texts of some lengths: a state is a state and a count. It is not minimal.

    Raises:
        LimitExceeded: if there are too many such states.

    >>> some_as = Dfa([0, 97, 98], [DEAD, 0, DEAD], [[0]], 0, [True])  # a*
    >>> counted(some_as, 1, 2).accepting.tolist()  # after no a, one and two
    [False, True, True]
    """
    last = least if most is None else most
    problem = f"a text of up to {last:,} characters beside a pattern or format of {len(dfa):,} states"
    if len(dfa) * (last + 1) > MAX_PAIRS:
        raise LimitExceeded(problem, MAX_PAIRS)
    met = _met(dfa, least, most)
    if sum(map(int.bit_count, met)) > MAX_PRODUCT:
        raise LimitExceeded(problem, MAX_PRODUCT)
    if not met[0]:
        return NOTHING
    counts, states = np.array([(count, state) for count, row in enumerate(met) for state in bits_of(row)]).T
    number = np.full((last + 2, len(dfa) + 1), DEAD)  # the last row and column are for dead transitions
    number[counts, states] = np.arange(len(states))
    following = counts + 1 if most is not None else np.minimum(counts + 1, last)
    rows = number[following[:, None], dfa.transitions[states]]
    return Dfa(dfa.bounds, dfa.classes, rows, number[0, dfa.initial], dfa.accepting[states] & (counts >= least))


def _met(dfa: Dfa, least: int, most: int | None) -> list[int]:
    """Return, for each count, the states with it that a text gets to and can be finished from, as bits."""
    last = least if most is None else most  # without an upper bound, counts stay at the last one
    leads = [_as_bits({*row} - {DEAD}) for row in dfa.transitions.tolist()]
    ends = _as_bits(np.flatnonzero(dfa.accepting).tolist())
    # Most counts have the same states as the one before, so each set is only followed once.
    before = cache(lambda states: _as_bits(state for state, targets in enumerate(leads) if targets & states))
    after = cache(lambda states: reduce(or_, map(leads.__getitem__, bits_of(states)), 0))
    alive = [0] * (last + 1) + [_as_bits(live_states(dfa)) if most is None else 0]
    for count in range(last, -1, -1):
        alive[count] = before(alive[count + 1]) | (ends if count >= least else 0)
    met, count, new = [0] * (last + 2), 0, alive[0] & 1 << dfa.initial
    while new:
        met[count] |= new
        count = min(count + 1, last) if most is None else count + 1
        new = after(new) & alive[count] & ~met[count]
    return met


def _as_bits(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in numbers)
