"""What the demo runs: each pattern with each model, without a mask, under lab 04's mask, and within lab 05's budget."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from course.timing import seconds
from labkit.automata import Fsm, decimal_fsm
from labkit.models import Model, adversary, digit_lover, seeded_random
from labkit.tries import Trie
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_02_atom_fsm import solution as machine
from labs.lab_03_token_lifting import solution as lifting
from labs.lab_04_eos_gating import solution as gating
from labs.lab_05_truncation import solution as truncation

STEPS = 8
"""Tokens that a run may take, EOS included."""

CHATTER = ["Sure", ",", " here", " is", " the", " number", " you", " asked"]
"""What the adversary would like to say, a token at a time."""


@dataclass(frozen=True)
class Pattern:
    """A pattern of the demo, its machine, and a few beginnings behind which the masks are compared."""

    source: str
    what: str
    fsm: Fsm
    prefixes: tuple[str, ...]


@dataclass(frozen=True)
class Answer:
    """What came out, and why it ended: ``stop`` or ``length``."""

    text: str
    reason: str


@dataclass(frozen=True)
class Run:
    """What came out of one model for one pattern: without a mask, under the mask, within the budget."""

    pattern: Pattern
    model: str
    free: Answer
    masked: Answer
    budgeted: Answer


@dataclass(frozen=True)
class Cost:
    """Seconds that one mask takes, at one vocabulary size."""

    vocab_size: int
    naive: float
    machine: float
    table: float


def patterns() -> list[Pattern]:
    """Lab 01's pattern with the machine that is given, and three of lab 02's language."""
    colour = "#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
    compiled = [
        (r"[0-9]+\.[0-9]+", "digits, a dot, digits", ("", "12", "3.1")),
        ("0x[0-9a-f]+", "a hexadecimal number", ("", "0x", "0x1f")),
        (colour, "a colour", ("", "#f", "#ffffff")),
    ]
    given = Pattern(r"([0-9]+)?\.[0-9]+", "a decimal number", decimal_fsm(), ("", "3", "3.14"))
    made = (Pattern(source, what, machine.compile_pattern(source), prefixes) for source, what, prefixes in compiled)
    return [given, *made]


def models(vocabulary: Vocabulary) -> dict[str, Model]:
    """The models of the demo by name."""
    return {
        "adversary": adversary(vocabulary, wants=CHATTER),
        "digit lover": digit_lover(vocabulary),
        "random": seeded_random(len(vocabulary), seed=2026),
    }


def all_runs(vocabulary: Vocabulary, trie: Trie) -> Iterator[Callable[[], Run]]:
    """Each run as a thing still to be done, so that somebody can count."""
    made = models(vocabulary)
    for pattern in patterns()[1:]:
        table = lifting.lift(pattern.fsm, trie)
        for name, model in made.items():
            yield partial(_run, vocabulary, pattern, table, name, model)


def _run(vocabulary: Vocabulary, pattern: Pattern, table: lifting.Table, name: str, model: Model) -> Run:
    us = np.random.default_rng(7).random(STEPS).tolist()
    free = naive.generate(model, vocabulary.texts(), lambda text: True, us)
    masked = gating.constrained_generate(model, pattern.fsm, table, vocabulary, STEPS, us)
    budgeted = truncation.generate_within(model, pattern.fsm, table, vocabulary, STEPS, us)
    return Run(pattern, name, *(_answer(vocabulary, ids) for ids in (free, masked, budgeted)))


def _answer(vocabulary: Vocabulary, ids: Sequence[int]) -> Answer:
    return Answer(vocabulary.decode(ids), truncation.finish_reason(ids, vocabulary.eos_id))


def all_agreements(vocabulary: Vocabulary, trie: Trie) -> Iterator[Callable[[], bool]]:
    """Whether the masks of labs 01, 02 and 03 are the same bit for bit, behind each beginning of each pattern."""
    for pattern in patterns():
        for prefix in pattern.prefixes:
            yield partial(_agree, vocabulary.texts(), trie, pattern, prefix)


def _agree(texts: Sequence[str | None], trie: Trie, pattern: Pattern, prefix: str) -> bool:
    state = state_behind(pattern, prefix)
    tried = naive.build_mask(texts, prefix, partial(naive.could_match, pattern.source))
    walked = machine.token_mask(pattern.fsm, state, texts)
    looked_up = lifting.row_mask(lifting.walk_trie(pattern.fsm, state, trie), len(texts))
    return bool((tried == walked).all() and (walked == looked_up).all())


def all_costs(vocabulary: Vocabulary, pattern: Pattern, prefix: str) -> Iterator[Callable[[], Cost]]:
    """One mask behind ``prefix``, at growing sizes of the vocabulary, as things still to be done."""
    texts = vocabulary.texts()
    rng = np.random.default_rng(0)
    sizes = [size for size in (1_000, 4_000, 16_000, 64_000) if size < len(texts)]
    for size in sizes:
        some = [texts[i] for i in rng.choice(len(texts), size, replace=False)]
        yield partial(_cost, some, pattern, prefix)
    yield partial(_cost, texts, pattern, prefix)


def _cost(texts: Sequence[str | None], pattern: Pattern, prefix: str) -> Cost:
    state = state_behind(pattern, prefix)
    viable = partial(naive.could_match, pattern.source)
    row = lifting.allowed_tokens(pattern.fsm, state, texts)
    return Cost(
        len(texts),
        naive=seconds(lambda: naive.build_mask(texts, prefix, viable)),
        machine=seconds(lambda: machine.token_mask(pattern.fsm, state, texts)),
        table=seconds(lambda: lifting.row_mask(row, len(texts)), times=9),
    )


def state_behind(pattern: Pattern, prefix: str) -> int:
    """The state of a pattern's machine behind a beginning that is alive."""
    state = machine.advance(pattern.fsm, pattern.fsm.initial, prefix)
    assert state is not None
    return state
