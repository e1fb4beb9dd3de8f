"""The tokens that are alive in a state, by as few steps as possible.

In most states few tokens are alive, and a walk down the trie finds them. In a state within a string nearly all are:
those whose characters all stay in the string are read off packed rows, and only the tokens that leave it are walked,
from the byte where they do.
"""

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges
from labkit.automata.work import spend
from labs.lab_07_bytes_and_vocabularies.given.tuned import strings
from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import Classes, members
from labs.lab_07_bytes_and_vocabularies.given.tuned.rows import SPACE, Exits, Row, VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.tuned.walker import ByteStates

FEW = 16
"""Up to so many nodes are walked one by one; for more, NumPy is faster."""

Nodes = NDArray[np.intp]

Met = list[Nodes]
"""Numbers of states, some perhaps several times."""


def alive(rows: VocabularyRows, states: ByteStates, number: int, met: Met) -> Row:
    """Return the tokens that are alive in a state.

    Args:
        met: gets the states in which they may end, but for those within a character.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import byte_alphabet
    >>> from labs.lab_07_bytes_and_vocabularies.given.tuned.fsm import DfaStates
    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie, byte_dfa
    >>> tokens, characters = [b"ab", b"b", b"aab"], DfaStates(compile_dfa("a*b"))
    >>> states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, byte_dfa))
    >>> bin(alive(VocabularyRows(tokens, build_byte_trie(tokens), build_byte_trie), states, 0, [])[0])
    '0b111'
    """
    if (chain := strings.find_chain(rows, states, number)) is not None:
        return string_row(rows, states, chain, met)
    tails, spaced = rows.after_space, states.step(number, SPACE)
    if tails is None or spaced == DEAD or states.alphabet.uniform is None or rows.beginning[SPACE] < strings.WORTH_IT:
        return walk(rows, states, number, met)
    # A third of all tokens begin with a space; where a string begins after one, their rest is read off rows.
    if (chain := strings.find_chain(tails, states, spaced)) is None:
        return walk(rows, states, number, met)
    return walk(rows, states, number, met, without=SPACE) | string_row(tails, states, chain, met) | tails.empty


def walk(rows: VocabularyRows, states: ByteStates, number: int, met: Met, without: int = -1) -> Row:
    """Walk down the vocabulary from the root, and return the tokens that are alive.

    Args:
        without: a byte; tokens that begin with it are left out.
    """
    numbers = states.row(number).take(states.alphabet.byte_classes.take(rows.first_bytes))
    here = ((numbers != DEAD) & (rows.first_bytes != without)).nonzero()[0]
    return rows.of(rows.trie.tokens_at(_reached(rows.trie, states, here + 1, numbers.take(here), met)))


def _reached(trie: ByteTrie, states: ByteStates, nodes: Nodes, numbers: Nodes, met: Met) -> Nodes:
    """Return the nodes that are alive, from some of one level with their states on, all nodes of a level at once."""
    byte_classes, n_classes, found = states.alphabet.byte_classes, states.n_classes, [nodes]
    while len(nodes):
        spend(len(nodes) >> 4)
        met.append(numbers)
        if len(nodes) <= FEW:
            more, nodes, numbers = _walk_few(trie, states, nodes.tolist(), numbers.tolist(), met)
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
    return np.concatenate(found)


def _walk_few(
    trie: ByteTrie, states: ByteStates, nodes: list[int], numbers: list[int], met: Met
) -> tuple[Nodes, Nodes, Nodes]:
    """Walk down from some nodes, one node at a time, until they are many or none.

    Returns:
        All nodes that are met, and the nodes of the last level with their states.
    """
    first_child = trie.first_child.data  # whose numbers Python reads faster one by one
    text, class_list, found, passed = trie.text, states.alphabet.class_list, list[int](), set[int]()
    while 0 < len(nodes) <= FEW:
        above, nodes, numbers = zip(nodes, numbers, strict=True), [], []
        for node_above, number in above:
            first, end = first_child[node_above], first_child[node_above + 1]
            if first < end:
                row = states.row_list(number)
                for node, byte in enumerate(text[first:end], first):
                    after = row[class_list[byte]]
                    if after != DEAD:
                        nodes.append(node)
                        numbers.append(after)
        found += nodes
        passed.update(numbers)
    met.append(np.array([*passed], np.intp))
    return np.array(found, np.intp), np.array(nodes, np.intp), np.array(numbers, np.intp)


def string_row(rows: VocabularyRows, states: ByteStates, chain: strings.Chain, met: Met) -> Row:
    """Return the tokens that are alive in a string: those that stay in it, and those that leave it and live on."""
    numbers = np.array([states.number_of(state, 0) for state in chain.states])
    met.append(numbers)
    excluded, beyond = states.alphabet.outside(chain.inside)
    staying = _staying(rows, states, chain.inside) if beyond is None else rows.pure(excluded, beyond)
    if not chain.loops:
        staying = staying & rows.at_most(len(chain.states) - 1)
    if not chain.exits:
        return staying
    exits = rows.exits(excluded, beyond is not False, chain.exits)
    exits = exits if beyond is not None else _within(rows, states, chain, exits)
    # After more characters than the chain has states:
    numbers = np.append(numbers, numbers[-1] if chain.loops else DEAD)
    return staying | _leaving(rows, states, numbers, exits, met)


def _leaving(rows: VocabularyRows, states: ByteStates, numbers: Nodes, exits: Exits, met: Met) -> Row:
    """Return those of the tokens that leave a string that are alive to their end.

    Args:
        numbers: the state after each number of characters, the last one after all greater ones.
    """
    starts = numbers.take(np.minimum(exits.n_before, len(numbers) - 1))
    here = (starts != DEAD).nonzero()[0]
    reached = _reached(exits.trie, states, exits.nodes.take(here), starts.take(here), met)
    return rows.of(exits.tokens.take(exits.trie.tokens_at(reached)))


# Where characters beyond ASCII differ -------------------------------------------------------------------


def _staying(rows: VocabularyRows, states: ByteStates, inside: Classes) -> Row:
    loop = ByteStates(_Loop(inside, states.alphabet.n_character_classes), states.alphabet)
    return rows.pure_of((states.alphabet, inside), lambda: walk(rows, loop, 0, []))


def _within(rows: VocabularyRows, states: ByteStates, chain: strings.Chain, exits: Exits) -> Exits:
    """Return those exits whose characters before are all of the string."""
    alphabet = states.alphabet
    loop = ByteStates(_Loop(chain.inside, alphabet.n_character_classes), alphabet)

    def within() -> NDArray[np.bool_]:
        at, numbers = rows.starts[exits.tokens], np.zeros(len(exits.tokens), np.intp)
        while len(here := ((at < exits.at) & (numbers != DEAD)).nonzero()[0]):
            classes = alphabet.byte_classes.take(rows.text.take(at[here]))
            numbers[here] = loop.after(numbers[here] * loop.n_classes + classes)
            at[here] += 1
        stayed: NDArray[np.bool_] = numbers != DEAD
        return stayed

    return rows.exits_within((alphabet, chain.inside, chain.exits), exits, within)


class _Loop:
    """The automaton of any number of characters of a set."""

    initial = 0
    bounds = classes = ()  # the alphabet is another automaton's
    most_bytes = 0.0

    def __init__(self, inside: Classes, n_classes: int) -> None:
        self._row = [DEAD] * n_classes
        for symbol_class in members(inside):
            self._row[symbol_class] = 0

    def accepts(self, state: int) -> bool:
        """Return whether a text may end in a state."""
        return True

    def fewest_bytes(self, state: int) -> float:
        """Return how many bytes a text still needs."""
        return 0.0

    def row(self, state: int) -> list[int]:
        """Return the state after each class of characters."""
        return self._row
