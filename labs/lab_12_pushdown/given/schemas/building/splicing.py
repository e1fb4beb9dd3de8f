"""Lab 08's ``splice`` for the large automata of this compiler: most of its subsets have one member.

Where a copied automaton is deterministic beside what surrounds it, its rows are copied as they are, all at once; only
states that several copies share are made one by one. The result is not made minimal, which would take longer than all
the rest: skeleton and parts are minimal, so it is hardly larger than the minimal one.
``tests/labs/lab_12/test_splicing.py`` holds it equivalent to lab 08's.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import CODE_POINTS, DEAD, MAX_DFA_STATES, MAX_TRANSITIONS, Dfa
from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.columns import merge_columns

_Table = NDArray[np.int64]


def is_nothing(dfa: Dfa) -> bool:
    """Return whether an automaton matches no text, if all its states are live, as those of all automata here are.

    >>> from labs.lab_08_json_schema.given.automata.operations import EMPTY, NOTHING
    >>> is_nothing(NOTHING), is_nothing(EMPTY)
    (True, False)
    """
    return not dfa.accepting.any()


def spliced(skeleton: Dfa, parts: Mapping[int, Dfa]) -> Dfa | None:
    """Return an automaton with others in the place of markers, as lab 08's ``splice`` does, perhaps not minimal.

    Args:
        skeleton, parts: automata without dead and unreachable states; a marker in a part is an ordinary symbol.

    Returns:
        An automaton whose states are all live; None if so many copies overlap that the minimal one may be far smaller.

    Raises:
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``, before the table is made.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> lists = spliced(compile_dfa("<N(,N)*>"), {ord("N"): compile_dfa("[0-9]+")})
    >>> fullmatch(lists, "<1,23,4>"), fullmatch(lists, "<1,,4>"), fullmatch(lists, "<N>")
    (True, False, False)
    """
    used = {marker: part for marker, part in parts.items() if skeleton.class_of(marker) != DEAD}
    if not all(part.accepting.any() for part in used.values()):
        return None
    copies = _copies(skeleton, used)
    size = len(skeleton) + sum(len(used[marker]) for marker, _ in copies)
    bounds, classes, columns = _alphabet(skeleton, used)
    n_classes = int(classes.max()) + 1
    if size > MAX_DFA_STATES:
        raise LimitExceeded(f"an automaton of {size:,} states, its parts written out", MAX_DFA_STATES)
    if size * n_classes > MAX_TRANSITIONS:
        raise LimitExceeded(f"an automaton of {size:,} states by {n_classes} classes", MAX_TRANSITIONS)
    spend(size * (4 + n_classes // 16))
    table = np.full((size, n_classes), DEAD, np.int64)
    table[: len(skeleton)] = _widened(skeleton, columns[0])
    wide = {marker: _widened(part, column) for (marker, part), column in zip(used.items(), columns[1:], strict=True)}
    epsilon: dict[int, list[int]] = {}
    first = len(skeleton)
    for (marker, target), sources in copies.items():
        part = used[marker]
        table[first : first + len(part)] = np.where(wide[marker] == DEAD, DEAD, wide[marker] + first)
        for source in sources:
            epsilon.setdefault(source, []).append(first + part.initial)
        for state in np.flatnonzero(part.accepting).tolist():
            epsilon.setdefault(first + state, []).append(target)
        first += len(part)
    accepting = np.zeros(size, bool)
    accepting[: len(skeleton)] = skeleton.accepting
    return _Subsets(table, accepting, epsilon).dfa(bounds, classes, skeleton.initial)


def _copies(skeleton: Dfa, parts: Mapping[int, Dfa]) -> dict[tuple[int, int], list[int]]:
    """Return the copies that are needed, one for each marker and target, each with the states that lead into it."""
    found: dict[tuple[int, int], list[int]] = {}
    for marker in parts:
        for source, target in enumerate(skeleton.transitions[:, skeleton.class_of(marker)].tolist()):
            if target != DEAD:
                found.setdefault((marker, target), []).append(source)
    return found


def _alphabet(skeleton: Dfa, parts: Mapping[int, Dfa]) -> tuple[_Table, _Table, list[_Table]]:
    """Return the bounds and classes of an alphabet for all automata, and each one's class for each of these classes."""
    cuts = [bound for marker in parts for bound in (marker, marker + 1) if bound < CODE_POINTS]
    automata = [skeleton, *parts.values()]
    bounds = np.unique(np.concatenate([np.array(cuts, np.int64), *(dfa.bounds for dfa in automata)]))
    own = [dfa.classes[np.searchsorted(dfa.bounds, bounds, side="right") - 1] for dfa in automata]
    own[0] = np.where(np.isin(bounds, list(parts)), DEAD, own[0])
    rows = np.stack(own)
    kinds, classes = np.unique(rows, axis=1, return_inverse=True)
    return bounds, classes.reshape(-1), list(kinds)


def _widened(dfa: Dfa, columns: _Table) -> _Table:
    """Return an automaton's table over other classes, each of which is one of its own, or dead."""
    table: _Table = np.append(dfa.transitions, np.full((len(dfa), 1), DEAD), axis=1)[:, columns]
    return table


class _Subsets:
    """The subset construction of a table beside epsilon transitions, which most states do not have."""

    def __init__(self, table: _Table, accepting: NDArray[np.bool_], epsilon: dict[int, list[int]]) -> None:
        self._table, self._accepting, self._epsilon = table, accepting, epsilon
        counts = (table != DEAD).any(axis=1) | accepting
        self._counts = counts.tolist()
        plain = counts.copy()
        plain[list(epsilon)] = False
        alone = np.flatnonzero(plain)
        self._subsets: list[tuple[int, ...]] = [(state,) for state in alone.tolist()]
        self._numbers = {subset: number for number, subset in enumerate(self._subsets)}
        # home[state]: the number of the subset that one enters with a state; the last entry is for DEAD.
        self._home = np.full(len(table) + 1, DEAD)
        self._home[alone] = np.arange(len(alone))
        entered: dict[int, int] = {}
        for state in epsilon:
            end = state  # that of a copy often does nothing but lead on
            while not self._counts[end] and len(epsilon.get(end, ())) == 1:
                end = epsilon[end][0]
            if end not in entered:
                entered[end] = self._number([end])
            self._home[state] = entered[end]

    def dfa(self, bounds: _Table, classes: _Table, initial: int) -> Dfa | None:
        """Return the automaton, or None if more states are shared by several copies than not."""
        found, accepts, done = [], [], 0
        while done < len(self._subsets):
            if len(self._subsets) > 2 * len(self._table) + 1:
                return None
            new = self._subsets[done:]
            done = len(self._subsets)
            members = np.array([state for subset in new for state in subset])
            starts = np.cumsum([0, *(len(subset) for subset in new[:-1])])
            found.append(self._rows(members, starts))
            accepts.append(np.logical_or.reduceat(self._accepting[members], starts))
        return _reachable(bounds, classes, np.concatenate(found), int(self._home[initial]), np.concatenate(accepts))

    def _rows(self, members: _Table, starts: _Table) -> _Table:
        """Return the rows of subsets, whose members are given one subset after another."""
        targets = self._table[members]
        rows: _Table = self._home[np.maximum.reduceat(targets, starts)]
        several = np.add.reduceat(targets != DEAD, starts, dtype=np.int64) > 1
        ends = [*starts[1:].tolist(), len(members)]
        for index, symbol_class in zip(*(axis.tolist() for axis in np.nonzero(several)), strict=True):
            reached = targets[starts[index] : ends[index], symbol_class]
            rows[index, symbol_class] = self._number(reached[reached != DEAD].tolist())
        return rows

    def _number(self, states: list[int]) -> int:
        """Return the number of the subset that epsilon transitions lead to, without states that make no difference.

        These neither read a symbol nor accept.
        """
        found = set(states)
        waiting = list(found)
        while waiting:
            new = set(self._epsilon.get(waiting.pop(), ())) - found
            found |= new
            waiting += new
        spend(1 + len(found) // 2)
        subset = tuple(sorted(state for state in found if self._counts[state]))
        if subset not in self._numbers:
            self._numbers[subset] = len(self._subsets)
            self._subsets.append(subset)
        return self._numbers[subset]


def _reachable(bounds: _Table, classes: _Table, table: _Table, initial: int, accepting: NDArray[np.bool_]) -> Dfa:
    """Return the automaton without the states that are not reached; all others are live."""
    states, columns = np.nonzero(table != DEAD)
    edges = np.unique(states * len(table) + table[states, columns])
    sources, targets = np.divmod(edges, len(table))
    starts = np.searchsorted(sources, np.arange(len(table) + 1)).tolist()
    after = targets.tolist()
    seen = bytearray(len(table))
    seen[initial] = 1
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        for target in after[starts[state] : starts[state + 1]]:
            if not seen[target]:
                seen[target] = 1
                waiting.append(target)
    kept = np.flatnonzero(np.frombuffer(seen, np.uint8))
    number = np.full(len(table) + 1, DEAD)
    number[kept] = np.arange(len(kept))
    return merge_columns(Dfa(bounds, classes, number[table[kept]], int(number[initial]), accepting[kept]))
