"""What lab 13 is given: by hand, by brute force, and with numbers that are no floats."""

import math
from itertools import product

import numpy as np
import pytest

from labs.lab_13_fair_sampling.given.markov import END
from labs.lab_13_fair_sampling.solution import (
    distances,
    estimated_distances,
    joint_chain,
    log_softmax,
    resample,
    weights_within,
)

INF = math.inf


def logs(parts):
    with np.errstate(divide="ignore"):
        return np.log(np.array(parts, float))


@pytest.mark.parametrize(
    ("p", "q", "kl", "tv"),
    [
        ({"a": 0.8, "b": 0.2}, {"a": 0.5, "b": 0.5}, 0.8 * math.log(1.6) + 0.2 * math.log(0.4), 0.3),
        ({"a": 1.0}, {"b": 1.0}, INF, 1.0),
        ({"a": 1.0}, {"a": 0.5, "b": 0.5}, math.log(2), 0.5),
        ({"a": 0.75, "b": 0.25}, {"a": 1.0, "b": 0.0}, INF, 0.25),
        ({"a": 1.0, "b": 0.0}, {"a": 1.0}, 0.0, 0.0),
    ],
)
def test_two_distances(p, q, kl, tv):
    assert distances(p, q) == pytest.approx((kl, tv), rel=1e-12)


@pytest.mark.parametrize("parts", [[1, 1], [0.5, 1.0], [0.25, 0.25, 1.0, 1.0], [1e-3, 1.0, 1.0], [7.0], [1, 0, 1, 1]])
def test_the_distances_of_masking_by_its_own_samples(parts):
    """If each text were drawn once, masking would give each 1/n and fairness weight/sum: the distances of these two."""
    masked = dict.fromkeys(range(len(parts)), 1 / len(parts))
    fair = {i: part / math.fsum(parts) for i, part in enumerate(parts)}
    for shift in (0.0, -3000.0):
        found = estimated_distances((logs(parts) + shift).tolist())
        assert found == pytest.approx(distances(masked, fair), abs=1e-7)


def test_where_nothing_is_left():
    with pytest.raises(ValueError, match="no token has a finite logit"):
        log_softmax(np.array([-INF]))
    with pytest.raises(ValueError, match="dead end"):
        estimated_distances([-INF])


def texts_of(model, eos_id, table, accepting, initial, most):
    """Return every legal text of at most so many tokens with the model's probability, by brute force."""
    found = {}
    for length in range(most):
        for ids in product([token for token in range(len(model)) if token != eos_id], repeat=length):
            state, last, probability = initial, eos_id, 1.0
            for token in ids:
                state = table[state].get(token) if state is not None else None
                probability *= model[last][token]
                last = token
            probability *= model[last][eos_id]
            if state in accepting and state is not None and probability:
                found[*ids, eos_id] = float(probability)
    return found


def walked(chain, most):
    """Return the probability of each text that the chain writes, of at most so many tokens."""
    found, waiting = {}, [((), 0, 0.0)]
    for ids, node, total in waiting:
        if node == END:
            found[ids] = math.exp(total)
        elif len(ids) < most:
            waiting += [((*ids, token), target, total + score) for token, (target, score) in chain[node].items()]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_chain_keeps_the_models_probabilities(seed):
    rng = np.random.default_rng(seed)
    n_states, eos_id, temperature = int(rng.integers(2, 5)), int(rng.integers(0, 3)), (1.0, 2.0, 0.5)[seed % 3]
    parts = rng.integers(0, 4, (3, 3))
    parts[:, eos_id] += 1
    model = parts / parts.sum(1, keepdims=True)
    tokens = [token for token in (2, 1, 0) if token != eos_id]
    table = tuple({t: int(rng.integers(n_states)) for t in tokens if rng.random() < 0.8} for _ in range(n_states))
    accepting = {state for state in range(n_states) if rng.random() < 0.5} | {n_states - 1}
    initial = seed % n_states
    chain = joint_chain(logs(model) * temperature + 5, eos_id, table, accepting, initial, temperature)
    assert walked(chain, 5) == pytest.approx(texts_of(model, eos_id, table, accepting, initial, 5))
    pairs = {(initial, eos_id)}
    for _ in range(20):
        pairs |= {(q, t) for state, last in pairs for t, q in table[state].items() if model[last][t]}
    assert len(chain) == len(pairs)


@pytest.mark.parametrize(
    ("logits", "expected"),
    [
        ([[0.0, -800.0], [-800.0, 0.0]], [{0: (1, -800.0)}, {1: (END, -800.0)}]),
        ([[0.0, -INF], [-800.0, 0.0]], [{0: (1, -800.0)}, {}]),
    ],
)
def test_a_chain_keeps_what_is_0_only_as_a_float(logits, expected):
    assert joint_chain(np.array(logits), 1, ({0: 1}, {}), {1}) == expected


def test_weights_by_the_tokens_that_remain():
    chain = [{0: (1, -900.0), 1: (END, -1800.0)}, {1: (END, -900.0)}]
    expected = [[-INF, -INF, 0.0], [-1800.0, -900.0, 0.0], [-1800.0 + math.log(2), -900.0, 0.0]]
    np.testing.assert_allclose(weights_within(chain, 2), expected)


@pytest.mark.parametrize(
    ("parts", "u", "expected"),
    [
        *[([1, 1, 1], 0.9, [0, 1, 2]), ([0, 1, 0], 0.5, [1, 1, 1]), ([0, 0, 1], 0.0, [2, 2, 2])],
        *[([1, 3], 0.4, [0, 1]), ([1, 3], 0.6, [1, 1]), ([1, 0, 1], 0.0, [0, 0, 2]), ([1, 0, 1], 0.75, [0, 2, 2])],
        ([1, *[0] * 48], 0.0, [0] * 49),  # 49 times 1/49 is less than 1 as a float
    ],
)
@pytest.mark.parametrize("shift", [0.0, -3000.0])
def test_points_at_equal_distances(parts, u, expected, shift):
    assert resample((logs(parts) + shift).tolist(), u) == expected
