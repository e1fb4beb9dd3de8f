"""The base class of ``PushdownFSM``: lab 07's masks over states that hold stacks, and your tables.

Which token is allowed is up to your functions. This file decides when each of them is asked. The first stacks on which
a state of a rule is met are walked, as lab 07 does it. Once there have been some, it's cheaper to sort the tokens for
all stacks, into a table.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges
from labkit.automata.work import spend
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import Classes
from labs.lab_07_bytes_and_vocabularies.given.on_demand.fsm import Progress, TokenStates
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, pack_mask
from labs.lab_12_pushdown.given.stack_states import StackStates
from labs.lab_12_pushdown.given.stacks import Frame, Item, without_end

OFTEN = 16
"""After so many walks on different stacks, a state of a rule gets its table, which costs about as much as they did."""

MOST_FATES = 8192
"""How many answers about rests we keep before we forget all of them."""

ALL: Classes = -1
"""Every class of characters."""

Bitmask = NDArray[np.int32]


class State:
    """A position in the grammar: a kernel. Equal ones are one object, so comparing two of them is cheap.

    Attributes:
        kernel: the items, without ``END``. Each state of a rule is in it at most once.
        ended: whether the text may end here. In a walk with an unknown stack, it says whether the rule may end.
        number: the state's number in the engine.

    >>> from labs.lab_12_pushdown.given.stacks import END, items_of
    >>> State(items_of([(5, END), (END,)]))
    <state [5], may end>
    """

    __slots__ = ("ended", "kernel", "number")

    def __init__(self, kernel: frozenset[Item], number: int = DEAD) -> None:
        self.kernel = without_end(kernel)
        self.ended = len(self.kernel) < len(kernel)
        self.number = number

    def __repr__(self) -> str:
        return f"<state {sorted(state for state, _ in self.kernel)}{', may end' if self.ended else ''}>"


@dataclass(eq=False)
class Table:
    """What one state of a rule can say about every token without knowing the stack: what ``make_table`` returns.

    Attributes:
        tokens: ``int32[n]``: the tokens that are allowed, ascending.
        kinds: ``int32[n]``: the number of the state after each of them.
        rests: the tokens that wait for the stack, by their rests: what's left of them when the rule ends.
        states: the states that the numbers stand for. They know nothing of the stack.
        costs: ``float32[n]``: how many tokens surely suffice to end the rule after each. The engine counts bytes, since
            no text needs more tokens than it has bytes.

    >>> sorted(Table(np.array([7]), np.array([1]), {b"]": [5], b",": [6]}, []).keys)
    [b',', b']']
    """

    tokens: NDArray[np.integer]
    kinds: NDArray[np.integer]
    rests: Mapping[bytes, list[int]]
    states: Sequence[State | None]
    costs: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))

    @cached_property
    def keys(self) -> frozenset[bytes]:
        """The rests."""
        return frozenset(self.rests)

    def decided(self, n_tokens: int) -> float:
        """Return the share of the vocabulary that this table decides without the stack.

        >>> Table(np.array([0]), np.array([1]), {b",": [1], b"x,": [1]}, []).decided(4)
        0.75
        """
        return 1 - len(set[int]().union(*self.rests.values())) / n_tokens


@dataclass(frozen=True, eq=False)
class Fates:
    """What becomes of some rests in one state of a rule.

    Attributes:
        states: the rests that are read to their end, by the rule or by those that it calls, and the state after each.
        rests: if the rule ends first, something is left over: each leftover, with the rests that end with it.

    >>> Fates({}, {b",": [b"],"]}).rests[b","]
    [b'],']
    """

    states: Mapping[bytes, State]
    rests: Mapping[bytes, list[bytes]]


def ended_at(numbers: NDArray[np.intp], states: Sequence[State | None]) -> NDArray[np.bool_]:
    """Return for each node whether the rule may end there. In the dead state, None, it can't.

    Args:
        numbers, states: what ``walk_vocabulary`` returns.

    >>> from labs.lab_12_pushdown.given.stacks import END, items_of
    >>> ended_at(np.array([1, 2, 0]), [None, State(items_of([(5, END)])), State(items_of([(END,)]))]).tolist()
    [False, True, False]
    """
    found: NDArray[np.bool_] = np.array([state is not None and state.ended for state in states]).take(numbers)
    return found


def continued(trie: ByteTrie, ended: NDArray[np.bool_], follow: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mark the nodes that have a place above them where the rule may end and a caller may read on: a rest.

    The root isn't such a place: if the rule may end before the token, its callers have items of their own.

    Args:
        ended: ``bool[N + 1]``: whether the rule may end at each node; the last entry is false.
        follow: ``bool[256]``: the bytes with which some caller may continue.

    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie
    >>> follow = np.arange(256) == ord("b")
    >>> continued(build_byte_trie([b"ab", b"ac"]), np.array([False, True, False, False, False]), follow).tolist()
    [False, False, True, False, False]
    >>> continued(build_byte_trie([b"b", b"bb"]), np.array([True, False, False, False]), follow).tolist()
    [False, False, False, False]
    """
    found = np.zeros(len(ended), bool)
    # There are few such places, so we look at what's below them, and not at every node.
    below = _children(trie, ended[1:].nonzero()[0] + 1)
    below = below[follow[trie.byte[below]]]
    while len(below):
        found[below] = True
        below = _children(trie, below)
        below = below[~found[below]]
    return found


def _children(trie: ByteTrie, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the children of some nodes, which may be on different levels."""
    return ranges(trie.first_child[nodes], trie.child_counts[nodes])


class TableFunctions(NamedTuple):
    """Your functions that decide tokens, each under its name.

    >>> TableFunctions._fields[:2]
    ('walk_vocabulary', 'make_table')
    """

    walk_vocabulary: Callable[..., tuple[NDArray[np.intp], list[State | None]]]
    make_table: Callable[..., Table]
    rests_after: Callable[..., dict[bytes, list[tuple[State, Frame]]]]
    allowed_tokens: Callable[..., NDArray[np.bool_]]


class PushdownStates(TokenStates):
    """The states of some rules over a vocabulary, and their masks.

    Args:
        stacks: the states over characters.
        index: the vocabulary.
        do: your functions.

    Attributes:
        often: after so many walks on different stacks, a state of a rule gets its table.
    """

    characters: StackStates

    def __init__(self, stacks: StackStates, index: TokenVocabularyIndex, do: TableFunctions) -> None:
        self._index, self._do, self.often = index, do, OFTEN
        super().__init__(stacks, index.rows, index.eos_id)

    @property
    def rules(self) -> Any:
        """The rules: lab 12's ``Rules``."""
        return self.characters.rules

    def _forget_masks(self) -> None:
        super()._forget_masks()
        self._tables: dict[int, Table] = {}
        self._follows: dict[int, Classes] = {}
        self._walks: Counter[int] = Counter()
        self._known_states: dict[int, State] = {}
        self._known_fates: dict[tuple[int, frozenset[bytes]], Fates] = {}

    def make_tables_at_once(self) -> None:
        """Give every state of a rule its table when its first mask is made, instead of walking the first stacks."""
        self.often = 0

    def prepare(self, progress: Progress | None = None) -> None:
        """Make the mask of the initial state now. (All masks can't be made: there's no end of stacks.)

        Args:
            progress: called with 1 and 1 when that is done.
        """
        self.mask(self.initial_state)
        if progress:
            progress(1, 1)

    # Masks ------------------------------------------------------------------------------------------------

    def _make(self, state: int) -> Bitmask:
        items = self.kernel(state)
        if self.is_whole(state) and all(self._walks[number] >= self.often for number, _ in items):
            return self._from_tables(state, items)
        self._walks.update(number for number, _ in items)
        return super()._make(state)

    def _from_tables(self, state: int, items: Iterable[Item]) -> Bitmask:
        """Return the mask of a state, and note how many bytes are enough to finish after any of its tokens."""
        priced = [*self._priced(items)]
        most = [below + float(table.costs.max(initial=0)) for table, below, _ in priced]
        self._after[state] = max(most + [cost for _, _, after in priced for cost in after.values()], default=0.0)
        return self._with_eos(state, pack_mask(self._do.allowed_tokens(len(self._index), priced, np.inf)))

    def _within(self, state: int, most: int) -> Bitmask:
        """Return the mask of the tokens after which so many are enough; bytes tell of most of them."""
        items = self.kernel(state)
        if not self.is_whole(state) or not self.endings.spelled or any(n not in self._tables for n, _ in items):
            return super()._within(state, most)
        surely = self._do.allowed_tokens(len(self._index), [*self._priced(items)], most)
        return self.mask_of(state, partial(self.endings.all_within, most=most), surely)

    def _priced(self, items: Iterable[Item]) -> Iterator[tuple[Table, float, dict[bytes, float]]]:
        """Yield what ``allowed_tokens`` wants of each item. Prices are bytes: no text needs more tokens than that."""
        below = self.characters.below
        for number, frame in items:
            table = self.table(number, self.characters.follow(frame))
            places = self._do.rests_after(self.rules, frame, table.keys, self._fates) if table.keys else {}
            after = {
                rest: min(self._bytes_left(state) + below(each) for state, each in found)
                for rest, found in places.items()
            }
            yield table, below(frame), after

    def open_rules(self, state: int) -> list[str]:
        """Return the rules on one of the stacks of a state, the outermost first."""
        return self.characters.open_rules(self.character_state(state))

    def kernel(self, state: int) -> frozenset[Item]:
        """Return the items of a state, without ``END``."""
        return without_end(self.characters.kernels[self.character_state(state)])

    def _bytes_left(self, state: State | None) -> float:
        return 0.0 if state is None else self._states.fewest_bytes(state.number)

    # Tables -----------------------------------------------------------------------------------------------

    def table(self, number: int, follow: Classes = ALL) -> Table:
        """Return the table of one state of a rule. It's made when it's first asked for.

        Args:
            follow: the classes of characters, as bits, with which some caller may continue.
        """
        if number not in self._tables or follow & ~self._follows[number]:
            spend(300 + (len(self._index.trie) >> 2))  # the steps of the walk are counted where they're made
            walked = self._do.walk_vocabulary(self._index.trie, self._alike, self._alone(number), self._read)
            follow |= self._follows.get(number, 0)
            first = self._states.alphabet.beginning(follow)
            table = self._do.make_table(self._index.trie, self._index.token_bytes, *walked, first)
            spend(sum(2 + 2 * len(state.kernel) for state in table.states if state is not None))
            table.costs = np.array([*map(self._bytes_left, table.states)], np.float32)[table.kinds]
            self._tables[number], self._follows[number] = table, follow
            self._n_met += len(table.tokens)
        return self._tables[number]

    def _state(self, number: int) -> State:
        state = self._known_states.get(number)
        if state is None:
            kernel, within = self._states.pair(number)
            items = self.characters.kernels[kernel]
            state = self._known_states[number] = State(without_end(items) if within else items, number)
        return state

    def _alone(self, number: int) -> State:
        """Return the state that knows nothing of the stack below a state of a rule."""
        kernel = frozenset([(number, self.characters.bottom)])
        return self._state(self._states.number_of(self.characters.number(kernel), 0))

    def _read(self, state: State | None, byte: int) -> State | None:
        if state is None:
            return None
        after = self._states.step(state.number, byte)
        return None if after == DEAD else self._state(after)

    @cached_property
    def _alike(self) -> NDArray[np.intp]:
        """``intp[256]``: for each byte, the smallest byte that no rule can tell from it."""
        # subtle: a class of bytes may have no byte, so the classes aren't the numbers of those that are met.
        _, first, place = np.unique(self._states.byte_classes, return_index=True, return_inverse=True)
        found: NDArray[np.intp] = first[place]
        return found

    def _fates(self, number: int, rests: frozenset[bytes]) -> Fates:
        """Return what becomes of some rests in one state, whatever is below it."""
        fates = self._known_fates.get((number, rests))
        if fates is None:
            spend(8 + 6 * len(rests))
            after: dict[bytes, State | None] = {b"": self._alone(number)}
            shorter: dict[bytes, list[bytes]] = defaultdict(list)
            for rest in rests:
                for end in range(1, len(rest) + 1):
                    if rest[:end] not in after:
                        after[rest[:end]] = self._read(after[rest[: end - 1]], rest[end - 1])
                    state = after[rest[:end]]
                    if state is not None and state.ended and end < len(rest):
                        shorter[rest[end:]].append(rest)
            states = {rest: state for rest in rests if (state := after[rest]) is not None}
            if len(self._known_fates) >= MOST_FATES:
                self._known_fates.clear()
            fates = self._known_fates[number, rests] = Fates(states, dict(shorter))
        return fates
