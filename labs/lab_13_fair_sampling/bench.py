"""The case of lab 13 in ``python3 -m course bench``: weights by elimination, and by a budget too long to matter."""

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from labkit.automata import Fsm
from labkit.bench import Case, Setting, Subject
from labs.lab_13_fair_sampling.given.markov import END, Chain
from labs.lab_13_fair_sampling.solution import backward_weights, weights_within

LENGTH = 400
"""So many characters are no limit: longer texts weigh less than a rounding error."""


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each pattern, over its characters; none for a part of a vocabulary."""
    if setting.vocabulary is None:
        return
    for subject in setting.subjects:
        yield partial(_weights, subject)


def _weights(subject: Subject) -> Case:
    chain = _uniform(subject.fsm)
    slow, fast = weights_within(chain, LENGTH)[-1], backward_weights(chain)
    assert np.allclose(fast, slow)
    return Case(
        "the weight of every state, a model without preferences",
        subject.pattern,
        (f"texts of up to {LENGTH} characters", "nodes eliminated"),
        slow=lambda: weights_within(chain, LENGTH),
        fast=lambda: backward_weights(chain),
        times=3,
        note=lambda times: f"{len(chain)} states",
    )


def _uniform(fsm: Fsm) -> Chain:
    """Return the automaton as a chain: each character, and EOS, is as likely as any other."""
    chars = sorted({char for row in fsm.transitions for char in row})
    score = -math.log(len(chars) + 1)
    rows = [{chars.index(char): (target, score) for char, target in row.items()} for row in fsm.transitions]
    return [row | ({len(chars): (END, score)} if state in fsm.accepting else {}) for state, row in enumerate(rows)]
