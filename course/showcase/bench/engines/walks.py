"""Walks: sequences of tokens along which the engines are timed and compared."""

import random
from collections.abc import Callable

from course.showcase.bench.engines.engine import Buffer, Compiled
from course.showcase.bench.engines.work import Work
from labkit.vocabulary import Vocabulary

Encode = Callable[[str], list[int]]
Tokens = tuple[int, ...]

SAMPLES = 4
LENGTH = 24
"""Sampled walks a pattern, and the most tokens in one."""


def walks(work: Work, compiled: Compiled, vocabulary: Vocabulary, encode: Encode) -> list[Tokens]:
    """The pattern's texts as their tokenizer writes them, and walks sampled from the masks of a compiled pattern."""
    texts = [tuple(encode(text)) for text in work.texts]
    sampled = [sampled_walk(compiled, vocabulary, random.Random(seed)) for seed in range(SAMPLES)]
    return list(dict.fromkeys([*texts, *sampled]))


def sampled_walk(compiled: Compiled, vocabulary: Vocabulary, draw: random.Random, length: int = LENGTH) -> Tokens:
    """Tokens drawn alike from each mask, EOS never; it ends where nothing but EOS may follow."""
    buffer = Buffer(len(vocabulary))
    walk, tokens = compiled.start(buffer), list[int]()
    while len(tokens) < length:
        walk.fill()
        allowed = [int(i) for i in buffer.bits().nonzero()[0] if i != vocabulary.eos_id]
        if not allowed:
            break
        tokens.append(draw.choice(allowed))
        if not walk.advance(tokens[-1]):
            raise ValueError(f"token {tokens[-1]} is in the mask behind {tokens[:-1]}, and refused")
    return tuple(tokens)


def longest_first(vocabulary: Vocabulary) -> Encode:
    """A tokenizer for a vocabulary that has none: the longest token that fits, from left to right.

    >>> longest_first(Vocabulary.toy())("a.21")
    [0, 2, 3]
    """
    ids = {token: i for i, token in enumerate(vocabulary.token_bytes) if i not in vocabulary.special_ids}
    longest = max(map(len, ids))

    def encode(text: str) -> list[int]:
        rest, found = text.encode(), list[int]()
        while rest:
            size = next((n for n in range(longest, 0, -1) if rest[:n] in ids and n <= len(rest)), 0)
            if not size:
                raise ValueError(f"no token of the vocabulary begins {rest!r}")
            found.append(ids[rest[:size]])
            rest = rest[size:]
        return found

    return encode
