"""What the demo runs: each pattern with each model, without a mask, with the naive one, with the machine's."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

import numpy as np

from labkit.automata import Fsm, decimal_fsm
from labkit.models import Model, adversary, seeded_random
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_02_atom_fsm import solution as machine

STEPS = 8
CHATTER = ["Sure", ",", " here", " is", " the", " number", " you", " asked"]
"""What the adversary would like to say, a token at a time."""


@dataclass(frozen=True)
class Pattern:
    """A pattern of the demo and its machine."""

    source: str
    what: str
    fsm: Fsm


@dataclass(frozen=True)
class Run:
    """What came out of one model for one pattern."""

    pattern: Pattern
    model: str
    unconstrained: str
    naive: str
    machine: str
    same_ids: bool


@dataclass(frozen=True)
class Cost:
    """Seconds that one mask takes, at one vocabulary size."""

    vocab_size: int
    naive: float
    machine: float

    @property
    def ratio(self) -> float:
        """How many times cheaper the machine is."""
        return self.naive / self.machine


def patterns() -> list[Pattern]:
    """Lab 01's pattern with the machine that is given, and two of lab 02's language."""
    compiled = [
        ("0x[0-9a-f]+", "a hexadecimal number"),
        ("#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]", "a colour"),
    ]
    given = Pattern(r"([0-9]+)?\.[0-9]+", "a decimal number", decimal_fsm())
    return [given, *(Pattern(source, what, machine.compile_pattern(source)) for source, what in compiled)]


def models(vocabulary: Vocabulary) -> dict[str, Model]:
    """The models of the demo by name."""
    return {
        "adversary": adversary(vocabulary, wants=CHATTER),
        "seeded random": seeded_random(len(vocabulary), seed=2026),
    }


def all_runs(vocabulary: Vocabulary) -> Iterator[Callable[[], Run]]:
    """Each run as a thing still to be done, so that somebody can count."""
    for pattern in patterns():
        for name, model in models(vocabulary).items():
            yield partial(_run, vocabulary, pattern, name, model)


def _run(vocabulary: Vocabulary, pattern: Pattern, name: str, model: Model) -> Run:
    texts = vocabulary.texts()
    us = np.random.default_rng(7).random(STEPS).tolist()
    free = naive.generate(model, texts, lambda text: True, us)
    tried = naive.generate(model, texts, partial(naive.could_match, pattern.source), us)
    walked = machine.generate(model, pattern.fsm, texts, us)
    spell = vocabulary.decode
    return Run(pattern, name, spell(free), spell(tried), spell(walked), same_ids=tried == walked)


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
    state = machine.advance(pattern.fsm, pattern.fsm.initial, prefix)
    assert state is not None
    viable = partial(naive.could_match, pattern.source)
    return Cost(
        len(texts),
        naive=_seconds(lambda: naive.build_mask(texts, prefix, viable)),
        machine=_seconds(lambda: machine.token_mask(pattern.fsm, state, texts)),
    )


def _seconds(job: Callable[[], object], times: int = 3) -> float:
    """The median of a few runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        job()
        taken.append(time.perf_counter() - start)
    return median(taken)
