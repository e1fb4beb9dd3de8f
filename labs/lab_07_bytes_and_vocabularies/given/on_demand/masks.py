"""Find the tokens that are alive in a state, with as few steps as possible: by your ``walk``, as long as they're few.

Inside a string nearly all are alive. There rows tell which stay, and ``string_row`` adds those that leave.
"""

from collections.abc import Callable

import numpy as np

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD, Dfa
from labkit.automata.work import spend
from labs.lab_07_bytes_and_vocabularies.given.functions import Places, Words
from labs.lab_07_bytes_and_vocabularies.given.on_demand import strings
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import Classes
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import SPACE, Exits, VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import ByteStates, DfaStates

FEW = 10
"""A level of up to this many nodes is walked node by node, since NumPy's calls would cost more than their work."""

Met = list[Places]
"""Numbers of states. Some may be there several times."""

Pairs = list[tuple[int, int, int]]
"""Nodes, each with two states."""


def alive(
    rows: VocabularyRows, states: ByteStates, number: int, met: Met, known: Callable[[int], Words] | None = None
) -> Words:
    """Return the tokens that are alive in a state.

    Args:
        met: collects the states in which these tokens may end, except those in the middle of a character.
        known: returns the tokens that are alive in another state; then those states in which they end count too.

    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import byte_alphabet
    >>> from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import DfaStates
    >>> from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex, byte_dfa
    >>> rows = TokenVocabularyIndex(Vocabulary([b"ab", b"b", b"aab", b"</s>"], eos_id=3)).rows
    >>> characters = DfaStates(compile_dfa("a*b"))
    >>> states = ByteStates(characters, byte_alphabet(characters.bounds, characters.classes, byte_dfa))
    >>> alive(rows, states, states.initial, []).tolist()
    [7]
    """
    start, within = states.pair(number)
    if within:
        return walked(rows, states, number, met)
    inside = strings.heaviest(rows, states, start)
    if known and (loop := strings.find_loop(rows, states, start, inside)) is not None:
        return like(rows, states, number, loop, known(loop), met)
    chain, tails = strings.find_chain(rows, states, start, inside), rows.after_space
    if tails is None or rows.beginning[SPACE] < strings.WORTH_IT or (chain and SPACE not in chain.exits):
        return walked(rows, states, number, met) if chain is None else within_string(rows, states, chain, met)
    # A third of all tokens begin with a space. If a string begins after it, rows know about the rest of the token.
    after, spaced = None, states.step(number, SPACE)
    if spaced != DEAD:
        spaced = states.alike(spaced, rows.rounds)
        start = states.pair(spaced)[0]
        after = strings.find_chain(tails, states, start, strings.heaviest(tails, states, start))
    if chain is None and after is None:
        return walked(rows, states, number, met)
    others = (
        walked(rows, states, number, met, spaced=False)
        if chain is None
        else within_string(rows, states, chain, met, spaced=False)
    )
    if spaced == DEAD:
        return others
    if after is None:
        return others | walked(rows, states, number, met, spaced=True)
    return others | within_string(tails, states, after, met) | tails.empty


def walked(rows: VocabularyRows, states: ByteStates, number: int, met: Met, spaced: bool | None = None) -> Words:
    """Return the tokens that are alive, by walking down the whole trie.

    Args:
        spaced: True takes only the tokens that begin with a space, False only the others, None all of them.
    """
    numbers = states.row(number).take(states.alphabet.byte_classes.take(rows.first_bytes))
    if spaced is not None:
        numbers[(rows.first_bytes == SPACE) != spaced] = DEAD
    here = (numbers != DEAD).nonzero()[0]
    return rows.of(rows.trie.tokens_at(_reached(rows, rows.trie, states, here + 1, numbers.take(here), met)))


def like(rows: VocabularyRows, states: ByteStates, number: int, other: int, row: Words, met: Met) -> Words:
    """Return the tokens that are alive in a state, if we know those that are alive in a similar one.

    What may follow depends on the state alone. So once the same bytes lead from both states to the same one, all tokens
    that begin with these bytes are alive in both or in neither. We only have to walk down to there, from both at once.

    Args:
        other, row: the other state, and the tokens that are alive in it.
    """
    classes = states.alphabet.byte_classes.take(rows.first_bytes)
    numbers, others = states.row(number).take(classes), states.row(other).take(classes)
    apart = (numbers != others).nonzero()[0]
    level = list(zip((apart + 1).tolist(), numbers[apart].tolist(), others[apart].tolist(), strict=True))
    walked = level + _walk_few(rows.trie, states, level, rows.n_tokens)[0]
    spend(len(walked) >> 4)
    met.append(np.array([*{here for _, here, _ in walked if here != DEAD}], np.intp))
    both = [node for node, _, _ in walked], [node for node, here, _ in walked if here != DEAD]
    changed, allowed = (rows.of(rows.trie.tokens_at(np.array(nodes, np.intp))) for nodes in both)
    return row & ~changed | allowed


def _reached(
    rows: VocabularyRows, trie: ByteTrie, states: ByteStates, nodes: Places, numbers: Places, met: Met
) -> Places:
    """Return the nodes that are alive, from some nodes of one level on: with your ``walk``, while levels are large."""
    found = [nodes]
    met.append(numbers)
    while len(nodes):
        below = rows.functions.walk(trie, states, nodes, numbers, FEW)[1:]
        spend(sum(15 + (len(level) >> 4) for level, _ in below))
        for nodes, numbers in below:
            found.append(nodes)
            met.append(numbers)
        if len(nodes) > 0:
            level = [(node, number, DEAD) for node, number in zip(nodes.tolist(), numbers.tolist(), strict=True)]
            walked, level = _walk_few(trie, states, level, FEW)
            found.append(np.array([node for node, _, _ in walked], np.intp))
            met.append(np.array([*{here for _, here, _ in walked}], np.intp))
            nodes, numbers, _ = np.array(level, np.intp).reshape(-1, 3).T
    return np.concatenate(found)


def _walk_few(trie: ByteTrie, states: ByteStates, level: Pairs, most: int) -> tuple[Pairs, Pairs]:
    """Walk down from some nodes, one node at a time, from two states at once, for as long as the two differ.

    Args:
        level: nodes, each with the two states there. To walk from one state alone, let the second be dead.
        most: stop at a level that has more nodes than this.

    Returns:
        All nodes below that were met, each with its two states; and those of the last level, if it had too many.
    """
    first_child = trie.first_child.data  # Python reads single numbers faster from a memoryview
    text, class_list, found = trie.text, states.alphabet.class_list, list[tuple[int, int, int]]()
    dead, row_list = [DEAD] * states.n_byte_classes, states.row_list
    while 0 < len(level) <= most:
        above, level = level, []
        for node_above, number, other in above:
            first, end = first_child[node_above], first_child[node_above + 1]
            if first < end:
                row, others = dead if number == DEAD else row_list(number), dead if other == DEAD else row_list(other)
                for node, byte in enumerate(text[first:end], first):
                    here, there = row[class_list[byte]], others[class_list[byte]]
                    if here != there:
                        level.append((node, here, there))
        found += level
    return found, level


def within_string(
    rows: VocabularyRows, states: ByteStates, chain: strings.Chain, met: Met, spaced: bool | None = None
) -> Words:
    """Return the tokens that are alive in a string: those that stay in it, and those that leave it and survive.

    Args:
        spaced: False leaves out the tokens that begin with a space, because the caller sees to them.
    """
    numbers = np.array([states.number_of(state, 0) for state in chain.states])
    met.append(numbers)
    excluded, beyond = states.alphabet.outside(chain.inside)
    within = staying = _staying(rows, states, chain.inside) if beyond is None else rows.pure(excluded, beyond)
    if not chain.loops:
        staying = within & rows.at_most(len(chain.states) - 1)
    if not (chain.exits or chain.beyond):
        return staying
    counted = not chain.loops or len(chain.states) > 1  # if not, the state is always the same
    if beyond is None or chain.beyond:
        exits = rows.kept_exits.get_or_make(
            (states.alphabet, chain.inside, chain.exits, chain.beyond, spaced, counted),
            lambda: _departing(rows, states, chain, spaced, within, counted),
        )
    else:
        exits = rows.exits(excluded, beyond, chain.exits, spaced is not False, counted)
    # This entry is for all larger numbers of characters.
    numbers = np.append(numbers, numbers[-1] if chain.loops else DEAD)

    def leaving(nodes: Places, starts: Places) -> Words:
        reached = _reached(rows, exits.trie, states, nodes, starts, met)
        return rows.of(exits.tokens.take(exits.trie.tokens_at(reached)))

    return rows.functions.string_row(staying, exits.nodes, exits.n_before, numbers, leaving)


# Where characters beyond ASCII differ -------------------------------------------------------------------


def _loop(states: ByteStates, inside: Classes) -> ByteStates:
    """Return the automaton of any number of characters of a set."""
    stays = [0 if inside >> symbol_class & 1 else DEAD for symbol_class in range(states.alphabet.n_character_classes)]
    loop = Dfa(states.characters.bounds, states.characters.classes, [stays], initial=0, accepting=[True])
    return ByteStates(DfaStates(loop), states.alphabet)


def _staying(rows: VocabularyRows, states: ByteStates, inside: Classes) -> Words:
    """Return the tokens whose characters are all in a set, and remember them for the next pattern."""

    def stay() -> Words:
        loop = _loop(states, inside)
        if rows.after_space is not None:
            return walked(rows, loop, loop.initial, [])
        start = (rows.first_bytes == SPACE).nonzero()[0] + 1  # these rows are about what follows a space
        return rows.of(rows.trie.tokens_at(_reached(rows, rows.trie, loop, start, np.zeros(len(start), np.intp), [])))

    return rows.kept_pure.get_or_make((states.alphabet, inside), stay)


def _departing(
    rows: VocabularyRows, states: ByteStates, chain: strings.Chain, spaced: bool | None, within: Words, counted: bool
) -> Exits:
    """Return the tokens that leave a string by one of its exits, each from the character on that leaves.

    Args:
        within: the tokens that never leave it.
        counted: see ``exits_at``.
    """
    loop, byte_classes = _loop(states, chain.inside), states.alphabet.byte_classes
    tokens = rows.with_some(chain.exits, chain.beyond, ~within, spaced is not False)
    at, ends = rows.starts[tokens], rows.ends[tokens]
    begun, numbers = at.copy(), np.zeros(len(tokens), np.intp)
    while len(here := ((numbers != DEAD) & (at < ends)).nonzero()[0]):
        spend(len(here) >> 4)
        whole = here[numbers[here] == 0]
        begun[whole] = at[whole]  # this character may turn out to be the first one outside
        classes = byte_classes.take(rows.text.take(at[here]))
        numbers[here] = loop.successors(numbers[here], classes)
        at[here] += 1
    is_exit = np.zeros(256, bool)
    is_exit[list(chain.exits)] = True
    is_exit[128:] = chain.beyond
    leaves = ((numbers == DEAD) & is_exit[rows.text[begun]]).nonzero()[0]
    return rows.exits_at(tokens[leaves], begun[leaves], counted)
