"""Masks that differ between two engines: found along walks, judged token by token, and grouped by cause."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from course.showcase.bench.engines.interface import Buffer, Compiled
from course.showcase.bench.engines.oracle import Oracle
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
    """An engine compared with ours along some walks.

    ``unreached`` counts the masks after a token that the engine refused.
    """

    masks: int
    differences: tuple[Difference, ...]
    unreached: int


def compare(ours: Compiled, other: Compiled, walks: Sequence[Tokens], vocabulary: Vocabulary) -> Comparison:
    """Compare all masks along the walks."""
    found = [step for walk in walks for step in _steps(ours, other, walk, vocabulary)]
    total = sum(len(walk) + 1 for walk in walks)
    return Comparison(len(found), tuple(step for step in found if step is not None), total - len(found))


def _steps(ours: Compiled, other: Compiled, tokens: Tokens, vocabulary: Vocabulary) -> Iterator[Difference | None]:
    """Yield the difference at each step that both reach, or None where the masks are equal."""
    buffers = Buffer(len(vocabulary)), Buffer(len(vocabulary))
    both = ours.start(buffers[0]), other.start(buffers[1])
    for step in range(len(tokens) + 1):
        for walk in both:
            walk.fill()
        yield _difference(*buffers, b"".join(vocabulary.token_bytes[i] for i in tokens[:step]))
        if step == len(tokens) or not all(walk.advance(tokens[step]) for walk in both):
            return


def _difference(ours: Buffer, other: Buffer, prefix: bytes) -> Difference | None:
    here, there = ours.bits(), other.bits()
    extra, missing = (there & ~here).nonzero()[0], (here & ~there).nonzero()[0]
    if not len(extra) and not len(missing):
        return None
    only = int(there.argmax()) if there.sum() == 1 else None
    return Difference(prefix, tuple(extra.tolist()), tuple(missing.tolist()), only)


# Judging ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A token on which two masks differ: ``extra`` if the other engine alone allows it."""

    work: Work
    difference: Difference
    token_id: int
    extra: bool
    vocabulary: Vocabulary
    oracle: Oracle

    @property
    def token(self) -> bytes:
        """The token's bytes."""
        return self.vocabulary.token_bytes[self.token_id]

    @property
    def allowed(self) -> bool:
        """Whether the token may come next: EOS after a match, a special token never, any other as the oracle says."""
        if self.token_id == self.vocabulary.eos_id:
            return self.oracle.accepts(self.difference.prefix)
        if self.token_id in self.vocabulary.special_ids:
            return False
        return self.oracle.allows(self.difference.prefix, self.token)


@dataclass(frozen=True)
class Finding:
    """One cause in one engine on one pattern, with an example.

    Attributes:
        prefixes: after how many prefixes the masks differ for this cause.
        tokens: how many tokens the oracle judged, one prefix at a time.
        ours_right: the oracle's verdict, the same on all of them.
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
    oracle = Oracle(work.for_oracle)
    groups: dict[tuple[bool, bool, str], list[Case]] = defaultdict(list)
    for difference in differences:
        for extra, ids in ((True, difference.extra), (False, difference.missing)):
            stride = -(-len(ids) // MOST_TOKENS) or 1
            for token_id in ids[::stride]:
                case = Case(work, difference, token_id, extra, vocabulary, oracle)
                ours_right = case.allowed != extra
                groups[ours_right, extra, cause_of(engine, case) if ours_right else OURS].append(case)
    findings = []
    for (ours_right, extra, cause), cases in groups.items():
        prefixes = [case.difference.prefix for case in cases]
        counts, example = (len(set(prefixes)), len(cases)), (prefixes[0], cases[0].token)
        findings.append(Finding(engine, work.name, extra, cause, *counts, ours_right, *example))
    return findings


# Causes -------------------------------------------------------------------------------------------------


def cause_of(engine: str, case: Case) -> str:
    """Return the first known cause that fits, in words."""
    return next((words for name, words, fits in CAUSES if name == engine and fits(case)), UNKNOWN)


def _word_of_unicode(case: Case) -> bool:
    return r"\w" in case.work.regex and not (case.difference.prefix + case.token).isascii()


def _forced_otherwise(case: Case) -> bool:
    """Return whether the one token that the engine allows starts as this one does: the same text, cut otherwise."""
    if case.extra or case.difference.only is None:
        return False
    forced = case.vocabulary.token_bytes[case.difference.only]
    return forced.startswith(case.token) or case.token.startswith(forced)


def _past_a_match(case: Case) -> bool:
    """Return whether the text is a match somewhere before the end of this token."""
    prefix, token = case.difference.prefix, case.token
    return not case.extra and any(case.oracle.accepts(prefix + token[:n]) for n in range(len(token)))


CAUSES: tuple[tuple[str, str, Callable[[Case], bool]], ...] = (
    ("xgrammar", "its dot matches a newline", lambda c: c.extra and "." in c.work.regex and b"\n" in c.token),
    ("xgrammar", r"its \w is ASCII", lambda c: not c.extra and r"\w" in c.work.regex and not c.token.isascii()),
    ("llguidance", "where the text is forced it allows the canonical token alone, by design", _forced_otherwise),
    ("llguidance", r"its \w is that of Unicode's UTS 18, not of Python's re", _word_of_unicode),
    ("outlines-core", "it drops some of what follows an accepting state", _past_a_match),
    ("outlines-core", r"its \w is that of Unicode's UTS 18, not of Python's re", _word_of_unicode),
)
"""Engine, cause in words, and whether it fits a case: found by reading differences. A new one has no known cause."""
