r"""An automaton made while it is walked: each state when it is first reached (Antimirov's partial derivatives, 1996).

``(a|b)*a(a|b){20}`` has two million states, and a text of thirty characters meets thirty of them. A state is what may
still come: a set of *rests* of the pattern. A rest is a node of the tree and the rest after it; a repetition in it
counts down, so nothing is written out in copies. A step from a state asks each of its rests for its *items*: a set of
characters, and the rest after one of them.

It is a tuned twin of ``parse_regex`` and ``nfa_to_dfa``; ``tests/labs/lab_06/test_lazy.py`` holds the two equal.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, MAX_DFA_STATES, MAX_NFA_STATES, MAX_SUBSET_MEMBERS, MAX_TRANSITIONS, Dfa
from labkit.automata.syntax import LAST_CODE_POINT, Alternation, Chars, Concat, Node, Ranges, Repeat
from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.lengths import fewest_bytes, fewest_within, utf8_lengths

MANY_RANGES = 50
"""From so many ranges on, an alphabet is kept: such sets are Unicode's classes, which many patterns share."""

CHARS, CONCAT, ALTERNATION, REPEAT, AUTOMATON, RULE = range(6)
"""The kinds of nodes. A node is a tuple of its kind and the numbers of a set, of nodes, or of an automaton."""

END = 0
"""The rest of which nothing is left: the text may end."""

EMPTY = 0
"""The node that matches the empty text: a concatenation of nothing."""

Items = list[tuple[int, int]]
"""What may come next: the number of a set of characters, and the rest after one of them."""

Rest = tuple[int, int, int, int]
"""A node, two numbers, and the rest after it. The numbers are the parts of a concatenation that are behind, the rounds
of a repetition that must and may come, or the state of an automaton and the characters that may still be spelled."""

NO_LIMIT = -1
"""So many rounds of a repetition may come if any number may."""


@dataclass(frozen=True, eq=False)
class Spelled:
    """An automaton whose characters are spelled out: for each class a tree, which matches some text, in its place.

    Attributes:
        most: so many characters may be spelled, none of them as the empty text; None for any number.
    """

    dfa: Dfa
    spelling: "tuple[Tree, ...]"
    most: int | None = None


@dataclass(eq=False)
class Rule:
    """A tree that may hold itself: where it is met within itself, what is read after it waits meanwhile.

    Attributes:
        body: the tree; None while it is being built.
    """

    name: str
    body: "Tree | None" = None


Tree = Node | Dfa | Spelled | Rule
"""A tree; in the place of a node there may be an automaton, or a rule."""


class LazyDfa:
    """The automaton of a tree. States are numbers in the order in which they are met; state 0 is the initial one.

    From every state an accepting one can be reached: a step that leads nowhere is ``DEAD``. (Only the initial state of
    a pattern that matches nothing has no way on.)

    Args:
        tree: without anchors. A leaf may also be an automaton, from whose states an accepting one can be reached.

    Attributes:
        bounds, classes: the classes of characters, as a ``Dfa`` has them.
        n_classes: how many there are.

    Raises:
        LimitExceeded: also from ``row``, once what was met is too much.

    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> dfa = LazyDfa(parse_tree("(a|b)*a(a|b){20}"))
    >>> dfa.row(0), len(dfa), dfa.accepts(1)
    ([1, 0], 2, False)
    """

    initial = 0

    def __init__(self, tree: Tree) -> None:
        self._n_members = 0
        self._known: dict[int, tuple[Tree, int | None]] = {}
        self._automata: list[tuple[Dfa, list[int | None], list[float]]] = []
        self._sets: dict[Ranges, int] = {}
        self._nodes: dict[tuple[int, ...], int] = {(CONCAT,): EMPTY}
        self._open: dict[int, int | None] = {}
        self._bodies: list[int] = []
        self._root = root = self._node(tree)
        self._known.clear()
        # Each node: its kind, what it is made of, and the two numbers with which its rest begins.
        self._node_list = [(kind, below, *self._beginning(kind, below)) for kind, *below in self._nodes]
        self.bounds, self.classes, classes_of = alphabet(tuple(self._sets))
        self.n_classes = max(self.classes) + 1
        self._bits = [sum(1 << symbol_class for symbol_class in each) for each in classes_of]
        self._classes_of = dict(zip(self._bits, classes_of, strict=True))
        self._rests: dict[Rest, int] = {(EMPTY, 0, 0, END): END}
        self._rest_list = list(self._rests)
        self._items_of: dict[int, tuple[Items, bool]] = {END: ([], True)}
        self._far_of: dict[Callable[[frozenset[int]], int], dict[int, int]] = {}
        self._held_by: dict[int, frozenset[int]] = {}
        self._bytes_of: dict[int, float] = {END: 0}
        self._suffixes: dict[int, list[float]] = {}
        self._within: dict[int, NDArray[np.float64]] = {}
        self.is_empty = root is None
        self._numbers: dict[frozenset[int], int] = {}
        self._states: list[frozenset[int]] = []
        self._rows: list[list[int] | None] = []
        self._number(frozenset() if root is None else frozenset([self._front(self._rest(root, END))]))

    def __len__(self) -> int:
        """Return how many states have been met."""
        return len(self._states)

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state that has been met."""
        return any(self._items(rest)[1] for rest in self._states[state])

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters, or ``DEAD``."""
        row = self._rows[state]
        if row is None:
            row = self._rows[state] = self._make_row(self._states[state])
        return row

    def places(self, state: int) -> list[int]:
        """Return the states of an automaton that is the whole tree in a state that has been met.

        One for each reading of the text so far; ``DEAD`` where that is within what a class is spelled by.

        >>> whole = Dfa([0, 1, 2], [0, 1, DEAD], [[0, 1], [DEAD, DEAD]], initial=0, accepting=[False, True])
        >>> dfa = LazyDfa(Spelled(whole, (Chars(((97, 97),)), Concat((Chars(((97, 98),)), Chars(((99, 99),)))))))
        >>> sorted(dfa.places(dfa.row(0)[0])), dfa.places(dfa.row(0)[1])
        ([-1, 0], [-1])
        """
        rests = map(self._rest_list.__getitem__, self._states[state])
        return [place if node == self._root and after == END else DEAD for node, place, _, after in rests]

    @property
    def nests(self) -> bool:
        """Whether a rule is within itself, so that there may be no end of states."""
        return bool(self._bodies)

    def fewest_bytes(self, state: int) -> float:
        """Return how many bytes a text still needs from a state that has been met. No state is made for the answer.

        >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
        >>> LazyDfa(parse_tree("é{3}(a{9}|b)")).fewest_bytes(0)
        7
        """
        spend(2 + (len(self._states[state]) >> 1))
        return min(map(self._rest_bytes, self._states[state]), default=inf)

    @cached_property
    def most_bytes(self) -> float:
        """A bound of ``fewest_bytes`` at every place of every text: no state is made for this either.

        >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
        >>> LazyDfa(parse_tree("(a|b)*a(a|b){20}")).most_bytes
        22
        """
        return inf if self._root is None else self._needs[self._root][1]

    def alike(self, state: int, rounds: Callable[[frozenset[int]], int]) -> int:
        """Return a state from which the same tokens lead on: one for all whose counts are far from their ends.

        A token of so many bytes begins at most so many rounds, so it cannot tell more rounds that may come from any
        number of them. (A round that reads nothing is one that a text can do without, so only those count that read
        something. The rounds that must come are left as they are, so that also as many bytes are needed.)

        Args:
            rounds: returns how many rounds a token begins at most, if each round holds each of some ASCII characters.

        >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
        >>> dfa = LazyDfa(parse_tree("a{0,90}b"))
        >>> dfa.alike(0, lambda held: 91), dfa.alike(0, lambda held: 9), 1 in dfa.row(1)
        (0, 1, True)
        """
        far = self._far_of.get(rounds)
        if far is None:
            nodes = self._node_list
            counts = any(most > 1 and most >= self._reached(node, rounds) for node, (*_, most) in enumerate(nodes))
            far = self._far_of[rounds] = {END: END} if counts else {}
            spend(len(nodes) >> 2)
        if not far:
            return state
        spend(2 * len(self._states[state]))
        return self._number(frozenset(self._far(rest, far, rounds) for rest in self._states[state]))

    def _far(self, rest: int, far: dict[int, int], rounds: Callable[[frozenset[int]], int]) -> int:
        """Return a rest without the limits on rounds that no token reaches."""
        chain = []
        while rest not in far:
            chain.append(rest)
            rest = self._rest_list[rest][3]
        spend(len(chain))
        after = far[rest]
        for each in reversed(chain):
            node, done, most, _ = self._rest_list[each]
            if most > 1 and most >= self._reached(node, rounds):
                most = NO_LIMIT
            after = far[each] = self._numbered((node, done, most, after))
        return after

    def _reached(self, node: int, rounds: Callable[[frozenset[int]], int]) -> float:
        """Return from how many rounds on that may come of a node no token tells them from any number."""
        kind, below = self._node_list[node][:2]
        if kind == REPEAT:
            return rounds(self._held(below[0]))
        # After any token, the ways to an accepting state must still be open; the best meet no state twice.
        return rounds(frozenset()) + len(self._automata[below[0]][0]) - 1

    def _held(self, node: int) -> frozenset[int]:
        """Return ASCII characters that each text of a node holds."""
        if node not in self._held_by:
            kind, below, least, _ = self._node_list[node]
            found = frozenset[int]()
            if kind == CHARS:
                found = self._alone[below[0]]
            elif kind == CONCAT:
                found = found.union(*map(self._held, below))
            elif kind == ALTERNATION:
                found = frozenset.intersection(*map(self._held, below))
            elif kind == REPEAT and least:
                found = self._held(below[0])
            self._held_by[node] = found
        return self._held_by[node]

    @cached_property
    def _alone(self) -> list[frozenset[int]]:
        """For each set of characters its only one, if that is ASCII."""
        return [
            frozenset([first for first, last in chars if len(chars) == 1 and first == last < 128])
            for chars in self._sets
        ]

    def _make_row(self, state: frozenset[int]) -> list[int]:
        spend(2 + (self.n_classes >> 2))
        # The classes, as the bits of a number, that lead to the same rests: each item divides the parts so far.
        parts: list[tuple[int, frozenset[int]]] = []
        taken = 0
        for number, rest in {item for items, _ in map(self._items, state) for item in items}:
            spend(1 + (len(parts) >> 3))
            new = self._bits[number]
            if new & taken:
                parts, new = _divided(parts, new, rest)
            if new:
                parts.append((new, frozenset([rest])))
            taken |= new
        row = [DEAD] * self.n_classes
        for bits, rests in parts:
            target = self._number(rests)
            for symbol_class in self._members(bits):
                row[symbol_class] = target
        return row

    def _members(self, bits: int) -> list[int]:
        """Return the classes that are the bits of a number, which many states share."""
        found = self._classes_of.get(bits)
        if found is None:
            found = self._classes_of[bits] = [each for each in range(self.n_classes) if bits >> each & 1]
        return found

    def _number(self, rests: frozenset[int]) -> int:
        number = self._numbers.get(rests)
        if number is None:
            self._count(len(rests) + 1)
            number = self._numbers[rests] = len(self._states)
            self._states.append(rests)
            self._rows.append(None)
        return number

    # The tree, equal nodes as one ---------------------------------------------------------------------------

    def _node(self, tree: Tree) -> int | None:
        """Return the number of a node, or None if it matches nothing. What occurs several times is read once."""
        if id(tree) not in self._known:
            self._known[id(tree)] = tree, self._read(tree)  # the tree is kept, or another might get its address
        return self._known[id(tree)][1]

    def _read(self, tree: Tree) -> int | None:
        match tree:
            case Chars(ranges):
                return self._entered(CHARS, self._sets.setdefault(ranges, len(self._sets))) if ranges else None
            case Concat(parts):
                numbers = [number for part in parts if (number := self._node(part)) != EMPTY]
                known = [number for number in numbers if number is not None]
                return self._joined(CONCAT, known) if len(known) == len(numbers) else None
            case Alternation(options):
                found = dict.fromkeys(number for each in options if (number := self._node(each)) is not None)
                return self._joined(ALTERNATION, list(found)) if found else None
            case Repeat(body, least, most):
                number = self._node(body)
                if number is None or number == EMPTY or most == 0:
                    return None if number is None and least > 0 else EMPTY
                return self._entered(REPEAT, number, least, NO_LIMIT if most is None else most)
            case Dfa():
                return self._read(Spelled(tree, tuple(map(Chars, tree.class_ranges))))
            case Spelled(dfa, spelling, most):
                if not dfa.n_classes:
                    return EMPTY if dfa.accepting[dfa.initial] else None
                spelled = [self._node(each) for each in spelling]
                # How many characters are left: only asked where they are counted.
                left = [] if most is None else fewest_bytes(dfa, [inf if n is None else 1 for n in spelled]).tolist()
                if most is not None and left[dfa.initial] > most:
                    return None
                self._automata.append((dfa, spelled, left))
                return self._entered(AUTOMATON, len(self._automata) - 1, NO_LIMIT if most is None else most)
            case Rule(_, body) if body is not None:
                return self._read_rule(tree, body)
        raise TypeError(f"no node of a tree without anchors: {tree!r}")

    def _read_rule(self, rule: Rule, body: Tree) -> int | None:
        """Return the number of a rule's body; within itself a rule is a node of its own."""
        if id(rule) in self._open:
            if (inner := self._open[id(rule)]) is None:
                inner = self._open[id(rule)] = len(self._bodies)
                self._bodies.append(EMPTY)
            return self._entered(RULE, inner)
        self._open[id(rule)] = None
        # subtle: what is read of the body while it is open holds nodes for the rule, also where it occurs outside
        number = self._node(body)
        if (inner := self._open.pop(id(rule))) is not None:
            if number is None:
                raise ValueError(f"the rule {rule.name} matches nothing")
            self._bodies[inner] = number
        return number

    def _joined(self, kind: int, numbers: Sequence[int]) -> int:
        return numbers[0] if len(numbers) == 1 else self._entered(kind, *numbers)

    def _entered(self, *node: int) -> int:
        return self._nodes.setdefault(node, len(self._nodes))

    # What may come next in a rest ---------------------------------------------------------------------------

    def _items(self, rest: int) -> tuple[Items, bool]:
        """Return the items at the beginning of a rest, and whether the text may end there."""
        known = self._items_of.get(rest)
        if known is None:
            items, seen, waiting = set[tuple[int, int]](), {rest}, [rest]
            while waiting:
                node, done, most, after = self._rest_list[waiting.pop()]
                kind, below = self._node_list[node][:2]
                if kind == CHARS:
                    items.add((below[0], self._front(after)))
                    continue
                for other in map(self._front, self._unfolded(kind, node, below, done, most, after)):
                    if other not in seen:  # each rest once, or the loop of (a*)* would never end
                        seen.add(other)
                        if other != END:
                            waiting.append(other)
            spend(3 * len(seen))
            self._count(len(seen))
            known = self._items_of[rest] = list(items), END in seen
        return known

    def _front(self, rest: int) -> int:
        """Return a rest itself, or if it is one of a concatenation, the equal one that begins with the next part."""
        while rest != END:
            node, done, _, after = self._rest_list[rest]
            kind, below = self._node_list[node][:2]
            if kind != CONCAT:
                break
            last = done + 1 == len(below)
            rest = self._rest(below[done], after if last else self._numbered((node, done + 1, 0, after)))
        return rest

    def _count(self, members: int) -> None:
        self._n_members += members
        if self._n_members > MAX_SUBSET_MEMBERS:
            raise LimitExceeded(f"the first {len(self):,} states of the automaton hold too much", MAX_SUBSET_MEMBERS)

    def _unfolded(self, kind: int, node: int, below: Sequence[int], done: int, most: int, after: int) -> list[int]:
        """Return the rests that one stands for."""
        if kind == ALTERNATION:
            spend(3 * len(below))
            return [self._rest(option, after) for option in below]
        if kind == RULE:
            return [self._rest(self._bodies[below[0]], after)]
        if kind == AUTOMATON:
            dfa, spelling, left = self._automata[below[0]]
            spend(len(spelling) >> 1)
            fewer = most if most == NO_LIMIT else most - 1
            steps = [each for each in zip(spelling, dfa.transitions[done].tolist(), strict=True) if each[1] != DEAD]
            if most != NO_LIMIT:
                steps = [each for each in steps if left[each[1]] <= fewer]
            pairs = [(spelled, self._numbered((node, target, fewer, after))) for spelled, target in steps]
            found = [self._rest(spelled, again) for spelled, again in pairs if spelled is not None]
            return [after, *found] if dfa.accepting[done] else found
        least = done  # rounds that must still come
        fewer = most if most == NO_LIMIT else most - 1
        again = after if fewer == 0 else self._numbered((node, max(0, least - 1), fewer, after))
        found = [self._rest(below[0], again)]
        return found if least else [after, *found]

    def _beginning(self, kind: int, below: Sequence[int]) -> tuple[int, int]:
        if kind == REPEAT:
            return below[1], below[2]
        return (self._automata[below[0]][0].initial, below[1]) if kind == AUTOMATON else (0, 0)

    def _rest(self, node: int, after: int) -> int:
        if node == EMPTY:
            return after
        _, _, done, most = self._node_list[node]
        return self._numbered((node, done, most, after))

    def _numbered(self, rest: Rest) -> int:
        number = self._rests.get(rest)
        if number is None:
            number = self._rests[rest] = len(self._rest_list)
            if number >= MAX_NFA_STATES:
                raise LimitExceeded("the pattern has too many different rests", MAX_NFA_STATES)
            self._rest_list.append(rest)
        return number

    # How many bytes are needed -----------------------------------------------------------------------------

    def _rest_bytes(self, rest: int) -> float:
        """Return the bytes that a rest needs: the rounds that are left are multiplied, not walked."""
        chain = []
        while rest not in self._bytes_of:
            chain.append(rest)
            rest = self._rest_list[rest][3]
        found = self._bytes_of[rest]
        for each in reversed(chain):
            found += self._begun_bytes(*self._rest_list[each][:3])
            self._bytes_of[each] = found
        return found

    def _begun_bytes(self, node: int, done: int, most: int) -> float:
        kind, below = self._node_list[node][:2]
        needs = self._needs
        if kind == REPEAT:
            return done * needs[below[0]][0] if done else 0
        if kind == AUTOMATON and most != NO_LIMIT:
            return float(self._within[node][min(most, len(self._within[node]) - 1), done])
        return self._suffixes[node][done] if kind in (CONCAT, AUTOMATON) else needs[node][0]

    @cached_property
    def _needs(self) -> list[tuple[float, float]]:
        """For each node the bytes that it needs, and the most that may be left to its end at a place within it.

        A rule within itself may be nested without end, so the most is infinite. What it needs is known when its body
        is, so the nodes are gone through until nothing changes.
        """
        found = self._needs_where([inf] * len(self._bodies))
        while (bodies := [found[body][0] for body in self._bodies]) != self._rule_needs:
            found = self._needs_where(bodies)
        return found

    def _needs_where(self, rules: list[float]) -> list[tuple[float, float]]:
        """Return ``_needs`` where the rules within themselves need so much."""
        self._rule_needs = rules
        chars, found = [utf8_lengths(ranges) for ranges in self._sets], list[tuple[float, float]]()
        for node, (kind, below, least, _) in enumerate(self._node_list):  # each comes after those that it is made of
            if kind == CHARS:
                fewest, longest = chars[below[0]]
                most = max(fewest, longest - 1)  # within a character one byte has been read
            elif kind == CONCAT:
                after = self._suffixes[node] = [*accumulate((found[each][0] for each in below[::-1]), initial=0)][::-1]
                fewest = after[0]
                most = max((found[each][1] + rest for each, rest in zip(below, after[1:], strict=True)), default=0)
            elif kind == ALTERNATION:
                fewest, most = (choose(found[each][place] for each in below) for place, choose in enumerate((min, max)))
            elif kind == REPEAT:
                one, most = found[below[0]]
                fewest = least * one if least else 0
                most += one * (least - 1) if least > 1 else 0
            elif kind == RULE:
                fewest, most = rules[below[0]], inf
            else:
                dfa, spelling, _ = self._automata[below[0]]
                spelled = [(inf, 0) if each is None else found[each] for each in spelling]
                away = fewest_bytes(dfa, [each for each, _ in spelled])
                self._suffixes[node] = away.tolist()
                ends = np.where(dfa.transitions == DEAD, -inf, away[dfa.transitions] + [most for _, most in spelled])
                fewest, most = away[dfa.initial], ends.max(initial=away[dfa.initial])
                if below[1] != NO_LIMIT:
                    within = self._within[node] = fewest_within(dfa, [each for each, _ in spelled], below[1])
                    fewest = within[-1, dfa.initial]
                    most = within.max(where=np.isfinite(within), initial=0) + max(each for _, each in spelled)
            found.append((fewest, most))
        return found


def _divided(
    parts: list[tuple[int, frozenset[int]]], new: int, rest: int
) -> tuple[list[tuple[int, frozenset[int]]], int]:
    """Return parts of the alphabet, some of whose classes now lead to a rest too; and the classes that are in none."""
    divided = []
    for bits, rests in parts:
        if both := bits & new:
            spend(2 + (len(rests) >> 6))  # which are copied
            divided.append((both, rests | {rest}))
            new &= ~both
            bits &= ~both
        if bits:
            divided.append((bits, rests))
    return divided, new


class _States(Protocol):
    bounds: list[int]
    classes: list[int]

    def __len__(self) -> int: ...

    def row(self, state: int) -> list[int]: ...

    def accepts(self, state: int) -> bool: ...


def whole_dfa(states: _States) -> Dfa:
    """Return the automaton of all states, those included that have not been met yet.

    Raises:
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> len(whole_dfa(LazyDfa(parse_tree("a{3}"))))
    4
    """
    rows: list[list[int]] = []
    while len(rows) < len(states):
        rows.append(states.row(len(rows)))
        if len(states) > MAX_DFA_STATES:
            raise LimitExceeded("the automaton, made in full, has too many states", MAX_DFA_STATES)
        if len(states) * len(rows[0]) > MAX_TRANSITIONS:
            size = f"{len(states):,} states by {len(rows[0]):,} classes of characters"
            raise LimitExceeded(f"the table of the automaton, made in full, of {size}, is too large", MAX_TRANSITIONS)
    return Dfa(states.bounds, states.classes, rows, 0, list(map(states.accepts, range(len(states)))))


def alphabet(sets: tuple[Ranges, ...]) -> tuple[list[int], list[int], list[list[int]]]:
    """Return the classes of characters that some sets distinguish, as a ``Dfa`` has them, and the classes of each set.

    >>> alphabet((((97, 122),), ((101, 101),)))
    ([0, 97, 101, 102, 123], [-1, 0, 1, 0, -1], [[0, 1], [1]])
    """
    return (_kept_alphabet if sum(map(len, sets)) >= MANY_RANGES else _alphabet)(sets)


def _alphabet(sets: tuple[Ranges, ...]) -> tuple[list[int], list[int], list[list[int]]]:
    # Which sets begin or end at each place, as the bits of a number.
    changes = {0: 0}
    bit = 1
    for chars in sets:
        for start, end in chars:
            changes[start] = changes.get(start, 0) ^ bit
            changes[end + 1] = changes.get(end + 1, 0) ^ bit
        bit <<= 1
    changes.pop(LAST_CODE_POINT + 1, None)
    bounds = sorted(changes)
    inside, numbers, classes = 0, {0: DEAD}, []
    for bound in bounds:
        inside ^= changes[bound]
        classes.append(numbers.setdefault(inside, len(numbers) - 1))
    del numbers[0]
    classes_of: list[list[int]] = [[] for _ in sets]
    for held, symbol_class in numbers.items():
        while held:
            bit = held & -held
            classes_of[bit.bit_length() - 1].append(symbol_class)
            held ^= bit
    return bounds, classes, classes_of


_kept_alphabet = lru_cache(maxsize=32)(_alphabet)
