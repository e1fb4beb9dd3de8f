"""Lab 03: lift an automaton over characters to tokens, for all states, once and for all.

A step of generation then looks its mask up. The walk over the vocabulary has moved to the time when the
pattern is compiled, and a trie lets tokens that begin alike be walked together. What this leaves out:
bytes (lab 07), and when to stop (lab 04).
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Fsm
from labkit.automata.tries import Trie
from labkit.models import Model
from labs.lab_01_naive_matching.solution import apply_mask, sample, softmax

Table = tuple[Mapping[int, int], ...]
"""``table[state][token_id]`` is the state after that token; a token that is not allowed has no entry."""


def partial_match(fsm: Fsm, state: int, token: str) -> tuple[int, ...] | None:
    """The states that a token traverses.

    Args:
        token: the text of a token.

    Returns:
        ``state`` first and then the state after each character, so ``len(token) + 1`` states; or None
        if the automaton dies on the way.

    >>> from labkit.automata import decimal_fsm
    >>> partial_match(decimal_fsm(), 0, ".21"), partial_match(decimal_fsm(), 0, ".21a")
    ((0, 2, 3, 3), None)
    """
    # begin TODO 1
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        if target is None:
            return None
        states.append(target)
    return tuple(states)
    # end TODO 1


def allowed_tokens(fsm: Fsm, state: int, texts: Sequence[str | None]) -> dict[int, int]:
    """The tokens that may come next, each with the state after it.

    Args:
        texts: the text of each token id; a token without text (None, or the empty string) is never allowed.

    Returns:
        ``{token_id: next_state}``, in the order of the ids.

    >>> from labkit.automata import decimal_fsm
    >>> allowed_tokens(decimal_fsm(), 0, ["a", ".", ".2", "1", None])
    {1: 2, 2: 3, 3: 1}
    """
    # begin TODO 2
    matches = ((token_id, partial_match(fsm, state, text)) for token_id, text in enumerate(texts) if text)
    return {token_id: states[-1] for token_id, states in matches if states is not None}
    # end TODO 2


def states_to_vocab(fsm: Fsm, texts: Sequence[str | None]) -> Table:
    """The table for all states: which tokens are allowed in each, and where they lead.

    >>> from labkit.automata import decimal_fsm
    >>> table = states_to_vocab(decimal_fsm(), ["a", ".", ".2", "1"])
    >>> table[2], table[3]
    ({3: 3}, {3: 3})
    """
    # begin TODO 3
    return tuple(allowed_tokens(fsm, state, texts) for state in range(len(fsm)))
    # end TODO 3


def build_trie(texts: Sequence[str | None]) -> Trie:
    """Put the vocabulary into a trie: tokens that begin alike share a path from the root.

    Args:
        texts: the text of each token id; a token without text is left out. Two ids may have one text.

    Returns:
        The trie: one node for each distinct beginning of a token, the empty one (the root, node 0) included.

    >>> trie = build_trie(["a", ".", ".2", "1", None, "."])
    >>> trie.children
    [{'a': 1, '.': 2, '1': 4}, {}, {'2': 3}, {}, {}]
    >>> trie.ids
    [[], [0], [1, 5], [2], [3]]
    """
    # begin TODO 4
    trie = Trie()
    for token_id, text in enumerate(texts):
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        if text:
            trie.ids[node].append(token_id)
    return trie
    # end TODO 4


def walk_trie(fsm: Fsm, state: int, trie: Trie) -> dict[int, int]:
    """``allowed_tokens`` by one walk: down the trie and through the automaton at the same time.

    A character without a transition ends the walk for every token below it at once. No recursion: a token
    may be longer than Python's stack is deep.

    Returns:
        ``{token_id: next_state}``, in any order.

    >>> from labkit.automata import decimal_fsm
    >>> found = walk_trie(decimal_fsm(), 0, build_trie(["a", ".", ".2", "1", None]))
    >>> sorted(found.items())
    [(1, 2), (2, 3), (3, 1)]
    """
    # begin TODO 5
    found: dict[int, int] = {}
    waiting = [(0, state)]
    while waiting:
        node, here = waiting.pop()
        for token_id in trie.ids[node]:
            found[token_id] = here
        row = fsm.transitions[here]
        for char, below in trie.children[node].items():
            if char in row:
                waiting.append((below, row[char]))
    return found
    # end TODO 5


def lift(fsm: Fsm, trie: Trie) -> Table:
    """The table of ``states_to_vocab``, from a trie that is ready.

    >>> from labkit.automata import decimal_fsm
    >>> texts = ["a", ".", ".2", "1"]
    >>> lift(decimal_fsm(), build_trie(texts)) == states_to_vocab(decimal_fsm(), texts)
    True
    """
    # begin TODO 6
    return tuple(walk_trie(fsm, state, trie) for state in range(len(fsm)))
    # end TODO 6


def row_mask(row: Mapping[int, int], vocab_size: int) -> NDArray[np.bool_]:
    """Given: a row of the table as a mask, ``bool[V]``.

    >>> row_mask({1: 2, 3: 1}, 4).tolist()
    [False, True, False, True]
    """
    mask = np.zeros(vocab_size, dtype=np.bool_)
    mask[list(row)] = True
    return mask


def generate(model: Model, table: Table, initial: int, us: Sequence[float]) -> list[int]:
    """Generation by look-up: one token for each u, and no walk over any text.

    Ends early, before the model is asked, where no token may follow.

    Args:
        model: called once for each token emitted, with the list of ids so far; returns logits ``float[V]``.
        table: see ``states_to_vocab``.
        initial: the state to begin in.
        us: the numbers to sample with, each in [0, 1).

    Returns:
        The token ids, at most ``len(us)`` of them.

    >>> from labkit.automata import decimal_fsm
    >>> from labkit.models import uniform
    >>> texts = ["a", ".", ".2", "1"]
    >>> ids = generate(uniform(4), states_to_vocab(decimal_fsm(), texts), 0, [0.9, 0.1, 0.9])
    >>> [texts[i] for i in ids]
    ['1', '.', '1']
    """
    # begin TODO 7
    ids: list[int] = []
    state = initial
    for u in us:
        row = table[state]
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        state = row[ids[-1]]
    return ids
    # end TODO 7
