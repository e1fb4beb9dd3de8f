"""Texts that an engine writes when only its masks decide: some tokens at random, then the shortest way out."""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course.showcase.bench.adapters import Buffer, Walk
from labkit.vocabulary import Vocabulary

AT_RANDOM, IN_ALL, BLANKS = 24, 200, 40
"""The most tokens that are drawn, that a text has, and that are white space and nothing else until it is a dead end."""

_WAY_OUT = [b"}", b"]", b'"', b"0", b"1", b":", b"true", b"a", b","]
"""What closes, as far as it may come, and then what leads on to where something closes. In a string, that's a quote."""

_QUOTE = _WAY_OUT.index(b'"') + 1

Reach = NDArray[np.int64]


class Walked(NamedTuple):
    """Tokens that were written, their text, how it ended (``end``, ``dead end``, or ``no end found``), and why."""

    ids: list[int]
    text: bytes
    ended: str
    why: str = ""


class Ways:
    """A vocabulary sorted by what leads out of a JSON text."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        size = len(vocabulary)
        self.rank = np.full(size, 60, np.int16)
        self.blank = np.zeros(size, np.bool_)
        self.plain = np.zeros(size, np.bool_)
        for token_id, token in enumerate(vocabulary.token_bytes):
            self.blank[token_id] = bool(token) and not token.strip(b" \t\r\n")
            self.plain[token_id] = 0 < len(token) <= 3 and all(0x21 <= byte < 0x7F for byte in token)
            if token in _WAY_OUT:
                self.rank[token_id] = _WAY_OUT.index(token) + 1
            elif self.plain[token_id]:
                self.rank[token_id] = 20 + len(token)
        self.rank[self.blank] = 90
        self.rank[vocabulary.eos_id] = 0
        self.special = np.zeros(size, np.bool_)
        self.special[[*vocabulary.special_ids]] = True
        self.special[vocabulary.eos_id] = False

    def walk(self, walk: Walk, buffer: Buffer, seed: str, like: Sequence[int] = ()) -> Walked:
        """Write one text.

        Args:
            like: the tokens of a valid text, which is followed half of the time: a required name is hard to guess.
        """
        ids: list[int] = []
        follows: dict[int, list[int]] = {}
        for one, other in pairwise(like):
            follows.setdefault(one, []).append(other)
        return Walked(ids, *self._walked(walk, buffer, seed, follows, ids))

    def _walked(
        self, walk: Walk, buffer: Buffer, seed: str, follows: dict[int, list[int]], written: list[int]
    ) -> tuple[bytes, str, str]:
        drawn = random.Random(seed)
        at_random, blanks, in_string = drawn.randrange(AT_RANDOM), 0, False
        for number in range(IN_ALL):
            walk.fill()
            if trouble := walk.trouble():
                return self._text(written), "dead end", trouble
            allowed = np.flatnonzero(buffer.bits())
            if not allowed.size:
                return self._text(written), "dead end", "the mask is empty"
            if self.special[allowed].any():
                allowed = allowed[~self.special[allowed]]
                if not allowed.size:
                    return self._text(written), "no end found", "only special tokens may come"
            blanks = blanks + 1 if self.blank[allowed].all() else 0
            if blanks > BLANKS:
                return self._text(written), "dead end", f"for {BLANKS} tokens only white space may come"
            token_id = self._drawn(drawn, allowed, number < at_random, in_string)
            next_ids = follows.get(written[-1], []) if written and drawn.random() < 0.85 else []
            if next_ids and (like := drawn.choice(next_ids)) in allowed:
                token_id = like
            if token_id == self.vocabulary.eos_id:
                return self._text(written), "end", ""
            if not walk.advance(token_id):
                return self._text([*written, token_id]), "dead end", "the mask allows a token that is refused"
            written.append(token_id)
            in_string = _ends_in_string(self.vocabulary.token_bytes[token_id], in_string)
        return self._text(written), "no end found", ""

    def _drawn(self, drawn: random.Random, allowed: Reach, at_random: bool, in_string: bool) -> int:
        if at_random or drawn.random() < 0.1:
            some = allowed[self.plain[allowed]] if drawn.random() < 0.8 else allowed[~self.blank[allowed]]
            if some.size:
                return int(some[drawn.randrange(some.size)])
        ranks = self.rank[allowed]
        if in_string:
            ranks = np.where(ranks == _QUOTE, 0, ranks)
        best = allowed[ranks == ranks.min()]
        return int(best[drawn.randrange(best.size)])

    def _text(self, ids: list[int]) -> bytes:
        return b"".join(self.vocabulary.token_bytes[each] for each in ids)


def _ends_in_string(token: bytes, in_string: bool) -> bool:
    r"""Return whether a text goes on in a string after a token, if a backslash and what it escapes are one token.

    >>> _ends_in_string(b', "a', False), _ends_in_string(rb'\\"b', True), _ends_in_string(b'"', True)
    (True, False, False)
    """
    return in_string ^ (token.replace(rb"\\", b"").replace(rb"\"", b"").count(b'"') % 2 == 1)
