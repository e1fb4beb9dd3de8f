# Your file for lab 03. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 03
# On every save:    python3 -m course watch 03
# Stuck on TODO 1:  python3 -m course hint 03.1
# The README beside this file explains the idea.

"""Lab 03: lift an automaton from characters to tokens, for all states, before generation starts.

A mask depends on the state alone. So you can work out the masks of all states in advance, and after that a step of
generation only looks up a row. A trie makes this cheap: when thousands of tokens share a prefix, you walk it only once.
Still to come are the end of a text (lab 04), and tokens that hold half a character (lab 07).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.automata.tries import Trie
from labkit.models import Model
from labs.lab_01_naive_matching.solution import apply_mask, sample, softmax

Table = tuple[Mapping[int, int], ...]
"""``table[state][token_id]`` is the state after that token. A token that isn't allowed has no entry."""


def partial_match(fsm: Fsm, state: int, token: str) -> tuple[int, ...] | None:
    """Return the states that a token passes through, or None if it dies on the way.

    A token of n characters passes through n + 1 states: ``state`` itself, and the state after each character. If one of
    its characters has no transition, return None, however far you got: a model can't write half a token. States are
    plain ints. Don't use recursion, because a token may be longer than Python's stack is deep.

    >>> from labkit.automata import decimal_fsm
    >>> partial_match(decimal_fsm(), 0, ".21"), partial_match(decimal_fsm(), 0, ".21a")
    ((0, 2, 3, 3), None)
    """
    raise NotImplementedError("lab 03, TODO 1 (about 7 lines): the states that a token traverses, or None")


def allowed_tokens(fsm: Fsm, state: int, texts: Sequence[str | None]) -> dict[int, int]:
    """Return the row of a state: the tokens that may come next, and the state that each of them leads to.

    Args:
        texts: the text of each token id. Never allow a token without text (None, or the empty string). It still has an
            id, so the ids after it don't change.

    Returns:
        ``{token_id: next_state}``, plain ints, in the order of the ids.

    >>> from labkit.automata import decimal_fsm
    >>> allowed_tokens(decimal_fsm(), 0, ["a", ".", ".2", "1", None])
    {1: 2, 2: 3, 3: 1}
    """
    raise NotImplementedError("lab 03, TODO 2 (about 2 lines): each allowed token with the state after it")


def states_to_vocab(fsm: Fsm, texts: Sequence[str | None]) -> Table:
    """Return the table, which has a row for each state (see ``allowed_tokens``), even where a row is empty. Given.

    >>> from labkit.automata import decimal_fsm
    >>> table = states_to_vocab(decimal_fsm(), ["a", ".", ".2", "1"])
    >>> table[2], table[3]
    ({3: 3}, {3: 3})
    """
    return tuple(allowed_tokens(fsm, state, texts) for state in range(len(fsm)))


def build_trie(texts: Sequence[str | None]) -> Trie:
    """Put the vocabulary into a trie, in which tokens share the nodes of their common prefix.

    Args:
        texts: the text of each token id. Leave out tokens without text. If two ids have the same text, keep both. As a
            text may be long, use loops here too.

    Returns:
        The trie, with one node for each distinct prefix of a token. The empty prefix is the root, node 0; number the
        others as you like. The ids at a node ascend.

    >>> trie = build_trie(["a", ".", ".2", "1", None, "."])
    >>> trie.children
    [{'a': 1, '.': 2, '1': 4}, {}, {'2': 3}, {}, {}]
    >>> trie.ids
    [[], [0], [1, 5], [2], [3]]
    """
    raise NotImplementedError("lab 03, TODO 3 (about 10 lines): insert each text from the root, a character at a time")


def walk_trie(fsm: Fsm, state: int, trie: Trie) -> dict[int, int]:
    """Return the row of a state, by walking down the trie and through the automaton at the same time.

    If a character has no transition, all tokens below it are dead, so don't go there: that's where you save the work.
    Don't use recursion, because a token may be longer than Python's stack is deep.

    Returns:
        ``{token_id: next_state}``, plain ints, in any order.

    >>> from labkit.automata import decimal_fsm
    >>> found = walk_trie(decimal_fsm(), 0, build_trie(["a", ".", ".2", "1", None]))
    >>> sorted(found.items())
    [(1, 2), (2, 3), (3, 1)]
    """
    raise NotImplementedError("lab 03, TODO 4 (about 11 lines): walk trie and automaton together")


def lift(fsm: Fsm, trie: Trie) -> Table:
    """Return the same table as ``states_to_vocab``, but get each row from ``walk_trie``. Given.

    The trie is an argument because it depends on the vocabulary alone, so an engine builds it once for all patterns.

    >>> from labkit.automata import decimal_fsm
    >>> texts = ["a", ".", ".2", "1"]
    >>> lift(decimal_fsm(), build_trie(texts)) == states_to_vocab(decimal_fsm(), texts)
    True
    """
    return tuple(walk_trie(fsm, state, trie) for state in range(len(fsm)))


def row_mask(row: Mapping[int, int], vocab_size: int) -> NDArray[np.bool_]:
    """Return a row of the table as a mask, ``bool[V]``. Given.

    >>> row_mask({1: 2, 3: 1}, 4).tolist()
    [False, True, False, True]
    """
    mask = np.zeros(vocab_size, dtype=np.bool_)
    mask[list(row)] = True
    return mask


def generate(model: Model, table: Table, initial: int, us: Sequence[float]) -> list[int]:
    """Generate one token for each u. It's lab 02's loop, but it looks up rows, and never reads any text.

    If a row is empty, stop early, before you ask the model.

    Args:
        model: call it once for each token you emit, with the list of ids so far; it returns logits, ``float[V]``.
        table: see ``states_to_vocab``.
        initial: the state to start in, because a table doesn't say where to begin.
        us: the numbers to sample with, each in [0, 1), in a list, a tuple or an array. (Ask an array for its length:
            ``if us`` is an error.)

    Returns:
        The token ids, at most ``len(us)`` of them.

    >>> from labkit.automata import decimal_fsm
    >>> from labkit.models import uniform
    >>> texts = ["a", ".", ".2", "1"]
    >>> ids = generate(uniform(4), states_to_vocab(decimal_fsm(), texts), 0, [0.9, 0.1, 0.9])
    >>> [texts[i] for i in ids]
    ['1', '.', '1']
    """
    raise NotImplementedError("lab 03, TODO 5 (about 10 lines): look up the row, sample, look up the next state")
