r"""An automaton made while it is walked: each state when it is first reached.

``(a|b)*a(a|b){20}`` has two million states, and a text of thirty characters meets thirty of them. The work is done by
the functions of ``solution.py``: ``unfold`` says what may come next in a state of the ``Nfa``, ``epsilon_closure``
follows that, and ``step_subset`` steps. Here is what production adds: leaves of a tree may be automata, a tree may hold
itself, and nothing is a state from which no text can end.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from math import inf
from typing import Any

from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.syntax import (
    APART,
    ASCII,
    BEYOND,
    COUNTS,
    LAST_CODE_POINT,
    PLAIN,
    READS,
    Alternation,
    Chars,
    Concat,
    Grafted,
    Node,
    Ranges,
    Repeat,
    beyond_ascii,
    with_flag,
)
from labkit.automata.work import spend
from labs.lab_06_regex_to_dfa import solution as lab
from labs.lab_06_regex_to_dfa.given.lengths import fewest_bytes, utf8_lengths
from labs.lab_06_regex_to_dfa.given.subsets import ENOUGH, Subset, Subsets, bits_of
from labs.lab_06_regex_to_dfa.given.unfolding import END, Moves, Unfolding
from mask_engine.patterns.any_order import AnyOrder
from mask_engine.patterns.needs import NO_LIMIT, Again, InLeaf, Leaf, Needs, Part, Union, Waiting

EMPTY = Concat(())
"""The node that matches the empty text: a concatenation of nothing."""


@dataclass(frozen=True, eq=False)
class Spelled(Grafted):
    """An automaton whose characters are spelled out: for each class a tree, which matches some text, in its place.

    Attributes:
        most: so many characters may be spelled, none of them as the empty text; None for any number.
    """

    dfa: Dfa
    spelling: "tuple[Tree, ...]"
    most: int | None = None


@dataclass(frozen=True, eq=False)
class Unordered(Grafted):
    """Parts in any order: for each class of ``order`` a tree, which matches some text, in its place."""

    order: AnyOrder
    spelling: "tuple[Tree, ...]"


@dataclass(eq=False)
class Rule(Grafted):
    """A tree that may contain itself. What comes after such a call waits until the call is read.

    Attributes:
        body: the tree; None while it is being built.
    """

    name: str
    body: "Tree | None" = None


@dataclass(eq=False)
class Later(Grafted):
    """A tree that's built when a text first reaches it. It has a text, and it isn't within itself.

    Args:
        build: builds the tree.
        beyond: sets of characters beyond ASCII that the tree, and what's within it, may tell from others.
        rules: all rules within themselves that it, and what's within it, may hold; they're read at once.
    """

    build: "Callable[[], Tree]"
    beyond: Collection[Ranges]
    rules: "Sequence[Rule]"

    @cached_property
    def tree(self) -> "Tree":
        """The tree, which is built only once."""
        return self.build()

    def __reduce__(self) -> Any:
        # In another process nothing is left to build.
        return Later, (partial(_itself, self.tree), self.beyond, self.rules)


def _itself(tree: "Tree") -> "Tree":
    return tree


Tree = Node
"""A tree, whose leaves may be automata, ``Spelled``, ``Unordered``, rules and what's built later."""


def rests_first(tree: Tree, known: Container[int]) -> list[Tree]:
    """Return the rows that a tree ends with, one in the other, and the tree itself; the innermost comes first.

    A row that was built from its end is nested as deep as it's long, which is too deep for a recursion. In this order,
    what a row ends with is known when the row is read. The ends may be optional; plain ones are left out.

    Args:
        known: addresses of rows that were read before.

    >>> a = Chars(((97, 97),))
    >>> inner = Concat((a, Rule("r")))
    >>> rests_first(Concat((a, inner)), ()) == [inner, Concat((a, inner))]
    True
    """
    found = [tree]
    while isinstance(tree, Repeat) or (isinstance(tree, Concat) and tree.parts):
        tree = tree.body if isinstance(tree, Repeat) else tree.parts[-1]
        if not isinstance(tree, Concat | Repeat) or tree.flags & PLAIN or id(tree) in known:
            break
        found.append(tree)
    return found[::-1]


Rounds = Callable[[frozenset[int]], int]
"""Returns how many rounds of a repetition a token begins at most, if each holds each of some ASCII characters."""


class LazyDfa(Subsets):
    """The automaton of a tree. States are numbers in the order in which they are met; state 0 is the initial one.

    From every state an accepting one can be reached: a step that leads nowhere is ``DEAD``. (Only the initial state of
    a pattern that matches nothing has no way on.)

    Args:
        tree: without anchors. A leaf may also be an automaton, from whose states an accepting one can be reached.

    Raises:
        LimitExceeded: also from ``row``, once what was met is too much.

    >>> dfa = LazyDfa(lab.parse_tree("(a|b)*a(a|b){20}"))
    >>> dfa.row(0), len(dfa), dfa.accepts(1)  # two states so far, of the two million that it has in full
    ([1, 0], 2, False)
    """

    def __init__(self, tree: Tree) -> None:
        parts = self._parts = _Parts()
        self._root = parts.part(tree)
        self.is_empty = self._root is None
        self.names = ["the whole", *parts.names]
        self._held_by: dict[Part, frozenset[int]] = {}
        self._known_needs: dict[int, Needs] = {}
        made = Unfolding(parts.unfold if parts.leaves or parts.bodies or parts.later else lab.unfold)
        sets = parts.sets()
        named = dict(zip(sets, sets, strict=True))
        super().__init__(made, frozenset(), named, lab.epsilon_closure, lab.step_subset)
        if parts.later:
            self._bits.find = partial(_classes_in, self.bounds, self.classes)
        else:
            parts.known.clear()

    def _begin(self, nfa: Unfolding, initial: Subset) -> None:
        self._made = nfa
        if self._root is not None:
            initial = frozenset([self._front(nfa.state(self._root, END))])
        super()._begin(nfa, initial)
        self._bits |= {Again(number): 1 << self.n_classes + number for number in range(len(self._parts.bodies))}
        starts = [nfa.state(body, nfa.state(Again(~n), END)) for n, body in enumerate(self._parts.bodies)]
        self.initials = [0, *(self.number(frozenset([self._front(start)])) for start in starts)]
        self._read_or_called: dict[int, tuple[dict[int, int], list[tuple[int, int]]]] = {}
        self._over_at: dict[int, bool] = {END: True}
        self._bytes_of: dict[int, dict[int, float]] = {}
        self._far_of: dict[Rounds, tuple[dict[int, int], int]] = {}

    @property
    def is_full(self) -> bool:
        """Whether so much has been met that it's time to continue in a new automaton."""
        return self._made.is_full or self._moves.n_members > ENOUGH

    def anew(self, states: Iterable[int] = ()) -> "tuple[LazyDfa, list[int]]":
        """Return an automaton of the same tree that has only met some states of this one, and their numbers there.

        They don't count towards its limit, because texts that are still being written need them.

        >>> dfa = LazyDfa(lab.parse_tree("(a|b)*a(a|b){20}"))
        >>> after_aa = dfa.step(dfa.step(0, ord("a")), ord("a"))
        >>> new, (number,) = dfa.anew([after_aa])
        >>> len(dfa), len(new), new.fewest_bytes(number)  # the new one has the start and "aa"; 19 more will do
        (4, 2, 19)
        """
        new, made = copy(self), Unfolding(self._made.unfold)
        made.n_given = inf
        new._begin(made, frozenset())
        new._moves.n_members = -inf
        carried = self._made.carried_over(made)
        numbers = [new.number(frozenset(map(carried, self.subsets[state]))) for state in states]
        made.n_given, new._moves.n_members = len(made.pairs), 0
        return new, numbers

    def places(self, state: int) -> list[int]:
        """Return the states of an automaton that is the whole tree in a state that has been met.

        There's one for each reading of the text so far, and ``DEAD`` for a reading that is inside the tree of a class.

        >>> whole = Dfa([0, 1, 2], [0, 1, DEAD], [[0, 1], [DEAD, DEAD]], initial=0, accepting=[False, True])
        >>> dfa = LazyDfa(Spelled(whole, (Chars(((97, 97),)), Concat((Chars(((97, 98),)), Chars(((99, 99),)))))))
        >>> sorted(dfa.places(dfa.row(0)[0])), dfa.places(dfa.row(0)[1])  # "a" is whole or begins "ac"; "b" begins "bc"
        ([-1, 0], [-1])
        """
        pairs = map(self._made.pairs.__getitem__, self.subsets[state])
        return [node.state if type(node) is InLeaf and after == END else DEAD for node, after in pairs]

    @property
    def nests(self) -> bool:
        """Whether a rule is within itself, so that it's called, and its texts need a stack."""
        return bool(self._parts.bodies)

    def targets(self, state: int) -> dict[int, int]:
        """Return the states that come after a state, each with the classes that lead there, as bits."""
        return self._parted(state)[0] if self._parts.bodies else super().targets(state)

    def accepts(self, state: int) -> bool:
        """Return whether a text, or that of a rule, may end in a state that has been met.

        Stacks ask this of every state that a token may lead to, so where rules call, no closure is made for it.
        """
        if not self._parts.bodies:
            return super().accepts(state)
        return any(map(self._may_be_over, self.subsets[state]))

    def _may_be_over(self, state: int) -> bool:
        """Return whether a state of the ``Nfa`` may have nothing left to read."""
        pairs, known = self._made.pairs, self._over_at
        last, *chain = self._made.from_known(state, known)
        spend(len(chain))
        found = known[last]
        for each in chain:
            found = known[each] = found and self._parts.may_be_empty(pairs[each][0])
        return found

    def calls(self, state: int) -> list[tuple[int, int]]:
        """Return pairs of a rule that a state calls, and the state after the call. Rule 0 is the tree itself.

        >>> list_ = Rule("list")
        >>> list_.body = Concat((Chars(((91, 91),)), Repeat(list_, 0, 1), Chars(((93, 93),))))
        >>> dfa = LazyDfa(list_)
        >>> dfa.calls(dfa.initial), [rule for rule, _ in dfa.calls(dfa.step(dfa.initials[1], ord("[")))]
        ([(1, 2)], [1])
        """
        return self._parted(state)[1] if self._parts.bodies else []

    def rule_of(self, state: int) -> int:
        """Return the rule to which a state belongs."""
        node, after = self._made.pairs[min(self.subsets[state])]
        while after != END:
            node, after = self._made.pairs[after]
        return ~node.number + 1 if type(node) is Again and node.number < 0 else 0

    def _parted(self, state: int) -> tuple[dict[int, int], list[tuple[int, int]]]:
        """Return what a state reads and what it calls. To lab 06's functions, a call is one more class."""
        found = self._read_or_called.get(state)
        if found is None:
            every, read, called = (1 << self.n_classes) - 1, dict[int, int](), list[tuple[int, int]]()
            for target, classes in super().targets(state).items():
                read |= {target: classes & every} if classes & every else {}
                called += [(rule + 1, target) for rule in bits_of(classes >> self.n_classes)]
            found = self._read_or_called[state] = read, called
        return found

    def fewest_bytes(self, state: int, without: int = 0) -> float:
        """Return how many bytes a text still needs from a state that has been met. No state is made for the answer.

        Args:
            without: classes of characters that the text may not have, as bits.

        >>> LazyDfa(lab.parse_tree("é{3}(a{9}|b)")).fewest_bytes(0)  # three times two, and the b
        7
        """
        spend(2 + (len(self.subsets[state]) >> 1))
        return min((self._rest_bytes(each, without) for each in self.subsets[state]), default=inf)

    def _rest_bytes(self, state: int, without: int) -> float:
        """Return the bytes that a state of the ``Nfa`` needs: the rounds that are left are multiplied, not walked."""
        needs, pairs = self._needs(without), self._made.pairs
        known = self._bytes_of.setdefault(without, {END: 0})
        last, *chain = self._made.from_known(state, known)
        spend(len(chain))
        found = known[last]
        for each in chain:
            found += needs.fewest(pairs[each][0])
            known[each] = found
        return found

    @cached_property
    def most_bytes(self) -> float:
        """An upper bound of ``fewest_bytes`` at any place in any text. No state is made for this either.

        >>> LazyDfa(lab.parse_tree("(a|b)*a(a|b){20}")).most_bytes  # 21 would be enough anywhere
        22
        """
        return inf if self._root is None else self._needs(0).known[self._root][1]

    def _needs(self, without: int) -> Needs:
        if (found := self._known_needs.get(without)) is None:
            parts = self._parts
            parts.build_all()
            if without:  # else it's known before the first text begins
                spend(len(parts.nodes))
            found = Needs(parts.in_order(self._root), self._lengths(without), parts.leaves, parts.bodies, parts.later)
            self._known_needs[without] = found
        return found

    def _lengths(self, without: int) -> Callable[[Ranges], tuple[float, float]]:
        """Return what tells how many bytes a set's characters have, at least and at most; ``inf`` and 0 for none."""
        if not without:
            return utf8_lengths
        ends = [*self.bounds[1:], LAST_CODE_POINT + 1]
        found = [[(inf, 0.0)] for _ in range(self.n_classes)]
        for start, end, number in zip(self.bounds, ends, self.classes, strict=True):
            if number != DEAD and not without >> number & 1:
                found[number].append(utf8_lengths(((start, end - 1),)))

        return partial(_lengths_in, self._bits, found)

    def alike(self, state: int, rounds: Rounds) -> int:
        """Return a state from which the same tokens lead on: one for all whose counts are far from their ends.

        A token of so many bytes begins at most so many rounds, so it cannot tell more rounds that may come from any
        number of them. (A round that reads nothing is one that a text can do without, so only those count that read
        something. The rounds that must come are left as they are, so that also as many bytes are needed.)

        >>> dfa = LazyDfa(lab.parse_tree("a{0,90}b"))
        >>> dfa.alike(0, lambda held: 91), dfa.alike(0, lambda held: 9), 1 in dfa.row(1)  # state 1 may go on for ever
        (0, 1, True)
        """
        far, n_seen = self._far_of.get(rounds, ({}, 0))
        limited = self._parts.limited
        if not far and n_seen < len(limited):
            spend(len(limited) - n_seen)
            counts = any(self._without_limit(node, rounds) is not node for node in islice(limited, n_seen, None))
            far = {END: END} if counts else {}
            self._far_of[rounds] = far, len(limited)
        if not far:
            return state
        spend(2 * len(self.subsets[state]))
        return self.number(frozenset(self._far(each, far, rounds) for each in self.subsets[state]))

    def _far(self, state: int, far: dict[int, int], rounds: Rounds) -> int:
        """Return a state of the ``Nfa`` without the limits on rounds that no token reaches."""
        pairs = self._made.pairs
        last, *chain = self._made.from_known(self._front(state), far)
        spend(len(chain) << 2)
        after = far[last]
        for each in chain:
            after = far[each] = self._made.state(self._without_limit(pairs[each][0], rounds), after)
        return after

    def _front(self, state: int) -> int:
        """Return a state itself, or if it is one of a concatenation, the equal one of its first part."""
        while state != END and type(self._made.pairs[state][0]) is Concat:
            (state,) = self._made.epsilon[state]
        return state

    def _without_limit(self, node: Part, rounds: Rounds) -> Part:
        """Return a node itself, or if no token tells how many rounds may come, the one of any number."""
        if type(node) is Repeat and node.most is not None and node.most > 1:
            far = node.most >= rounds(self._held(node.body))
            return Repeat(node.body, node.least, None) if far else node
        if type(node) is InLeaf and node.left > 1:
            # After any token, the ways to an accepting state must still be open; the best meet no state twice.
            far = node.left >= rounds(frozenset()) + len(self._parts.leaves[node.leaf].dfa) - 1
            return node._replace(left=NO_LIMIT) if far else node
        return node

    def _held(self, node: Part) -> frozenset[int]:
        """Return ASCII characters that each text of a node holds."""
        known = self._held_by.get(node)
        if known is not None:
            return known
        found = frozenset[int]()
        match node:
            case Chars(ranges):
                # the only character of a set, if that is ASCII
                found = frozenset([first for first, last in ranges if len(ranges) == 1 and first == last < ASCII])
            case Concat(below):
                found = found.union(*map(self._held, below))
            case Alternation(below):
                found = frozenset.intersection(*map(self._held, below))
            case Repeat(body, least, _) if least:
                found = self._held(body)
        self._held_by[node] = found
        return found


def _lengths_in(
    bits: Mapping[Ranges, int], lengths: Sequence[Sequence[tuple[float, float]]], chars: Ranges
) -> tuple[float, float]:
    """Return how many bytes a set's characters have, at least and at most, from those of each class."""
    pairs = [pair for each in bits_of(bits[chars]) for pair in lengths[each]]
    return min(low for low, _ in pairs), max(high for _, high in pairs)


def _classes_in(bounds: Sequence[int], classes: Sequence[int], chars: Ranges) -> int:
    """Return the classes of a set of characters, as bits; each ASCII character is a class of its own, with its number.

    >>> bin(_classes_in([*range(129)], [*range(129)], ((97, 98), (128, LAST_CODE_POINT))) >> 97)
    '0b10000000000000000000000000000011'
    """
    found = 0
    for first, last in chars:
        if first < ASCII:
            found |= (1 << min(last + 1, ASCII)) - (1 << first)
        if last >= ASCII:
            start, end = bisect_left(bounds, max(first, ASCII)), bisect_left(bounds, last + 1)
            if bounds[start] != max(first, ASCII) or bounds[end : end + 1] not in ([], [last + 1]):
                raise ValueError(f"characters from {first} to {last} are no classes of their own")
            for symbol_class in {*classes[start:end]} - {DEAD}:
                found |= 1 << symbol_class
    return found


_EACH_ASCII = [((code, code),) for code in range(ASCII)]


class _Parts:
    """The parts of a tree, equal ones as one, without those that match nothing; each after those that it is made of.

    Attributes:
        nodes: the parts.
        limited: those that count rounds or characters up to a limit.
        leaves: the automata in the place of nodes.
        bodies, names: of each rule that is within itself.
        known: what was read of each tree, by its address; the tree is kept, or another might get that.
        later: for each ``Waiting`` the tree that's built later, and once it is built, the part that it is.
    """

    def __init__(self) -> None:
        self.nodes: dict[Part, Part] = {EMPTY: EMPTY}
        self.limited: list[Part] = []
        self.later: list[Later | Part] = []
        self.leaves: list[Leaf] = []
        self.bodies: list[Part] = []
        self.names: list[str] = []
        self.known: dict[int, tuple[Tree, Part | None]] = {}
        self._open: dict[int, int | None] = {}
        self._numbers: dict[Rule, int] = {}
        self._unions: dict[tuple[int, ...], Part] = {}
        self._empty: dict[Part, bool] = {}
        self._divided: dict[Union, tuple[list[tuple[Any, Part]], list[Part]]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "known": {}}  # in another process these are the addresses of other trees

    def unfold(self, node: Part, after: int, state: Callable[[Part, int], int]) -> tuple[Moves, list[int]]:
        """Return what may come next in a state, as ``unfold`` does."""
        if type(node) is InLeaf:
            return [], self._steps(node, after, state)
        if type(node) is Union:
            heads, others = self._divide(node)
            moves = [(label, after if rest is EMPTY else state(rest, after)) for label, rest in heads]
            return moves, [state(each, after) for each in others]
        if type(node) is Again:
            called: Any = [(node, after)]  # a call reads no characters, but to lab 06 it's one more move
            return ([], [after]) if node.number < 0 else (called, [])
        if type(node) is Waiting:
            return [], [state(self.built(node.number), after)]
        return lab.unfold(node, after, state)

    def may_be_empty(self, node: Part) -> bool:
        """Return whether a part may be passed over without reading or calling anything."""
        if (known := self._empty.get(node)) is None:
            match node:
                case Concat(below):
                    known = all(map(self.may_be_empty, below))
                case Alternation(below) | Union(below):
                    known = any(map(self.may_be_empty, below))
                case Repeat(body, least, most):
                    known = not least or most == 0 or self.may_be_empty(body)
                case InLeaf(leaf, state):
                    dfa = self.leaves[leaf].dfa
                    known = dfa.accepts(state)
                case Again(number):
                    known = number < 0
                case Waiting(number):
                    known = self.may_be_empty(self.built(number))
                case _:
                    known = False
            self._empty[node] = known
        return known

    def _steps(self, place: InLeaf, after: int, state: Callable[[Part, int], int]) -> list[int]:
        dfa, spelling, left = self.leaves[place.leaf]
        spend(len(spelling) >> 1)
        if isinstance(dfa, AnyOrder):
            found = [after] if dfa.accepts(place.state) else []
            for number, written in dfa.steps(place.state):
                found.append(state(spelling[number], state(InLeaf(place.leaf, written, NO_LIMIT), after)))
            return found
        limited = place.left != NO_LIMIT
        fewer = place.left - limited  # if it was 0, no state needs so few
        found = [after] if dfa.accepting[place.state] else []
        # Classes that lead to one state are read together: in a key that is none of some, all but a few do.
        together: dict[int, list[int]] = {}
        for number, target in enumerate(dfa.transitions[place.state].tolist()):
            if target != DEAD and spelling[number] is not None and not (limited and left[target] > fewer):
                together.setdefault(target, []).append(number)
        for target, numbers in together.items():
            key = place.leaf, *numbers
            if (part := self._unions.get(key)) is None:
                part = self._unions[key] = self._union([spelling[number] for number in numbers])
            found.append(state(part, state(InLeaf(place.leaf, target, fewer), after)))
        return found

    def _union(self, parts: Sequence[Part]) -> Part:
        """Return the part that any of some parts is."""
        options = {option: 0 for part in parts for option in (part.options if type(part) is Alternation else [part])}
        return Union(tuple(options)) if len(options) > 1 else next(iter(options))

    def _divide(self, union: Union) -> tuple[list[tuple[Any, Part]], list[Part]]:
        """Return how a union begins: sets of characters, each with what follows, and the parts that begin otherwise.

        What is one character long is one label: a ``frozenset`` of sets.
        """
        if union not in self._divided:
            spend(len(union.options))
            whole, begun, others = list[Ranges](), dict[Ranges, list[Part]](), list[Part]()
            for option in union.options:
                if type(option) is Chars:
                    whole.append(option.ranges)
                elif type(option) is Concat and option.parts and type(option.parts[0]) is Chars:
                    rest = option.parts[1:]
                    begun.setdefault(option.parts[0].ranges, []).append(rest[0] if len(rest) == 1 else Concat(rest))
                else:
                    others.append(option)
            heads: list[tuple[Any, Part]] = [(frozenset(whole), EMPTY)] if whole else []
            self._divided[union] = [*heads, *((head, self._union(rests)) for head, rests in begun.items())], others
        return self._divided[union]

    def part(self, tree: Tree) -> Part | None:
        """Return the part that a tree is, or None if it matches nothing. What occurs several times is read once."""
        if tree.flags & PLAIN:
            return self._entered(tree)
        if id(tree) not in self.known:
            for each in rests_first(tree, self.known):
                self.known[id(each)] = each, self._read(each)
        return self.known[id(tree)][1]

    def _read(self, tree: Tree) -> Part | None:
        match tree:
            case Chars():
                return None  # what has characters is plain
            case Concat(parts):
                found: list[Part] = []
                for each in parts:
                    if (part := self.part(each)) is None:
                        return None
                    if part is not EMPTY:
                        found.append(part)
                return found[0] if len(found) == 1 else self._entered(Concat(tuple(found)))
            case Alternation(options):
                options = tuple(dict.fromkeys(part for each in options if (part := self.part(each)) is not None))
                if not options:
                    return None
                return options[0] if len(options) == 1 else self._entered(Alternation(options))
            case Repeat(body, least, most):
                part = self.part(body)
                if part is None or part is EMPTY or most == 0:
                    return None if part is None and least > 0 else EMPTY
                return self._entered(Repeat(part, least, most))
            case Dfa():
                return self._read(Spelled(tree, tuple(map(Chars, tree.class_ranges))))
            case Spelled():
                return self._read_automaton(tree)
            case Unordered(order, spelling):
                return self._place(Leaf(order, [self.part(each) for each in spelling], []), NO_LIMIT)
            case Rule(_, body) if body is not None:
                return self._read_rule(tree, body)
            case Later():
                for rule in tree.rules:
                    self.part(rule)
                self.later.append(tree)
                return self._entered(Waiting(len(self.later) - 1))
        raise TypeError(f"no node of a tree without anchors: {tree!r}")

    def _read_automaton(self, tree: Spelled) -> Part | None:
        dfa, most = tree.dfa, tree.most
        if not dfa.n_classes:
            return EMPTY if dfa.accepting[dfa.initial] else None
        spelled = [self.part(each) for each in tree.spelling]
        # How many characters are left: only asked where they are counted.
        left = [] if most is None else fewest_bytes(dfa, [inf if part is None else 1 for part in spelled]).tolist()
        if most is not None and left[dfa.initial] > most:
            return None
        return self._place(Leaf(dfa, spelled, left), NO_LIMIT if most is None else most)

    def _place(self, leaf: Leaf, left: int) -> Part:
        """Return the part that an automaton is in its initial state."""
        self.leaves.append(leaf)
        found = self._entered(InLeaf(len(self.leaves) - 1, leaf.dfa.initial, left))
        if left != NO_LIMIT:
            self.limited.append(found)
        return found

    def _read_rule(self, rule: Rule, body: Tree) -> Part | None:
        """Return the part that a rule's body is, or if the rule is within itself, a call of it."""
        if (known := self._numbers.get(rule)) is not None:
            return Again(known)
        if id(rule) in self._open:
            if (number := self._open[id(rule)]) is None:
                number = self._open[id(rule)] = len(self.bodies)
                self.bodies.append(EMPTY)
                self.names.append(rule.name)
            return self._entered(Again(number))
        self._open[id(rule)] = None
        # subtle: what is read of the body while it is open holds parts for the rule, also where it occurs outside
        part = self.part(body)
        if (number := self._open.pop(id(rule))) is None:
            return part
        if part is None:
            raise ValueError(f"the rule {rule.name} matches nothing")
        self.bodies[number], self._numbers[rule] = part, number
        return Again(number)

    def sets(self) -> list[Ranges]:
        """Return sets of characters whose classes are fine enough.

        For what's built later, which nobody has read yet, each ASCII character is one of these sets.
        """
        leaves = with_flag(self.nodes, APART if self.later else READS)
        found = dict.fromkeys(leaf.ranges for leaf in leaves if type(leaf) is Chars)
        if not self.later:
            return list(found)
        beyond = {BEYOND, *map(beyond_ascii, found), *(chars for each in self.later for chars in each.beyond)}
        return [*_EACH_ASCII, *sorted(beyond)]

    def built(self, number: int) -> Part:
        """Return the part that's built when a text first reaches it."""
        if isinstance(found := self.later[number], Later):
            found = self.later[number] = self.part(found.tree)
        return found

    def build_all(self) -> None:
        """Build what has not been built."""
        for number, _ in enumerate(self.later):  # the list grows meanwhile
            self.built(number)
        self.known.clear()  # all is read

    def in_order(self, *roots: Part) -> list[Part]:
        """Return the parts within some parts, each after those that it's made of; a rule within itself is made of none.

        All of it is built.
        """
        found, waiting = dict[Part, None](), [part for part in (*roots, *self.bodies) if part is not None]
        while waiting:
            part = waiting[-1]
            new = [] if part in found else [each for each in self._below(part) if each not in found]
            waiting += new
            if not new:
                found[waiting.pop()] = None
        return list(found)

    def _below(self, part: Part) -> Sequence[Part]:
        match part:
            case Concat(below) | Alternation(below):
                return below
            case Repeat(body):
                return (body,)
            case InLeaf(leaf):
                return [each for each in self.leaves[leaf].spelling if each is not None]
            case Waiting(number):
                return (self.later[number],)
        return ()

    def _entered(self, part: Part) -> Part:
        found: Part = self.nodes.setdefault(part, part)
        if found is part and part.flags & COUNTS:  # what it's made of was entered before, unless it's plain
            below = with_flag([part], COUNTS) if part.flags & PLAIN else [part]
            self.limited += [each for each in below if type(each) is Repeat]
        return found
