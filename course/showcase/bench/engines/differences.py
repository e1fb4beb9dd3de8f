"""Masks that differ between two engines: found along walks, judged by an oracle token by token."""

import codecs
import re
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from course.showcase.bench.engines.adapters import Buffer, Compilation
from course.showcase.bench.engines.work import Tokens, Work
from labkit.vocabulary import Vocabulary

MOST_TOKENS = 200
"""The most tokens of one mask that the oracle judges, taken evenly from all that differ."""


# Finding ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Two masks after the same bytes: the ids that only the other engine allows, and those that only ours does."""

    prefix: bytes
    extra: tuple[int, ...]
    missing: tuple[int, ...]


@dataclass(frozen=True)
class Comparison:
    """An engine compared with ours; ``unreached`` counts the masks after a token that the engine refused."""

    masks: int
    differences: tuple[Difference, ...]
    unreached: int


def compare(ours: Compilation, other: Compilation, walks: Sequence[Tokens], vocabulary: Vocabulary) -> Comparison:
    """Compare all masks along the walks."""
    found = [step for walk in walks for step in _steps(ours, other, walk, vocabulary)]
    total = sum(len(walk) + 1 for walk in walks)
    return Comparison(len(found), tuple(step for step in found if step is not None), total - len(found))


def _steps(
    ours: Compilation, other: Compilation, tokens: Tokens, vocabulary: Vocabulary
) -> Iterator[Difference | None]:
    """Yield the difference at each step that both reach, or None where the masks are equal."""
    buffers = Buffer(len(vocabulary)), Buffer(len(vocabulary))
    both = ours.start(buffers[0]), other.start(buffers[1])
    for step in range(len(tokens) + 1):
        for walk in both:
            walk.fill()
        here, there = (buffer.bits() for buffer in buffers)
        if (here == there).all():
            yield None
        else:
            prefix = b"".join(vocabulary.token_bytes[i] for i in tokens[:step])
            extra, missing = ((one & ~two).nonzero()[0].tolist() for one, two in ((there, here), (here, there)))
            yield Difference(prefix, tuple(extra), tuple(missing))
        if step == len(tokens) or not all(walk.advance(tokens[step]) for walk in both):
            return


# The oracle: which engine is right ----------------------------------------------------------------------


class PatternOracle:
    """Partial matches of one pattern, by the module ``regex``, which shares no code with any engine.

    It works on text, so a token that ends within a character is allowed if one of the characters that start with these
    bytes is. It reads ``\\w`` as Python's ``re`` does, whose meaning counts here: ``regex`` adds marks, and more.

    >>> oracle = PatternOracle("[é-ü]x")
    >>> oracle.allows(b"", b"\\xc3"), oracle.allows(b"\\xc3", b"\\xbcx"), oracle.allows(b"", b"x")
    (True, True, False)
    >>> oracle.accepts(b"\\xc3\\xa9x"), oracle.accepts(b"\\xc3")
    (True, False)
    """

    def __init__(self, pattern: str) -> None:
        compiled = regex.compile(pattern.replace(r"\w", f"[{word_class()}]") if r"\w" in pattern else pattern)

        @cache
        def viable(text: str, tail: bytes) -> bool:
            candidates = (text + char for char in characters(tail)) if tail else (text,)
            return any(compiled.fullmatch(each, partial=True) is not None for each in candidates)

        self._pattern, self._viable = compiled, viable

    def allows(self, prefix: bytes, token: bytes) -> bool:
        """Return whether some match starts with the bytes of prefix and token; the empty token is never allowed."""
        parts = split_text(prefix + token)
        return bool(token) and parts is not None and self._viable(*parts)

    def accepts(self, prefix: bytes) -> bool:
        """Return whether the prefix is a match, so that EOS may follow."""
        parts = split_text(prefix)
        return parts is not None and not parts[1] and self._pattern.fullmatch(parts[0]) is not None


def word_class() -> str:
    r"""Return the inside of a class that is ``\w`` in the running Python's ``re``.

    >>> word_class()[:42]
    '\\U00000030-\\U00000039\\U00000041-\\U0000005a'
    """
    runs = re.findall(r"\w+", "".join(map(chr, range(sys.maxunicode + 1))))
    return "".join(rf"\U{ord(run[0]):08x}-\U{ord(run[-1]):08x}" for run in runs)


def split_text(data: bytes) -> tuple[str, bytes] | None:
    """Return whole characters, and the bytes of one cut at the end; None if no UTF-8 text starts with these bytes.

    >>> split_text(b"a\\xc3"), split_text(b"\\xc3a"), split_text(b"\\xe0\\x80")
    (('a', b'\\xc3'), None, None)
    """
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        return decoder.decode(data), decoder.getstate()[0]
    except UnicodeDecodeError:
        return None


def characters(tail: bytes) -> list[str]:
    """Return the characters whose UTF-8 starts with these bytes, and is longer.

    >>> "".join(characters(b"\\xc3"))[:4], len(characters(b"\\xf0")), len(characters(b"\\xed"))
    ('ÀÁÂÃ', 196608, 2048)
    """
    encoded = _all_encoded()
    start, end = bisect_right(encoded, tail), bisect_right(encoded, tail + b"\xff")
    return [each.decode() for each in encoded[start:end]]


@cache
def _all_encoded() -> list[bytes]:
    """Return the UTF-8 of every character; the order of code points is that of their bytes."""
    return [chr(code).encode() for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]


# Judging ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """What one engine allows, or forbids, on one pattern otherwise than ours, with an example, a token after a prefix.

    It counts the prefixes after which the masks differ so, and the tokens that the oracle judged, one prefix at a time.
    ``extra`` is whether the other engine alone allows them; ``ours_right`` is the verdict, the same on all of them.
    """

    engine: str
    work: str
    extra: bool
    prefixes: int
    tokens: int
    ours_right: bool
    prefix: bytes
    token: bytes


def judge(engine: str, work: Work, differences: Sequence[Difference], vocabulary: Vocabulary) -> list[Finding]:
    """Return the findings of one engine on one pattern."""
    oracle = PatternOracle(work.regex)
    groups: dict[tuple[bool, bool], list[tuple[bytes, int]]] = defaultdict(list)
    for difference in differences:
        for extra, ids in ((True, difference.extra), (False, difference.missing)):
            stride = -(-len(ids) // MOST_TOKENS) or 1
            for token_id in ids[::stride]:
                if token_id == vocabulary.eos_id:
                    right = oracle.accepts(difference.prefix)
                else:
                    token = vocabulary.token_bytes[token_id]
                    right = token_id not in vocabulary.special_ids and oracle.allows(difference.prefix, token)
                groups[right != extra, extra].append((difference.prefix, token_id))
    return [
        Finding(
            engine,
            work.name,
            extra,
            len({prefix for prefix, _ in cases}),
            len(cases),
            ours_right,
            cases[0][0],
            vocabulary.token_bytes[cases[0][1]],
        )
        for (ours_right, extra), cases in groups.items()
    ]
