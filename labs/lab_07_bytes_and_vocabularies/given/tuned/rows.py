"""What is known of a vocabulary before any pattern: which tokens have which bytes, and how many characters."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges
from labs.lab_07_bytes_and_vocabularies.given.tuned.alphabet import ASCII, ByteAlphabet

Row = NDArray[np.uint8]
"""A packed row of the vocabulary: bit t % 8 of byte t // 8 is token t."""

SPACE = ord(" ")

FEW = 100
"""Up to so many bits are set one by one."""

MOST_KEPT = 64
"""How many results are kept, of each kind."""

Value = TypeVar("Value")


class Kept(OrderedDict[object, Value]):
    """The newest results of something that takes long."""

    def get_or_make(self, key: object, make: Callable[[], Value]) -> Value:
        """Return what is kept for a key, made when it is first asked for."""
        if key not in self:
            self[key] = make()
            if len(self) > MOST_KEPT:
                self.popitem(last=False)
        else:
            self.move_to_end(key)
        return self[key]


@dataclass(frozen=True, eq=False)
class Exits:
    """The tokens that begin with characters of a set and then have a byte of some that are not of the set.

    Args:
        tokens: ``intp[n]``: their ids.
        at: ``intp[n]``: the place of that byte in the text of the vocabulary.
        trie: for each of them how many characters are before that byte, and what it has from that byte on.
        nodes: ``intp[m]``: the nodes of the trie before that byte.
        n_before: ``intp[m]``: how many characters are before each.
    """

    tokens: NDArray[np.intp]
    at: NDArray[np.intp]
    trie: ByteTrie
    nodes: NDArray[np.intp]
    n_before: NDArray[np.intp]


class VocabularyRows:
    """Packed rows over the tokens of a vocabulary, computed once for all patterns.

    Args:
        token_bytes: the bytes of each token; None for a token that is never text.
        trie: its tokens.
        make_trie: lab 07's ``build_byte_trie``.
        is_whole: whether these are tokens, and not the rests of tokens after a space.

    Attributes:
        after_space: the same of the tokens that begin with a space, without it; None if these are such rests.

    >>> from labs.lab_07_bytes_and_vocabularies.solution import build_byte_trie
    >>> tokens = [b"ab", b'a"', b"abc"]
    >>> rows = VocabularyRows(tokens, build_byte_trie(tokens), build_byte_trie)
    >>> rows.pure(b'"', beyond=True)[0], (rows.pure(b'"', beyond=True) & rows.at_most(2))[0]  # no quote
    (np.uint8(5), np.uint8(1))
    """

    def __init__(
        self,
        token_bytes: Sequence[bytes | None],
        trie: ByteTrie,
        make_trie: Callable[[Sequence[bytes | None]], ByteTrie],
        is_whole: bool = True,
    ) -> None:
        self.token_bytes, self.trie, self._make_trie = token_bytes, trie, make_trie
        self.n_tokens = len(token_bytes)
        self.n_words = -(-self.n_tokens // 32)
        texts = [token or b"" for token in token_bytes]
        lengths = np.array(list(map(len, texts)), np.intp)
        self.text = np.frombuffer(b"".join(texts), np.uint8)
        self.ends = np.cumsum(lengths)
        self.starts = self.ends - lengths
        owner = np.arange(self.n_tokens).repeat(lengths)
        begins = (self.text & 0xC0) != 0x80  # the first bytes of characters
        self.n_begun = np.append(0, np.cumsum(begins))
        self.n_chars = self.n_begun[self.ends] - self.n_begun[self.starts]
        self.most_chars = int(self.n_chars.max(initial=0))
        has = np.zeros((ASCII + 1, self.n_words * 32), bool)
        has[np.minimum(self.text, ASCII), owner] = True
        self.has = np.packbits(has, axis=1, bitorder="little")
        # Whether a token is whole characters, but for a last one that has begun; and whether some token ends in one.
        valid = lengths > 0
        self.splits_characters = False
        for token_id in has[ASCII].nonzero()[0].tolist():
            valid[token_id], split = _is_text(token_bytes[token_id])
            self.splits_characters |= split
        self.valid = self.packed(valid)
        self.empty = self.packed(np.array([token == b"" for token in token_bytes], bool))
        self._at_most: Kept[Row] = Kept()
        self._pure: Kept[Row] = Kept()
        self._exits: Kept[Exits] = Kept()
        self._weights: Kept[list[int]] = Kept()
        self.first_bytes = np.array(trie.byte[1 : int(trie.levels[2])] if len(trie) > 1 else [], np.intp)
        counts = np.bincount(self.text[self.starts[lengths > 0]], minlength=256)
        rests = (token[1:] if token and token[0] == SPACE else None for token in token_bytes)
        self.after_space = VocabularyRows(list(rests), trie, make_trie, is_whole=False) if is_whole else None
        self.beginning = [*counts[:ASCII].tolist(), int(counts[ASCII:].sum())]

    def packed(self, tokens: NDArray[np.bool_]) -> Row:
        """Return a row whose bits are the given ones; ``bool[V]``."""
        filled = np.concatenate([tokens, np.zeros(self.n_words * 32 - len(tokens), bool)])
        return np.packbits(filled, bitorder="little")

    def of(self, tokens: NDArray[np.intp]) -> Row:
        """Return a row whose bits are some tokens."""
        if len(tokens) > FEW:
            allowed = np.zeros(self.n_words * 32, bool)
            allowed[tokens] = True
            return np.packbits(allowed, bitorder="little")
        row = bytearray(self.n_words * 4)
        for token_id in tokens.tolist():
            row[token_id >> 3] |= 1 << (token_id & 7)
        return np.frombuffer(row, np.uint8)

    def at_most(self, n_chars: int) -> Row:
        """Return the tokens of at most so many characters; one at the end that has begun counts."""
        if n_chars >= self.most_chars:
            return self.valid
        return self._at_most.get_or_make(n_chars, lambda: self.packed(self.n_chars <= n_chars))

    def pure(self, excluded: bytes, beyond: bool) -> Row:
        """Return the tokens of whole characters that have none of some ASCII bytes; the last may have only begun.

        Args:
            beyond: whether they may have characters beyond ASCII.
        """
        return self._pure.get_or_make((excluded, beyond), lambda: self._make_pure(excluded, beyond))

    def _make_pure(self, excluded: bytes, beyond: bool) -> Row:
        without = list(excluded) if beyond else [*excluded, ASCII]
        return self.valid & ~np.bitwise_or.reduce(self.has[without], axis=0) if without else self.valid

    def pure_of(self, key: object, make: Callable[[], Row]) -> Row:
        """Return a row of pure tokens that is kept, or is made by a walk."""
        return self._pure.get_or_make(key, make)

    def exits(self, excluded: bytes, beyond: bool, by: bytes) -> Exits:
        """Return the tokens whose first byte out of some is one of a few.

        Args:
            excluded, beyond: see ``pure``.
            by: some of ``excluded``.
        """
        key = (excluded, beyond, by)
        return self._exits.get_or_make(key, lambda: self._make_exits(excluded, beyond, by))

    def _make_exits(self, excluded: bytes, beyond: bool, by: bytes) -> Exits:
        having = np.bitwise_or.reduce(self.has[list(by)], axis=0)
        having = np.unpackbits(having & self.valid, bitorder="little").nonzero()[0]
        starts = self.starts[having]
        counts = self.ends[having] - starts
        is_exit, is_wanted = np.zeros((2, 256), bool)
        is_exit[list(excluded)] = True
        is_exit[ASCII:] = not beyond
        is_wanted[list(by)] = True
        text = self.text.take(ranges(starts, counts))
        places = is_exit[text].nonzero()[0]
        firsts = counts.cumsum() - counts
        first = places[places.searchsorted(firsts)]
        mine = is_wanted[text[first]].nonzero()[0]
        return self._exits_at(having[mine], (first - firsts + starts)[mine])

    def _exits_at(self, tokens: NDArray[np.intp], at: NDArray[np.intp]) -> Exits:
        width = self.most_chars.bit_length() // 8 + 1  # how many bytes a count takes
        n_before = (self.n_begun[at] - self.n_begun[self.starts[tokens]]).tolist()
        places = zip(n_before, at.tolist(), self.ends[tokens].tolist(), strict=True)
        trie = self._make_trie([n.to_bytes(width, "big") + self.text[at:end].tobytes() for n, at, end in places])
        nodes = np.arange(*trie.levels[width : width + 2]) if n_before else tokens
        counts, above = np.zeros(len(nodes), np.intp), nodes
        for place in range(width):
            counts += trie.byte[above] << 8 * place
            above = trie.parent[above]
        return Exits(tokens, at, trie, nodes, counts)

    def exits_within(self, key: object, exits: Exits, within: Callable[[], NDArray[np.bool_]]) -> Exits:
        """Return some of the exits, which are kept.

        Args:
            within: returns which.
        """
        return self._exits.get_or_make(key, lambda: self._exits_at(exits.tokens[here := within()], exits.at[here]))

    def weights(self, alphabet: ByteAlphabet) -> list[int]:
        """Return how many tokens begin with a character of each class; beyond ASCII only where all are of one class."""
        return self._weights.get_or_make(alphabet, lambda: self._make_weights(alphabet))

    def _make_weights(self, alphabet: ByteAlphabet) -> list[int]:
        weights = [sum(self.beginning[byte] for byte in members) for members in alphabet.bytes_of]
        if alphabet.uniform not in (None, DEAD):
            weights[alphabet.uniform] += self.beginning[ASCII]
        return weights


def _is_text(token: bytes | None) -> tuple[bool, bool]:
    """Return whether bytes are whole characters but for a last one that has begun, and whether they end in one."""
    try:
        (token or b"").decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data", True
    return True, False
