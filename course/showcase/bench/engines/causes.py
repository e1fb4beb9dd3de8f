"""Why an engine's mask differs: causes that are known, each with a check that it can be the cause here."""

from collections.abc import Callable
from dataclasses import dataclass

from course.showcase.bench.engines.compare import Difference
from course.showcase.bench.engines.oracle import Oracle
from course.showcase.bench.engines.work import Work
from labkit.vocabulary import Vocabulary

UNKNOWN = "no known cause"


@dataclass(frozen=True)
class Case:
    """A token on which two masks differ: `extra` if the other engine alone allows it."""

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


@dataclass(frozen=True)
class Cause:
    """What an engine does otherwise, in words, and whether it fits a case."""

    engine: str
    words: str
    fits: Callable[[Case], bool]


def cause_of(engine: str, case: Case) -> str:
    """The first known cause that fits."""
    return next((cause.words for cause in CAUSES if cause.engine == engine and cause.fits(case)), UNKNOWN)


def _newline_for_a_dot(case: Case) -> bool:
    return case.extra and "." in case.work.regex and b"\n" in case.token


def _beyond_ascii(case: Case) -> bool:
    return not case.extra and r"\w" in case.work.regex and not case.token.isascii()


def _word_of_unicode(case: Case) -> bool:
    return r"\w" in case.work.regex and not (case.difference.prefix + case.token).isascii()


def _forced_otherwise(case: Case) -> bool:
    """The engine allows one token, and this one begins as it does: the same text, cut otherwise."""
    only = case.difference.only
    if case.extra or only is None:
        return False
    forced = case.vocabulary.token_bytes[only]
    return forced.startswith(case.token) or case.token.startswith(forced)


def _past_a_match(case: Case) -> bool:
    """Before the end of this token, the text so far is a match."""
    prefix, token = case.difference.prefix, case.token
    return not case.extra and any(case.oracle.accepts(prefix + token[:n]) for n in range(len(token)))


CAUSES = (
    Cause("xgrammar", "its dot matches a newline", _newline_for_a_dot),
    Cause("xgrammar", r"its \w is ASCII", _beyond_ascii),
    Cause("llguidance", "where the text is forced it allows the canonical token alone, by design", _forced_otherwise),
    Cause("llguidance", r"its \w is that of Unicode's UTS 18, not of Python's re", _word_of_unicode),
    Cause("outlines-core", "it drops some of what follows an accepting state", _past_a_match),
    Cause("outlines-core", r"its \w is that of Unicode's UTS 18, not of Python's re", _word_of_unicode),
)
"""What was found by reading disagreements; a new one shows up as having no known cause."""
