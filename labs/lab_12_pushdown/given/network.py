"""What your functions get as ``network``: the rules of a grammar, as one automaton over bytes with calls in it.

``Network`` puts the rules' automata side by side, and keeps their calls apart. ``Rules`` adds what your functions find.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import MOST_BYTES
from labkit.automata.dfa import DEAD, MAX_TRANSITIONS, Dfa
from labkit.automata.grammar import CALL, Grammar
from labkit.automata.work import spend
from labkit.errors import InvalidGrammar, LimitExceeded
from labs.lab_06_regex_to_dfa.given.lengths import utf8_lengths
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

Calls = dict[int, list[tuple[int, int]]]
"""For each state with calls: pairs of the rule that it calls, and the state to which that rule returns."""


TOGETHER = 32
"""How many states get their rows at once, when the first of them is asked for."""


def calls_of(dfa: Dfa, n_rules: int) -> Calls:
    """Find the calls in a rule's automaton: for each state, which rules it calls, and the states after the calls.

    >>> from labkit.automata.grammar import call
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> calls_of(compile_dfa(f"a{call(1)}?b"), 2)
    {1: [(1, 3)]}
    """
    found: Calls = {}
    codes = np.arange(CALL, CALL - n_rules, -1)
    classes = dfa.classes[dfa.bounds.searchsorted(codes, side="right") - 1].tolist()
    for rule, symbol_class in enumerate(classes):
        if symbol_class < 0:
            continue
        column = dfa.transitions[:, symbol_class]
        for state in np.flatnonzero(column != DEAD).tolist():
            found.setdefault(state, []).append((rule, int(column[state])))
    return found


def call_order(at_once: Sequence[Iterable[int]], names: Sequence[str]) -> list[int]:
    """Order the rules so that each comes before those that it calls at once, that is, before it has read a byte.

    Args:
        at_once: for each rule, those that it calls at once.
        names: the rules' names, for the message.

    Raises:
        InvalidGrammar: for left recursion: a rule calls itself at once, perhaps by way of others. The message names the
            rules of the circle, beginning and ending with the same one.

    >>> call_order([[2], [0], []], ["a", "b", "c"])
    [1, 0, 2]
    >>> call_order([[1], [0]], ["sum", "term"])
    Traceback (most recent call last):
    labkit.errors.InvalidGrammar: left recursion: sum, term, sum
    """
    try:
        return [*TopologicalSorter(dict(enumerate(at_once))).static_order()][::-1]
    except CycleError as error:
        # Python's sorter lists a circle backwards, from the rule that's called to its caller.
        circle = [names[rule] for rule in reversed(error.args[1])]
        raise InvalidGrammar("left recursion: " + ", ".join(circle)) from None


def alive_states(grammar: Grammar, calls: Sequence[Calls]) -> list[set[int]]:
    """Return for each rule the states from which it can end, if all the rules that it calls can end too.

    We go backwards from the accepting states. A call has to wait until we know that its rule can end.

    >>> from labkit.automata.grammar import call
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> rules = compile_dfa(f"a|b{call(1)}"), compile_dfa(f"c{call(1)}")
    >>> alive_states(Grammar(rules, ("x", "y")), [calls_of(rule, 2) for rule in rules])
    [{0, 1}, {2}]
    """
    before: list[dict[int, list[tuple[int, int]]]] = []
    for dfa, row in zip(grammar.rules, calls, strict=True):
        # For each target its sources, each with the rule that must be able to end, or -1. Calls read no characters.
        found: dict[int, list[tuple[int, int]]] = {}
        read = [c for c, ranges in enumerate(dfa.class_ranges) if ranges[0][0] < 0xD800 or ranges[-1][1] > CALL]
        sources, columns = np.nonzero(dfa.transitions[:, read] != DEAD)
        targets = dfa.transitions[:, read][sources, columns]
        for source, target in dict.fromkeys(zip(sources.tolist(), targets.tolist(), strict=True)):
            found.setdefault(target, []).append((source, -1))
        for source, each in row.items():
            for rule, target in each:
                found.setdefault(target, []).append((source, rule))
        before.append(found)
    alive: list[set[int]] = [set() for _ in grammar.rules]
    held: dict[int, list[tuple[int, int]]] = {}
    waiting = [(rule, s) for rule, dfa in enumerate(grammar.rules) for s in np.flatnonzero(dfa.accepting).tolist()]
    while waiting:
        rule, state = waiting.pop()
        if state in alive[rule]:
            continue
        alive[rule].add(state)
        if state == grammar.rules[rule].initial:
            waiting += held.pop(rule, [])
        for source, called in before[rule].get(state, ()):
            if called < 0 or grammar.rules[called].initial in alive[called]:
                waiting.append((rule, source))
            else:
                held.setdefault(called, []).append((rule, source))
    return alive


def side_by_side(rules: Sequence[Dfa]) -> Dfa:
    """Put several automata into one. Each gets its states numbered after those of the one before it.

    They don't get connected: no transition leads from one of them to another.

    Raises:
        LimitExceeded: if the table would have more than ``MAX_TRANSITIONS`` entries.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> side_by_side([compile_dfa("a"), compile_dfa("[ab]")])
    <Dfa, 4 states, start 0; 0: [a] to 1; [1]: no transition; 2: [b] to 3, [a] to 3; [3]: no transition>
    """
    bounds = np.unique(np.concatenate([rule.bounds for rule in rules]))
    rows = np.stack([rule.classes[rule.bounds.searchsorted(bounds, side="right") - 1] for rule in rules])
    # Two symbols share a class if they do in every rule. A symbol that's dead in every rule has none.
    columns, classes = np.unique(rows, axis=1, return_inverse=True)
    alive = (columns >= 0).any(axis=0)
    numbers = np.where(alive, alive.cumsum() - 1, -1)[classes.reshape(-1)]
    columns = columns[:, alive]
    size = sum(map(len, rules)) * columns.shape[1]
    if size > MAX_TRANSITIONS:
        raise LimitExceeded(f"the rules of a grammar need a table of {size:,} entries", MAX_TRANSITIONS)
    tables, at = [], 0
    for rule, column in zip(rules, columns, strict=True):
        # Index -1, the dead class, finds the last column, so we add one there that's dead.
        table = np.append(rule.transitions, np.full((len(rule), 1), DEAD), axis=1)[:, column]
        tables.append(np.where(table == DEAD, DEAD, table + at))
        at += len(rule)
    accepting = np.concatenate([rule.accepting for rule in rules])
    return Dfa(bounds, numbers, np.concatenate(tables), rules[0].initial, accepting)


class Network:
    """A grammar that can be walked byte by byte.

    Args:
        grammar: the rules. If no text satisfies a rule, calls of it are left out, and so is whatever only they lead to.

    Attributes:
        automaton: all rules side by side, over bytes. No transition leads from one rule to another.
        initial: the initial state of each rule.
        calls: for each state with calls, pairs of a rule and the state after it.
        ends: the states in which a rule may end.
        names: the rules' names.

    Raises:
        InvalidGrammar: if the grammar has no text.
        LimitExceeded: see ``side_by_side``.

    >>> from labkit.automata.grammar import call
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> network = Network(Grammar((compile_dfa(f"a{call(0)}?b"),), ("s",)))
    >>> network.initial, network.calls, sorted(network.ends), network.step(0, ord("a")), network.step(0, ord("b"))
    ([0], {1: [(0, 3)]}, [2], 1, -1)
    """

    def __init__(self, grammar: Grammar) -> None:
        self.names = grammar.names
        local = [calls_of(rule, len(grammar)) for rule in grammar.rules]
        alive = alive_states(grammar, local)
        productive = {rule for rule, dfa in enumerate(grammar.rules) if dfa.initial in alive[rule]}
        if 0 not in productive:
            raise InvalidGrammar(f"no text satisfies the rule {grammar.names[0]}")
        rules = [_without(dfa, states) for dfa, states in zip(grammar.rules, alive, strict=True)]
        self.automaton = byte_dfa(side_by_side(rules))
        self._first = np.cumsum([0, *map(len, rules[:-1])]).tolist()
        self.initial = [at + dfa.initial for at, dfa in zip(self._first, rules, strict=True)]
        self.ends = set(np.flatnonzero(self.automaton.dfa.accepting).tolist())
        self.calls: Calls = {}
        for at, states, calls in zip(self._first, alive, local, strict=True):
            for state, row in calls.items():
                kept = [(k, at + target) for k, target in row if k in productive and target in states]
                if kept and state in states:
                    self.calls[at + state] = kept
        self._rows: dict[int, list[int]] = {}

    def rule_of(self, state: int) -> int:
        """Return the rule to which a state belongs."""
        return bisect_right(self._first, state % len(self.automaton.dfa)) - 1

    def row(self, state: int) -> list[int]:
        """Return the state after each of the 256 bytes, -1 where it is dead. Rows are made when they're needed."""
        if state not in self._rows:
            # Make the rows of its neighbours as well. They're of the same rule, so somebody will soon ask for them.
            size = len(self.automaton.dfa)
            last = min(state + TOGETHER, size) if state < size else state + 1
            spend(4 * (last - state))
            states, classes = np.arange(state, last), np.arange(self.automaton.n_byte_classes)
            after = self.automaton.successors(states.repeat(len(classes)), np.tile(classes, len(states)))
            rows = after.reshape(len(states), -1)[:, self.automaton.byte_classes].tolist()
            self._rows.update(zip(states.tolist(), rows, strict=True))
        return self._rows[state]

    def step(self, state: int, byte: int) -> int:
        """Return the state after a byte within the rule, or -1 if the rule can't read it."""
        return self.row(state)[byte]

    def is_whole(self, state: int) -> bool:
        """Return whether a state is between characters."""
        return state < len(self.automaton.dfa)

    def is_last(self, state: int) -> bool:
        """Return whether a state has nothing left to read, so that all it can do is end its rule."""
        spend(4)  # lab 12 asks once for each state
        return state in self.ends and state not in self.calls and max(self.row(state)) == DEAD

    def byte_steps(self) -> tuple[NDArray[np.intp], NDArray[np.intp], int]:
        """Return all steps by a single byte: their sources, their targets, and how many states there are in all.

        A character of n bytes has n - 1 states in between, numbered after the others.
        """
        dfa = self.automaton.dfa
        lengths = np.array([utf8_lengths(each)[0] for each in dfa.class_ranges])
        sources, classes = np.nonzero((dfa.transitions != DEAD) & np.isfinite(lengths))
        targets, weights = dfa.transitions[sources, classes].astype(np.intp), lengths[classes].astype(np.intp)
        # If several characters lead from one state to another, the one with the fewest bytes counts.
        order = np.lexsort((weights, targets, sources))
        edges = np.stack([sources, targets, weights])[:, order]
        edges = edges[:, np.append(True, (np.diff(edges[:2]) != 0).any(axis=0))] if edges.shape[1] else edges
        found, n_states = [edges[:2, edges[2] == 1]], len(dfa)
        for length in range(2, MOST_BYTES + 1):
            starts, ends = edges[:2, edges[2] == length]
            inner = n_states + np.arange(len(starts) * (length - 1)).reshape(length - 1, len(starts))
            n_states += inner.size
            path = np.concatenate([starts[None], inner, ends[None]])
            found += [np.stack([before, after]) for before, after in pairwise(path)]
        from_states, to_states = np.concatenate(found, axis=1)
        return from_states, to_states, n_states

    @cached_property
    def alike(self) -> NDArray[np.intp]:
        """``intp[256]``: for each byte, the smallest byte that no rule can tell from it."""
        classes = self.automaton.byte_classes
        return np.unique(classes, return_index=True)[1][classes]


def _without(dfa: Dfa, alive: set[int]) -> Dfa:
    """Return a rule without the transitions that lead to states from which it can't end."""
    keep = np.zeros(len(dfa), bool)
    keep[list(alive)] = True
    table = np.where((dfa.transitions != DEAD) & keep[dfa.transitions], dfa.transitions, DEAD)
    return Dfa(dfa.bounds, dfa.classes, table, dfa.initial, dfa.accepting)
