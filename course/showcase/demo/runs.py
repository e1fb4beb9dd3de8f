"""What the demo runs: each pattern with each model, without a mask, under lab 04's mask, and within lab 05's budget."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from course.showcase.demo.patterns import models, patterns
from course.showcase.demo.results import STEPS, Answer, Pattern, Run
from course.student.core.edition import without_reference
from labkit.automata.tries import Trie
from labkit.models import Model
from labkit.vocabulary import Vocabulary
from labs.lab_01_naive_matching import solution as naive
from labs.lab_03_token_lifting import solution as lifting
from labs.lab_04_eos_gating import solution as gating

SCRIPTED = ("adversary", "digit lover")
"""The models whose wishes show most."""


def all_runs(vocabulary: Vocabulary, trie: Trie) -> Iterator[Callable[[], Run]]:
    """Each run as a thing still to be done, so that somebody can count."""
    made = models(vocabulary)
    for pattern in patterns()[1:]:
        table = lifting.lift(pattern.fsm, trie)
        for name in SCRIPTED:
            model = made[name]
            yield partial(_run, vocabulary, pattern, table, name, model)


def _run(vocabulary: Vocabulary, pattern: Pattern, table: lifting.Table, name: str, model: Model) -> Run:
    us = np.random.default_rng(7).random(STEPS).tolist()
    free = naive.generate(model, vocabulary.texts(), lambda text: True, us)
    masked = gating.constrained_generate(model, pattern.fsm, table, vocabulary, STEPS, us)
    budgeted = None
    if not without_reference([5]):
        from labs.lab_05_truncation.solution import generate_within

        ids = generate_within(model, pattern.fsm, table, vocabulary, STEPS, us)
        budgeted = _answer(vocabulary, ids)
    return Run(pattern, name, _answer(vocabulary, free), _answer(vocabulary, masked), budgeted)


def _answer(vocabulary: Vocabulary, ids: Sequence[int]) -> Answer:
    return Answer(vocabulary.decode(ids), "stop" if ids[-1] == vocabulary.eos_id else "length")
