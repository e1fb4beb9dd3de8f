# Your file for lab 06. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 06
# On every save:    python3 -m course watch 06
# Stuck on TODO 1:  python3 -m course hint 06.1
# The README beside this file explains the idea.

r"""Lab 06: a compiler from regular expressions to minimal automata.

First you walk an ``Nfa``, which is in several states at the same time. Then you make one of a pattern (Thompson), turn
it into a ``Dfa`` (subset construction), and make the ``Dfa`` minimal (Hopcroft). A set of characters is always a few
ranges of code points, never a list of characters. The parser is in ``given/``, with the long tail of the pattern
language (escapes, Unicode, flags, refusals). Bytes and tokens come in lab 07.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

import numpy as np

from labkit.automata.dfa import DEAD, Dfa, Nfa
from labkit.automata.syntax import Alternation, Chars, Concat, Node, Repeat
from labs.lab_06_regex_to_dfa.given.anchors import strip_anchors
from labs.lab_06_regex_to_dfa.given.columns import check_table, merge_columns
from labs.lab_06_regex_to_dfa.given.items import read_items
from labs.lab_06_regex_to_dfa.given.parsing import parse_items
from labs.lab_06_regex_to_dfa.given.subsets import States, subsets_of
from labs.lab_06_regex_to_dfa.given.unfolding import Moves, explored
from labs.lab_06_regex_to_dfa.given.words import literals, words_of

# In several states -----------------------------------------------------------------------------------------

TWO_WAYS = Nfa([[], [(((48, 57),), 2)], [], [(((48, 52),), 0)]], [[], [], [1, 3], []], initial=1, accepting=0)
"""An automaton of ``[0-9]+[0-4]``, made by hand: after a digit it may go around again, or look for the final one."""


def epsilon_closure(nfa: Nfa, state: int) -> frozenset[int]:
    """Return the states that can be reached without reading anything, including the state itself.

    The automaton may be in any of them before it reads the next character, because epsilon transitions are free. At the
    start of ``(a|b)*``, for example, it may be about to read an ``a``, or a ``b``, or it may be done. You can't know
    which before you've seen the next character, so keep them all.

    Args:
        nfa: ask it for nothing but ``nfa.epsilon[state]``. The engine passes one that makes its states on demand, so
            it doesn't know yet how many there are.

    >>> sorted(epsilon_closure(TWO_WAYS, 2))
    [1, 2, 3]
    """
    raise NotImplementedError("lab 06, TODO 1 (about 7 lines): all states that epsilon transitions reach")


def show_walk(nfa: Nfa, text: str) -> None:
    """Given: print the states that an automaton may be in at the start, and after each character of a text.

    >>> show_walk(TWO_WAYS, "354")
    start  1
    '3'    1 2 3
    '5'    1 2 3
    '4'    0 1 2 3    may end here
    """
    starts, said = [nfa.initial], "start"
    for char in (*text, None):
        states = sorted({state for start in starts for state in epsilon_closure(nfa, start)})
        ending = "    may end here" if nfa.accepting in states else ""
        print(f"{said:6} {' '.join(map(str, states)) or 'nowhere'}{ending}")
        if char is not None:
            moves = [move for state in states for move in nfa.moves[state]]
            starts = [target for ranges, target in moves if any(a <= ord(char) <= b for a, b in ranges)]
            said = repr(char)


# From a pattern to an NFA ----------------------------------------------------------------------------------


def unfold(node: Node, after: int, state: Callable[[Node, int], int]) -> tuple[Moves, list[int]]:
    """Return what may come next in the state ``(node, after)``: one step of Thompson's construction (1968).

    A state of the ``Nfa`` says what's still to be read: a node, and then the state to continue in. Take the state that
    reads ``ab`` and then continues in state 0. An ``a`` comes next. After it, you still have to read ``b``, and then
    continue in state 0.

    Args:
        node: a part of a tree without anchors. Pass its ranges on as they are.
        after: the state to continue in.
        state: call ``state(part, target)`` to get the number of the state that reads the part and then continues in the
            target. Equal pairs get the same number.

    Returns:
        The state's moves, as pairs ``(ranges, target)``, and the targets of its epsilon transitions in any order: two
        new lists. Make no new nodes here; only ``unfold_repeat`` makes one. In a ``Concat`` each part gets a state of
        its own, because a ``Concat`` of the parts that are left would be copied after every part, and a long word has
        thousands.

    Raises:
        TypeError: for an ``Anchor``, because skipping it would silently change the pattern.

    >>> unfold(Chars(((97, 97),)), 0, lambda part, target: 7)
    ([(((97, 97),), 0)], [])
    >>> unfold(Alternation((Chars(((97, 97),)), Concat(()))), 0, lambda part, target: 7)
    ([], [7, 7])
    """
    raise NotImplementedError("lab 06, TODO 2 (about 12 lines): one step into a tree: what may come next")


def unfold_repeat(repeat: Repeat, after: int, state: Callable[[Node, int], int]) -> list[int]:
    """Return the states that a repetition leads to without reading: into one more round, or out of it; in any order.

    You don't have to copy the body, because what's left after one round is a repetition again, with one round fewer:
    after one round of ``a{2,5}`` you still have to read ``a{1,4}``. That way, you only make the states that a text gets
    to, however high the count is. (Antimirov, in 1996, called what's left a partial derivative.)

    After the last round nothing is left to repeat, so that round continues in ``after`` itself.

    For one more round, ask for two states as you did for ``ab``, one for the body and one for what's left. A ``Concat``
    of the two would match the same, but it's one more node to unfold in every round.

    >>> unfold_repeat(Repeat(Chars(((97, 97),)), 0, 1), 3, lambda part, target: 7)
    [7, 3]
    >>> unfold_repeat(Repeat(Chars(((97, 97),)), 2, 5), 3, lambda part, target: 7)
    [7]
    """
    raise NotImplementedError("lab 06, TODO 3 (about 6 lines): one more round, or out of the repetition")


def parse_tree(pattern: str, *, ascii_only: bool = False) -> Node:
    r"""Given: parse a pattern into a tree without anchors.

    Args:
        pattern: in the dialect of Python's ``re``.
        ascii_only: whether ``\d``, ``\w``, ``\s`` and case are ASCII's; otherwise they are Unicode's.

    Raises:
        InvalidPattern: where ``re`` refuses the pattern.
        UnsupportedPattern: for backreferences, lookaround, and anchors inside the pattern.
        LimitExceeded: if it is too long or its groups are nested too deeply.

    >>> parse_tree("^a$") == parse_tree("a")
    False
    """
    return strip_anchors(parse_items(read_items(pattern, ascii_only=ascii_only)), pattern)


def parse_regex(pattern: str, *, ascii_only: bool = False) -> Nfa:
    """Given: compile a pattern to a nondeterministic automaton, all its states unfolded.

    Raises:
        LimitExceeded: beyond ``MAX_NFA_STATES``; all other errors are those of ``parse_tree``.

    >>> nfa = parse_regex("ab?")
    >>> nfa.initial, nfa.accepting
    (1, 0)
    """
    return explored(parse_tree(pattern, ascii_only=ascii_only), unfold)


# From an NFA to the smallest DFA ---------------------------------------------------------------------------


def step_subset(
    subset: Collection[int], moves: Mapping[int, Collection[tuple[int, int]]]
) -> list[tuple[int, frozenset[int]]]:
    """Return where a set of states leads by each class of characters, with equal classes together.

    The automaton may be in any state of the set, so a class leads to the targets of all the moves that read it. In the
    example below, state 0 reads classes 1 and 2 and goes to state 2, and state 1 reads class 1 and goes to state 0. So
    class 1 leads to both 0 and 2, and class 2 only to 2.

    Args:
        moves: for each state the moves of its whole closure, as pairs ``(classes, target)``. ``classes`` is an int
            whose bit c says whether the move reads class c. Look a state up as ``moves[state]``: the engine works its
            moves out only then, so ``moves.get(state)`` finds nothing.

    Returns:
        Pairs ``(classes, targets)``, in any order: each of these classes leads from the set to exactly these targets.
        No class is in two pairs, a class that leads nowhere is in none, and every pair has a class. Classes that every
        move reads alike are in the same pair; one pair for each class would be a hundred times the work.

    >>> sorted(step_subset([0, 1], {0: [(0b110, 2)], 1: [(0b010, 0)]}))
    [(2, frozenset({0, 2})), (4, frozenset({2}))]
    """
    raise NotImplementedError("lab 06, TODO 4 (about 18 lines): divide the classes by the states that they lead to")


def nfa_to_dfa(nfa: Nfa | States) -> Dfa:
    """Make an automaton deterministic: each state is a set of states that the ``Nfa`` may be in (Rabin, Scott, 1959).

    If a character may take the ``Nfa`` to state 2 or to state 5, you don't have to guess: {2, 5} becomes one state of
    the ``Dfa``. There may be exponentially many such sets, so make only those that some text leads to.

    Args:
        nfa: an ``Nfa``, or an automaton that makes its states on demand, such as ``Subsets``.

    Returns:
        A ``Dfa`` over code points. All its states can be reached, and state 0 is the initial one.

    Raises:
        LimitExceeded: if the subsets or their table outgrow the limits of ``labkit.automata.dfa``.

    >>> dfa = nfa_to_dfa(parse_regex("[0-9]+"))
    >>> dfa.transitions.tolist(), dfa.accepting.tolist(), dfa.class_ranges
    ([[1], [1]], [False, True], (((48, 57),),))
    """
    # Given: states.row(n) makes row n of the table. It calls your step_subset, and numbers the sets that set n leads
    # to. len(states) counts the sets that have a number so far, and states.accepts(n) says whether a text may end in
    # set n. check_table takes the number of sets by then, and raises an error if there are too many.
    states = subsets_of(nfa, epsilon_closure, step_subset) if isinstance(nfa, Nfa) else nfa
    raise NotImplementedError("lab 06, TODO 5 (about 6 lines): a row for each set of states, until none is new")


def live_states(dfa: Dfa) -> set[int]:
    """Given: return the states on a path from the initial state to an accepting one.

    >>> dfa = Dfa([0, 97], [-1, 0], [[1], [DEAD], [1], [3]], initial=0, accepting=[False, True, True, False])
    >>> sorted(live_states(dfa))
    [0, 1]
    """
    # Note the transitions in both directions.
    onward, back = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for state, _, target in transitions_of(dfa):
        onward[state].add(target)
        back[target].add(state)
    accepting = np.flatnonzero(dfa.accepting).tolist()
    # subtle: a live state needs both: you can get to it from the start, and from it to an end.
    return _reachable([dfa.initial], onward) & _reachable(accepting, back)


def transitions_of(dfa: Dfa) -> list[tuple[int, int, int]]:
    """Given: return all transitions of an automaton, as triples ``(state, class, target)``.

    >>> transitions_of(Dfa([0, 97], [-1, 0], [[1], [DEAD]], initial=0, accepting=[False, True]))
    [(0, 0, 1)]
    """
    states, classes = np.nonzero(dfa.transitions != DEAD)
    targets = dfa.transitions[states, classes]
    return list(zip(states.tolist(), classes.tolist(), targets.tolist(), strict=True))


def _reachable(starts: Iterable[int], transitions: Mapping[int, Iterable[int]]) -> set[int]:
    """Given: return the states that can be reached along transitions, including the starts."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        new = set(transitions.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def equal_states(dfa: Dfa, states: Collection[int]) -> list[set[int]]:
    """Partition states into blocks of equal ones: no text distinguishes two states of a block.

    In the example below, state 1 and state 2 each read an ``a`` into state 3, and nothing else. Whatever you read next,
    you can't tell which of the two you were in, so they're equal.

    Any method will do, and Moore's (1956) is enough. Hopcroft's (1971) begins with two blocks, the accepting states and
    the others, and takes one block after another as a *splitter*. Pick a class: if some states of a block lead into the
    splitter by it and others don't, these can't be equal, and you cut the block in two. When you cut a block that has
    already been a splitter, only its smaller half has to be one again. That's why the method takes O(n log n).

    Args:
        states: the live ones. Transitions to other states count as dead.

    Returns:
        Disjoint sets of plain ints that cover ``states``, in any order. None of them is empty.

    >>> dfa = Dfa([0, 97, 98, 99], [-1, 0, 1, -1], [[1, 2], [3, -1], [3, -1], [-1, -1]], 0, [False, False, False, True])
    >>> sorted(map(sorted, equal_states(dfa, {0, 1, 2, 3})))
    [[0], [1, 2], [3]]
    """
    raise NotImplementedError("lab 06, TODO 6 (about 26 lines): split blocks until no difference is left")


def minimize_dfa(dfa: Dfa) -> Dfa:
    """Return the smallest automaton for the same texts: no state is dead, unreachable or equal to another.

    In ``a(b|c)|bb|bc`` you can read ``b`` or ``c`` after the first letter, whichever letter that was. So the state
    after ``a`` and the state after ``b`` become one.

    Returns:
        A new ``Dfa``, whose states keep the order that they have in ``dfa``. Classes that no state distinguishes become
        one class. An automaton that matches nothing gets one state and no class, which leaves it without transitions.

    >>> dfa = nfa_to_dfa(parse_regex("a(b|c)|bb|bc"))
    >>> len(dfa), len(minimize_dfa(dfa))
    (4, 3)
    """
    raise NotImplementedError("lab 06, TODO 7 (about 13 lines): one state for each block of live states")


def compile_dfa(pattern: str, *, ascii_only: bool = False) -> Dfa:
    r"""Given: compile a pattern to its minimal automaton. The errors are those of ``parse_tree`` and ``nfa_to_dfa``.

    >>> len(compile_dfa(r"\d+(\.\d+)?"))
    4
    """
    words = words_of(pattern)
    return literals(words) if words else minimize_dfa(nfa_to_dfa(parse_regex(pattern, ascii_only=ascii_only)))


def fullmatch(dfa: Dfa | States, text: str) -> bool:
    """Given: return whether the automaton matches the whole text. Its states may also be made on demand.

    >>> dfa = compile_dfa("yes|no")
    >>> fullmatch(dfa, "no"), fullmatch(dfa, "nope")
    (True, False)
    """
    state = dfa.initial
    for char in text:
        state = dfa.step(state, ord(char))
        if state == DEAD:  # subtle: there's no state to continue from, but as an index, -1 would find the last one
            return False
    return dfa.accepts(state)
