"""Texts that an engine writes when only its masks decide: some tokens at random, then the shortest way out."""

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from course.showcase.bench.adapters import Buffer, Walk
from labkit.vocabulary import Vocabulary

AT_RANDOM, IN_ALL, BLANKS = 24, 200, 40
"""The most tokens that are drawn, that a text has, and that are white space and nothing else until it is a dead end."""

_WAY_OUT = [b"}", b"]", b'"', b"0", b"1", b":", b"true", b"a", b","]
"""What closes, as far as it may come, and then what leads on to where something closes. In a string, that's a quote."""


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
        texts = vocabulary.token_bytes
        self._blank = np.array([bool(token) and not token.strip(b" \t\r\n") for token in texts])
        self._plain = np.array([0 < len(token) <= 3 and all(0x21 <= byte < 0x7F for byte in token) for token in texts])
        self._special = [each for each in vocabulary.special_ids if each != vocabulary.eos_id]
        special = {*vocabulary.special_ids, vocabulary.eos_id}
        self.id_of = {token: number for number, token in enumerate(texts) if token and number not in special}
        ids = [[number for number, token in enumerate(texts) if token == way] for way in _WAY_OUT]
        self._out = [vocabulary.eos_id, *(each for same in ids for each in same)]
        self._out_of_string = [*(each for each in self._out if texts[each] == b'"'), *self._out]

    def walk(self, walk: Walk, buffer: Buffer, seed: str, like: Sequence[int] = ()) -> Walked:
        """Write one text.

        Args:
            like: the tokens of a valid text, which is mostly followed: a required name is hard to guess.
        """
        ids: list[int] = []
        follows: dict[int, list[int]] = {}
        for one, other in pairwise(like):
            follows.setdefault(one, []).append(other)
        ended, why = self._walked(walk, buffer, random.Random(seed), follows, ids)
        return Walked(ids, b"".join(self.vocabulary.token_bytes[each] for each in ids), ended, why)

    def _walked(
        self, walk: Walk, buffer: Buffer, drawn: random.Random, follows: dict[int, list[int]], written: list[int]
    ) -> tuple[str, str]:
        at_random, blanks, in_string = drawn.randrange(AT_RANDOM), 0, False
        for number in range(IN_ALL):
            walk.fill()
            if trouble := walk.trouble():
                return "dead end", trouble
            if not buffer.words.any():
                return "dead end", "the mask is empty"
            allowed = buffer.bits()
            allowed[self._special] = False
            ways = [] if number < at_random or not written else follows.get(written[-1], [])
            way = drawn.choice(ways) if ways and drawn.random() < 0.85 else -1
            if way < 0 or not allowed[way]:
                is_random = number < at_random or drawn.random() < 0.1
                out = self._out_of_string if in_string else self._out
                way = next((each for each in out if allowed[each]), -1) if not is_random else -1
            if way < 0:
                some = np.flatnonzero(allowed & (self._plain if drawn.random() < 0.8 else ~self._blank))
                some = some if some.size else np.flatnonzero(allowed)
                if not some.size:
                    return "no end found", "only special tokens may come"
                way = int(some[drawn.randrange(some.size)])
            blanks = blanks + 1 if self._blank[way] and not (allowed & ~self._blank).any() else 0
            if blanks > BLANKS:
                return "dead end", f"for {BLANKS} tokens only white space may come"
            if way == self.vocabulary.eos_id:
                return "end", ""
            written.append(way)
            if not walk.advance(way):
                return "dead end", "the mask allows the last token, which is then refused"
            in_string = _ends_in_string(self.vocabulary.token_bytes[way], in_string)
        return "no end found", ""


def _ends_in_string(token: bytes, in_string: bool) -> bool:
    r"""Return whether a text goes on in a string after a token, if a backslash and what it escapes are one token.

    >>> _ends_in_string(b', "a', False), _ends_in_string(rb'\\"b', True), _ends_in_string(b'"', True)
    (True, False, False)
    """
    return in_string ^ (token.replace(rb"\\", b"").replace(rb"\"", b"").count(b'"') % 2 == 1)
