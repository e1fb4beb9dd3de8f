"""Find out whether a state is inside a string, that is, whether any character of a large set may come next.

If it is, this file works out the ``states`` of ``string_row``: those after 0, 1, 2, ... characters.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from labkit.automata.dfa import DEAD
from labs.lab_06_regex_to_dfa.given.subsets import bits_of
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import Classes
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import SPACE, VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import ByteStates

WORTH_IT = 3000
"""If at least this many tokens begin with a string's characters, rows are faster than a walk."""


FEW_BEYOND = 1000
"""If more characters beyond ASCII than this can leave a string, we walk: too many tokens would leave it."""

MANY_LEAVE = 20_000
"""If more tokens than this can leave a string, we walk."""


@dataclass(frozen=True)
class Chain:
    """The states of a string. Any character of the string's set leads from each of them to the next.

    Attributes:
        states: of the automaton over characters, in order.
        loops: whether the last one leads back to itself. If not, the string can't be any longer.
        inside: the classes of the string's characters.
        exits: the ASCII bytes with which a text may leave the string.
        beyond: whether it may also leave with a character beyond ASCII.
    """

    states: list[int]
    loops: bool
    inside: Classes
    exits: bytes
    beyond: bool


def heaviest(rows: VocabularyRows, states: ByteStates, start: int) -> Classes:
    """Return the classes with which the most tokens begin, of those that lead to one state; none if that's too few.

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
    """Return the string that a state is in. None if it isn't in a string, or if a walk is just as fast.

    Args:
        inside: the classes of the string's characters: those that ``heaviest`` returned.
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
    """Return the state to which all classes of a set lead, or None if they lead to different ones."""
    for target, classes in targets.items():
        if classes & inside:
            return target if classes & inside == inside else None
    return DEAD


def find_loop(rows: VocabularyRows, states: ByteStates, start: int, inside: Classes) -> int | None:
    """Return a state in which the heaviest classes stay once they've led there, if some others stay there too."""
    # Such as at the start of a key: after a character that no declared key begins with, it can only be another key.
    if not inside:
        return None
    target = _after(states.characters.targets(start), inside)
    if target is None or target == start or _after(states.characters.targets(target), inside) != target:
        return None
    staying = states.characters.targets(target)[target]
    if staying == inside:
        return None  # it's the first state of an ordinary chain
    dead, weights = bits_of(staying & ~sum(states.characters.targets(start).values())), rows.weights(states.alphabet)
    few = sum(weights[each] for each in dead) < WORTH_IT and sum(states.n_beyond[each] for each in dead) <= FEW_BEYOND
    return states.number_of(target, 0) if few else None
