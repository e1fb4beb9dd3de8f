"""Masks that differ between two engines: found along walks, judged by an oracle token by token, grouped by cause."""

import codecs
import re
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from course.showcase.bench.engines.adapters import Buffer, Compilation
from course.showcase.bench.engines.work import Tokens, Work
from labkit.vocabulary import Vocabulary

UNKNOWN, OURS = "no known cause", "here our mask is wrong"

MOST_TOKENS = 200
"""The most tokens of one mask that the oracle judges, taken evenly from all that differ."""


# Finding ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """Two masks after the same bytes: the ids that only the other engine allows, and those that only ours does.

    ``only`` is the one token that the other engine allows, where it allows a single one.
    """

    prefix: bytes
    extra: tuple[int, ...]
    missing: tuple[int, ...]
    only: int | None


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
            only = int(there.argmax()) if there.sum() == 1 else None
            yield Difference(prefix, tuple(extra), tuple(missing), only)
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
        self._pattern = regex.compile(pattern.replace(r"\w", f"[{word_class()}]") if r"\w" in pattern else pattern)
        self._viable = lru_cache(maxsize=None)(self._text_and_tail)

    def allows(self, prefix: bytes, token: bytes) -> bool:
        """Return whether some match starts with the bytes of prefix and token; the empty token is never allowed."""
        parts = split_text(prefix + token)
        return bool(token) and parts is not None and self._viable(*parts)

    def accepts(self, prefix: bytes) -> bool:
        """Return whether the prefix is a match, so that EOS may follow."""
        parts = split_text(prefix)
        return parts is not None and not parts[1] and self._pattern.fullmatch(parts[0]) is not None

    def _text_and_tail(self, text: str, tail: bytes) -> bool:
        candidates = (text + char for char in characters(tail)) if tail else (text,)
        return any(self._pattern.fullmatch(each, partial=True) is not None for each in candidates)


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
class DifferingToken:
    """A token on which two masks differ: ``extra`` if the other engine alone allows it."""

    regex: str
    difference: Difference
    token_id: int
    extra: bool
    vocabulary: Vocabulary
    oracle: PatternOracle

    @property
    def token(self) -> bytes:
        """The token's bytes."""
        return self.vocabulary.token_bytes[self.token_id]

    @property
    def allowed(self) -> bool:
        """Whether the token may come next: EOS after a match, a special token never, any other as the oracle says."""
        if self.token_id == self.vocabulary.eos_id:
            return self.oracle.accepts(self.difference.prefix)
        special = self.token_id in self.vocabulary.special_ids
        return not special and self.oracle.allows(self.difference.prefix, self.token)


@dataclass(frozen=True)
class Finding:
    """One cause in one engine on one pattern, with an example, a token after a prefix.

    It counts the prefixes after which the masks differ for this cause, and the tokens that the oracle judged, one
    prefix at a time. ``ours_right`` is its verdict, the same on all of them.
    """

    engine: str
    work: str
    extra: bool
    cause: str
    prefixes: int
    tokens: int
    ours_right: bool
    prefix: bytes
    token: bytes


def judge(engine: str, work: Work, differences: Sequence[Difference], vocabulary: Vocabulary) -> list[Finding]:
    """Return the findings of one engine on one pattern."""
    oracle = PatternOracle(work.regex)
    groups: dict[tuple[bool, bool, str], list[DifferingToken]] = defaultdict(list)
    for difference in differences:
        for extra, ids in ((True, difference.extra), (False, difference.missing)):
            stride = -(-len(ids) // MOST_TOKENS) or 1
            for token_id in ids[::stride]:
                case = DifferingToken(work.regex, difference, token_id, extra, vocabulary, oracle)
                ours_right = case.allowed != extra
                groups[ours_right, extra, cause_of(engine, case) if ours_right else OURS].append(case)
    findings = []
    for (ours_right, extra, cause), cases in groups.items():
        prefixes, first = {case.difference.prefix for case in cases}, cases[0]
        counts, example = (len(prefixes), len(cases)), (first.difference.prefix, first.token)
        findings.append(Finding(engine, work.name, extra, cause, *counts, ours_right, *example))
    return findings


# Causes -------------------------------------------------------------------------------------------------


def cause_of(engine: str, case: DifferingToken) -> str:
    """Return the first known cause that fits, in words."""
    return next((words for name, words, fits in CAUSES if name == engine and fits(case)), UNKNOWN)


def _word_of_unicode(case: DifferingToken) -> bool:
    return r"\w" in case.regex and not (case.difference.prefix + case.token).isascii()


def _forced_otherwise(case: DifferingToken) -> bool:
    """Return whether the one token that the engine allows starts as this one does: the same text, cut otherwise."""
    if case.extra or case.difference.only is None:
        return False
    forced = case.vocabulary.token_bytes[case.difference.only]
    return forced.startswith(case.token) or case.token.startswith(forced)


def _past_a_match(case: DifferingToken) -> bool:
    """Return whether the text is a match somewhere before the end of this token."""
    prefix, token = case.difference.prefix, case.token
    return not case.extra and any(case.oracle.accepts(prefix + token[:n]) for n in range(len(token)))


CAUSES: tuple[tuple[str, str, Callable[[DifferingToken], bool]], ...] = (
    ("xgrammar", "its dot matches a newline", lambda c: c.extra and "." in c.regex and b"\n" in c.token),
    ("xgrammar", r"its \w is ASCII", lambda c: not c.extra and r"\w" in c.regex and not c.token.isascii()),
    ("llguidance", "where the text is forced it allows the canonical token alone, by design", _forced_otherwise),
    ("llguidance", r"its \w is that of Unicode's UTS 18, not of Python's re", _word_of_unicode),
    ("outlines-core", "it drops some of what follows an accepting state", _past_a_match),
    ("outlines-core", r"its \w is that of Unicode's UTS 18, not of Python's re", _word_of_unicode),
)
"""Engine, cause in words, and whether it fits a case: found by reading differences. A new one has no known cause."""
