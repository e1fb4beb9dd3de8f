"""Given: how far two distributions are apart, and how much weighted samples are worth."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

LogWeights = Sequence[float] | NDArray[np.float64]
"""Logarithms of weights, of any size; ``-inf`` for a sample that came to a dead end."""


def distances(p: Mapping[Any, float], q: Mapping[Any, float]) -> tuple[float, float]:
    """Return how far two distributions over texts are apart.

    Args:
        p, q: texts with their probabilities; a text that is missing has probability 0.

    Returns:
        The Kullback-Leibler divergence of p from q, the sum of ``p log(p / q)``, in nats: infinite where p writes a
        text that q never writes. And the total variation, half the sum of ``|p - q|``, between 0 and 1.

    >>> kl, tv = distances({"no": 0.5, "yes": 0.5}, {"no": 0.8, "yes": 0.2})
    >>> round(kl, 3), round(tv, 3)
    (0.223, 0.3)
    """
    # 0 log 0 counts as 0, and p log(p / 0) is infinite
    written = [(a, q.get(text, 0.0)) for text, a in p.items() if a > 0]
    kl = sum(a * math.log(a / b) if b > 0 else math.inf for a, b in written)
    return kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2


def effective_sample_size(log_weights: LogWeights) -> float:
    """Return how many equally weighted samples these are worth: the squared sum of the weights over the sum of squares.

    Returns:
        Between 1 and the number of weights; 0 if all weights are 0.

    >>> effective_sample_size([-2000.0, -2000.0, -np.inf]), effective_sample_size([-np.inf])
    (2.0, 0.0)
    """
    if not np.isfinite(log_weights).any():
        return 0.0
    # scale by the largest weight before the exponential, since e^-2000 is 0 as a float
    weights = np.exp(np.asarray(log_weights) - max(log_weights))
    return float(weights.sum() ** 2 / (weights**2).sum())


def estimated_distances(log_weights: LogWeights) -> tuple[float, float]:
    """Estimate, from masked samples alone, how far masking is from the fair distribution.

    Masking writes a text with ``mean / weight`` times its fair probability, where ``mean`` is the expected weight.

    Returns:
        The divergence of masking from the fair distribution, and their total variation, as in ``distances``. They know
        only about the texts that were drawn.

    Raises:
        ValueError: if every weight is 0.

    >>> kl, tv = estimated_distances(np.log([1.0, 0.25]))
    >>> round(kl, 3), round(tv, 3)
    (0.223, 0.3)
    """
    if not np.isfinite(log_weights).any():
        raise ValueError("every sample came to a dead end: nothing can be estimated")
    mean = np.logaddexp.reduce(log_weights) - math.log(len(log_weights))
    ratios = np.asarray(log_weights) - mean
    return float(-ratios.mean()), float(np.abs(np.exp(ratios) - 1).mean() / 2)
