# Your file for lab 06. Replace each `raise NotImplementedError` by code of your own, in any order.
# How far you are:  python3 -m course test 06
# On every save:    python3 -m course watch 06
# Stuck on TODO 1:  python3 -m course hint 06.1
# The README beside this file explains the idea.

r"""Lab 06: a compiler from regular expressions to minimal automata.

Four steps in two sittings. First a pattern becomes a tree, and the tree an ``Nfa`` (Thompson). Then the ``Nfa`` becomes
a ``Dfa`` (subset construction), and the ``Dfa`` minimal (Hopcroft). A set of characters is a few ranges of code points,
never a list. The long tail of the pattern language (escapes, Unicode, flags, refusals) is in ``given/``. Not here:
bytes and tokens (lab 07).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np

from labkit.automata.dfa import DEAD, Dfa, Nfa
from labkit.automata.syntax import (
    LAST_CODE_POINT,
    Alternation,
    Anchor,
    Bar,
    Chars,
    Class,
    Close,
    Concat,
    Item,
    Node,
    Open,
    Quantifier,
    Ranges,
    Repeat,
)
from labs.lab_06_regex_to_dfa.given.anchors import strip_anchors
from labs.lab_06_regex_to_dfa.given.columns import merge_columns
from labs.lab_06_regex_to_dfa.given.items import read_items
from labs.lab_06_regex_to_dfa.given.pairs import check_table, is_accepting, number_pairs, shared_intervals, target_lists
from labs.lab_06_regex_to_dfa.given.subsets import Closures, Subset, SubsetLimits
from labs.lab_06_regex_to_dfa.given.words import literals, words_of

# First sitting: from a pattern to an NFA -------------------------------------------------------------------


def merge_ranges(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the same set of code points in canonical form: ascending, no two ranges overlap or touch.

    Args:
        ranges: pairs ``(first, last)``, both included, in any order; they may overlap. They stay as they are.

    >>> merge_ranges([(99, 102), (97, 98), (100, 101), (120, 120)])
    ((97, 102), (120, 120))
    """
    raise NotImplementedError("lab 06, TODO 1 (about 7 lines): sort, and join what overlaps or touches")


def complement_ranges(ranges: Ranges) -> Ranges:
    """Return all code points that are not in the ranges, in canonical form.

    Args:
        ranges: canonical.

    >>> complement_ranges(((0, 96), (98, 0x10FFFE)))
    ((97, 97), (1114111, 1114111))
    """
    raise NotImplementedError("lab 06, TODO 2 (about 8 lines): the gaps, from 0 to the last code point")


def parse_items(items: Iterable[Item]) -> Node:
    """Parse the items of a pattern into a tree: groups bind tightest, then quantifiers, concatenation, ``|``.

    One pass with a stack and no recursion. The stack holds a list for each open group; that holds a list for each
    option; that holds the parts so far.

    Args:
        items: of a well-formed pattern: groups are closed, and a quantifier follows something.

    Returns:
        The tree. A ``Class`` becomes a ``Chars`` of canonical ranges, an ``Anchor`` stays as it is. The whole pattern
        and every group become an ``Alternation`` of ``Concat``s, even with a single option or a single part.

    >>> parse_items(read_items("a|"))
    Alternation(options=(Concat(parts=(Chars(ranges=((97, 97),)),)), Concat(parts=())))
    """
    raise NotImplementedError("lab 06, TODO 3 (about 19 lines): a tree from the items, with a stack of open groups")


def _alternation(options: Iterable[Iterable[Node]]) -> Alternation:
    """Given: return the node of a group, from a list of parts for each option."""
    return Alternation(tuple(Concat(tuple(parts)) for parts in options))


def add_fragment(nfa: Nfa, node: Node, start: int) -> int:
    """Add states that read what the node matches (Thompson, 1968), and return the state in which it is matched.

    The texts on all paths from ``start`` to that state are exactly those that the node matches.

    Args:
        nfa: grows, by ``nfa.add_state()``, ``nfa.moves[state].append((ranges, target))`` and
            ``nfa.epsilon[state].append(target)``.
        node: a tree without anchors.
        start: the state to begin in. It may have transitions already, and may get more; none may lead back to it.

    Raises:
        TypeError: for an ``Anchor``: skipping it would silently change the pattern.

    >>> nfa = Nfa()
    >>> a, b = Chars(((97, 97),)), Chars(((98, 98),))
    >>> add_fragment(nfa, Concat((a, b)), 0)
    2
    >>> nfa.moves
    [[(((97, 97),), 1)], [(((98, 98),), 2)], []]
    """
    raise NotImplementedError("lab 06, TODO 4 (about 19 lines): states and transitions for each kind of node")


def add_repetition(nfa: Nfa, repeat: Repeat, start: int) -> int:
    """Add the fragment of a repetition, and return the state in which it is matched.

    First the mandatory copies of the body, then the optional ones. Without an upper bound, one more copy makes a loop.

    >>> nfa = Nfa()
    >>> add_repetition(nfa, Repeat(Chars(((97, 97),)), 1, None), 0)
    2
    >>> nfa.moves, nfa.epsilon
    ([[(((97, 97),), 1)], [], [(((97, 97),), 3)], []], [[], [2], [], [2]])
    """
    raise NotImplementedError("lab 06, TODO 5 (about 11 lines): copies of the body, a loop if there is no upper bound")


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
    """Given: compile a pattern to a nondeterministic automaton; its errors are those of ``parse_tree``.

    >>> nfa = parse_regex("ab?")
    >>> nfa.initial, nfa.accepting
    (0, 1)
    """
    nfa = Nfa()
    nfa.accepting = add_fragment(nfa, parse_tree(pattern, ascii_only=ascii_only), nfa.initial)
    return nfa


# Second sitting: from an NFA to the smallest DFA -----------------------------------------------------------


def epsilon_closure(nfa: Nfa, state: int) -> frozenset[int]:
    """Return the states that can be reached without reading anything, the state itself included.

    >>> nfa = parse_regex("(a|b)*")
    >>> sorted(epsilon_closure(nfa, nfa.initial))
    [0, 1, 2, 3, 5, 7]
    """
    raise NotImplementedError("lab 06, TODO 6 (about 7 lines): all states that epsilon transitions reach")


def split_alphabet(sets: Sequence[Ranges]) -> tuple[list[int], list[frozenset[int]]]:
    """Cut the code points into intervals whose code points are in the same sets.

    Args:
        sets: canonical ranges, one for each set.

    Returns:
        ``bounds``, the first code points of the intervals, ascending from 0, and ``members``, for each interval the
        numbers of the sets that hold it. Neighbouring intervals have different members.

    >>> bounds, members = split_alphabet([((97, 122),), ((101, 101),)])
    >>> bounds, [sorted(numbers) for numbers in members]
    ([0, 97, 101, 102, 123], [[], [0], [0, 1], [0], []])
    """
    raise NotImplementedError("lab 06, TODO 7 (about 12 lines): cut wherever a set begins or ends")


def number_classes(nfa: Nfa) -> tuple[list[int], list[int], list[list[tuple[int, int]]]]:
    """Given: number the classes of characters that the automaton distinguishes, by ``split_alphabet``.

    Returns:
        ``bounds`` and ``classes`` as a ``Dfa`` has them, and for each state its transitions ``(class, target)``.

    Raises:
        ValueError: if ``split_alphabet`` names a set in no interval.

    >>> number_classes(parse_regex("[a-c]b"))
    ([0, 97, 98, 99, 100], [-1, 0, 1, 0, -1], [[], [], [(0, 3), (1, 3)], [(1, 4)], []])
    """
    sets = sorted({ranges for moves in nfa.moves for ranges, _ in moves if ranges})
    bounds, members = split_alphabet(sets)
    if lost := set(range(len(sets))) - {index for held in members for index in held}:
        raise ValueError(f"split_alphabet (TODO 7) names set {min(lost)}, {sets[min(lost)]}, in no interval")
    numbers = {held: number for number, held in enumerate(dict.fromkeys(held for held in members if held))}
    classes_in: dict[Ranges, list[int]] = {(): []}
    for held, number in numbers.items():
        for index in held:
            classes_in.setdefault(sets[index], []).append(number)
    transitions = [
        [(number, target) for ranges, target in moves for number in classes_in[ranges]] for moves in nfa.moves
    ]
    return bounds, [numbers.get(held, -1) for held in members], transitions


def step_subset(
    subset: Iterable[int], transitions: Sequence[Sequence[tuple[int, int]]], closures: Mapping[int, Collection[int]]
) -> dict[int, Subset]:
    """Return where a set of states leads: for each class of characters, the set of states after it.

    Args:
        transitions: of each state, pairs ``(class, target)``.
        closures: of each state, the states of its closure that matter (see ``Closures``).

    Returns:
        By class, the union of the closures of all targets, as an ascending tuple; a class that leads nowhere is left
        out.

    >>> step_subset([0, 1], [[(7, 2)], [(7, 0), (8, 2)], []], {0: (0, 1), 2: (2,)})
    {7: (0, 1, 2), 8: (2,)}
    """
    raise NotImplementedError("lab 06, TODO 8 (about 5 lines): the union of the closures reached, by class")


def nfa_to_dfa(nfa: Nfa) -> Dfa:
    """Make an automaton deterministic: a state is a set of states in which the ``Nfa`` may be (Rabin and Scott, 1959).

    Returns:
        A ``Dfa`` over code points whose states can all be reached; state 0 is the initial one.

    Raises:
        LimitExceeded: if the subsets or their table outgrow the limits of ``labkit.automata.dfa``.

    >>> dfa = nfa_to_dfa(parse_regex("[0-9]+"))
    >>> dfa.transitions.tolist(), dfa.accepting.tolist(), dfa.class_ranges
    ([[1], [1]], [False, True], (((48, 57),),))
    """
    # Given: closures[state] is the epsilon closure, from your epsilon_closure; limits.count_subset(subset) raises.
    bounds, classes, transitions = number_classes(nfa)
    limits = SubsetLimits(len(nfa), n_classes=max(classes) + 1)
    closures = Closures(nfa, epsilon_closure, limits)
    raise NotImplementedError("lab 06, TODO 9 (about 14 lines): number each new set of states, and write its row")


def live_states(dfa: Dfa) -> set[int]:
    """Return the states on a path from the initial state to an accepting one.

    >>> dfa = Dfa([0, 97], [-1, 0], [[1], [DEAD], [1], [3]], initial=0, accepting=[False, True, True, False])
    >>> sorted(live_states(dfa))
    [0, 1]
    """
    raise NotImplementedError("lab 06, TODO 10 (about 7 lines): reached from the start, and able to reach an end")


def transitions_of(dfa: Dfa) -> list[tuple[int, int, int]]:
    """Given: return all transitions of an automaton, as triples of state, class and target.

    >>> transitions_of(Dfa([0, 97], [-1, 0], [[1], [DEAD]], initial=0, accepting=[False, True]))
    [(0, 0, 1)]
    """
    states, classes = np.nonzero(dfa.transitions != DEAD)
    targets = dfa.transitions[states, classes]
    return list(zip(states.tolist(), classes.tolist(), targets.tolist(), strict=True))


def _reachable(starts: Iterable[int], transitions: Mapping[int, Iterable[int]]) -> set[int]:
    """Given: return the states that can be reached along transitions, the starts included."""
    found = set(starts)
    waiting = list(found)
    while waiting:
        new = set(transitions.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def equal_states(dfa: Dfa, states: Collection[int]) -> list[set[int]]:
    """Partition states into blocks that no text distinguishes (Hopcroft, 1971).

    Begin with two blocks, accepting and not. Take a block as a *splitter*: a state that leads into it on some class
    differs from one that does not, so a block of which only a part leads into it is cut in two. If the block has been a
    splitter before, its smaller half is enough as a new one, which makes the method O(n log n).

    Args:
        states: the live ones; transitions to others count as dead.

    Returns:
        Disjoint sets that cover ``states``, in any order, none of them empty.

    >>> dfa = Dfa([0, 97, 98, 99], [-1, 0, 1, -1], [[1, 2], [3, -1], [3, -1], [-1, -1]], 0, [False, False, False, True])
    >>> sorted(map(sorted, equal_states(dfa, {0, 1, 2, 3})))
    [[0], [1, 2], [3]]
    """
    raise NotImplementedError("lab 06, TODO 11 (about 26 lines): split blocks until no splitter cuts one")


def minimize_dfa(dfa: Dfa) -> Dfa:
    """Return the smallest automaton for the same texts: no state is dead, unreachable or equal to another.

    Returns:
        A new ``Dfa``; its states are numbered in the order that they have in ``dfa``. Classes that no state
        distinguishes are one class. An automaton that matches nothing has one state, no class, and so no transition.

    >>> dfa = nfa_to_dfa(parse_regex("(a|b)c|bc"))
    >>> len(dfa), len(minimize_dfa(dfa))
    (4, 3)
    """
    raise NotImplementedError("lab 06, TODO 12 (about 13 lines): one state for each block of live states")


def compile_dfa(pattern: str, *, ascii_only: bool = False) -> Dfa:
    r"""Given: compile a pattern to its minimal automaton; the errors are those of ``parse_tree`` and ``nfa_to_dfa``.

    >>> len(compile_dfa(r"\d+(\.\d+)?"))
    4
    """
    words = words_of(pattern)
    return literals(words) if words else minimize_dfa(nfa_to_dfa(parse_regex(pattern, ascii_only=ascii_only)))


def fullmatch(dfa: Dfa, text: str) -> bool:
    """Return whether the automaton matches the whole text.

    >>> dfa = compile_dfa("yes|no")
    >>> fullmatch(dfa, "no"), fullmatch(dfa, "nope")
    (True, False)
    """
    raise NotImplementedError("lab 06, TODO 13 (about 6 lines): walk the text; its last state decides")


# Beyond: automata as sets of texts; lab 08 needs texts that match two patterns, or one and not another. ------


def product(left: Dfa, right: Dfa, accepts: Callable[[bool, bool], bool]) -> Dfa:
    """Run two automata side by side: a state of the result is a pair of states (Rabin and Scott, 1959).

    Args:
        accepts: from whether the left and the right automaton match a text, whether the result does.

    Returns:
        A ``Dfa`` over the same symbols whose states can all be reached; state 0 is the initial one. It need not be
        minimal.

    Raises:
        ValueError: if ``accepts(False, False)`` is true.
        LimitExceeded: beyond the limits of ``labkit.automata.dfa``.

    >>> both = product(compile_dfa("[a-m]+"), compile_dfa("[h-z]{2}"), lambda l, r: l and r)
    >>> fullmatch(both, "hi"), fullmatch(both, "ha"), fullmatch(both, "hhh")
    (True, False, False)
    """
    # Given: lefts[state] and rights[state] list the targets of a state, one for each class of the result, also of the
    # dead state, -1. is_accepting(dfa, state) handles dead sides; check_table(n, n_classes) raises if n pairs are too
    # many.
    if accepts(False, False):
        raise ValueError("accepts(False, False) must be False: a text on which both automata die has no state")
    bounds, pair_of_interval = shared_intervals(left, right)
    classes, columns = number_pairs(pair_of_interval)
    lefts, rights = target_lists(left, right, columns)
    raise NotImplementedError("lab 06, TODO 14 (about 15 lines): number each new pair of states, and write its row")


def complement(dfa: Dfa) -> Dfa:
    """Return the minimal automaton of all texts that the automaton does not match, also those on which it dies.

    >>> not_yes = complement(compile_dfa("yes"))
    >>> fullmatch(not_yes, "yes"), fullmatch(not_yes, "ye"), fullmatch(not_yes, "")
    (False, True, True)
    """
    everything = Dfa([0], [0], [[0]], initial=0, accepting=[True], symbols=dfa.symbols)
    raise NotImplementedError("lab 06, TODO 15 (about 1 line): everything, but not what the automaton matches")


def equivalent(left: Dfa, right: Dfa) -> bool:
    """Return whether two automata match the same texts.

    >>> equivalent(compile_dfa("(a|b)*"), compile_dfa("[ab]*")), equivalent(compile_dfa("a*"), compile_dfa("a+"))
    (True, False)
    """
    raise NotImplementedError("lab 06, TODO 16 (about 1 line): no text is matched by one alone")
