"""The strings that states are in: any character of a set leads on, for ever or up to a length."""

from collections.abc import Mapping
from dataclasses import dataclass

from labkit.automata.dfa import DEAD
from labs.lab_06_regex_to_dfa.given.subsets import bits_of
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import Classes
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import SPACE, VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import ByteStates

WORTH_IT = 3000
"""From so many tokens that begin with a string's characters on, rows are faster than a walk."""


FEW_BEYOND = 1000
"""A string that is left by more characters beyond ASCII is walked, for too many tokens would leave it."""

MANY_LEAVE = 20_000
"""A string that is left by more tokens at once is walked."""


@dataclass(frozen=True)
class Chain:
    """The states of a string: each is reached from the one before by any character of one set.

    Attributes:
        states: of the automaton over characters, the first one first.
        loops: whether the last leads to itself; otherwise no character of the set may follow in it.
        inside: the classes of characters of the set.
        exits: the ASCII bytes outside the set by which some state goes on.
        beyond: whether some state also goes on by characters beyond ASCII outside the set.
    """

    states: list[int]
    loops: bool
    inside: Classes
    exits: bytes
    beyond: bool


def heaviest(rows: VocabularyRows, states: ByteStates, start: int) -> Classes:
    """Return the classes that lead from a state over characters to one, if many tokens begin with them; or none.

    >>> from mask_engine.patterns.lazy import LazyDfa
    >>> from labs.lab_06_regex_to_dfa.solution import parse_tree
    >>> from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import byte_alphabet
    >>> from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa, functions
    >>> characters = LazyDfa(parse_tree("[a-z]*;"))
    >>> states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, byte_dfa))
    >>> tokens = [b"a"] * WORTH_IT
    >>> rows = VocabularyRows(tokens, functions().build_byte_trie(tokens), functions())
    >>> inside = heaviest(rows, states, 0)
    >>> inside, find_chain(rows, states, 0, inside), find_loop(rows, states, 0, inside)
    (2, Chain(states=[0], loops=True, inside=2, exits=b';', beyond=False), None)
    """
    most, inside, weights = WORTH_IT - 1, 0, rows.weights(states.alphabet)
    for classes in states.characters.targets(start).values():
        if (weight := sum(map(weights.__getitem__, bits_of(classes)))) > most:
            most, inside = weight, classes
    return inside


def find_chain(rows: VocabularyRows, states: ByteStates, start: int, inside: Classes) -> Chain | None:
    """Return the string that a state is in, or None where it is in none or a walk is as fast.

    Args:
        inside: the ``heaviest`` classes.
    """
    if not inside:
        return None
    chain, leaving, state, loops = [start], 0, start, False
    while True:
        targets = states.characters.targets(state)
        leaving |= sum(targets.values()) & ~inside
        if len(chain) > rows.most_chars:
            break
        target = _after(targets, inside)
        if target is None:
            return None
        if target in (DEAD, state):
            loops = target == state
            break
        chain.append(target)
        state = target
    if not leaving:
        return Chain(chain, loops, inside, b"", False)
    exits, n_beyond = states.alphabet.ascii_of(leaving), sum(states.n_beyond[each] for each in bits_of(leaving))
    if n_beyond > FEW_BEYOND or sum(rows.having[byte] for byte in exits if byte != SPACE) > MANY_LEAVE:
        return None
    return Chain(chain, loops, inside, exits, n_beyond > 0)


def _after(targets: Mapping[int, Classes], inside: Classes) -> int | None:
    """Return the state to which all classes of a set lead, or None where they part."""
    for target, classes in targets.items():
        if classes & inside:
            return target if classes & inside == inside else None
    return DEAD


def find_loop(rows: VocabularyRows, states: ByteStates, start: int, inside: Classes) -> int | None:
    """Return another state that the heaviest classes lead to and do not leave, if other classes stay in it too.

    So the state at the start of a key, where declared ones begin, has the one within a key that is none of them.
    """
    if not inside:
        return None
    target = _after(states.characters.targets(start), inside)
    if target is None or target == start or _after(states.characters.targets(target), inside) != target:
        return None
    staying = states.characters.targets(target)[target]
    if staying == inside:
        return None  # it is the first state of a chain
    dead, weights = bits_of(staying & ~sum(states.characters.targets(start).values())), rows.weights(states.alphabet)
    few = sum(weights[each] for each in dead) < WORTH_IT and sum(states.n_beyond[each] for each in dead) <= FEW_BEYOND
    return states.number_of(target, 0) if few else None
