"""Lab 07: from an automaton and a real vocabulary to packed masks.

You begin with a mask that tries every token. Then the automaton learns to read bytes, so that a token may end in the
middle of a letter. After that come three ideas that make masks fast. For one state, you walk down a trie of all tokens,
a level at a time. Inside a string, where nearly every token is alive, you look up most of the mask instead. And for all
states at once, a single walk is enough, because a token is a function from states to states, and most of the 131,072
tokens are the same few functions. JSON Schema comes in lab 08, and a cache of compiled automata in lab 09.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_dfa import ByteDfa
from labkit.automata.byte_tries import NO_NODE, ByteTrie, chosen
from labkit.automata.dfa import BYTES, DEAD, Dfa
from labkit.automata.ranges import ranges
from labkit.automata.transitions import Lifted
from labkit.errors import TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_07_bytes_and_vocabularies.given.functions import Functions, Level, Places, Stepping, Words
from labs.lab_07_bytes_and_vocabularies.given.groups import IDENTITY, NOWHERE, Groups
from labs.lab_07_bytes_and_vocabularies.given.on_demand.disk import trie_and_tables
from labs.lab_07_bytes_and_vocabularies.given.on_demand.fsm import TokenStates
from labs.lab_07_bytes_and_vocabularies.given.on_demand.rows import VocabularyRows
from labs.lab_07_bytes_and_vocabularies.given.on_demand.walker import CharacterStates

ByteRange = tuple[int, int]
"""A first and a last byte, both included."""

Utf8Tree = dict[ByteRange, Any]
"""For each range of bytes that may come next in a character: the tree below it, or the class (an int) of the character
that it completes."""

ENCODED_ALIKE = ((0, 0x7F), (0x80, 0x7FF), (0x800, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF))
"""The code points with encodings of one length: one byte, two, three (without the surrogates in the middle), four."""


# Try every token ----------------------------------------------------------------------------------------


def text_bytes(vocabulary: Vocabulary) -> tuple[bytes | None, ...]:
    r"""Given: return the bytes of each token that is text.

    They come from the vocabulary. Decoding a single id would break characters that two tokens share, and drop the space
    at the start of a SentencePiece token.

    Returns:
        A tuple with one entry for each id. It's None for a special token, whose bytes are only a name, and for a token
        without bytes, which a model could emit forever.

    >>> text_bytes(Vocabulary([b"hi", b"\xe2\x82", b"", b"</s>"], eos_id=3))
    (b'hi', b'\xe2\x82', None, None)
    """
    special = vocabulary.special_ids
    tokens = enumerate(vocabulary.token_bytes)
    return tuple(None if token_id in special or not token else token for token_id, token in tokens)


def ascii_dfa(pattern: str) -> ByteDfa:
    """Given: return the automaton of a pattern that reads nothing but ASCII; any byte beyond is dead.

    An ASCII character is a single byte, so lab 06's automaton has no more to learn. After the ``x`` of the first
    example comes a digit, and there's a state 2 for it; ``é`` is two bytes, and the first of them is dead already:

    >>> automaton = ascii_dfa("x[0-9é]")
    >>> automaton.step(automaton.step(0, ord("x")), ord("7")), automaton.step(1, "é".encode()[0])
    (2, -1)
    """
    dfa = compile_dfa(pattern)
    return ByteDfa(dfa, np.array([[-1 - dfa.class_of(byte) if byte < 128 else 0 for byte in range(BYTES)]]))


def next_state(automaton: Stepping, token_bytes: Sequence[bytes | None], state: int, token_id: int) -> int:
    """Follow a token byte by byte, and return the state after it.

    The model has chosen a token, and now the automaton has to catch up. In ``ab*``, the token ``abb`` takes it from
    state 0 to 1 with its first byte, and the other two leave it there.

    Args:
        automaton: over bytes; ``automaton.step(state, byte)`` is the next state, or ``DEAD``.
        token_bytes: the bytes of each token; None for one that is never text.

    Raises:
        TokenNotAllowed: if the token is dead in the state or isn't text, or if the id isn't in 0 to V - 1.

    >>> automaton = ascii_dfa("ab*")
    >>> next_state(automaton, (b"abb", b"ba", None), 0, 0)
    1
    >>> next_state(automaton, (b"abb", b"ba", None), 1, 1)
    Traceback (most recent call last):
    labkit.errors.TokenNotAllowed: token 1 is not allowed in state 1
    """
    # begin TODO
    # subtle: to Python, -1 is the last token.
    token = token_bytes[token_id] if 0 <= token_id < len(token_bytes) else None
    after = state if token else DEAD
    for byte in token or b"":
        after = automaton.step(after, byte)
    if after == DEAD:
        raise TokenNotAllowed(token_id, f"state {state}")
    return after
    # end TODO


def alive_tokens(automaton: Stepping, token_bytes: Sequence[bytes | None], state: int) -> list[int]:
    """Given: try every token with your ``next_state``, and return the ids of those that survive.

    >>> alive_tokens(ascii_dfa("0x[0-9a-f]+"), [b"0", b"x", b"0x1", b"00", None], 0)
    [0, 2]
    """
    # Tokens share most of their steps, and asking NumPy for a single one is slow: take each only once.
    once = SimpleNamespace(
        byte_classes=automaton.byte_classes, successors=automaton.successors, step=cache(automaton.step)
    )
    alive = []
    for token_id in range(len(token_bytes)):
        with suppress(TokenNotAllowed):
            next_state(once, token_bytes, state, token_id)
            alive.append(token_id)
    return alive


def pack_mask(allowed: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Given: pack a mask, ``bool[V]``, into words of 32 tokens, as engines and kernels take it.

    Returns:
        ``int32[ceil(V / 32)]``: bit t % 32 of word t // 32 is token t, and bit 0 is the lowest. The bits after the last
        token are 0. Token 31 is the sign bit of its word.

    >>> pack_mask(np.array([True, False, True])).tolist(), pack_mask(np.arange(40) >= 31).tolist()
    ([5], [-2147483648, 255])
    """
    # Fill the words byte by byte, both in little-endian order; the bytes after the mask stay 0.
    words = np.zeros(-(-len(allowed) // 32), "<i4")
    packed = np.packbits(allowed, bitorder="little")
    words.view(np.uint8)[: len(packed)] = packed
    return words.astype(np.int32, copy=False)


def mask_row(eos_id: int, row: Words, accepting: bool) -> Words:
    """Return the mask of a state: its tokens, and EOS if and only if the state accepts.

    Ignore what the row says about EOS, because states share rows, and only some of these states accept. Say that tokens
    1 and 3 are alive, and that EOS is token 4. Where the text may end, bits 1, 3 and 4 are set, which makes 26.
    Elsewhere it's 10.

    Args:
        row: the tokens that are alive, packed. Don't change it, since it's the row of other states as well.
        accepting: whether the state accepts, so that the text may end here.

    >>> mask_row(4, np.array([0b01010], np.int32), accepting=True).tolist()
    [26]
    """
    # begin TODO
    mask = row.copy()
    # Look at the words without signs, because EOS may be token 31 of its word.
    words, bit = mask.view(np.uint32), np.uint32(1 << eos_id % 32)
    words[eos_id // 32] &= ~bit  # subtle: only the state counts, whatever the row says about EOS
    if accepting:
        words[eos_id // 32] |= bit
    return mask
    # end TODO


# From characters to bytes -------------------------------------------------------------------------------


def end_of_run(start: int, end: int) -> int:
    """Return the last code point of the first run in a range. A run is as many code points as make one box of bytes.

    In a box, each position has a range of bytes, and every combination of them occurs. Take U+00E9 to U+017F. The range
    begins with é, C3 A9, and so does the first box. It goes up to ÿ, C3 BF. Why does it end there? The next character,
    Ā, is C4 80. If you took C4 into the box, and 80 with it, then C3 80 would be in it as well. That's À, and À isn't
    in the range.

    The second run has more room. Both C4 and C5 may be followed by all 64 continuation bytes, so one box holds all the
    rest, from U+0100 to U+017F.

    Args:
        start, end: a range of code points that all have the same number of bytes in UTF-8.

    Returns:
        The last code point of the longest run that begins at ``start``; at most ``end``.

    >>> hex(end_of_run(0xE9, 0x17F)), hex(end_of_run(0x100, 0x17F)), hex(end_of_run(0x800, 0xD7FF))
    ('0xff', '0x17f', '0xfff')
    """
    # begin TODO
    if end < 0x80:  # ASCII has no continuation bytes, so it has no blocks
        return end
    # Find the largest blocks that begin at start and fit: 1, 64, 64 * 64 or 64 * 64 * 64 code points.
    size = 1
    while start % (size * 64) == 0 and start + size * 64 - 1 <= end:
        size *= 64
    # subtle: the run also ends where the next larger block ends, because the byte before changes there.
    last_of_parent = start | (size * 64 - 1)
    return min(last_of_parent, start + (end - start + 1) // size * size - 1)
    # end TODO


def utf8_sequences(first: int, last: int) -> list[tuple[ByteRange, ...]]:
    """Given: return the UTF-8 encodings of a range of code points, as sequences of byte ranges: a box for each run.

    The idea is Ken Thompson's, for grep. For each length of encodings, and without the surrogates, it goes from run to
    run. A box is the range between the encodings of the run's two ends, byte by byte.

    Returns:
        A tuple for each run, ascending: 1 to 4 pairs ``(first byte, last byte)``.

    >>> [[f"{a:02X}-{b:02X}" for a, b in sequence] for sequence in utf8_sequences(0xE9, 0x17F)]
    [['C3-C3', 'A9-BF'], ['C4-C5', '80-BF']]
    """
    sequences = []
    for low, high in ENCODED_ALIKE:
        if first > high or last < low:
            continue
        start, end = max(first, low), min(last, high)
        while start <= end:
            stop = end_of_run(start, end)
            sequences.append(tuple(zip(chr(start).encode(), chr(stop).encode(), strict=True)))
            start = stop + 1
    return sequences


def utf8_tree(dfa: Dfa) -> Utf8Tree:
    """Given: return the encodings of all characters that an automaton knows, as a tree: which byte may follow which.

    Sequences that begin with the same range share its subtree. Two ranges at a node are either equal or don't overlap,
    because a run that spans several values of a byte contains every character that goes on from each of them.

    Returns:
        For each range of bytes the tree below it, or the class of the character that it completes.

    The automaton of ``[a-zé]``; é is C3 A9:

    >>> dfa = Dfa([0, 97, 123, 0xE9, 0xEA], [-1, 0, -1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
    >>> utf8_tree(dfa)
    {(97, 122): 0, (195, 195): {(169, 169): 0}}
    """
    tree: Utf8Tree = {}
    for symbol_class, code_points in enumerate(dfa.class_ranges):
        for first, last in code_points:
            for *before, end in utf8_sequences(first, last):
                # Go down from the root; the last byte range holds the class.
                node = tree
                for byte_range in before:
                    node = node.setdefault(byte_range, {})
                node[end] = symbol_class
    return tree


def byte_dfa(dfa: Dfa) -> ByteDfa:
    """Turn an automaton over characters into one over bytes.

    An é is C3 A9. After the C3 you're in the middle of a character, and have to remember that A9 must come next. That's
    what a node is for: it stands for the bytes of the character that you've read so far. If the same bytes may follow
    two prefixes with the same results, as after E4 and E5 in most automata, one node is enough for both.

    Args:
        dfa: an automaton over code points.

    Returns:
        The automaton, with as few nodes as possible. Its state ``s + S * n`` means character state s at node n of the
        tree. Node 0 is the root, where no character has begun, so states 0 to S - 1 are those of ``dfa``.

    The automaton of ``[a-zé]``, two character states and two nodes:

    >>> dfa = Dfa([0, 97, 123, 0xE9, 0xEA], [-1, 0, -1, 0, -1], [[1], [-1]], initial=0, accepting=[False, True])
    >>> automaton = byte_dfa(dfa)
    >>> automaton.step(0, 97), automaton.step(0, 0xC3), automaton.step(2, 0xA9), automaton.step(2, 97)
    (1, 2, 1, -1)
    """
    # begin TODO
    numbers: dict[bytes, int] = {}  # the number of the node that has these 256 steps

    def row_of(tree: Utf8Tree) -> bytes:
        row = np.zeros(BYTES, np.int32)
        for (first, last), below in tree.items():
            leaf = isinstance(below, int)
            # subtle: row_of(below) may number other nodes, and Python calls it before it asks for len(numbers).
            row[first : last + 1] = -1 - below if leaf else numbers.setdefault(row_of(below), len(numbers) + 1)
        return row.tobytes()

    rows = [row_of(utf8_tree(dfa)), *numbers]
    return ByteDfa(dfa, np.frombuffer(b"".join(rows), np.int32).reshape(-1, BYTES))
    # end TODO


# Down the trie ------------------------------------------------------------------------------------------


def build_byte_trie(token_bytes: Sequence[bytes | None]) -> ByteTrie:
    """Given: put the tokens into a trie over their bytes, all tokens at once, level by level.

    A loop over the tokens would take Python ten times as long. So in each turn, all tokens that have a byte left move
    down by one. Where to depends on the node they're at and their next byte, and equal pairs lead to one new node.

    Returns:
        The trie. Tokens with the same bytes end at the same node, and a token that is never text has no node (-1).

    >>> trie = build_byte_trie([b"b", b"ab", None, b"b", b""])
    >>> trie.parent.tolist(), trie.byte.tolist(), trie.node_of_token.tolist()
    ([-1, 0, 0, 1], [0, 97, 98, 98], [2, 3, -1, 2, -1])
    """
    # Put all bytes into one array, and note where each token begins in it.
    length = np.array([len(token or b"") for token in token_bytes], dtype=np.intp)
    text = np.frombuffer(b"".join(token or b"" for token in token_bytes), np.uint8)
    start = np.cumsum(length) - length
    # Every token with bytes begins at the root; the root's own key gives parent -1 and byte 0.
    node = np.where(length > 0, 0, NO_NODE)
    keys, n_nodes = [np.array([NO_NODE * BYTES])], 1
    here = np.flatnonzero(length > 0)
    while len(here):
        depth = len(keys) - 1
        level, inverse = np.unique(node[here] * BYTES + text[start[here] + depth], return_inverse=True)
        node[here] = n_nodes + inverse
        keys.append(level)
        n_nodes += len(level)
        here = here[length[here] > depth + 1]
    parent, byte = np.divmod(np.concatenate(keys), BYTES)
    return ByteTrie(parent, byte, node)


def walk(trie: ByteTrie, automaton: Stepping, nodes: Places, states: Places, few: int = 0) -> list[Level]:
    """Walk down the trie from some nodes of one level, a whole level at a time, and return the nodes that are alive.

    A node is alive if the automaton survives the bytes that lead there. Nothing below a dead node can be alive. If
    ``ba`` is dead, for example, then so are ``bar`` and ``bank``. So drop dead nodes at once, and you'll never look at
    most of the trie.

    Args:
        nodes: ``intp[n]``, ascending: where to start. For a whole mask that's ``[0]``, the root.
        states: ``intp[n]``: the state at each of them.
        few: stop when a level has no more nodes than this. (For a handful of nodes, calling NumPy costs more than the
            steps do, so the engine walks the rest itself.)

    Returns:
        A pair of arrays, ``(nodes, states)``, for each level. The first pair is the one that you were given. Each of
        the others has the nodes of its level that are alive, and the state at each. With ``few=0`` the last level is
        empty. (Both arrays are of ints even then, so beware of ``np.array([])``, which is one of floats.)

    >>> trie = build_byte_trie([b"a", b"ab", b"b", b"aab"])
    >>> levels = walk(trie, byte_dfa(compile_dfa("a*b")), np.array([0]), np.array([0]))
    >>> [nodes.tolist() for nodes, _ in levels], [states.tolist() for _, states in levels]
    ([[0], [1, 2], [3, 4], [5], []], [[0], [0, 1], [0, 1], [1], []])
    """
    # begin TODO
    levels = [(nodes, states)]
    while len(nodes) > few:
        # Write the children of all nodes into one array, and the state of its parent next to each.
        counts = trie.child_counts.take(nodes)
        below = ranges(trie.first_child.take(nodes), counts)
        after = automaton.successors(states.repeat(counts), automaton.byte_classes.take(trie.byte.take(below)))
        alive = (after != DEAD).nonzero()[0]
        nodes, states = below.take(alive), after.take(alive)
        levels.append((nodes, states))
    return levels
    # end TODO


# Inside a string ----------------------------------------------------------------------------------------


def pure_tokens(valid: Words, has: NDArray[np.int32], excluded: Sequence[int]) -> Words:
    """Return the valid tokens that have none of the excluded bytes.

    You'll use it for strings. If only certain bytes can end a string, such as the quote, then a token that has none of
    them stays in the string. Take ``a``, ``a"`` and ``"``: the last two have a quote, so only ``a`` is sure to stay.
    You know that without walking.

    Args:
        valid: the tokens that are proper UTF-8 from their first byte on, packed. (Their last character may be cut
            short.)
        has: ``int32[129, W]``. Row b says which tokens have the ASCII byte b, row 128 which have a byte beyond ASCII.
        excluded: rows of ``has``, in any order: bytes, or a tuple or list of ints. There may be none. (To pick several
            rows, NumPy wants a list. It takes neither bytes nor a tuple.)

    Returns:
        A new row.

    >>> has = np.zeros((129, 1), np.int32)
    >>> has[ord("a")], has[ord('"')] = 0b011, 0b110  # the tokens a, a" and "
    >>> pure_tokens(np.array([0b111], np.int32), has, b'"').tolist()
    [1]
    """
    # begin TODO
    leaving: Words = np.bitwise_or.reduce(has[list(excluded)], axis=0)
    return valid & ~leaving
    # end TODO


def string_row(
    staying: Words, nodes: Places, n_before: Places, states: Places, walked: Callable[[Places, Places], Words]
) -> Words:
    """Given: return the tokens that are alive in a string: those that stay in it, and those that leave it and survive.

    A token such as ``abc",`` leaves the string at the quote, and has to be walked from there. But nobody walks the
    ``abc``: inside a string all characters do the same, so the state at the quote depends only on how many of them
    there are. What's left, ``",``, is in a small trie of such rests.

    Args:
        staying: the tokens that stay, packed.
        nodes: ``intp[n]``, ascending: the nodes of the small trie from which to walk.
        n_before: ``intp[n]``: for each of these nodes, how many characters of the string come before it.
        states: ``intp[m]``: the state after 0, 1, 2, ... characters of the string, or ``DEAD`` if it can't be that
            long. The last entry also serves for any larger number.
        walked: takes some of the nodes, and the state at each. It continues with your ``walk`` from there, and returns
            the tokens that survive, packed.

    With states 7 and 8 after no character and one, and no room for more, the third node isn't walked from:

    >>> def walked(nodes, states):
    ...     print(nodes, states)
    ...     return np.array([0b100], np.int32)
    >>> string_row(np.array([0b011], np.int32), np.array([1, 2, 3]), np.array([0, 1, 5]), np.array([7, 8, -1]), walked)
    [1 2] [7 8]
    array([7], dtype=int32)
    """
    starts = states.take(np.minimum(n_before, len(states) - 1))
    alive = (starts != DEAD).nonzero()[0]
    return staying | walked(nodes.take(alive), starts.take(alive))


# All states at once -------------------------------------------------------------------------------------


def lift(trie: ByteTrie, automaton: ByteDfa, states: Sequence[int] | NDArray[np.intp]) -> Lifted:
    """Turn every token into a function, from the state before it to the state after it, and number the functions.

    In ``a+``, the tokens ``a``, ``aa`` and ``aaa`` all lead from state 0 to 1 and from 1 to 1. They're the same
    function, so give them the same number, their *group*.

    To find the groups, walk down the trie a level at a time. A node's function is what all the bytes from the root to
    the node do together. That's what the parent's bytes do, and then one more step, so it depends only on the parent's
    group and on the class of the byte. Thousands of nodes have the same pair of these, and ``Groups`` takes the steps
    for each pair only once. Below a node that is dead in every state nothing is alive, so you can leave all of it out.

    Args:
        states: the states to start from, ascending. There's at least one.

    Returns:
        ``Lifted``: for each token the group of its node (0 if it has none), and the functions.

    >>> a_plus = Dfa([0, 97, 98], [-1, 0, -1], [[1], [1]], initial=0, accepting=[False, True])
    >>> lifted = lift(build_byte_trie([b"a", b"b", b"aa", b"aaa", b"aab"]), byte_dfa(a_plus), [0, 1])
    >>> lifted.groups.tolist(), lifted.transitions.sources[2:].tolist(), lifted.transitions.targets[2:].tolist()
    ([2, 0, 2, 2, 0], [0, 1], [1, 1])
    """
    # begin TODO
    groups, n_classes = Groups(states, automaton.n_byte_classes), automaton.n_byte_classes
    group = np.zeros(len(trie) + 1, np.intp)  # all NOWHERE; the last entry is for tokens without a node
    group[0] = IDENTITY
    live = np.array([0])
    while len(live):
        # A child's function is named by its parent's group and the class of its byte.
        nodes = trie.children(live)
        keys = group.take(trie.parent[nodes]) * n_classes + automaton.byte_classes.take(trie.byte[nodes])
        group[nodes] = groups.look_up(automaton, keys)
        live = chosen(nodes, group[nodes] != NOWHERE)
    # subtle: a token without a node has -1 there, which is the entry that stayed NOWHERE.
    return Lifted(group[trie.node_of_token], groups.transitions)
    # end TODO


# Vocabulary and automaton together ------------------------------------------------------------------------


def functions() -> Functions:
    """Given: return your functions, as the engine calls them.

    >>> functions().lift is lift
    True
    """
    return Functions(byte_dfa, build_byte_trie, pack_mask, walk, mask_row, pure_tokens, string_row, next_state, lift)


class TokenVocabularyIndex:
    """Given: a vocabulary, prepared once for all patterns.

    Args:
        vocabulary: ids to bytes, special ids, EOS.
        cache: a folder that keeps the slow part of the preparation for other processes. Read in
            ``given/on_demand/disk.py`` whom you have to trust for that.

    >>> index = TokenVocabularyIndex(Vocabulary.toy())
    >>> index.token_bytes, len(index), index.eos_id, len(index.trie)
    ((b'a', b'.', b'.2', b'1', None), 5, 4, 5)
    """

    def __init__(self, vocabulary: Vocabulary, cache: str | Path | None = None) -> None:
        self.token_bytes = text_bytes(vocabulary)
        self.eos_id = vocabulary.eos_id
        self.trie, self._tables = trie_and_tables(cache, self.token_bytes, functions())

    def __len__(self) -> int:
        """Return the number of token ids, special ones included: V."""
        return len(self.token_bytes)

    @cached_property
    def token_strings(self) -> dict[int, str]:
        """The text of each token that is text; U+FFFD for half a character. To look at: masks go by ``token_bytes``.

        >>> TokenVocabularyIndex(Vocabulary.toy()).token_strings
        {0: 'a', 1: '.', 2: '.2', 3: '1'}
        """
        return {token_id: token.decode(errors="replace") for token_id, token in enumerate(self.token_bytes) if token}

    @cached_property
    def rows(self) -> VocabularyRows:
        """The rows that are the same for every pattern; see ``given/on_demand/rows.py``."""
        return VocabularyRows(self.token_bytes, self.trie, functions(), *self._tables)


class TokenFSM(TokenStates):
    """Given: an automaton over tokens. Your functions make its masks and its steps; its base class keeps the masks.

    Args:
        texts: an automaton over code points: a ``Dfa``, or one that makes its states when they're first needed.
        index: the prepared vocabulary.

    States are numbers. Those between characters are the states of a ``Dfa``; the others are in the middle of a
    character. -1 is the dead state, and its mask is empty.

    >>> index = TokenVocabularyIndex(Vocabulary([b"0", b"x", b"0x", b"1f", b"</s>"], eos_id=4))
    >>> fsm = TokenFSM(compile_dfa("0x[0-9a-f]+"), index)
    >>> fsm.allowed_tokens(fsm.initial_state)
    {0, 2}
    >>> state = fsm.next_state(fsm.next_state(fsm.initial_state, 2), 3)
    >>> fsm.allowed_tokens(state), fsm.is_terminal(state), fsm.mask(state).tolist()
    ({0, 3}, True, [25])
    """

    def __init__(self, texts: Dfa | CharacterStates, index: TokenVocabularyIndex) -> None:
        super().__init__(texts, index.rows, index.eos_id)


def compile_token_fsm(pattern: str, index: TokenVocabularyIndex) -> TokenFSM:
    """Given: compile a pattern to an automaton over tokens. Nothing is kept for the next call; that's for lab 09.

    >>> fsm = compile_token_fsm("[ab]|1", TokenVocabularyIndex(Vocabulary.toy()))
    >>> fsm.allowed_tokens(fsm.initial_state)
    {0, 3}
    """
    return TokenFSM(compile_dfa(pattern), index)
