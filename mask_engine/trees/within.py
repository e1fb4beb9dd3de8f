"""The texts of a tree that are also those of an automaton, as a tree (Bar-Hillel, Perles and Shamir, 1961).

For each node, and each state of the automaton in which it may begin, there is a tree of the texts that lead from there
into some other states. So trees that nest have an intersection too, and what has no text is known before it is built.
"""

import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import Alternation, Chars, Concat, Ranges, Repeat
from labkit.automata.trees import EMPTY, NOTHING, choice, row, times
from labkit.automata.work import spend
from labkit.errors import LimitExceeded, UnsupportedSchema
from labs.lab_06_regex_to_dfa.given.ranges import merge_ranges
from labs.lab_06_regex_to_dfa.given.subsets import bits_of
from mask_engine.operations import live
from mask_engine.patterns.lazy import Later, Rule, Spelled, Tree, Unordered
from mask_engine.trees.counting import counted

MAX_PAIRS = 100_000
"""The most pairs of a number of rounds, or of a state, and a state of the automaton that one node may have."""

Chain = tuple[Any, ...]
"""A tree and the chain after it; the last one is empty."""


def within(tree: Tree, dfa: Dfa) -> Tree:
    """Return the tree of the texts of a tree that an automaton matches; ``NOTHING`` if there are none.

    Args:
        tree: each rule in it has texts.

    Raises:
        LimitExceeded: if rounds would have to be counted beside too many states, or parts are nested too deep.
        UnsupportedSchema: if members may come in any order.

    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch, parse_tree
    >>> one_b_of_three = LazyDfa(within(parse_tree("[ab]{3}"), compile_dfa("a*ba*")))
    >>> [text for text in ["ab", "aba", "bab", "aaab"] if fullmatch(one_b_of_three, text)]
    ['aba']
    >>> within(parse_tree("a+"), compile_dfa("b*")) is NOTHING
    True
    """
    try:
        return _Within(dfa).tree(tree)
    except RecursionError:  # each level of arrays and objects takes some calls in each other
        problem = "the parts of a text that is held against another automaton are nested too deep"
        raise LimitExceeded(problem, sys.getrecursionlimit()) from None


class _Within:
    """Builds the intersection of one tree with an automaton. Sets of states are the bits of numbers."""

    def __init__(self, dfa: Dfa) -> None:
        self._initial, self._table = dfa.initial, dfa.transitions.tolist()
        self._bounds, self._classes = dfa.bounds.tolist(), dfa.classes.tolist()
        self._accepting = _joined(1 << state for state, yes in enumerate(dfa.accepting.tolist()) if yes)
        self._ends: dict[tuple[int, int], int] = {}
        self._rule_ends: dict[tuple[int, int], int] = {}
        self._parts_of: dict[Ranges, dict[int, list[tuple[int, int]]]] = {}
        self._classes_of: dict[int, tuple[Dfa, Sequence[Tree]]] = {}
        self._built: dict[tuple[int, int, int], Tree] = {}
        self._same: dict[tuple[Any, ...], Any] = {}

    def tree(self, tree: Tree) -> Tree:
        """Return the intersection."""
        known = None
        while known != self._rule_ends:
            known = dict(self._rule_ends)
            self._ends.clear()
            ends = self._ends_of(tree, self._initial)
        return self._build(tree, self._initial, self._accepting) if ends & self._accepting else NOTHING

    # Where the texts of a node lead ------------------------------------------------------------------------

    def _ends_of(self, tree: Tree, state: int) -> int:
        """Return the states into which the texts of a tree lead from a state.

        Of a rule within itself it is what was found so far: ``tree`` asks again until nothing is added.
        """
        key = id(tree), state
        found = self._ends.get(key)
        if found is None:
            if isinstance(tree, Rule):
                self._ends[key] = self._rule_ends.setdefault(key, 0)
            found = self._ends[key] = self._find_ends(tree, state)
            if isinstance(tree, Rule):
                self._rule_ends[key] = found
        return found

    def _after(self, tree: Tree, states: int) -> int:
        return _joined(self._ends_of(tree, state) for state in bits_of(states))

    def _find_ends(self, tree: Tree, state: int) -> int:
        match tree:
            case Chars(ranges):
                return _joined(1 << target for target in self._steps(ranges, state))
            case Concat(parts):
                found = 1 << state
                for part in parts:
                    found = self._after(part, found)
                return found
            case Alternation(options):
                return _joined(self._ends_of(each, state) for each in options)
            case Repeat(body, least, most):
                self._after_rounds(body, 1 << state, 0, None)  # ``_counted`` asks for these, once all is known
                return self._after_rounds(body, 1 << state, least, most)
            case Dfa() | Spelled():
                reached, (dfa, _) = self._reached(tree, state), self._spelling(tree)
                return _joined(ends for place, ends in reached.items() if dfa.accepting[place])
            case Rule(_, body) if body is not None:
                return self._ends_of(body, state)
            case Later():
                return self._ends_of(tree.tree, state)
            case Unordered():
                # A pair would be a set of parts and a state, and there are too many sets.
                raise UnsupportedSchema("members in any order, in texts that must be those of an automaton too", "")
        raise TypeError(f"no tree without anchors: {tree!r}")

    def _steps(self, ranges: Ranges, state: int) -> dict[int, list[tuple[int, int]]]:
        """Return the states to which some characters lead, each with the characters that do."""
        if ranges not in self._parts_of:
            parts = self._parts_of[ranges] = {}
            for first, last in ranges:
                for place in range(bisect_right(self._bounds, first) - 1, bisect_right(self._bounds, last)):
                    end = self._bounds[place + 1] - 1 if place + 1 < len(self._bounds) else last
                    parts.setdefault(self._classes[place], []).append((max(first, self._bounds[place]), min(end, last)))
        found: dict[int, list[tuple[int, int]]] = {}
        for symbol_class, chars in self._parts_of[ranges].items():
            if symbol_class != DEAD and (target := self._table[state][symbol_class]) != DEAD:
                found.setdefault(target, []).extend(chars)
        return found

    def _after_rounds(self, body: Tree, states: int, least: int, most: int | None) -> int:
        for _ in range(least):
            before, states = states, self._after(body, states)
            if before == states:
                break
        further = None if most is None else most - least
        while further != 0:
            before, states = states, states | self._after(body, states)
            if before == states:
                break
            further = None if further is None else further - 1
        return states

    def _spelling(self, tree: Any) -> tuple[Dfa, Sequence[Tree]]:
        if isinstance(tree, Spelled) and tree.most is None:
            return tree.dfa, tree.spelling
        if id(tree) not in self._classes_of:
            counted_out = isinstance(tree, Spelled) and (counted(tree.dfa, 0, tree.most), tree.spelling)
            self._classes_of[id(tree)] = counted_out or (tree, list(map(Chars, tree.class_ranges)))
        return self._classes_of[id(tree)]

    def _reached(self, tree: Tree, state: int) -> dict[int, int]:
        """Return the states of a tree's own automaton that are reached, each with those of the other one beside it."""
        dfa, spelling = self._spelling(tree)
        rows = dfa.transitions.tolist()
        reached, waiting = {dfa.initial: 1 << state}, [dfa.initial]
        while waiting:
            place = waiting.pop()
            spend(len(spelling))
            for each, target in zip(spelling, rows[place], strict=True):
                if target != DEAD and (new := self._after(each, reached[place]) & ~reached.get(target, 0)):
                    reached[target] = reached.get(target, 0) | new
                    waiting.append(target)
        return reached

    # The trees ---------------------------------------------------------------------------------------------

    def _build(self, tree: Tree, state: int, goal: int) -> Tree:
        """Return the tree of the texts of a tree that lead from a state into some others, of which one is reached."""
        if isinstance(tree, Later):
            tree = tree.tree
        key = id(tree), state, goal & self._ends_of(tree, state)
        if key not in self._built:
            if isinstance(tree, Rule):
                assert tree.body is not None
                rule = self._built[key] = Rule(tree.name)
                rule.body = self._build(tree.body, state, key[2])
            else:
                self._built[key] = self._make(tree, state, key[2])
        return self._built[key]

    def _make(self, tree: Tree, state: int, goal: int) -> Any:
        match tree:
            case Chars(ranges):
                kept = [
                    part for target, chars in self._steps(ranges, state).items() if goal >> target & 1 for part in chars
                ]
                merged = merge_ranges(kept)
                return self._once(("chars", merged), Chars(merged))
            case Concat(parts):
                return self._row_within(parts, state, goal)
            case Alternation(options):
                some = [self._build(each, state, goal) for each in options if self._ends_of(each, state) & goal]
                return self._choice(some)
            case Repeat(body, least, most):
                if self._ends_of(body, state) == 1 << state:
                    inner = self._build(body, state, 1 << state)
                    return self._once(("times", id(inner), least, most), times(inner, least, most))
                return self._counted(body, least, most, state, goal)
        return self._paired(tree, state, goal)

    def _once(self, key: tuple[Any, ...], made: Any) -> Any:
        """Return what was made first of what is equal: letters are few only if equal trees are one."""
        return self._same.setdefault(key, made)

    def _choice(self, options: Sequence[Tree]) -> Any:
        found = list({id(each): each for each in options}.values())
        return found[0] if len(found) == 1 else self._once(("choice", *map(id, found)), choice(found))

    def _row(self, chain: Chain) -> Any:
        parts = list[Tree]()
        while chain:
            part, chain = chain
            parts.append(part)
        return parts[0] if len(parts) == 1 else self._once(("row", *map(id, parts)), row(*parts))

    def _row_within(self, parts: Sequence[Tree], state: int, goal: int) -> Tree:
        """Return the row of some parts, from the last one back: what follows a part depends on where it leads."""
        reached = [1 << state]
        for part in parts:
            reached.append(self._after(part, reached[-1]))
        end: Chain = ()
        following = dict.fromkeys(bits_of(reached.pop() & goal), end)
        for part, here in zip(reversed(parts), reversed(reached), strict=True):
            before = dict[int, Chain]()
            for place in bits_of(here):
                ways: dict[int, tuple[int, Chain]] = {}
                for target in bits_of(self._ends_of(part, place)):
                    if (rest := following.get(target)) is not None:
                        ways[id(rest)] = ways.get(id(rest), (0, rest))[0] | 1 << target, rest
                chains = [self._chain(self._build(part, place, targets), rest) for targets, rest in ways.values()]
                if len(chains) > 1:
                    chains = [self._chain(self._choice([*map(self._row, chains)]), end)]
                if chains:
                    before[place] = chains[0]
            following = before
        return self._row(following[state])  # type: ignore[no-any-return]

    def _chain(self, tree: Tree, rest: Chain) -> Chain:
        found: Chain = self._once(("chain", id(tree), id(rest)), (tree, rest))
        return found

    def _counted(self, body: Tree, least: int, most: int | None, state: int, goal: int) -> Tree:
        """Return a repetition whose rounds lead to several states: a pair of rounds and a state is a state."""
        if not self._ends_of(body, state):
            return EMPTY
        inner = list(bits_of(self._after_rounds(body, 1 << state, 0, None)))
        last = least if most is None else most
        self._check((last + 1) * len(inner))
        steps = [
            (place, self._build(body, source, 1 << target), inner.index(target))
            for place, source in enumerate(inner)
            for target in bits_of(self._ends_of(body, source))
        ]
        letters = {id(each): letter for letter, each in enumerate({id(each): each for _, each, _ in steps}.values())}
        one = np.full((len(inner), len(letters)), DEAD)
        for place, each, target in steps:
            one[place, letters[id(each)]] = target
        rounds = np.minimum(np.arange(last + 1) + 1, last if most is None else last + 1)[:, None, None]
        table = np.where((one != DEAD) & (rounds <= last), one + rounds * len(inner), DEAD).reshape(-1, len(letters))
        ends = [goal >> place & 1 == 1 for place in inner]
        accepting = np.array([ends if done >= least else [False] * len(ends) for done in range(last + 1)]).ravel()
        trees = list({id(each): each for _, each, _ in steps}.values())
        return lettered(table, inner.index(state), accepting, trees)

    def _paired(self, tree: Tree, state: int, goal: int) -> Tree:
        """Return an automaton beside the other one: a pair of their states is a state."""
        dfa, spelling = self._spelling(tree)
        pairs = [(place, beside) for place, found in self._reached(tree, state).items() for beside in bits_of(found)]
        self._check(len(pairs))
        numbers = {pair: number for number, pair in enumerate(pairs)}
        letters, trees, steps = dict[tuple[int, int], int](), list[Tree](), list[tuple[int, int, int]]()
        rows = dfa.transitions.tolist()
        for number, (place, beside) in enumerate(pairs):
            for symbol_class, target in enumerate(rows[place]):
                if target == DEAD:
                    continue
                for after in bits_of(self._ends_of(spelling[symbol_class], beside)):
                    each = self._build(spelling[symbol_class], beside, 1 << after)
                    letter = letters.setdefault((symbol_class, id(each)), len(trees))
                    if letter == len(trees):
                        trees.append(each)
                    steps.append((number, letter, numbers[target, after]))
        table = np.full((len(pairs), len(trees)), DEAD)
        for number, letter, after in steps:
            table[number, letter] = after
        accepting = np.array([bool(dfa.accepting[place]) and goal >> beside & 1 == 1 for place, beside in pairs])
        return lettered(table, numbers[dfa.initial, state], accepting, trees)

    def _check(self, pairs: int) -> None:
        spend(pairs)
        if pairs > MAX_PAIRS:
            raise LimitExceeded("a text that is counted beside one that it must not contain", MAX_PAIRS)


def lettered(table: Any, initial: int, accepting: Any, trees: Sequence[Tree]) -> Spelled:
    """Return an automaton over letters, which are the columns of its table, each spelled by a tree.

    >>> lettered([[1], [-1]], 0, [False, True], [EMPTY]).dfa.classes.tolist()  # one letter, and nothing else
    [0, -1]
    """
    bounds, classes = list(range(len(trees) + 1)), [*range(len(trees)), DEAD]
    return Spelled(live(Dfa(bounds, classes, table, initial, accepting)), tuple(trees))


def _joined(numbers: Iterable[int]) -> int:
    return reduce(or_, numbers, 0)
