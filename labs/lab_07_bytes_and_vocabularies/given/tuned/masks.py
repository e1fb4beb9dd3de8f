"""The tokens that are alive in a state, by as few steps as possible.

In most states few tokens are alive, and a walk down the trie finds them. In a state within a string nearly all are:
those whose characters all stay in the string are read off packed rows, and only the tokens that leave it are walked,
from the byte where they do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges
from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import ASCII, ByteAlphabet
from labs.lab_07_bytes_and_vocabularies.given.tuned.rows import SPACE, Exits, Row, VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.tuned.walker import ByteStates

WORTH_IT = 3000
"""From so many tokens that begin with a string's characters on, rows are faster than a walk."""


FEW = 16
"""Up to so many nodes or tokens are walked one by one; for more, NumPy is faster."""


@dataclass(frozen=True)
class Chain:
    """The states of a string: each is reached from the one before by any character of one set.

    Attributes:
        states: the numbers of the states over bytes, the first one first.
        loops: whether the last leads to itself; otherwise no character of the set may follow in it.
        inside: for each class of characters, whether it is of the set.
        exits: the ASCII bytes outside the set by which some state goes on.
    """

    states: NDArray[np.intp]
    loops: bool
    inside: tuple[bool, ...]
    exits: bytes


def alive(rows: VocabularyRows, states: ByteStates, number: int) -> Row:
    """Return the tokens that are alive in a state.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import byte_alphabet
    >>> from labs.lab_07_bytes_and_vocabularies.given.tuned.fsm import DfaStates
    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa
    >>> tokens, characters = [b"ab", b"b", b"aab"], DfaStates(compile_dfa("a*b"))
    >>> states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, byte_dfa))
    >>> bin(alive(VocabularyRows(tokens, build_byte_trie(tokens)), states, 0)[0])
    '0b111'
    """
    if (chain := find_chain(rows, states, number)) is not None:
        return string_row(rows, states, chain)
    tails, spaced = rows.after_space, int(states.row(number)[states.alphabet.byte_classes[SPACE]])
    if tails is None or spaced == DEAD or states.alphabet.uniform is None or rows.beginning[SPACE] < WORTH_IT:
        return walk(rows, states, number)
    # A third of all tokens begin with a space; where a string begins after one, their rest is read off rows.
    if (chain := find_chain(tails, states, spaced)) is None:
        return walk(rows, states, number)
    return walk(rows, states, number, without=SPACE) | string_row(tails, states, chain) | tails.empty


def walk(rows: VocabularyRows, states: ByteStates, number: int, without: int = -1) -> Row:
    """Walk down the trie from the root, all nodes of a level at once, and return the tokens that are alive.

    Args:
        without: a byte; tokens that begin with it are left out.
    """
    trie, byte_classes, n_classes = rows.trie, states.alphabet.byte_classes, states.n_classes
    numbers = states.row(number).take(byte_classes.take(rows.first_bytes))
    here = ((numbers != DEAD) & (rows.first_bytes != without)).nonzero()[0]
    nodes, numbers = here + 1, numbers.take(here)
    found = [nodes]
    while len(nodes):
        if len(nodes) <= FEW:
            more, nodes, numbers = _walk_few(rows, states, nodes.tolist(), numbers.tolist())
            found.append(more)
            continue
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        keys = (numbers * n_classes).repeat(counts)
        keys += byte_classes.take(trie.byte.take(below))
        numbers = states.after(keys)
        here = (numbers != DEAD).nonzero()[0]
        nodes, numbers = below.take(here), numbers.take(here)
        found.append(nodes)
    allowed = np.zeros(rows.n_tokens, bool)
    allowed[trie.tokens_at(np.concatenate(found))] = True
    return rows.packed(allowed)


def _walk_few(
    rows: VocabularyRows, states: ByteStates, nodes: list[int], numbers: list[int]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Walk down from some nodes, one node at a time, until they are many or none.

    Returns:
        All nodes that are met, and the nodes of the last level with their states.
    """
    trie, text, class_list, found = rows.trie, rows.trie_bytes, states.alphabet.class_list, list[int]()
    while 0 < len(nodes) <= FEW:
        firsts, counts = trie.first_child.take(nodes).tolist(), trie.child_counts.take(nodes).tolist()
        nodes, above, numbers = [], numbers, []
        for number, first, count in zip(above, firsts, counts, strict=True):
            if count:
                row = states.row_list(number)
                for node, byte in enumerate(text[first : first + count], first):
                    after = row[class_list[byte]]
                    if after != DEAD:
                        nodes.append(node)
                        numbers.append(after)
        found += nodes
    return np.array(found, np.intp), np.array(nodes, np.intp), np.array(numbers, np.intp)


def find_chain(rows: VocabularyRows, states: ByteStates, number: int) -> Chain | None:
    """Return the string that a state is in, or None where it is in none or a walk is as fast."""
    start, node = states.pairs[number]
    if node:
        return None
    characters, alphabet = states.characters, states.alphabet
    row = characters.row(start)
    weights: dict[int, int] = {}
    for symbol_class, weight in enumerate(_weights(rows, alphabet)):
        if (target := row[symbol_class]) != DEAD:
            weights[target] = weights.get(target, 0) + weight
    target = max(weights, key=weights.__getitem__, default=DEAD)
    if target == DEAD or weights[target] < WORTH_IT:
        return None
    members = [symbol_class for symbol_class, after in enumerate(row) if after == target]
    inside = tuple(after == target for after in row)
    others = [symbol_class for symbol_class, is_member in enumerate(inside) if not is_member]
    chain, leaving, state, loops = [start], set[int](), start, False
    while True:
        leaving.update(other for other in others if row[other] != DEAD)
        if len(chain) > rows.most_chars:
            break
        after = {row[member] for member in members}
        if len(after) > 1:
            return None
        (target,) = after
        if target == DEAD:
            break
        if target == state:
            loops = True
            break
        chain.append(target)
        state, row = target, characters.row(target)
    exits = bytearray()
    for symbol_class in leaving:
        if symbol_class in alphabet.goes_beyond:
            return None
        exits += bytes(alphabet.bytes_of[symbol_class])
    numbers = np.array([states.number_of(each, 0) for each in chain])
    return Chain(numbers, loops, inside, bytes(exits))


def string_row(rows: VocabularyRows, states: ByteStates, chain: Chain) -> Row:
    """Return the tokens that are alive in a string: those that stay in it, and those that leave it and live on."""
    alphabet = states.alphabet
    excluded, beyond = alphabet.outside(chain.inside)
    if beyond is None:
        beyond = True
        staying = rows.pure_of(
            (alphabet, chain.inside), lambda: walk(rows, ByteStates(_Loop(chain.inside), alphabet), 0)
        )
    else:
        staying = rows.pure(excluded, beyond)
    if not chain.loops:
        staying = staying & rows.at_most(len(chain.states) - 1)
    leaving = [_leaving(rows, states, chain, rows.exits(excluded, beyond, byte)) for byte in chain.exits]
    leaving = [tokens for tokens in leaving if len(tokens)]
    if not leaving:
        return staying
    allowed = np.zeros(rows.n_tokens, bool)
    allowed[np.concatenate(leaving)] = True
    return staying | rows.packed(allowed)


def _leaving(rows: VocabularyRows, states: ByteStates, chain: Chain, exits: Exits) -> NDArray[np.intp]:
    """Return those of the tokens that leave a string by one byte that are alive to their end."""
    tokens, at, n_before = exits.tokens, exits.at, exits.n_before
    last = len(chain.states) - 1
    if not chain.loops:
        here = (n_before <= last).nonzero()[0]
        tokens, at, n_before = tokens.take(here), at.take(here), n_before.take(here)
    if states.alphabet.uniform is None:  # the characters before may be others than those of the set
        at, numbers = rows.starts.take(tokens), np.zeros(len(tokens), np.intp) + chain.states[0]
    else:
        numbers = chain.states.take(np.minimum(n_before, last))
    ends, found = rows.ends.take(tokens), []
    while len(tokens):
        if len(tokens) <= FEW:
            places = zip(tokens.tolist(), at.tolist(), ends.tolist(), numbers.tolist(), strict=True)
            found.append(np.array([each[0] for each in places if _lives(rows, states, *each[1:])], np.intp))
            break
        keys = numbers * states.n_classes + states.alphabet.byte_classes.take(rows.text.take(at))
        numbers = states.after(keys)
        at = at + 1
        living = numbers != DEAD
        found.append(tokens[living & (at == ends)])
        here = (living & (at < ends)).nonzero()[0]
        tokens, at, ends, numbers = tokens.take(here), at.take(here), ends.take(here), numbers.take(here)
    return np.concatenate(found) if found else tokens


def _lives(rows: VocabularyRows, states: ByteStates, at: int, end: int, number: int) -> bool:
    """Return whether a state lives on over the rest of a token's text."""
    for byte in rows.text[at:end].tobytes():
        number = states.step(number, byte)
        if number == DEAD:
            return False
    return True


class _Loop:
    """The automaton of any number of characters of a set."""

    initial = 0
    accepting = (True,)
    bounds = classes = ()  # the alphabet is another automaton's

    def __init__(self, inside: Sequence[bool]) -> None:
        self._row = [0 if each else DEAD for each in inside]

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters."""
        return self._row


def _weights(rows: VocabularyRows, alphabet: ByteAlphabet) -> list[int]:
    """Return how many tokens begin with a character of each class; beyond ASCII only where all are of one class."""
    weights = [sum(rows.beginning[byte] for byte in members) for members in alphabet.bytes_of]
    if alphabet.uniform not in (None, DEAD):
        weights[alphabet.uniform] += rows.beginning[ASCII]
    return weights
