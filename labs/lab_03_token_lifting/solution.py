"""Lab 03: lift an automaton from characters to tokens, for all states, before generation starts.

A step of generation then looks up its mask. The walk over the vocabulary happens when the pattern is
compiled, and a trie walks a prefix that several tokens share only once. Bytes (lab 07) and the end of a
text (lab 04) are left out.
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
    """Return the states that a token traverses.

    Args:
        token: the text of a token.

    Returns:
        ``state``, then the state after each character: ``len(token) + 1`` states; or None if any character
        has no transition.

    >>> from labkit.automata import decimal_fsm
    >>> partial_match(decimal_fsm(), 0, ".21"), partial_match(decimal_fsm(), 0, ".21a")
    ((0, 2, 3, 3), None)
    """
    # begin TODO
    states = [state]
    for char in token:
        target = fsm.transitions[states[-1]].get(char)
        # subtle: compare with None, because state 0 is false
        if target is None:
            return None
        states.append(target)
    return tuple(states)
    # end TODO


def allowed_tokens(fsm: Fsm, state: int, texts: Sequence[str | None]) -> dict[int, int]:
    """Return the tokens that may come next, each with the state after it.

    Args:
        texts: the text of each token id; a token without text (None, or the empty string) is never allowed.

    Returns:
        ``{token_id: next_state}``, in the order of the ids.

    >>> from labkit.automata import decimal_fsm
    >>> allowed_tokens(decimal_fsm(), 0, ["a", ".", ".2", "1", None])
    {1: 2, 2: 3, 3: 1}
    """
    # begin TODO
    # subtle: number all texts, also those that are skipped, so that the ids stay right
    matches = ((token_id, partial_match(fsm, state, text)) for token_id, text in enumerate(texts) if text)
    return {token_id: states[-1] for token_id, states in matches if states is not None}
    # end TODO


def states_to_vocab(fsm: Fsm, texts: Sequence[str | None]) -> Table:
    """Return the table of all states: which tokens are allowed in each, and where they lead.

    Row s belongs to state s. A state that allows nothing has an empty row.

    >>> from labkit.automata import decimal_fsm
    >>> table = states_to_vocab(decimal_fsm(), ["a", ".", ".2", "1"])
    >>> table[2], table[3]
    ({3: 3}, {3: 3})
    """
    # begin TODO
    return tuple(allowed_tokens(fsm, state, texts) for state in range(len(fsm)))
    # end TODO


def build_trie(texts: Sequence[str | None]) -> Trie:
    """Put the vocabulary into a trie, in which tokens share the nodes of their common prefix.

    Args:
        texts: the text of each token id; a token without text is left out. Two ids may have one text.

    Returns:
        The trie: one node for each distinct prefix of a token, the empty one (the root, node 0) included.
        The numbers of the other nodes do not matter; the ids at a node ascend.

    >>> trie = build_trie(["a", ".", ".2", "1", None, "."])
    >>> trie.children
    [{'a': 1, '.': 2, '1': 4}, {}, {'2': 3}, {}, {}]
    >>> trie.ids
    [[], [0], [1, 5], [2], [3]]
    """
    # begin TODO
    trie = Trie()
    for token_id, text in enumerate(texts):
        # go down from the root, and create the nodes that are missing
        node = 0
        for char in text or "":
            if char not in trie.children[node]:
                trie.children[node][char] = trie.add_node()
            node = trie.children[node][char]
        # subtle: the id belongs to the node where its text ends, and no text ends at the root
        if text:
            trie.ids[node].append(token_id)
    return trie
    # end TODO


def walk_trie(fsm: Fsm, state: int, trie: Trie) -> dict[int, int]:
    """Return the row of a state, by one walk down the trie and through the automaton at the same time.

    A character without a transition ends the walk for all tokens below it. Do not use recursion: a token
    may be longer than Python's stack is deep.

    Returns:
        ``{token_id: next_state}``, in any order.

    >>> from labkit.automata import decimal_fsm
    >>> found = walk_trie(decimal_fsm(), 0, build_trie(["a", ".", ".2", "1", None]))
    >>> sorted(found.items())
    [(1, 2), (2, 3), (3, 1)]
    """
    # begin TODO
    found: dict[int, int] = {}
    # each place still to be visited is a node with the state that the automaton has there
    waiting = [(0, state)]
    while waiting:
        node, here = waiting.pop()
        for token_id in trie.ids[node]:
            found[token_id] = here
        # subtle: a dead character skips its whole branch, but not its siblings
        row = fsm.transitions[here]
        for char, below in trie.children[node].items():
            if char in row:
                waiting.append((below, row[char]))
    return found
    # end TODO


def lift(fsm: Fsm, trie: Trie) -> Table:
    """Return the table of ``states_to_vocab``, from a trie that was built before.

    >>> from labkit.automata import decimal_fsm
    >>> texts = ["a", ".", ".2", "1"]
    >>> lift(decimal_fsm(), build_trie(texts)) == states_to_vocab(decimal_fsm(), texts)
    True
    """
    # begin TODO
    return tuple(walk_trie(fsm, state, trie) for state in range(len(fsm)))
    # end TODO


def row_mask(row: Mapping[int, int], vocab_size: int) -> NDArray[np.bool_]:
    """Return a row of the table as a mask, ``bool[V]``. Given.

    >>> row_mask({1: 2, 3: 1}, 4).tolist()
    [False, True, False, True]
    """
    mask = np.zeros(vocab_size, dtype=np.bool_)
    mask[list(row)] = True
    return mask


def generate(model: Model, table: Table, initial: int, us: Sequence[float]) -> list[int]:
    """Generate one token for each u by looking up rows, without walking any text.

    Generation ends early, before the model is asked, where no token is allowed.

    Args:
        model: called once for each token emitted, with the list of ids so far; returns logits ``float[V]``.
        table: see ``states_to_vocab``.
        initial: the state to start in.
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
    # begin TODO
    ids: list[int] = []
    state = initial
    for u in us:
        row = table[state]
        # nothing may follow: stop before the model is asked
        if not row:
            break
        logits = model(ids)
        ids.append(sample(softmax(apply_mask(logits, row_mask(row, len(logits)))), u))
        # the row that gave the mask also gives the next state
        state = row[ids[-1]]
    return ids
    # end TODO
