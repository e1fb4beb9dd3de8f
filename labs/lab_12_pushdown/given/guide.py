"""The base class of ``PushdownFSM``: it calls the functions of your file, and remembers what they return.

Which token is allowed is up to them. This file decides when each of them is asked, and makes equal things only once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import BYTES as BYTE_VALUES
from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges
from labkit.automata.work import affordable, spend
from labkit.errors import TokenNotAllowed, TooMuchWork
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import unpacked
from labs.lab_07_bytes_and_vocabularies.given.tables import token_table
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, lift, pack_mask
from labs.lab_12_pushdown.given.shortest import MOST_BYTES, alike, fewest_pieces, shortest_text
from labs.lab_12_pushdown.given.stacks import END, Frame, Item, bottom_frame, merged

MOST_STEPS = 8192
"""How many steps by tokens, and how many masks, we keep before we forget all of them."""

MOST_HELD = 1 << 25
"""How many tokens all tables may hold together before we forget them."""

UNLIMITED = 1e15
"""A budget that's never used up. It isn't infinite, so a token after which the text can't end is still over it."""

BYTES, TOKENS = "bytes", "tokens"
"""What a cost is counted in. If every byte is a token, a text never needs more tokens than bytes."""

PRICE_OF_A_STATE = 12
"""How many units of work it takes to lift one state of the rules."""

Bitmask = NDArray[np.int32]


class State:
    """A position in the grammar: a kernel. Equal ones are one object, so comparing two of them is cheap.

    Attributes:
        kernel: the items, without ``END``. Each state of a rule is in it at most once.
        ended: whether the text may end here. In a walk with an unknown stack, it says whether the rule may end.

    >>> from labs.lab_12_pushdown.given.stacks import items_of
    >>> State(items_of([(5, END), (END,)]))
    <state [5], may end>
    """

    __slots__ = ("__weakref__", "ended", "items", "kernel", "memo")

    def __init__(self, kernel: frozenset[Item]) -> None:
        self.kernel = frozenset(item for item in kernel if item[0] != END)
        self.ended = len(self.kernel) < len(kernel)
        self.items: list[Item] | None = None
        self.memo: dict[Any, Any] = {}

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
        costs: ``float32[n]``: how many tokens it takes to end the rule after each. It's 0 until there's a budget.
        counted_in: what the costs are counted in: ``BYTES`` or ``TOKENS``.

    >>> sorted(Table(np.array([7]), np.array([1]), {b"]": [5], b",": [6]}, []).keys)
    [b',', b']']
    """

    tokens: NDArray[np.integer]
    kinds: NDArray[np.integer]
    rests: Mapping[bytes, list[int]]
    states: Sequence[State | None]
    costs: NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    counted_in: str = field(default="", init=False)

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


class PushdownFunctions(NamedTuple):
    """Your functions, each under its name.

    >>> PushdownFunctions._fields[3:5]
    ('walk_vocabulary', 'make_table')
    """

    call_closure: Callable[..., list[Item]]
    pop_closure: Callable[..., set[Item]]
    step: Callable[..., frozenset[Item]]
    walk_vocabulary: Callable[..., tuple[NDArray[np.intp], list[State | None]]]
    make_table: Callable[..., Table]
    rests_after: Callable[..., dict[bytes, list[tuple[State, Frame]]]]
    fewest_tokens: Callable[..., NDArray[np.float64]]
    allowed_tokens: Callable[..., NDArray[np.bool_]]


class PushdownStates:
    """The states of a grammar over a vocabulary, their masks, and what it takes to finish from them.

    Args:
        rules: the rules over bytes.
        index: the vocabulary.
        do: your functions.
    """

    def __init__(self, rules: Any, index: TokenVocabularyIndex, do: PushdownFunctions) -> None:
        self.rules = rules
        self._index = index
        self._do = do
        self._bottom = bottom_frame()
        self._states: WeakValueDictionary[frozenset[Item], State] = WeakValueDictionary()
        self._tables: dict[int, Table] = {}
        self._follows: dict[int, NDArray[np.bool_]] = {}
        self._held = 0
        self._known_fates: dict[tuple[int, frozenset[bytes]], Fates] = {}
        self._steps: dict[tuple[State, int], State] = {}
        self._masks: dict[Any, Bitmask] = {}
        self._equal: dict[bytes, Bitmask] = {}
        self._costs: dict[int, float] = {}
        first = do.pop_closure(rules, [(rules.initial[0], self._bottom)])
        self._initial = self._state(merged(i for i in first if i[0] == END or not rules.is_last(i[0])))

    # States -----------------------------------------------------------------------------------------------

    @property
    def initial_state(self) -> State:
        """The state before the first byte."""
        return self._initial

    def _state(self, kernel: frozenset[Item]) -> State:
        state = self._states.get(kernel)
        if state is None:
            state = self._states[kernel] = State(kernel)
        return state

    def after_byte(self, state: State, byte: int) -> State | None:
        """Return the state after a byte, or None if nothing reads it. Your ``walk_vocabulary`` knows it as ``read``."""
        items = self._items(state)
        spend(2 + len(items))
        kernel = self._do.step(self.rules, items, byte)
        return self._state(kernel) if kernel else None

    def _items(self, state: State) -> list[Item]:
        """Return the items that could read the next byte. They're made when they're first asked for."""
        if state.items is None:
            state.items = self._do.call_closure(self.rules, state.kernel)
            spend(2 * len(state.items))
        return state.items

    def next_bytes(self, state: State) -> bytes:
        """Return the bytes that may come next, ascending."""
        items = self._items(state)
        spend(20 * len(items))
        rows = [self.rules.row(each) for each in {each for each, _ in items}]
        return bytes(sorted({byte for row in rows for byte, after in enumerate(row) if after != DEAD}))

    def is_whole(self, state: State) -> bool:
        """Return whether the bytes so far are whole characters."""
        return all(self.rules.is_whole(each) for each, _ in state.kernel)

    def is_terminal(self, state: State) -> bool:
        """Return whether the text so far is a whole one."""
        return state.ended

    def next_state(self, state: State, token_id: int) -> State:
        """Return the state after a token; raise ``TokenNotAllowed`` if it isn't allowed."""
        after = self._steps.get((state, token_id))
        if after is None:
            after = self._after_bytes(state, token_id)
            if len(self._steps) >= MOST_STEPS:
                self._steps.clear()
            self._steps[state, token_id] = after
        return after

    def _after_bytes(self, state: State, token_id: int) -> State:
        token = self._index.token_bytes[token_id] if 0 <= token_id < len(self._index) else None
        after: State | None = state if token else None
        for byte in token or b"":
            after = self.after_byte(after, byte) if after is not None else None
        if after is None:
            raise TokenNotAllowed(token_id, repr(state))
        return after

    # Tables -----------------------------------------------------------------------------------------------

    def table(self, number: int) -> Table:
        """Return the table of one state of a rule. It's made when it's first asked for."""
        table = self._tables.get(number)
        if table is None:
            spend(300 + (len(self._index.trie) >> 2))  # the steps of the walk are counted where they're made
            trie, token_bytes = self._index.trie, self._index.token_bytes
            walked = self._walked(self._state(frozenset([(number, self._bottom)])))
            table = self._do.make_table(trie, token_bytes, *walked, self._follow(number))
            table.costs = np.zeros(len(table.tokens), np.float32)
            self._tables[number] = table
            self._held += len(table.tokens)
            if self._held > MOST_HELD:
                self._tables, self._held = {number: table}, len(table.tokens)
        return table

    def _walked(self, first: State) -> tuple[NDArray[np.intp], list[State | None]]:
        return self._do.walk_vocabulary(self._index.trie, self.rules.alike, first, self.after_byte)

    def mask_without_tables(self, state: State) -> Bitmask:
        """Return the mask of a state the slow way, every token over its stack. The bench and the tests compare it."""
        allowed = self._walked(state)[0][self._index.trie.node_of_token] != 0
        allowed[self._index.eos_id] = state.ended
        return pack_mask(allowed)

    def _follow(self, number: int) -> NDArray[np.bool_]:
        """Return the bytes with which some caller may continue after a state's rule, as ``bool[256]``."""
        rules = [self.rules.rule_of(number)]
        if rules[0] in self._follows:
            return self._follows[rules[0]]
        follow = np.zeros(256, bool)
        for rule in rules:
            for caller, target in self._callers[rule]:
                state = self._state(frozenset([(target, self._bottom)]))
                follow[[*self.next_bytes(state)]] = True
                if self.rules.may_end(target) and caller not in rules:
                    rules.append(caller)
        self._follows[rules[0]] = follow  # not earlier: there may be too little work left
        return follow

    @cached_property
    def _callers(self) -> Mapping[int, set[tuple[int, int]]]:
        """For each rule, everybody who calls it: pairs of the caller's own rule, and the state after the call."""
        found: dict[int, set[tuple[int, int]]] = defaultdict(set)
        spend(2 * len(self.rules.calls))
        for row in self.rules.calls.values():
            for rule, target in row:
                found[rule].add((self.rules.rule_of(target), target))
        return found

    def _fates(self, number: int, rests: frozenset[bytes]) -> Fates:
        """Return what becomes of some rests in one state, whatever is below it."""
        fates = self._known_fates.get((number, rests))
        if fates is None:
            spend(8 + 6 * len(rests))
            after: dict[bytes, State | None] = {b"": self._state(frozenset([(number, self._bottom)]))}
            shorter: dict[bytes, list[bytes]] = defaultdict(list)
            for rest in rests:
                for end in range(1, len(rest) + 1):
                    if rest[:end] not in after:
                        before = after[rest[: end - 1]]
                        after[rest[:end]] = None if before is None else self.after_byte(before, rest[end - 1])
                    state = after[rest[:end]]
                    if state is not None and state.ended and end < len(rest):
                        shorter[rest[end:]].append(rest)
            states = {rest: state for rest in rests if (state := after[rest]) is not None}
            if len(self._known_fates) >= MOST_STEPS:
                self._known_fates.clear()
            fates = self._known_fates[number, rests] = Fates(states, dict(shorter))
        return fates

    def _places(self, number: int, frame: Frame) -> dict[bytes, list[tuple[State, Frame]]]:
        """Return which rests in the table of a state are allowed by the stack below it, and where they lead."""
        found = frame.memo.get(number)
        if found is None:
            keys = self.table(number).keys
            found = frame.memo[number] = self._do.rests_after(self.rules, frame, keys, self._fates) if keys else {}
        return found

    # Masks ------------------------------------------------------------------------------------------------

    def mask(self, state: State, remaining: int | None = None) -> Bitmask:
        """Return the packed mask of a state.

        Args:
            remaining: how many tokens may still be emitted, this one and EOS included; at least 1. None for no limit.

        Raises:
            ValueError: if not even one token remains.
        """
        if remaining is not None:
            return self._within(state, remaining)
        mask = state.memo.get("mask")
        if mask is None:
            allowed = [(number, frozenset(self._places(number, frame))) for number, frame in state.kernel]
            key = (frozenset(allowed), state.ended)
            mask = self._masks.get(key)
            if mask is None:
                tables = [(self.table(number), 0.0, dict.fromkeys(rests, 0.0)) for number, rests in allowed]
                mask = self._packed(tables, np.inf, state.ended)
                if len(self._masks) >= MOST_STEPS:
                    self._masks.clear()
                self._masks[key] = mask
            state.memo["mask"] = mask
        return mask

    def _packed(self, tables: Iterable[Any], most: float, ended: bool) -> Bitmask:
        allowed = self._do.allowed_tokens(len(self._index), tables, most)
        allowed[self._index.eos_id] = ended
        mask = pack_mask(allowed)
        mask.flags.writeable = False
        if len(self._equal) >= MOST_STEPS:
            self._equal.clear()
        return self._equal.setdefault(mask.tobytes(), mask)

    def _within(self, state: State, remaining: int) -> Bitmask:
        if remaining < 1:
            raise ValueError(f"a mask for {remaining} remaining tokens: at least one must remain, the one to choose")
        if self._spelled and remaining - 2 >= self._most(state, BYTES):
            return self.mask(state)  # enough to finish after any token that may come, even byte by byte
        prices = self._all_prices()
        if remaining - 2 >= self._most(state, prices):
            if "ample" not in state.memo:
                state.memo["ample"] = self._packed(self._priced(state, prices), UNLIMITED, state.ended)
            if state.memo["ample"].any():
                return state.memo["ample"]  # type: ignore[no-any-return]
        found = self._packed(self._priced(state, prices), remaining - 2, state.ended)
        try:
            return self._with_shortest(state, found, remaining - 2)
        except TooMuchWork:
            if not found.any():
                raise
            return found

    def _with_shortest(self, state: State, found: Bitmask, most: int) -> Bitmask:
        """Add the tokens after which the shortest text fits, though the prices of its rules don't."""
        missing = unpacked(self.mask(state) & ~found)
        spend(100 + (len(missing) >> 7))
        allowed = np.zeros(len(self._index), bool)
        for tokens in alike([self.table(number) for number, _ in state.kernel], missing, len(self._index)):
            allowed[tokens] = self._in_shortest(self.next_state(state, int(tokens[0]))) <= most
        return found | pack_mask(allowed)

    def _in_shortest(self, state: State) -> float:
        """Return how many tokens write the shortest text from a state to an end, if it isn't long."""
        if "shortest" not in state.memo:
            fewest = np.inf
            if self._bytes_left(state) <= MOST_BYTES:
                text = shortest_text(state, self._bytes_left, self._towards_end)
                spend(len(text) * min(len(text), self._index.rows.longest) >> 2)
                fewest = fewest_pieces(text, self._tokens, self._index.rows.longest)
            state.memo["shortest"] = fewest
        return state.memo["shortest"]  # type: ignore[no-any-return]

    def _bytes_left(self, state: State) -> float:
        return self._cost(state.kernel, state.ended, BYTES)

    def _towards_end(self, state: State, left: float) -> tuple[int, State]:
        """Return the smallest byte after which so many are left, and the state after it."""
        items, found = self._items(state), BYTE_VALUES
        spend(20 * len(items))
        for number, frame in items:
            row, below = self.rules.row(number), self._stack_cost(frame, BYTES)
            good = {each for each in {*row} - {DEAD} if self._price_of(each, BYTES) + below == left}
            found = next((byte for byte, each in enumerate(row[:found]) if each in good), found)
        after = self.after_byte(state, found)
        assert after is not None  # the bytes of some way were counted
        return found, after

    @cached_property
    def _tokens(self) -> frozenset[bytes]:
        return frozenset(token for token in self._index.token_bytes if token)

    def _most(self, state: State, prices: str) -> float:
        """Return what's enough to finish after every allowed token."""
        key = ("most", prices)
        if key not in state.memo:
            found = [0.0]
            for number, frame in state.kernel:
                table = self.table(number)
                kinds = self._kinds(table, prices)[table.kinds]
                finite = kinds[np.isfinite(kinds)] if prices == TOKENS else kinds
                found += [float(finite.max(initial=0)) + self._stack_cost(frame, prices)]
                found += self._costs_of_rests(number, frame, prices).values()
            state.memo[key] = max(cost for cost in found if cost < np.inf or prices != TOKENS)
        return state.memo[key]  # type: ignore[no-any-return]

    def _kinds(self, table: Table, prices: str) -> NDArray[np.float32]:
        """Return what it costs to end the rule from each of a table's states."""
        spend(sum(2 + 2 * len(each.kernel) for each in table.states if each is not None))
        found = [np.inf if each is None else self._cost(each.kernel, each.ended, prices) for each in table.states]
        with np.errstate(over="ignore"):  # what no float32 holds is over any budget, as infinity is
            return np.array(found, np.float32)

    def _priced(self, state: State, prices: str) -> list[tuple[Table, float, dict[bytes, float]]]:
        """Return for each item the three things that ``allowed_tokens`` wants: table, stack's cost, costs of rests."""
        return [
            (self._priced_table(n, prices), self._stack_cost(frame, prices), self._costs_of_rests(n, frame, prices))
            for n, frame in state.kernel
        ]

    def _priced_table(self, number: int, prices: str) -> Table:
        table = self.table(number)
        if table.counted_in != prices:
            table.costs, table.counted_in = self._kinds(table, prices)[table.kinds], prices
        return table

    def _costs_of_rests(self, number: int, frame: Frame, prices: str) -> dict[bytes, float]:
        places_of = self._places(number, frame)
        spend(sum(2 + 2 * len(state.kernel) for places in places_of.values() for state, _ in places))
        return {
            rest: min(
                self._cost(state.kernel, state.ended, prices) + self._stack_cost(each, prices) for state, each in places
            )
            for rest, places in places_of.items()
        }

    # Budgets ----------------------------------------------------------------------------------------------

    def tokens_to_accept(self, state: State) -> float:
        """Return how many tokens are enough to finish, EOS not counted.

        Returns:
            The fewest tokens, if none of them may end more than one rule, or those of the shortest text, if they are
            fewer: a token such as ``"}`` may end two. So this is an upper bound. ``inf`` if neither leads to an end.
        """
        if state.ended:
            return 0.0
        return min(self._cost(state.kernel, state.ended, self._all_prices()), self._in_shortest(state))

    def _cost(self, kernel: Iterable[Item], ended: bool, prices: str) -> float:
        if ended:
            return 0.0
        return min(
            (self._price_of(number, prices) + self._stack_cost(frame, prices) for number, frame in kernel),
            default=np.inf,
        )

    def _stack_cost(self, frame: Frame, prices: str) -> float:
        """Return what's enough to finish once a frame's rule has ended. Frames may be deep, so there's no recursion."""
        waiting = [frame]
        while waiting:
            top = waiting[-1]
            if prices not in top.memo:
                unknown = [below for number, below in top.returns if number != END and prices not in below.memo]
                if unknown:
                    waiting += unknown
                    continue
                spend(3 * len(top.returns))
                costs = [
                    0.0 if n == END else self._price_of(n, prices) + below.memo[prices] for n, below in top.returns
                ]
                top.memo[prices] = min(costs)
            waiting.pop()
        return frame.memo[prices]  # type: ignore[no-any-return]

    @cached_property
    def _spelled(self) -> bool:
        """Whether a text can be written byte by byte: each byte that the rules read, or one like it, is a token."""
        single = [token[0] for token in self._index.token_bytes if token and len(token) == 1]
        read = np.flatnonzero((self.rules.automaton.class_steps != 0).any(axis=0)).tolist()
        return set(read) <= set(self.rules.automaton.byte_classes[single].tolist())

    def _price_of(self, number: int, prices: str) -> float:
        """Return what it costs to end the rule from one of its states, in bytes or in tokens."""
        return self._bytes_to_end(number) if prices == BYTES else self._costs.get(number, np.inf)

    def _bytes_to_end(self, number: int) -> float:
        """Return how many bytes end the rule from a state. Inside a character, that includes what's left of it."""
        if self.rules.is_whole(number):
            return float(self.rules.bytes_to_end[number])
        return 1 + min(map(self._bytes_to_end, set(self.rules.row(number)) - {DEAD}), default=np.inf)

    def _all_prices(self) -> str:
        """Return what costs are counted in: tokens, or bytes if lifting all the rules takes more work than is left."""
        if not self._costs:
            work = PRICE_OF_A_STATE * len(self.rules.automaton.dfa)
            if self._spelled and not affordable(work):
                return BYTES  # for now: the next call may have more work left
            spend(work)
            self._costs = self._lifted_costs()
        return TOKENS

    def _lifted_costs(self) -> dict[int, float]:
        """Return what your ``fewest_tokens`` says about each state that tokens lead to."""
        rules, automaton = self.rules, self.rules.automaton
        states, pairs = token_table(lift, self._index.trie, automaton, np.arange(len(automaton.dfa)))
        sources, targets = (np.searchsorted(states, each) for each in pairs)
        calls = [(s, rules.initial[rule], after) for s, row in rules.calls.items() for rule, after in row]
        # Calls and ends are between characters. Those states come first, so they keep their numbers here.
        given = (rules.ends, sources, targets, np.array(calls, np.intp).reshape(-1, 3), len(states))
        return dict(zip(states.tolist(), self._do.fewest_tokens(*given).tolist(), strict=True))

    def prepare(self, progress: Callable[[int, int], object] | None = None) -> None:
        """Make the table of the initial state now. (All masks can't be made: there's no end of stacks.)

        Args:
            progress: called with 1 and 1 when that is done.
        """
        self.mask(self.initial_state)
        if progress:
            progress(1, 1)
