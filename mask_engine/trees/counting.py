"""Strings of some lengths beside a pattern or a format: a state is a state and a count."""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import live_states
from mask_engine.operations import NOTHING, is_empty
from mask_engine.reading.scalars import Text

MAX_PAIRS = 400_000
"""The most states of an automaton times the characters that are counted beside it."""

FEW = 4
"""The most states of an automaton for which all pairs are made."""

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
    """
    size, last = len(dfa), least if most is None else most
    problem = f"a text of up to {last:,} characters beside a pattern or format of {size:,} states"
    if size * (last + 1) > MAX_PAIRS:
        raise LimitExceeded(problem, MAX_PAIRS)
    after = np.append(dfa.transitions, np.full((1, dfa.n_classes), DEAD, np.int32), axis=0)
    # alive[count, state]: whether an accepting state can still be reached. The last column is for dead transitions.
    alive = np.zeros((last + 2, size + 1), bool)
    if most is None:
        alive[last + 1, list(live_states(dfa))] = True
    for count in range(last, -1, -1):
        alive[count] = alive[count + 1][after].any(axis=1)
        alive[count, :size] |= dfa.accepting & (count >= least)
    if most is not None and size <= FEW and alive[0, dfa.initial]:
        # So few states that all pairs are made at once, instead of those that are reached, layer by layer.
        counts = np.arange(last + 1)[:, None]
        kept = alive[1:][:, dfa.transitions] & (dfa.transitions != DEAD)
        pairs = np.where(kept, dfa.transitions + ((counts + 1) * size)[:, :, None], DEAD).reshape(-1, dfa.n_classes)
        entered = np.unique(np.append(pairs[pairs != DEAD], dfa.initial))
        if len(entered) > MAX_PRODUCT:
            raise LimitExceeded(problem, MAX_PRODUCT)
        names = np.full(len(pairs) + 1, DEAD)
        names[entered] = np.arange(len(entered))
        ends = (dfa.accepting & (counts >= least)).reshape(-1)[entered]
        return Dfa(dfa.bounds, dfa.classes, names[pairs[entered]], int(names[dfa.initial]), ends)
    number = np.full(((last + 2), size + 1), DEAD, np.int64)
    layers = [np.array([dfa.initial])] if alive[0, dfa.initial] else []
    rows: list[NDArray[np.int64]] = []
    total = len(layers)
    number[0, dfa.initial] = 0
    accepting: list[NDArray[np.bool_]] = []
    count = 0
    while layers and len(layers[-1]):
        here = layers[-1]
        following = min(count + 1, last) if most is None else count + 1
        targets = after[here]
        kept = alive[following][targets] & (targets != DEAD)
        new = np.unique(targets[kept])
        new = new[number[following, new] == DEAD]
        number[following, new] = total + np.arange(len(new))
        total += len(new)
        if total > MAX_PRODUCT:
            raise LimitExceeded(problem, MAX_PRODUCT)
        rows.append(np.where(kept, number[following][targets], DEAD))
        accepting.append(dfa.accepting[here] & (count >= least))
        layers.append(new)
        count = following
    if not rows:
        return NOTHING
    return Dfa(dfa.bounds, dfa.classes, np.concatenate(rows), 0, np.concatenate(accepting))
