"""Drafts give the distribution of the rows that they're verified against: masked ones, or lab 13's fair ones."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from labs.lab_13_fair_sampling.given.markov import EOS, NO, WORDS, YES
from labs.lab_13_fair_sampling.solution import backward_weights, fair_distribution, joint_chain, text_probabilities
from labs.lab_14_drafts.given.guides import GuideOfFunctions
from labs.lab_14_drafts.solution import generate, probabilities

CHAIN = joint_chain(WORDS, EOS, ({NO: 1, YES: 1}, {}), {1})
PARTS = 30
"""All that is decided is decided at whole parts of so many: 4/5 by a third, 1/2 by a third, their residuals."""

ALLOWED = {(): 0b011, (NO,): 0b1000, (YES,): 0b1000}
GUIDE = GuideOfFunctions(
    (),
    lambda state, remaining=None: np.array([ALLOWED[state]], np.int32),
    print,
    lambda state, token: (*state, token),
    bool,
    len,
)


def score_by(weights):
    def row(ids):
        odds = fair_distribution(CHAIN[{(): 0, (NO,): 1, (YES,): 2}[tuple(ids)]], weights)
        with np.errstate(divide="ignore"):
            return np.log([odds.get(token, 0.0) for token in range(4)])

    return lambda ids, draft: np.array([row([*ids, *draft[:n]]) for n in range(len(draft) + 1)])


def law(weights, q):
    """Return how often each text comes, over one drafted token and all draws."""
    found = defaultdict(float)
    for token in np.flatnonzero(q).tolist():
        for numbers in product([(part + 0.5) / PARTS for part in range(PARTS)], repeat=2):
            draws = iter((*numbers, *[0.5] * 9))
            rounds = generate(
                GUIDE,
                lambda state, ids, left, token=token: ([], np.zeros((0, 4))) if ids else ([token], q[None]),
                score_by(weights),
                [],
                EOS,
                3,
                draws.__next__,
            )
            text = [each for tokens in rounds for each in tokens]
            found[tuple(text)] += q[token] / PARTS**2
    return dict(found)


@pytest.mark.parametrize("q", [[1 / 3, 1 / 3, 1 / 3, 0], [0, 0, 0.5, 0.5], [0.75, 0.25, 0, 0]])
@pytest.mark.parametrize("kind", ["masked", "fair"])
def test_texts_have_the_distribution_of_the_rows(q, kind):
    weights = backward_weights(CHAIN) if kind == "fair" else np.zeros(len(CHAIN) + 1)
    found = law(weights, np.array(q))
    expected = text_probabilities(CHAIN, [weights], 3)
    assert found.keys() == expected.keys() and len(found) == 2
    assert all(abs(found[text] - odds) < 1e-9 for text, odds in expected.items())
    assert abs(expected[YES, EOS] - (0.2 if kind == "fair" else 0.5)) < 1e-9


def test_masked_rows_sum_to_1():
    rows = probabilities(np.array([[800.0, -800.0, 0.0], [1.0, -np.inf, 1.0]]), np.array([[0, 1, 1], [1, 1, 1]], bool))
    assert rows[0, 0] == 0 and np.allclose(rows.sum(1), 1) and rows[1].tolist() == [0.5, 0, 0.5]
