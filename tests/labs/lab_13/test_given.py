"""What lab 13 is given to compare distributions and to weigh samples: by hand, and with numbers that are no floats."""

import math

import numpy as np
import pytest

from labs.lab_13_fair_sampling.solution import distances, estimated_distances, log_softmax

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
