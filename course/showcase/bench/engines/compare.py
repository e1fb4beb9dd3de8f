"""Masks bit for bit along walks: two engines behind the same tokens."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from course.showcase.bench.engines.engine import Buffer, Compiled
from course.showcase.bench.engines.walks import Tokens
from labkit.vocabulary import Vocabulary


@dataclass(frozen=True)
class Difference:
    """Two masks behind the same bytes: the ids that only the other engine allows, and those that only ours does.

    ``only`` is the one token that the other engine allows, where it allows a single one.
    """

    prefix: bytes
    extra: tuple[int, ...]
    missing: tuple[int, ...]
    only: int | None


@dataclass(frozen=True)
class Comparison:
    """An engine beside ours along some walks.

    ``unreached`` counts the masks behind a token that the engine refused.
    """

    masks: int
    differences: tuple[Difference, ...]
    unreached: int


def compare(ours: Compiled, other: Compiled, walks: Sequence[Tokens], vocabulary: Vocabulary) -> Comparison:
    """Compare all masks along the walks."""
    found = [step for walk in walks for step in _steps(ours, other, walk, vocabulary)]
    everything = sum(len(walk) + 1 for walk in walks)
    return Comparison(len(found), tuple(step for step in found if step is not None), everything - len(found))


def _steps(ours: Compiled, other: Compiled, tokens: Tokens, vocabulary: Vocabulary) -> Iterator[Difference | None]:
    """The difference at each step that both reach, or None where the masks are equal."""
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
