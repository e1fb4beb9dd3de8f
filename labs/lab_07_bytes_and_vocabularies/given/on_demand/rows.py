"""What we can find out about a vocabulary before there's any pattern: rows, made once and used for every pattern.

Your ``pure_tokens`` combines them for ``string_row``, which also gets what ``Exits`` has.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from labkit.automata.byte_tries import ByteTrie
from labkit.automata.dfa import DEAD
from labkit.automata.ranges import ranges
from labkit.automata.work import spend
from labs.lab_07_bytes_and_vocabularies.given.functions import Functions, Words
from labs.lab_07_bytes_and_vocabularies.given.on_demand.alphabet import ASCII, ByteAlphabet

SPACE = ord(" ")

FEW = 32
"""Up to this many tokens are packed one by one; more of them go through ``pack_mask``."""

MOST_KEPT = 64
"""How many results of each kind are kept."""

Value = TypeVar("Value")


class Kept(OrderedDict[object, Value]):
    """The results of something slow, as far as they were used lately."""

    def get_or_make(self, key: object, make: Callable[[], Value]) -> Value:
        """Return the result for a key; make it if it isn't there."""
        if key not in self:
            self[key] = make()
            if len(self) > MOST_KEPT:
                self.popitem(last=False)
        else:
            self.move_to_end(key)
        return self[key]


@dataclass(frozen=True, eq=False)
class Exits:
    """The tokens that begin with characters of a string and then leave it.

    Args:
        tokens: ``intp[n]``: their ids.
        trie: for each, the number of characters before the byte that leaves, as bytes; then its bytes from there on.
        nodes: ``intp[m]``: the nodes of the trie at which these numbers end.
        n_before: ``intp[m]``: the number at each of these nodes.
    """

    tokens: NDArray[np.intp]
    trie: ByteTrie
    nodes: NDArray[np.intp]
    n_before: NDArray[np.intp]


class Texts(NamedTuple):
    """The bytes of all tokens in one array, and where each token starts and ends in it."""

    text: NDArray[np.uint8]
    starts: NDArray[np.intp]
    ends: NDArray[np.intp]


class TokenTables(NamedTuple):
    """What takes long to find out about the tokens.

    Attributes:
        has: ``int32[129, W]``: the row of the tokens that have each ASCII byte; the last is for all bytes beyond ASCII.
        whole: ``int32[W]``: the row of the tokens that are whole characters. Only their last one may be cut short.
        splits: ``bool``: whether some token ends in the middle of a character.
    """

    has: Words
    whole: Words
    splits: NDArray[np.bool_]


def unpacked(row: Words) -> NDArray[np.intp]:
    """Return the ids of the tokens in a row, ascending.

    >>> unpacked(np.array([5, -(2**31)], np.int32)).tolist()
    [0, 2, 63]
    """
    return np.unpackbits(row.astype("<i4", copy=False).view(np.uint8), bitorder="little").nonzero()[0]


def join(token_bytes: Sequence[bytes | None]) -> Texts:
    """Write the bytes of all tokens into one array. A token that is never text has none.

    >>> join([b"ab", None, b"c"])
    Texts(text=array([97, 98, 99], dtype=uint8), starts=array([0, 2, 2]), ends=array([2, 2, 3]))
    """
    texts = [token or b"" for token in token_bytes]
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    ends = np.cumsum(lengths)
    return Texts(np.frombuffer(b"".join(texts), np.uint8), ends - lengths, ends)


def make_tables(texts: Texts, pack_mask: Callable[[NDArray[np.bool_]], Words]) -> TokenTables:
    """Return what takes long to find out about some tokens.

    >>> from labs.lab_07_bytes_and_vocabularies.solution import pack_mask
    >>> tables = make_tables(join([b"ab", None, b"\\xc3"]), pack_mask)
    >>> tables.has[ord("b")].tolist(), tables.has[ASCII].tolist(), tables.whole.tolist(), bool(tables.splits)
    ([1], [4], [5], True)
    """
    text, starts, ends = texts
    has = np.zeros((ASCII + 1, len(starts)), bool)
    has[np.minimum(text, ASCII), np.arange(len(starts)).repeat(ends - starts)] = True
    whole = ends > starts
    # A token of ASCII bytes alone is whole characters, so only the others have to be decoded.
    beyond, splits, raw = has[ASCII].nonzero()[0], False, text.tobytes()
    for token_id, start, end in zip(beyond.tolist(), starts[beyond].tolist(), ends[beyond].tolist(), strict=True):
        try:
            raw[start:end].decode()
        except UnicodeDecodeError as error:
            whole[token_id], splits = error.reason == "unexpected end of data", True
    return TokenTables(np.stack([pack_mask(tokens) for tokens in has]), pack_mask(whole), np.array(splits))


class VocabularyRows:
    """Packed rows over the tokens of a vocabulary, computed once for all patterns.

    Args:
        token_bytes: the bytes of each token; None for a token that is never text.
        trie: its tokens.
        functions: yours.
        texts, tables: ``join`` and ``make_tables`` of the same tokens, if somebody has them already.

    Attributes:
        kept_pure, kept_exits: the rows and exits that have been asked for.
        after_space: the rows of the *rests*: what follows the space in each token that begins with one. Else None.
        empty: only for rests: the row of the tokens that are nothing but the space.

    >>> from labkit.vocabulary import Vocabulary
    >>> from labs.lab_07_bytes_and_vocabularies.solution import TokenVocabularyIndex
    >>> rows = TokenVocabularyIndex(Vocabulary([b"ab", b'a"', b"abc", b"</s>"], eos_id=3)).rows
    >>> rows.pure(b'"', beyond=True).tolist(), (rows.pure(b'"', beyond=True) & rows.at_most(2)).tolist()  # no quote
    ([5], [1])
    """

    empty: Words

    def __init__(
        self,
        token_bytes: Sequence[bytes | None],
        trie: ByteTrie,
        functions: Functions,
        texts: Texts | None = None,
        tables: TokenTables | None = None,
    ) -> None:
        self.token_bytes, self.trie, self.functions = token_bytes, trie, functions
        self.n_tokens = len(token_bytes)
        self.n_words = -(-self.n_tokens // 32)
        self.text, starts, ends = texts or join(token_bytes)
        has, whole, splits = tables or make_tables(Texts(self.text, starts, ends), functions.pack_mask)
        has.flags.writeable = whole.flags.writeable = False
        self.splits_characters = bool(splits)
        begins = (self.text & 0xC0) != 0x80  # a byte that continues a character is 10xxxxxx
        self.n_begun = np.zeros(len(self.text) + 1, np.int32)
        begins.cumsum(out=self.n_begun[1:])
        self.first_bytes = np.array(trie.byte[1 : int(trie.levels[2])] if len(trie) > 1 else [], np.intp)
        self._know(starts, ends, has, whole)
        self.after_space: VocabularyRows | None = self._rests()

    def _know(self, starts: NDArray[np.intp], ends: NDArray[np.intp], has: Words, whole: Words) -> None:
        """Set whatever differs between the tokens and their rests."""
        self.starts, self.ends, self.has, self.valid = starts, ends, has, whole
        self.n_chars = self.n_begun[ends] - self.n_begun[starts]
        self.most_chars = int(self.n_chars.max(initial=0))
        counts = np.bincount(self.text[starts[starts < ends]], minlength=256)
        self.having: list[int] = np.bitwise_count(has.view(np.uint32)).sum(axis=1).tolist()
        self.beginning = [*counts[:ASCII].tolist(), int(counts[ASCII:].sum())]
        self._at_most: Kept[Words] = Kept()
        self.kept_pure: Kept[Words] = Kept()
        self.kept_exits: Kept[Exits] = Kept()
        self._weights: Kept[list[int]] = Kept()
        self._most: dict[int, int] = {}

    def _rests(self) -> "VocabularyRows":
        """Return the rows of the rests. They share the text: a rest just begins one byte later."""
        rests, spaces = copy(self), (self.text == SPACE).nonzero()[0]
        owners = self.ends.searchsorted(spaces, side="right")
        is_first = spaces == self.starts[owners]
        spaced = np.zeros(self.n_tokens, bool)
        spaced[owners[is_first]] = True
        starts = np.where(spaced, self.starts + 1, self.ends)
        has = self.has & self.packed(spaced)
        again = np.zeros(self.n_tokens, bool)
        again[owners[~is_first]] = True
        has[SPACE] = self.packed(spaced & again)
        rests._know(starts, self.ends, has, self.valid & self.packed(starts < self.ends))
        rests.empty = self.packed(spaced & (starts == self.ends))
        rests.after_space = None
        return rests

    def packed(self, tokens: NDArray[np.bool_]) -> Words:
        """Return a row from ``bool[V]``."""
        return self.functions.pack_mask(tokens)

    def of(self, tokens: NDArray[np.intp]) -> Words:
        """Return the row of some tokens.

        In most states only a few are alive. To set their bits one by one takes 1 to 3 µs, to pack 131,072 bools 9; both
        give the same row (``tests/labs/lab_07/test_masks.py``).
        """
        if len(tokens) <= FEW:
            row = bytearray(self.n_words * 4)
            for token_id in tokens.tolist():
                row[token_id >> 3] |= 1 << (token_id & 7)
            return np.frombuffer(row, "<i4")
        allowed = np.zeros(self.n_tokens, bool)
        allowed[tokens] = True
        return self.functions.pack_mask(allowed)

    def at_most(self, n_chars: int) -> Words:
        """Return the tokens of at most this many characters. One that's cut short at the end counts as one."""
        if n_chars >= self.most_chars:
            return self.valid
        return self._at_most.get_or_make(n_chars, lambda: self.packed(self.n_chars <= n_chars))

    def pure(self, excluded: bytes, beyond: bool) -> Words:
        """Return the tokens of whole characters, the last perhaps cut short, that have none of some ASCII bytes.

        Args:
            beyond: whether they may have characters beyond ASCII.
        """
        without = list(excluded) if beyond else [*excluded, ASCII]
        make = self.functions.pure_tokens
        return self.kept_pure.get_or_make((excluded, beyond), lambda: make(self.valid, self.has, without))

    @cached_property
    def longest(self) -> int:
        """How many bytes the longest token has; 1 if there is none."""
        return int((self.ends - self.starts).max(initial=1))

    def rounds(self, held: frozenset[int]) -> int:
        """Return how many rounds of a repetition a token can begin at most, if each round has certain ASCII bytes."""
        # All of these rounds but one are whole within the token, even if it begins in the middle of a character.
        return min([self.longest, *(self._most_of(byte) + 1 for byte in held)])

    def _most_of(self, byte: int) -> int:
        """Return how often the token with the most of a byte has it."""
        if byte not in self._most:
            owners = self.ends.searchsorted((self.text == byte).nonzero()[0], side="right")
            self._most[byte] = int(np.bincount(owners).max(initial=0))
        return self._most[byte]

    @cached_property
    def single_bytes(self) -> NDArray[np.uint8]:
        """The bytes that are tokens by themselves."""
        found: NDArray[np.uint8] = self.text[self.starts[self.ends - self.starts == 1]]
        return found

    @cached_property
    def all_bytes(self) -> NDArray[np.intp]:
        """The bytes that some token has."""
        return np.bincount(self.text, minlength=256).nonzero()[0]

    def exits(self, excluded: bytes, beyond: bool, by: bytes, spaced: bool, counted: bool = True) -> Exits:
        """Return the tokens that leave a string by certain bytes: their first excluded byte is one of these.

        Args:
            excluded, beyond: see ``pure``.
            by: some of ``excluded``.
            spaced: whether tokens that begin with a space are among them.
            counted: see ``exits_at``.
        """
        key = (excluded, beyond, by, spaced, counted)
        return self.kept_exits.get_or_make(key, lambda: self._make_exits(excluded, beyond, by, spaced, counted))

    def with_some(self, some: bytes, beyond: bool, of: Words, spaced: bool) -> NDArray[np.intp]:
        """Return those tokens of a row that have some ASCII bytes.

        Args:
            beyond: whether those with characters beyond ASCII are among them.
            spaced: whether those that begin with a space are among them.
        """
        having = np.bitwise_or.reduce(self.has[[*some, ASCII] if beyond else list(some)], axis=0)
        tokens: NDArray[np.intp] = unpacked(having & self.valid & of)
        return tokens if spaced else tokens[self.text[self.starts[tokens]] != SPACE]

    def _make_exits(self, excluded: bytes, beyond: bool, by: bytes, spaced: bool, counted: bool = True) -> Exits:
        having = self.with_some(by, False, self.valid, spaced)
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
        return self.exits_at(having[mine], (first - firsts + starts)[mine], counted)

    def exits_at(self, tokens: NDArray[np.intp], at: NDArray[np.intp], counted: bool) -> Exits:
        """Return some tokens as exits, each from a place in the text on.

        Args:
            counted: whether it matters how many characters are before that place. If not, they are taken for none, and
                what all of these tokens have from there on is one small trie.
        """
        spend(len(tokens))
        width = (self.most_chars.bit_length() // 8 + 1) * counted  # how many bytes a count takes
        n_before = (self.n_begun[at] - self.n_begun[self.starts[tokens]]) * counted
        places = zip(n_before.tolist(), at.tolist(), self.ends[tokens].tolist(), strict=True)
        trie = self.functions.build_byte_trie(
            [n.to_bytes(width, "big") + self.text[at:end].tobytes() for n, at, end in places]
        )
        nodes = np.arange(*trie.levels[width : width + 2]) if len(tokens) else tokens
        counts, above = np.zeros(len(nodes), np.intp), nodes
        for place in range(width):
            counts += trie.byte[above] << 8 * place
            above = trie.parent[above]
        return Exits(tokens, trie, nodes, counts)

    def weights(self, alphabet: ByteAlphabet) -> list[int]:
        """Return how many tokens begin with a character of each class; beyond ASCII only where all are of one class.

        A space counts nothing: many tokens begin with one, but few of them are runs of spaces.
        """
        return self._weights.get_or_make(alphabet, lambda: self._make_weights(alphabet))

    def _make_weights(self, alphabet: ByteAlphabet) -> list[int]:
        weights = [0] * (alphabet.n_character_classes + 1)  # the last is that of DEAD, which is -1
        for byte, number in enumerate(alphabet.class_of_ascii):
            weights[number] += self.beginning[byte] * (byte != SPACE)
        if alphabet.uniform not in (None, DEAD):
            weights[alphabet.uniform] += self.beginning[ASCII]
        return weights
