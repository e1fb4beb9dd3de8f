"""What the bench compares: each case is one job done in two of the course's ways."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from course.showcase.timing import Pair, paired, seconds
from labkit.automata import Fsm, decimal_fsm
from labkit.automata.tries import Trie
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_02_atom_fsm import solution as machine
from labs.lab_03_token_lifting import solution as lifting
from labs.lab_04_eos_gating import solution as gating
from labs.lab_05_truncation import solution as truncation

Texts = Sequence[str | None]

PATTERNS: dict[str, tuple[Fsm, str]] = {
    r"([0-9]+)?\.[0-9]+": (decimal_fsm(), "3.14"),
    "0x[0-9a-f]+": (machine.compile_pattern("0x[0-9a-f]+"), "0x1f"),
    "[a-z]+@[a-z]+": (machine.compile_pattern("[a-z]+@[a-z]+"), "ada@home"),
}
"""Each pattern with its machine, and a text behind which one mask is timed."""


@dataclass(frozen=True)
class Row:
    """One line of the bench: a job, the slower and the faster way, and how they compare."""

    lab: str
    job: str
    pattern: str
    vocab_size: int
    slow_way: str
    fast_way: str
    slow: float
    fast: float
    ratio: float
    note: str = ""


@dataclass(frozen=True)
class Setting:
    """A vocabulary and its trie, with what it took to build."""

    texts: Texts
    trie: Trie
    build: float
    vocabulary: Vocabulary | None = None


def settings(vocabulary: Vocabulary) -> Iterator[Callable[[], Setting]]:
    """50,000 tokens drawn from the vocabulary, and all of it."""
    texts = vocabulary.texts()
    chosen = np.random.default_rng(0).choice(len(texts), min(50_000, len(texts)), replace=False)
    yield partial(_setting, [texts[i] for i in chosen], None)
    yield partial(_setting, texts, vocabulary)


def _setting(texts: Texts, vocabulary: Vocabulary | None) -> Setting:
    trie = lifting.build_trie(texts)
    return Setting(texts, trie, seconds(lambda: lifting.build_trie(texts)), vocabulary)


def cases(setting: Setting) -> Iterator[Callable[[], Row]]:
    """The cases of one setting, as things still to be done."""
    for pattern in PATTERNS:
        yield partial(_machine_against_naive, setting, pattern)
        yield partial(_look_up_against_machine, setting, pattern)
        yield partial(_trie_against_naive, setting, pattern)
        yield partial(_trie_against_loop, setting, pattern)
        if setting.vocabulary is not None:
            yield partial(_budget_against_mask, setting, pattern)


def _row(lab: str, job: str, pattern: str, setting: Setting, ways: tuple[str, str], pair: Pair, note: str = "") -> Row:
    return Row(lab, job, pattern, len(setting.texts), *ways, pair.slow, pair.fast, pair.ratio, note)


def _machine_against_naive(setting: Setting, pattern: str) -> Row:
    fsm, prefix = PATTERNS[pattern]
    state = _state(fsm, prefix)
    viable = partial(naive.could_match, pattern)
    pair = paired(
        lambda: naive.build_mask(setting.texts, prefix, viable),
        lambda: machine.token_mask(fsm, state, setting.texts),
    )
    return _row("02", "one mask by walking", pattern, setting, ("partial matches", "machine"), pair)


def _look_up_against_machine(setting: Setting, pattern: str) -> Row:
    fsm, prefix = PATTERNS[pattern]
    state = _state(fsm, prefix)
    table = lifting.lift(fsm, setting.trie)
    pair = paired(
        lambda: machine.token_mask(fsm, state, setting.texts),
        lambda: lifting.row_mask(table[state], len(setting.texts)),
        times=5,
    )
    return _row("03", "one mask by look-up", pattern, setting, ("machine", "table"), pair)


def _trie_against_naive(setting: Setting, pattern: str) -> Row:
    """The table as lab 01 would make it: every token asked about behind one text for each state. Once, it is slow."""
    fsm, prefix = PATTERNS[pattern]
    witnesses = {_state(fsm, prefix[:n]): prefix[:n] for n in range(len(prefix), -1, -1)}
    viable = partial(naive.could_match, pattern)
    pair = paired(
        lambda: [naive.build_mask(setting.texts, text, viable) for text in witnesses.values()],
        lambda: [lifting.walk_trie(fsm, state, setting.trie) for state in witnesses],
        times=1,
    )
    return _row("03", "the rows of all states", pattern, setting, ("partial matches", "ready trie"), pair)


def _trie_against_loop(setting: Setting, pattern: str) -> Row:
    fsm, _ = PATTERNS[pattern]
    pair = paired(
        lambda: lifting.states_to_vocab(fsm, setting.texts),
        lambda: lifting.lift(fsm, setting.trie),
    )
    pays = int(setting.build / max(pair.slow - pair.fast, 1e-9)) + 1
    note = f"trie {setting.build:.2f} s, pays from pattern {pays} on"
    return _row("03", "the table of all states", pattern, setting, ("every token", "ready trie"), pair, note)


def _budget_against_mask(setting: Setting, pattern: str) -> Row:
    """What the budget mask adds to a step, where the distances are known."""
    fsm, prefix = PATTERNS[pattern]
    state, vocabulary = _state(fsm, prefix), setting.vocabulary
    assert vocabulary is not None
    table = lifting.lift(fsm, setting.trie)
    distance = truncation.tokens_to_accept(table, fsm.accepting)
    row = gating.mask_row(fsm, table, state, vocabulary)
    pair = paired(
        lambda: truncation.budget_row(gating.mask_row(fsm, table, state, vocabulary), table[state], distance, 9),
        lambda: gating.mask_row(fsm, table, state, vocabulary),
        times=5,
    )
    took = seconds(lambda: truncation.tokens_to_accept(table, fsm.accepting))
    note = f"{int(row.sum()):,} allowed, distances {took * 1000:.1f} ms"
    return _row("05", "one mask with a budget", pattern, setting, ("budget mask", "plain mask"), pair, note)


def _state(fsm: Fsm, text: str) -> int:
    state = machine.advance(fsm, fsm.initial, text)
    assert state is not None
    return state
