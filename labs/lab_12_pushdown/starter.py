# Your file for lab 12. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 12
# On every save:    python3 -m course watch 12
# Stuck on TODO 1:  python3 -m course hint 12.1
# The README beside this file explains the idea.

r"""Lab 12: pushdown. A stack under the automaton, and with it brackets, recursive schemas and grammars.

An automaton has finitely many states, so it can't count brackets. That's why the rules of a grammar are automata that
call each other here, with a stack to remember where to return. All possible stacks share their frames, so there are few
of them. And most tokens are decided just once for each state of a rule, because they don't depend on the stack at all
(xgrammar's idea). The reader of GBNF grammars is given (``given/gbnf.py``).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_tries import ByteTrie, chosen
from labkit.automata.dfa import DEAD
from labkit.automata.grammar import Grammar
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, build_byte_trie
from labs.lab_12_pushdown.given.gbnf import read_gbnf
from labs.lab_12_pushdown.given.guide import Fates, PushdownStates, State, Table, TableFunctions, continued, ended_at
from labs.lab_12_pushdown.given.network import CallingStates, Calls, GrammarStates, Network, call_order
from labs.lab_12_pushdown.given.stack_states import StackFunctions, StackStates
from labs.lab_12_pushdown.given.stacks import END, Frame, Item, frame_of, items_of, merged, stacks_of

DOUBLES = (Vocabulary, Fates, build_byte_trie, read_gbnf, items_of, stacks_of)
"""Given, for the tests."""

# One stack, by hand -------------------------------------------------------------------------------------


def read_or_call(network: Network, state: int, byte: int) -> tuple[int, ...]:
    """Given: return what takes a state's place on a stack when a byte is read there: the push.

    The rule may read the byte itself, and then that's the state after it. If not, a rule that it calls may read it, and
    then there are two: the return address, where the caller will continue, and on top of it the called rule's state.

    Returns:
        One state or two, the top last; ``()`` if nobody reads the byte.

    In this rule, state 1 comes after the opening bracket, 2 is the end, and 3 comes after the inner root:

    >>> network = Network(read_gbnf('root ::= "[" root? "]"'))
    >>> [read_or_call(network, 1, ord(char)) for char in "][x"]
    [(2,), (3, 1), ()]
    """
    if (after := network.step(state, byte)) != DEAD:
        return (after,)
    # In these grammars, a called rule always reads a byte before it calls another, so we needn't look further down.
    for rule, target in network.calls.get(state, ()):
        if (after := network.step(network.initial[rule], byte)) != DEAD:
            return (target, after)
    return ()


def next_stack(network: Network, stack: tuple[int, ...], byte: int) -> tuple[int, ...] | None:
    """Read one byte with one stack, and return the stack after it. In these grammars, the byte itself says what to do.

    The last entry of a stack is the state of the rule we're reading. The entries below are return addresses, the states
    in which the callers continue. If the last rule can't read the byte, neither by itself nor by a call, it may be
    over, and then whatever is below it reads the byte.

    Args:
        network: the rules. ``read_or_call(network, state, byte)`` reads a byte in a state, and ``network.ends`` is the
            set of states in which a rule may end.
        stack: states, the last one on top. If it's empty, nothing may follow.

    Returns:
        The new stack, or None if nothing reads the byte. Be prepared for a byte that ends thousands of rules.

    >>> network = Network(read_gbnf('root ::= "[" root? "]"'))
    >>> [next_stack(network, stack, ord("]")) for stack in [(3, 1), (3, 2), (2,)]]
    [(3, 2), (2,), None]
    """
    raise NotImplementedError("lab 12, TODO 1 (about 7 lines): one byte on one stack: whoever can read it does")


# What the rules tell you before any text --------------------------------------------------------------------


def unread(state: int, calls: Calls, nullable: Collection[int]) -> list[int]:
    """Given: return the states that you can reach from one without reading a byte, the state itself first.

    If a rule matches the empty text, you may pass over a call of it, and be in the state after the call at once. From
    there you may be able to pass over another one. (``found`` grows while the loop reads it, so new states get a turn.)

    Args:
        calls: for each state with calls, pairs of a rule and the state after it.
        nullable: the rules that match the empty text.

    >>> unread(0, {0: [(1, 3), (2, 4)], 3: [(1, 5)], 5: [(1, 0)]}, {1})
    [0, 3, 5]
    """
    found = [state]
    for each in found:
        found += dict.fromkeys(t for rule, t in calls.get(each, ()) if rule in nullable and t not in found)
    return found


def nullable_rules(initial: Sequence[int], calls: Calls, ends: Collection[int]) -> set[int]:
    """Given: return the rules that match the empty text.

    Those may end in one of the states that ``unread`` finds from their initial state. But ``unread`` has to be told
    which rules are nullable, and that's what we're trying to find out. So begin with none, and go round until a round
    finds nothing new.

    Args:
        initial: the initial state of each rule.
        calls: for each state with calls, pairs of a rule and the state after it.
        ends: the states in which a rule may end.

    Rule 0 only calls rule 1, which only calls rule 2, which is empty. It takes three rounds to find all of them:

    >>> nullable_rules([0, 2, 4], {0: [(1, 1)], 2: [(2, 3)]}, ends={1, 3, 4})
    {0, 1, 2}
    """
    nullable: set[int] = set()
    grown = True
    while grown:
        found = {rule for rule, first in enumerate(initial) if any(s in ends for s in unread(first, calls, nullable))}
        grown = found != nullable
        nullable = found
    return nullable


# Stacks that are shared -------------------------------------------------------------------------------------


def pop_closure(network: "Rules", items: Iterable[Item]) -> set[Item]:
    """Given: return the items, and all that continue when rules end: the callers, the callers' callers, and so on.

    There may be 100,000 frames below each other, so this doesn't recurse. And sixty levels of two callers each are 60
    frames, but there are 2^60 paths down, so it never looks at an item twice.

    Args:
        items: pairs of a state and a frame. ``END`` has no caller.

    In state 2 the inner list is over, so its caller continues, in state 3:

    >>> rules = Rules(read_gbnf('root ::= "[" root? "]"'))
    >>> stacks_of(pop_closure(rules, items_of([(2, 3, END)]))) == [(2, 3, END), (3, END)]
    True
    """
    found = set(items)
    waiting = [*found]
    while waiting:
        state, frame = waiting.pop()
        if network.may_end(state):
            fresh = frame.returns - found
            found |= fresh
            waiting += fresh
    return found


def call_closure(network: "Rules", items: Iterable[Item]) -> list[Item]:
    """Return all items that could read the next byte: your own, and those of every rule that is called.

    However many callers a rule has, they share one frame, ``frame_of(callers)``, and you enter the rule only once.
    That's what keeps a million stacks small. If a caller has nothing left to read after the call
    (``network.is_last(after)``, where ``after`` is the state after the call), there's no point in coming back to it, so
    let the called rule return to that caller's own callers: a tail call.

    Args:
        network: the rules. ``network.calls.get(state, ())`` has a pair for each call: the rule, and the state after the
            call. ``network.initial[rule]`` is where a rule starts. ``network.order`` lists the rules callers first:
            each comes after all those that may call it before the next byte. ``network.unread(state)`` lists the state
            itself, and those that you reach from it by passing over calls of rules that may be empty.
        items: pairs of a state and a frame. ``END`` isn't among them; the engine takes it out before it calls you. The
            callers of an item's rule are in ``frame.returns``, a set of items.

    Returns:
        A list of items, in any order. It has those that you get by entering each of your items, and the initial state
        of each rule that's called, once. To enter a state in a frame, add an item with this frame for each state of
        ``network.unread(state)``. (An item that's there twice all the same does no harm.)

    After one bracket, in state 1, the next byte may be read there, or in a new list, from state 0:

    >>> rules = Rules(read_gbnf('root ::= "[" root? "]"'))
    >>> stacks_of(call_closure(rules, items_of([(1, END)]))) == [(0, 3, END), (1, END)]
    True
    """
    raise NotImplementedError("lab 12, TODO 2 (about 12 lines): every place where the next byte may be read")


def step(network: "Rules", items: Iterable[Item], byte: int) -> frozenset[Item]:
    """Read one byte, and return the items after it: an empty set if none can read the byte.

    Args:
        network: the rules. ``network.step(state, byte)`` is the state after a byte, or ``DEAD``.
        items: as ``call_closure`` returns them.
        byte: pass it on as it is. In the engine it's the number of a class of characters that the rules can't tell
            apart.

    Returns:
        The items after the byte, and those that continue because a rule may have ended (``pop_closure``), but none that
        has nothing left to read (``network.is_last``), since its callers are there already. ``END`` stays, because
        without it no text could finish. Items in the same state have become one (``merged``).

    After two brackets, a closing one leaves only the outer list, and another one leaves only ``END``:

    >>> rules = Rules(read_gbnf('root ::= "[" root? "]"'))
    >>> items = step(rules, items_of([(1, 3, END)]), ord("]"))
    >>> stacks_of(items) == [(3, END)], stacks_of(step(rules, items, ord("]"))) == [(END,)]
    (True, True)
    """
    raise NotImplementedError("lab 12, TODO 3 (about 3 lines): read a byte on all stacks")


class Rules(Network):
    """Given: the rules of a grammar, with everything that your functions find out about them before there's any text.

    Attributes:
        nullable: the rules that match the empty text.
        order: the rules, each one before those that it calls at once (``call_order``).

    >>> Rules(read_gbnf('root ::= "a" root | b  b ::= "b"?')).nullable
    {0}
    """

    def __init__(self, grammar: Grammar | CallingStates) -> None:
        super().__init__(grammar)
        self.nullable = nullable_rules(self.initial, self.calls, self.ends)
        self._unread: dict[int, list[int]] = {}
        self._last: dict[int, bool] = {}
        self._away: dict[int, NDArray[np.float64]] = {}
        at_once = [[r for s in self.unread(first) for r, _ in self.calls.get(s, ())] for first in self.initial]
        self.order = call_order(at_once, self.names)

    def bytes_to_end(self, state: int, without: int = 0) -> float:
        """Return the fewest bytes that end the rule, from a state between characters.

        In a grammar that's ``fewest_tokens``, with each byte as a token.

        Args:
            without: classes of characters that the text may not have, as bits.

        >>> rules = Rules(read_gbnf('root ::= "[é" root? "]"'))
        >>> [rules.bytes_to_end(state) for state in range(5)]
        [4.0, 3.0, 1.0, 0.0, 1.0]
        """
        if not isinstance(self.characters, GrammarStates):
            return self.characters.fewest_bytes(state, without)
        if without not in self._away:
            calls = [(caller, self.initial[rule], after) for caller, row in self.calls.items() for rule, after in row]
            sources, targets, n_states = self.characters.byte_steps(without)
            called = np.array(calls, np.intp).reshape(-1, 3)
            self._away[without] = fewest_tokens(self.ends, sources, targets, called, n_states)
        return float(self._away[without][state])

    def unread(self, state: int) -> list[int]:
        """Return the states that are reached from one without reading a byte, the state itself first.

        >>> rules = Rules(read_gbnf('root ::= "[" root? "]"'))
        >>> rules.unread(rules.initial[0]) == rules.initial
        True
        """
        if state not in self._unread:
            if state == END or not self.nullable:  # nothing can be passed over, so nobody has to look at the calls
                self._unread[state] = [] if state == END else [state]
            else:
                self._unread[state] = unread(state, self.calls, self.nullable)
        return self._unread[state]

    def may_end(self, state: int) -> bool:
        """Return whether a rule may end here, perhaps after passing over calls of nullable rules; never at ``END``.

        >>> Rules(read_gbnf('root ::= "[" root? "]"')).may_end(END)
        False
        """
        return any(each in self.ends for each in self.unread(state))

    def is_last(self, state: int) -> bool:
        """Return whether nothing can follow in a state but the end of its rule.

        >>> rules = Rules(read_gbnf('root ::= "(" root ")" | "x"'))
        >>> rules.is_last(rules.step(rules.initial[0], ord("x")))
        True
        """
        if state not in self._last:
            self._last[state] = super().is_last(state)
        return self._last[state]


# Tokens, decided before there is a stack ----------------------------------------------------------------------


def walk_vocabulary(
    trie: ByteTrie, alike: NDArray[np.intp], first: State, read: Callable[[State | None, int], State | None]
) -> tuple[NDArray[np.intp], list[State | None]]:
    r"""Given: walk the whole vocabulary from one state, and return the state at each node of the trie.

    There are hundreds of thousands of nodes, and ``read`` is slow. But few of their steps differ, because a step is
    only a state and a byte, and bytes that no rule can tell apart count as the same one (``alike``). Inside a string,
    for instance, all letters take one and the same step. So each step is taken only once.

    Args:
        trie: the vocabulary, N nodes.
        alike: ``intp[256]``: for each byte, the one that ``read`` gets in its place.
        first: the state at the root.
        read: takes a state and a byte, and returns the next state, or None if nothing reads the byte (nothing reads a
            byte in None, either). Equal states are one object.

    Returns:
        A pair of an array and a list, so that node n has the state ``states[numbers[n]]``. The list has each state
        once. It begins with None, the dead state, so 0 means dead, and then ``first``. The array has one more 0 at its
        end. A token without a node has -1 as its node, so it finds this last 0, and is dead, as it should be.

    A rule that reads letters up to a quote, over the five nodes of ``a``, ``"`` and ``a"b``:

    >>> text, over = State(items_of([(1, END)])), State(items_of([(END,)]))
    >>> numbers, states = walk_vocabulary(build_byte_trie([b"a", b'"', b'a"b']), np.arange(256), text,
    ...     lambda state, byte: (over if byte == ord('"') else text) if state is text else None)
    >>> numbers.tolist(), states == [None, text, over]
    ([1, 2, 1, 2, 0, 0], True)
    """
    numbering: dict[State | None, int] = {None: 0, first: 1}
    steps: dict[int, int] = {}
    numbers = np.zeros(len(trie) + 1, np.intp)
    numbers[0] = 1
    live = np.array([0])
    while len(live):
        # a level of the trie: the children of the nodes that are alive, each with its step as one number
        nodes, states = trie.children(live), [*numbering]
        keys = numbers.take(trie.parent[nodes]) * 256 + alike.take(trie.byte[nodes])
        after = np.bincount(keys)
        for key in after.nonzero()[0].tolist():
            if key not in steps:
                reached = read(states[key // 256], key % 256)
                steps[key] = numbering.setdefault(reached, len(numbering))
            after[key] = steps[key]
        numbers[nodes] = after.take(keys)
        live = chosen(nodes, numbers[nodes] != 0)
    return numbers, [*numbering]


def make_table(
    trie: ByteTrie,
    token_bytes: Sequence[bytes | None],
    numbers: NDArray[np.intp],
    states: Sequence[State | None],
    follow: NDArray[np.bool_],
) -> Table:
    """Sort the tokens for one state of a rule: it allows them, refuses them, or leaves them to the stack.

    If the rule reads a token to its end, the token is allowed. If the token dies on the way, it may still have a
    chance, because the rule may have ended before that: after the ``]`` of ``],``, say. Then it's up to the callers
    whether they can read what's left of the token, its **rest**, here ``,``. You don't know the callers yet, so the
    token waits. If the rule may have ended in several places, it waits with several rests. All others are refused.

    Args:
        trie, token_bytes: the vocabulary. Token t ends at ``trie.node_of_token[t]``, which is -1 if it has no node, and
            ``trie.parent[node]`` is the node one byte earlier.
        numbers, states: from ``walk_vocabulary``: a state's number for each node, and the states. ``numbers[node]`` is
            0 where the rule can't read the bytes (the last entry, too, which -1 finds). ``ended_at(numbers, states)``
            says for each node whether the rule may end there. Ignore the root, as in the last line of the page's table:
            if the rule may end before the token begins, its callers are items themselves, and have their own tables.
        follow: ``bool[256]``: the bytes with which some caller may continue. No caller can read a rest that begins with
            any other byte, so leave it out. ``continued(trie, ended, follow)`` marks the nodes below a place where the
            rule may end and a caller may go on: those have a rest.

    Returns:
        The table. ``tokens`` (``int32``) has the allowed tokens, ascending, and ``kinds`` (``int32``) the number of the
        state after each, which the engine needs for the budget. ``rests`` maps each rest to the tokens that wait with
        it, ascending. ``states`` is the list that you were given.

    After ``]`` a list is over, and of ``],`` the comma is left, for a caller. Nobody continues with ``x``:

    >>> trie, follow = build_byte_trie([b"]", b"],", b"]x"]), np.arange(256) == ord(",")
    >>> over = State(items_of([(END,)]))
    >>> table = make_table(trie, [b"]", b"],", b"]x"], np.array([1, 2, 0, 0, 0]), [None, over, over], follow)
    >>> table.tokens.tolist(), table.rests
    ([0], {b',': [1]})
    """
    raise NotImplementedError("lab 12, TODO 4 (about 12 lines): allowed, refused, or left to the stack")


def rests_after(
    network: "Rules", frame: Frame, rests: frozenset[bytes], fates: Callable[[int, frozenset[bytes]], Fates]
) -> dict[bytes, list[tuple[State, Frame]]]:
    """Return which rests may follow when a rule ends, and where they lead. Given: here tokens meet the stack.

    Each caller is asked about all the rests at once. Those that it reads to their end may follow. If it ends before a
    rest does, what's left goes to the frame below, where it's the same question again. Both can be true at once.

    Args:
        frame: the callers.
        rests: bytes, at least one each.
        fates: takes a state and rests, and returns what the state's own rule does with them. ``states`` has the rests
            that the rule reads to their end, each with the state after it. If the rule ends before a rest does,
            ``rests`` maps what's left over to the rests that end with it.

    Returns:
        For each rest that may follow, a list of pairs: the state after it, which knows nothing of the stack, and the
        frame below it.

    >>> rules, frame = Rules(read_gbnf('root ::= "[" root "]" | "x"')), frame_of(items_of([(1, END)]))
    >>> after = State(items_of([(2, END)]))
    >>> [*rests_after(rules, frame, frozenset([b"]"]), lambda state, rests: Fates({b"]": after}, {}))]
    [b']']
    """
    found: dict[bytes, list[tuple[State, Frame]]] = defaultdict(list)
    # A caller that may end at once passes whole rests on, and the pop closure includes its callers, and theirs.
    for state, below in pop_closure(network, frame.returns):
        if state == END:
            continue  # the text is over there, and a rest isn't empty
        fate = fates(state, rests)
        for rest, after in fate.states.items():
            found[rest].append((after, below))
        if fate.rests:
            # The rests get shorter, so this goes no deeper than a token has bytes.
            for shorter, places in rests_after(network, below, frozenset(fate.rests), fates).items():
                for rest in fate.rests[shorter]:
                    found[rest] += places
    return dict(found)


# Budgets ----------------------------------------------------------------------------------------------------


def fewest_tokens(
    ends: Collection[int],
    sources: NDArray[np.intp],
    targets: NDArray[np.intp],
    calls: NDArray[np.intp],
    n_states: int,
) -> NDArray[np.float64]:
    """Return how many tokens it takes, from each state, to end its rule.

    Either a token leads on within the rule, or a call does, and then the called rule has to end first. (A token such as
    ``]]``, which ends two rules, counts as two, so the sum over a stack may be too high, but it's never too low.)

    Args:
        ends: the states in which a rule may end.
        sources, targets: ``intp[E]``: for each i, a single token leads from ``sources[i]`` to ``targets[i]``, within a
            rule. Each pair is there once.
        calls: ``intp[n, 3]``, a line for each call: the state that calls, the initial state of the rule that's called,
            and the state after the call.
        n_states: S.

    Returns:
        ``float64[S]``, ``inf`` where no tokens lead to the end.

    >>> fewest_tokens({3}, np.array([0, 2]), np.array([1, 3]), np.array([[1, 2, 3]]), 4).tolist()
    [2.0, 1.0, 1.0, 0.0]
    """
    raise NotImplementedError("lab 12, TODO 5 (about 9 lines): what it costs to end a rule")


# Masks ------------------------------------------------------------------------------------------------------


def allowed_tokens(
    n_tokens: int,
    tables: Iterable[tuple[Table, float, Mapping[bytes, float]]],
    most: float,
) -> NDArray[np.bool_]:
    """Return the tokens that at least one item of a state allows, within a budget: ``bool[V]``.

    A token fits the budget if the text can still be finished after it. For a token that the table allows, that takes
    two things: ending the rule, and closing the stack below. For a token that waits, ``after[rest]`` already includes
    both.

    Args:
        n_tokens: V.
        tables: for each item a tuple ``(table, below, after)``. The table is that of its state: ``table.tokens``
            (``int32[n]``) are the allowed tokens, ``table.costs`` (``float32[n]``) says how many more tokens it takes
            to end the rule after each (the engine counts bytes, which are enough for any text), and ``table.rests``
            maps each rest to the tokens that wait with it. ``below`` is how many tokens close the stack below the item.
            ``after`` has only those of the table's rests that the item's stack can read, and says how many tokens
            finish the text after each.
        most: how many tokens may follow the one that is chosen, not counting EOS; ``inf`` for no limit.

    >>> table = Table(np.array([0, 3]), np.array([1, 1]), {b"]": [2]}, [], costs=np.array([0, 5]))
    >>> allowed_tokens(4, [(table, 1.0, {b"]": 2.0})], most=2).tolist()
    [True, False, True, False]
    """
    raise NotImplementedError("lab 12, TODO 6 (about 7 lines): a mask from tables, rests and a budget")


class PushdownFSM(PushdownStates):
    """Given: rules over tokens. Your functions do the work, and the base class stores what they return.

    Args:
        rules: the rules, or the grammar to make them from.
        index: the vocabulary, made ready.

    >>> index = TokenVocabularyIndex(Vocabulary([b"[", b"]", b"[[", b"]]", b"</s>"], eos_id=4))
    >>> fsm = PushdownFSM(read_gbnf('root ::= "[" root? "]"'), index)
    >>> state = fsm.next_state(fsm.initial_state, 0)
    >>> fsm.mask(state).tolist(), fsm.mask(fsm.next_state(state, 0)).tolist()
    ([7], [15])
    """

    def __init__(self, rules: Grammar | CallingStates | Rules, index: TokenVocabularyIndex) -> None:
        do = TableFunctions(walk_vocabulary, make_table, rests_after, allowed_tokens)
        super().__init__(stack_states(rules), index, do)


def stack_states(rules: Grammar | CallingStates | Rules) -> StackStates:
    """Given: return the states over characters that hold stacks, with your functions to move them.

    >>> states = stack_states(Rules(read_gbnf('root ::= "[" root? "]"')))
    >>> len(states.targets(states.initial)), states.accepts(states.initial)
    (1, False)
    """
    rules = rules if isinstance(rules, Rules) else Rules(rules)
    return StackStates(rules, StackFunctions(call_closure, pop_closure, step))
