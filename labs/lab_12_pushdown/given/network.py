"""What your functions get as ``network``: the rules of a grammar, as one automaton over bytes with calls in it.

``Network`` puts the rules' automata side by side, and keeps their calls apart. ``Rules`` adds what your functions find.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Sized
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from math import inf
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import MOST_BYTES
from labkit.automata.dfa import DEAD, MAX_TRANSITIONS, Dfa
from labkit.automata.grammar import CALL, MAX_RULES, Grammar
from labkit.automata.work import spend
from labkit.errors import InvalidGrammar, LimitExceeded
from labs.lab_06_regex_to_dfa.given.lengths import utf8_lengths
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import byte_alphabet
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import ByteStates, CharacterStates, DfaStates
from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

Calls = dict[int, list[tuple[int, int]]]
"""For each state with calls: pairs of the rule that it calls, and the state to which that rule returns."""


class CallingStates(CharacterStates, Sized, Protocol):
    """The states of some rules over characters, which call other rules. ``GrammarStates`` is one.

    >>> from labs.lab_12_pushdown.given.gbnf import read_gbnf
    >>> states: CallingStates = GrammarStates(read_gbnf('root ::= "[" root? "]"'))
    >>> states.calls(states.targets(states.initials[0]).popitem()[0])
    [(0, 3)]
    """

    @property
    def names(self) -> Sequence[str]:
        """The rules' names."""

    @property
    def initials(self) -> Sequence[int]:
        """The initial state of each rule; rule 0 is the root."""

    def calls(self, state: int) -> list[tuple[int, int]]:
        """Return pairs of a rule that a state calls, and the state after the call."""

    def rule_of(self, state: int) -> int:
        """Return the rule to which a state belongs."""

    def places(self, state: int) -> list[int]:
        """Return the states of an automaton that is the whole root rule; ``DEAD`` where there's none."""


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

    They don't get connected: no transition leads from one of them to another, and none is a call.

    Raises:
        LimitExceeded: if the table would have more than ``MAX_TRANSITIONS`` entries.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> side_by_side([compile_dfa("a"), compile_dfa("[ab]")])
    <Dfa, 4 states, start 0; 0: [a] to 1; [1]: no transition; 2: [b] to 3, [a] to 3; [3]: no transition>
    """
    bounds = np.unique(np.concatenate([rule.bounds for rule in rules]))
    rows = np.stack([rule.classes[rule.bounds.searchsorted(bounds, side="right") - 1] for rule in rules])
    rows[:, (bounds > CALL - MAX_RULES) & (bounds <= CALL)] = DEAD  # whoever reads a call goes by ``calls_of``
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
    cuts = np.append(True, numbers[1:] != numbers[:-1])
    return Dfa(bounds[cuts], numbers[cuts], np.concatenate(tables), rules[0].initial, accepting)


class GrammarStates(DfaStates):
    """The rules of a grammar side by side: an automaton over characters, which also calls.

    Args:
        grammar: the rules. If no text satisfies a rule, calls of it are left out, and so is whatever only they lead to.

    Attributes:
        names: the rules' names.
        initials: the initial state of each rule.
        known_calls: for each state with calls, pairs of a rule and the state after it.

    Raises:
        InvalidGrammar: if the grammar has no text.
        LimitExceeded: see ``side_by_side``.

    >>> from labkit.automata.grammar import call
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> states = GrammarStates(Grammar((compile_dfa(f"a{call(0)}?b"),), ("s",)))
    >>> states.initials, states.calls(1), states.targets(1)
    ([0], [(0, 3)], {2: 2})
    """

    def __init__(self, grammar: Grammar) -> None:
        local = [calls_of(rule, len(grammar)) for rule in grammar.rules]
        alive = alive_states(grammar, local)
        productive = {rule for rule, dfa in enumerate(grammar.rules) if dfa.initial in alive[rule]}
        if 0 not in productive:
            raise InvalidGrammar(f"no text satisfies the rule {grammar.names[0]}")
        rules = [_without(dfa, states) for dfa, states in zip(grammar.rules, alive, strict=True)]
        self.dfa = side_by_side(rules)
        super().__init__(self.dfa, self.dfa.transitions)
        first = np.cumsum([0, *map(len, rules[:-1])]).tolist()
        self.names, self.initials = grammar.names, [at + dfa.initial for at, dfa in zip(first, rules, strict=True)]
        self._first = first
        self.known_calls: Calls = {}
        for at, states, calls in zip(first, alive, local, strict=True):
            for state, row in calls.items():
                kept = [(k, at + target) for k, target in row if k in productive and target in states]
                if kept and state in states:
                    self.known_calls[at + state] = kept

    def calls(self, state: int) -> list[tuple[int, int]]:
        """Return pairs of a rule that a state calls, and the state after the call."""
        return self.known_calls.get(state, [])

    def rule_of(self, state: int) -> int:
        """Return the rule to which a state belongs."""
        return bisect_right(self._first, state) - 1

    def places(self, state: int) -> list[int]:
        """Return that this is no automaton that is a whole rule."""
        return [DEAD]

    def byte_steps(self, without: int = 0) -> tuple[NDArray[np.intp], NDArray[np.intp], int]:
        """Return all steps by a single byte: their sources, their targets, and how many states there are in all.

        A character of n bytes has n - 1 states in between, numbered after the others.

        Args:
            without: classes of characters that are left out, as bits.
        """
        dfa = self.dfa
        chars = enumerate(dfa.class_ranges)
        lengths = np.array([inf if without >> n & 1 else utf8_lengths(each)[0] for n, each in chars])
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


class _Calls(dict[int, list[tuple[int, int]]]):
    """The calls of states that are made on demand: each state's are looked up when they're first asked for."""

    def __init__(self, characters: CallingStates) -> None:
        super().__init__()
        self._characters = characters

    def __missing__(self, state: int) -> list[tuple[int, int]]:
        found = self[state] = self._characters.calls(state)
        return found

    def get(self, state: int, default: Any = ()) -> Any:
        """Return the calls of a state."""
        return default if state < 0 else self[state] or default  # END calls nothing


class _Ends:
    """The states in which a rule may end, asked one by one."""

    def __init__(self, characters: CallingStates) -> None:
        self._characters = characters

    def __contains__(self, state: object) -> bool:
        return isinstance(state, int) and state >= 0 and self._characters.accepts(state)  # END is no state of a rule


class Network:
    """Rules that can be walked byte by byte.

    Args:
        grammar: the rules of a grammar, or states over characters that call.

    Attributes:
        characters: the states over characters.
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

    calls: Calls
    ends: Any

    def __init__(self, grammar: Grammar | CallingStates) -> None:
        self.characters = characters = GrammarStates(grammar) if isinstance(grammar, Grammar) else grammar
        self.names, self.initial = characters.names, characters.initials
        if isinstance(characters, GrammarStates):
            self.calls, self.ends = characters.known_calls, {*np.flatnonzero(characters.dfa.accepting).tolist()}
        else:
            self.calls, self.ends = _Calls(characters), _Ends(characters)

    @cached_property
    def states(self) -> ByteStates:
        """The states over bytes; those between characters have their own numbers only in a grammar."""
        alphabet = byte_alphabet(self.characters.bounds, self.characters.classes, byte_dfa)
        return ByteStates(self.characters, alphabet)

    def step(self, state: int, byte: int) -> int:
        """Return the state after a byte within the rule, or -1 if the rule can't read it."""
        return self.states.step(state, byte)

    def is_last(self, state: int) -> bool:
        """Return whether a state has nothing left to read, so that all it can do is end its rule."""
        spend(4)  # lab 12 asks once for each state
        if state not in self.ends or self.calls.get(state) or self.characters.targets(state):
            return False
        return set(self.characters.places(state)) <= {DEAD}  # somebody wants to know these


def _without(dfa: Dfa, alive: set[int]) -> Dfa:
    """Return a rule without the transitions that lead to states from which it can't end."""
    keep = np.zeros(len(dfa), bool)
    keep[list(alive)] = True
    table = np.where((dfa.transitions != DEAD) & keep[dfa.transitions], dfa.transitions, DEAD)
    return Dfa(dfa.bounds, dfa.classes, table, dfa.initial, dfa.accepting)
