"""Lab 07: from an automaton over characters and a real vocabulary to packed masks.

The automaton is turned into one over bytes, the vocabulary into a trie over bytes, and the trie is walked level by
level for all states at once. A token is a function from states to states, and most tokens are the same function:
131,072 tokens are a few dozen functions, and a mask looks up which of them are alive. Not here: JSON Schema (lab 08),
and a cache of compiled automata (lab 09).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import NO_NODE, ByteTrie, chosen
from labkit.automata.dfa import BYTES, DEAD, Dfa
from labkit.automata.ranges import ranges
from labkit.automata.transitions import Lifted, Transitions
from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given.groups import IDENTITY, NOWHERE, UNKNOWN, Groups
from labs.lab_07_bytes_and_vocabularies.given.token_states import TokenStates
from labs.lab_07_bytes_and_vocabularies.given.trees import with_kept_tree

ByteRange = tuple[int, int]
"""A first and a last byte, both included."""

Utf8Tree = dict[ByteRange, Any]
"""For each range of bytes that may come next in a character: the tree below it, or the class (an int) of the character
that it completes."""

ENCODED_ALIKE = ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF))
"""The code points with encodings of one length: one byte, two, three (without the surrogates in the middle), four."""


# From characters to bytes -------------------------------------------------------------------------------


def end_of_run(start: int, end: int) -> int:
    """Return the last code point of the first run: how far a range is one sequence of byte ranges in UTF-8.

    Continuation bytes, 80 to BF, hold six bits each. Where a byte takes several values, every byte after it must take
    all of 80 to BF. So a run consists of single code points within one block of 64, or of whole blocks of 64 within
    one block of 64 * 64, and so on.

    Args:
        start, end: a range of code points whose encodings have the same number of bytes.

    Returns:
        The last code point of the longest such run from ``start`` on, at most ``end``.

    >>> hex(end_of_run(0xE9, 0x17F)), hex(end_of_run(0x100, 0x17F)), hex(end_of_run(0x800, 0xD7FF))
    ('0xff', '0x17f', '0xfff')
    """
    # begin TODO 1
    if end < 0x80:  # ASCII has no continuation bytes, and so no blocks
        return end
    # The largest blocks that begin at start and fit: 1, 64, 64 * 64 or 64 * 64 * 64 code points.
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    # subtle: the run also ends where the next larger block ends, since there the byte before changes.
    last_of_parent = start | (size * 64 - 1)
    return min(last_of_parent, start + (end - start + 1) // size * size - 1)
    # end TODO 1


def utf8_sequences(first: int, last: int) -> list[tuple[ByteRange, ...]]:
    """Return the UTF-8 encodings of a range of code points, as sequences of byte ranges.

    A sequence stands for every choice of one byte from each of its ranges. Source: Ken Thompson's grep; in Rust's
    regex it is ``Utf8Sequences``.

    Args:
        first, last: the range, both ends included. Surrogates have no encoding and are left out.

    Returns:
        A list of tuples of 1 to 4 pairs ``(first byte, last byte)``, ascending; each encoding is in exactly one.

    >>> utf8_sequences(0x41, 0x5A)
    [((65, 90),)]
    >>> [[f"{a:02X}-{b:02X}" for a, b in sequence] for sequence in utf8_sequences(0xE9, 0x17F)]
    [['C3-C3', 'A9-BF'], ['C4-C5', '80-BF']]
    """
    # begin TODO 2
    sequences = []
    for low, high in ENCODED_ALIKE:
        if first > high or last < low:
            continue
        # The part of the range that has encodings of this length, run by run.
        start, end = max(first, low), min(last, high)
        while start <= end:
            stop = end_of_run(start, end)
            # subtle: only in a run do the two ends, byte by byte, say what lies between them.
            sequences.append(tuple(zip(chr(start).encode(), chr(stop).encode(), strict=True)))
            start = stop + 1
    return sequences
    # end TODO 2


def utf8_tree(dfa: Dfa) -> Utf8Tree:
    """Return the encodings of all characters that an automaton knows, as a tree: which byte may follow which.

    Sequences that begin with the same range share its subtree. Different ranges of a node never overlap: a range of
    several bytes before the last place stands for whole blocks, so it holds every character that begins with them.

    Returns:
        For each range of bytes the tree below it, or the class of the character that it completes.

    The automaton of ``[a-zé]``; é is C3 A9:

    >>> dfa = Dfa([0, 97, 123, 0xE9, 0xEA], [-1, 0, -1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
    >>> utf8_tree(dfa)
    {(97, 122): 0, (195, 195): {(169, 169): 0}}
    """
    # begin TODO 3
    tree: Utf8Tree = {}
    for symbol_class, code_points in enumerate(dfa.class_ranges):
        for first, last in code_points:
            for *before, end in utf8_sequences(first, last):
                # Go down from the root; the last byte range holds the class.
                node = tree
                for byte_range in before:
                    node = node.setdefault(byte_range, {})  # subtle: keep a subtree that another sequence has begun
                node[end] = symbol_class
    return tree
    # end TODO 3


def byte_dfa(dfa: Dfa) -> ByteDfa:
    """Turn an automaton over characters into one over bytes.

    Equal subtrees become one node: in most automata the same bytes may follow E4 and E5.

    Args:
        dfa: an automaton over code points.

    Returns:
        The automaton, with as few nodes as possible. Its state ``s + S * n`` is character state s at node n of the
        tree, so its states 0 to S - 1 are those of ``dfa``.

    The automaton of ``[a-zé]``, two character states and two nodes:

    >>> dfa = Dfa([0, 97, 123, 0xE9, 0xEA], [-1, 0, -1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
    >>> automaton = byte_dfa(dfa)
    >>> automaton.step(0, 97), automaton.step(0, 0xC3), automaton.step(2, 0xA9), automaton.step(2, 97)
    (1, 2, 1, -1)
    """
    # begin TODO 4
    numbers: dict[bytes, int] = {}  # from a row of 256 steps to the number of its node: equal rows are one node

    def row_of(tree: Utf8Tree) -> bytes:
        row = np.zeros(BYTES, np.int32)
        for (first, last), below in tree.items():
            leaf = isinstance(below, int)
            # subtle: row_of(below) comes first, and may number other nodes before len(numbers) is asked for.
            row[first : last + 1] = -1 - below if leaf else numbers.setdefault(row_of(below), len(numbers) + 1)
        return row.tobytes()

    rows = [row_of(utf8_tree(dfa)), *numbers]
    return ByteDfa(dfa, np.frombuffer(b"".join(rows), np.int32).reshape(-1, BYTES))
    # end TODO 4


# From a vocabulary to a trie ----------------------------------------------------------------------------


def build_byte_trie(token_bytes: Sequence[bytes | None]) -> ByteTrie:
    """Put the tokens into a trie over their bytes, all tokens at once, level by level.

    Args:
        token_bytes: the bytes of each token; None, or no bytes, for a token that is never text.

    Returns:
        The trie. A token that is never text ends at no node (-1); tokens with the same bytes end at the same node.

    >>> trie = build_byte_trie([b"b", b"ab", None, b"b", b""])
    >>> trie.parent.tolist(), trie.byte.tolist(), trie.node_of_token.tolist()
    ([-1, 0, 0, 1], [0, 97, 98, 98], [2, 3, -1, 2, -1])
    """
    # begin TODO 5
    # All bytes in one array, and where each token begins in it.
    length = np.array([len(token or b"") for token in token_bytes], dtype=np.intp)
    text = np.frombuffer(b"".join(token or b"" for token in token_bytes), np.uint8)
    start = np.cumsum(length) - length
    # Every token with bytes begins at the root; the root's own key gives parent -1 and byte 0.
    node = np.where(length > 0, 0, NO_NODE)
    keys, n_nodes = [np.array([NO_NODE * BYTES])], 1
    here = np.flatnonzero(length > 0)
    while len(here):
        depth = len(keys) - 1
        # One step for all tokens that have a byte left: equal pairs of node and byte lead to one new node.
        level, inverse = np.unique(node[here] * BYTES + text[start[here] + depth], return_inverse=True)
        node[here] = n_nodes + inverse
        keys.append(level)
        n_nodes += len(level)  # subtle: after the line above, which numbers the level from the old count
        here = here[length[here] > depth + 1]
    parent, byte = np.divmod(np.concatenate(keys), BYTES)
    return ByteTrie(parent, byte, node)
    # end TODO 5


# Lifting ------------------------------------------------------------------------------------------------


def follow(
    automaton: ByteDfa, transitions: Transitions, functions: NDArray[np.intp], byte_classes: NDArray[np.intp]
) -> Transitions:
    """Extend functions by one byte each: from the target of every transition the automaton takes one step.

    Args:
        transitions: the functions, G of them.
        functions: ``intp[F]``: which of them to take, in any order, each any number of times.
        byte_classes: ``intp[F]``: the class of the byte that follows each.

    Returns:
        F functions, in the order of ``functions``. A transition whose step is dead is left out, so a function may have
        none; ``first`` has F + 1 entries all the same.

    >>> a = Dfa([0, 97, 98], [-1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
    >>> automaton, both = byte_dfa(a), Transitions([0, 2], [0, 1], [0, 1])
    >>> after = follow(automaton, both, np.array([0, 0]), automaton.byte_classes[[97, 98]])
    >>> after.first.tolist(), after.sources.tolist(), after.targets.tolist()
    ([0, 1, 1], [0], [1])
    """
    # begin TODO 6
    # The transitions of all wanted functions in one row, and which of the F functions each belongs to.
    counts = transitions.first[functions + 1] - transitions.first[functions]
    picked = ranges(transitions.first[functions], counts)
    owner = np.repeat(np.arange(len(functions)), counts)
    # One step for all of them; dead ones go.
    targets = automaton.successors(transitions.targets[picked], byte_classes[owner])
    alive = np.flatnonzero(targets != DEAD)
    # subtle: owners ascend, so searchsorted counts the transitions before each function, also before an empty one.
    first = np.searchsorted(owner[alive], np.arange(len(functions) + 1))
    return Transitions(first, transitions.sources[picked[alive]], targets[alive])
    # end TODO 6


def fresh_keys(after: NDArray[np.intp], keys: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the steps to take now: those that are asked for and not known yet.

    Args:
        after: ``intp[K]``: what is known; ``UNKNOWN`` (-1) where nothing is. It stays as it is.
        keys: ``intp[n]``: places in ``after``, in any order, many of them repeated.

    Returns:
        ``intp``: the distinct keys at which ``after`` is unknown, ascending.

    >>> fresh_keys(np.array([0, -1, 5, -1, -1]), np.array([3, 2, 3, 0, 1, 3])).tolist()
    [1, 3]
    """
    # begin TODO 7
    # A flag for each place: raising it twice changes nothing, and flags need no sorting.
    asked = np.zeros(len(after), bool)
    asked[keys] = True
    return np.flatnonzero(asked & (after == UNKNOWN))
    # end TODO 7


def lift(trie: ByteTrie, automaton: ByteDfa, states: Sequence[int] | NDArray[np.intp]) -> Lifted:
    """Lift the tokens of a vocabulary: return each as a function from some states of an automaton to its states.

    Walk down the trie, all nodes of a level at once. Each node has a group, the number of the function of its bytes. It
    depends on nothing but the parent's group and the class of the last byte, so a pair of these that has been seen
    before needs no new step. Nodes below one that is dead in every state are dead too and are not visited.

    Args:
        states: the states to start from, ascending; at least one.

    Returns:
        For each token the group of its node (0 if it has none), and the functions.

    >>> a_plus = Dfa([0, 97, 98], [-1, 0, -1], [[1], [1]], initial=0, accepting=[False, True])
    >>> lifted = lift(build_byte_trie([b"a", b"b", b"aa", b"aaa", b"aab"]), byte_dfa(a_plus), [0, 1])
    >>> lifted.groups.tolist(), lifted.transitions.sources[2:].tolist(), lifted.transitions.targets[2:].tolist()
    ([2, 0, 2, 2, 0], [0, 1], [1, 1])
    """
    # begin TODO 8
    groups = Groups(states, automaton.n_byte_classes)
    group = np.zeros(len(trie) + 1, np.intp)  # NOWHERE; the last entry is that of tokens without a node
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        # A child's function is named by its parent's group and the class of its byte.
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * automaton.n_byte_classes + automaton.byte_classes.take(trie.byte[nodes])
        below = groups.after.take(keys)
        if below.min(initial=NOWHERE) == UNKNOWN:
            # Take each unknown step once, number the functions that come out, and note them.
            fresh = fresh_keys(groups.after, keys)
            parents, byte_classes = np.divmod(fresh, automaton.n_byte_classes)
            # subtle: Python evaluates the right side first, so groups.after is the longer array that add has made.
            groups.after[fresh] = groups.add(follow(automaton, groups.transitions, parents, byte_classes))
            below = groups.after.take(keys)
        group[nodes] = below
        live = chosen(nodes, below != NOWHERE)
    return Lifted(group[trie.node_of_token], groups.transitions)
    # end TODO 8


# Masks --------------------------------------------------------------------------------------------------


def pack_mask(allowed: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Pack a mask into words of 32 tokens, as engines and kernels take it.

    Args:
        allowed: ``bool[V]``.

    Returns:
        ``int32[ceil(V / 32)]``: bit t % 32 of word t // 32 is token t, bit 0 the lowest. The bits after the last
        token are 0. Token 31 is the sign bit of its word.

    >>> pack_mask(np.array([True, False, True])).tolist(), pack_mask(np.arange(40) >= 31).tolist()
    ([5], [-2147483648, 255])
    """
    # begin TODO 9
    # Fill the words byte by byte, both in little-endian order; the bytes after the mask stay 0.
    words = np.zeros(-(-len(allowed) // 32), "<i4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32, copy=False)
    # end TODO 9


def mask_row(eos_id: int, lifted: Lifted, alive: NDArray[np.bool_], accepting: bool) -> NDArray[np.int32]:
    """Return the packed mask of a state.

    Args:
        eos_id: the id of EOS.
        lifted: the tokens' functions.
        alive: ``bool[G]``: which functions are alive in the state.
        accepting: whether the state accepts, so that EOS may follow.

    Returns:
        ``int32[ceil(V / 32)]``: the tokens whose function is alive, and EOS if and only if the state accepts.

    >>> lifted = Lifted([0, 1, 2, 1, 0], Transitions([0, 0, 2, 3], [5, 7, 5], [6, 7, 5]))
    >>> mask_row(4, lifted, lifted.alive_from(7), accepting=True).tolist()
    [26]
    """
    # begin TODO 10
    allowed = np.zeros(len(lifted.groups), bool)
    allowed[lifted.live_tokens] = alive[lifted.groups[lifted.live_tokens]]
    allowed[eos_id] = accepting  # subtle: assigned, whatever the group of EOS says
    return pack_mask(allowed)
    # end TODO 10


# Vocabulary and automaton together ------------------------------------------------------------------------


def text_bytes(vocabulary: Vocabulary) -> tuple[bytes | None, ...]:
    r"""Return the bytes of each token that is text.

    The bytes are those that the vocabulary has. Decoding a single id would break characters that two tokens share, and
    drop the space at the start of a SentencePiece token.

    Returns:
        A tuple with one entry for each id: None for a special token, whose bytes are a name, and for a token without
        bytes, which a model could emit forever.

    >>> text_bytes(Vocabulary([b"hi", b"\xe2\x82", b"", b"</s>"], eos_id=3))
    (b'hi', b'\xe2\x82', None, None)
    """
    # begin TODO 11
    special = vocabulary.special_ids
    tokens = enumerate(vocabulary.token_bytes)
    return tuple(None if token_id in special or not token else token for token_id, token in tokens)
    # end TODO 11


class TokenVocabularyIndex:
    """Given: a vocabulary made ready for lifting, once for all patterns.

    Args:
        vocabulary: ids to bytes, special ids, EOS.

    >>> index = TokenVocabularyIndex(Vocabulary.toy())
    >>> index.token_bytes, len(index), index.eos_id, len(index.trie)
    ((b'a', b'.', b'.2', b'1', None), 5, 4, 5)
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.token_bytes = text_bytes(vocabulary)
        self.eos_id = vocabulary.eos_id
        self.trie = build_byte_trie(self.token_bytes)

    def __len__(self) -> int:
        """Return the number of token ids, special ones included: V."""
        return len(self.token_bytes)


def next_state(lifted: Lifted, state: int, token_id: int) -> int:
    """Return the state after a token, from a state that was lifted.

    Raises:
        TokenNotAllowed: if the token is dead in the state, or the id is not in 0 to V - 1. EOS is always dead.

    >>> lifted = Lifted([0, 1, 2, 1, 0], Transitions([0, 0, 2, 3], [5, 7, 5], [6, 7, 5]))
    >>> next_state(lifted, 5, 3)
    6
    >>> next_state(lifted, 7, 2)
    Traceback (most recent call last):
    labkit.errors.TokenNotAllowed: token 2 is not allowed in state 7
    """
    # begin TODO 12
    known = 0 <= token_id < len(lifted.groups)  # subtle: Python would take -1 for the last token
    target = lifted.target(state, token_id) if known else DEAD
    if target == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return target
    # end TODO 12


class TokenFSM(TokenStates):
    """Given: an automaton over tokens. Your functions make its masks; its base class decides when, and keeps them.

    Args:
        dfa: an automaton over code points.
        index: the vocabulary, made ready.

    States are numbers. Those at whole characters are the states of ``dfa``; the others are in the middle of a
    character, where some token ends. -1 is the dead state: its mask is empty.

    >>> index = TokenVocabularyIndex(Vocabulary([b"0", b"x", b"0x", b"1f", b"</s>"], eos_id=4))
    >>> fsm = TokenFSM(compile_dfa("0x[0-9a-f]+"), index)
    >>> fsm.allowed_tokens(fsm.initial_state)
    {0, 2}
    >>> state = fsm.next_state(fsm.next_state(fsm.initial_state, 2), 3)
    >>> fsm.allowed_tokens(state), fsm.is_terminal(state), fsm.mask(state).tolist()
    ({0, 3}, True, [25])
    """

    def __init__(self, dfa: Dfa, index: TokenVocabularyIndex) -> None:
        super().__init__(index.trie, with_kept_tree(dfa, byte_dfa))
        self._eos_id = index.eos_id

    def _lift(self, states: NDArray[np.intp]) -> Lifted:
        return lift(self._trie, self._automaton, states)

    def _pack(self, lifted: Lifted, alive: NDArray[np.bool_], accepting: bool) -> NDArray[np.int32]:
        return mask_row(self._eos_id, lifted, alive, accepting)

    def allowed_tokens(self, state: int) -> set[int]:
        """Return the ids of the tokens that may come next, without EOS.

        >>> TokenFSM(compile_dfa("1|a1"), TokenVocabularyIndex(Vocabulary.toy())).allowed_tokens(0)
        {0, 3}
        """
        octets = self.mask(state).astype("<i4", copy=False).view(np.uint8)
        return set(np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()) - {self._eos_id}

    def next_state(self, state: int, token_id: int) -> int:
        """Return the state after a token; raise ``TokenNotAllowed`` where it is not allowed.

        >>> TokenFSM(compile_dfa("1*"), TokenVocabularyIndex(Vocabulary.toy())).next_state(0, 3)
        0
        """
        return next_state(self._block_of(state), state, token_id)


def compile_token_fsm(pattern: str, index: TokenVocabularyIndex) -> TokenFSM:
    """Compile a pattern to an automaton over tokens. Nothing is kept for the next call: a cache is lab 09's.

    >>> fsm = compile_token_fsm("[ab]|1", TokenVocabularyIndex(Vocabulary.toy()))
    >>> fsm.allowed_tokens(fsm.initial_state)
    {0, 3}
    """
    # begin TODO 13
    return TokenFSM(compile_dfa(pattern), index)
    # end TODO 13
