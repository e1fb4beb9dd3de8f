"""The case of lab 05 in ``python3 -m course bench labs``: what the budget adds to lab 04's mask."""

from collections.abc import Callable, Iterator
from functools import cache, partial

from labkit.automata.tries import Trie
from labkit.bench import Case, Setting, Subject
from labkit.vocabulary import Vocabulary
from labs.lab_03_token_lifting.solution import build_trie, lift
from labs.lab_04_eos_gating.solution import mask_row
from labs.lab_05_truncation.solution import budget_row, tokens_to_accept


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each pattern, still to be made; none for a part of a vocabulary, which has no EOS."""
    if setting.vocabulary is None:
        return
    trie = cache(partial(build_trie, setting.texts))
    for subject in setting.subjects:
        yield partial(_budget_against_mask, setting.vocabulary, subject, trie)


def _budget_against_mask(vocabulary: Vocabulary, subject: Subject, trie: Callable[[], Trie]) -> Case:
    fsm, state, table = subject.fsm, subject.state, lift(subject.fsm, trie())
    distance = tokens_to_accept(table, fsm.accepting)
    allowed = int(mask_row(fsm, table, state, vocabulary).sum())
    return Case(
        "one mask with a budget",
        subject.pattern,
        ("budget mask", "plain mask"),
        slow=lambda: budget_row(mask_row(fsm, table, state, vocabulary), table[state], distance, 9),
        fast=lambda: mask_row(fsm, table, state, vocabulary),
        times=5,
        prepare=lambda: tokens_to_accept(table, fsm.accepting),
        note=lambda times: f"{allowed:,} allowed, distances {times.prepare * 1000:.1f} ms",
    )
