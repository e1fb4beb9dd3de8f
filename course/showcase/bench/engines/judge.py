"""Disagreements between masks, judged token by token and gathered by cause."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from course.showcase.bench.engines.causes import Case, cause_of
from course.showcase.bench.engines.compare import Difference
from course.showcase.bench.engines.oracle import Oracle
from course.showcase.bench.engines.work import Work
from labkit.vocabulary import Vocabulary

OURS = "here our mask is wrong"

MOST_TOKENS = 200
"""The most tokens of one mask that are put before the oracle, taken evenly from all that differ."""


@dataclass(frozen=True)
class Finding:
    """One cause in one engine on one pattern, with an example.

    It stands behind `prefixes` different beginnings; `tokens` counts what was put before the oracle, one beginning at a
    time, and `ours_right` is what the oracle says of all of them.
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
    """The findings of one engine on one pattern."""
    oracle = Oracle(work.for_oracle)
    groups: dict[tuple[bool, bool, str], list[Case]] = defaultdict(list)
    for difference in differences:
        for case in _cases(work, difference, vocabulary, oracle):
            ours_right = allowed(case) != case.extra
            groups[ours_right, case.extra, cause_of(engine, case) if ours_right else OURS].append(case)
    return [_finding(engine, *group, cases) for group, cases in groups.items()]


def allowed(case: Case) -> bool:
    """Whether the token may come next: EOS behind a match, a special token never, any other as the oracle says."""
    if case.token_id == case.vocabulary.eos_id:
        return case.oracle.accepts(case.difference.prefix)
    if case.token_id in case.vocabulary.special_ids:
        return False
    return case.oracle.allows(case.difference.prefix, case.token)


def _cases(work: Work, difference: Difference, vocabulary: Vocabulary, oracle: Oracle) -> Iterator[Case]:
    for extra, ids in ((True, difference.extra), (False, difference.missing)):
        stride = -(-len(ids) // MOST_TOKENS) or 1
        for token_id in ids[::stride]:
            yield Case(work, difference, token_id, extra, vocabulary, oracle)


def _finding(engine: str, ours_right: bool, extra: bool, cause: str, cases: Sequence[Case]) -> Finding:
    return Finding(
        engine=engine,
        work=cases[0].work.name,
        extra=extra,
        cause=cause,
        prefixes=len({case.difference.prefix for case in cases}),
        tokens=len(cases),
        ours_right=ours_right,
        prefix=cases[0].difference.prefix,
        token=cases[0].token,
    )
