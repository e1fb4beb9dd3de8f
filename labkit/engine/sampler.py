"""The sampler's pipeline: from one row of logits to one token.

The order is vLLM's: the mask comes first (``StructuredOutputs.mask``, for the whole batch), then for each row the
bias, the penalties, temperature, top-k, top-p, min-p, and one random number. A mask that came after top-k could find
that none of the k tokens is legal. A bias may come after it: minus infinity plus a number stays minus infinity.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from labkit.engine.receipts import receipt_of
from labkit.engine.request import Logprob, SamplingParams

Floats = NDArray[np.float64]


def sample_token(
    logits: NDArray[np.float32],
    context_token_ids: Iterable[int],
    params: SamplingParams,
    generator: np.random.Generator,
    output_token_ids: Sequence[int] = (),
) -> int:
    """Choose a token for one request.

    Args:
        logits: ``float32[V]``, masked already; it is not changed.
        context_token_ids: the prompt and the answer so far, for the repetition penalty.
        generator: the request's own; it gives exactly one number, and none at temperature 0.
        output_token_ids: the answer so far, for the penalties that leave the prompt out.

    Raises:
        ValueError: if every logit is minus infinity.

    >>> sample_token(np.array([0, 9, -np.inf], np.float32), [], SamplingParams(temperature=0), np.random.default_rng())
    1
    """
    left, weights = _weigh(logits, context_token_ids, params, output_token_ids)
    if params.temperature == 0:
        return int(left[0])
    sums = weights.cumsum()
    # Take the smallest index whose sum exceeds the drawn number: it is never a token of probability 0.
    return int(left[sums.searchsorted(generator.random() * sums[-1], side="right")])


def weigh_tokens(
    logits: NDArray[np.float32],
    context_token_ids: Iterable[int],
    params: SamplingParams,
    output_token_ids: Sequence[int] = (),
) -> Floats:
    """Return how likely each token is, as ``float64[V]`` that sum to anything; at temperature 0 all is on the best.

    Args, and the error: see ``sample_token``.

    >>> weigh_tokens(np.array([0, 0, -np.inf], np.float32), [], SamplingParams()).tolist()
    [1.0, 1.0, 0.0]
    """
    weights = np.zeros(len(logits))
    left, weights_left = _weigh(logits, context_token_ids, params, output_token_ids)
    weights[left] = weights_left
    return weights


def _weigh(
    logits: NDArray[np.float32],
    context_token_ids: Iterable[int],
    params: SamplingParams,
    output_token_ids: Sequence[int],
) -> tuple[NDArray[np.intp], Floats]:
    """Return the tokens that may come next, ascending, and how likely each is; at temperature 0 the best alone.

    Most masks leave few tokens, so only those are weighed.
    """
    scores = logits.astype(np.float64)
    if params.logit_bias:
        scores[[*params.logit_bias]] += [*params.logit_bias.values()]
    if params.repetition_penalty != 1:
        scores = penalize_repetition(scores, context_token_ids, params.repetition_penalty)
    if params.frequency_penalty or params.presence_penalty:
        scores = penalize_counts(scores, output_token_ids, params.frequency_penalty, params.presence_penalty)
    (left,) = (scores != -np.inf).nonzero()
    if not len(left):
        raise ValueError("no token may come next: the mask left every logit at minus infinity")
    if len(left) < len(scores):
        scores = scores[left]
    best = int(scores.argmax())
    if params.temperature == 0:
        return left[best : best + 1], np.ones(1)
    # Next to 0, a temperature would take a difference beyond what a float holds.
    scores = (scores - scores[best]) / max(params.temperature, 1e-200)
    if params.top_k:
        scores = keep_top_k(scores, params.top_k)
    if params.top_p < 1:
        scores = keep_top_p(scores, params.top_p)
    if params.min_p:
        scores = keep_min_p(scores, params.min_p)
    return left, np.exp(scores)


def penalize_repetition(scores: Floats, token_ids: Iterable[int], penalty: float) -> Floats:
    """Return scores in which tokens that occurred are less likely: positive ones divided, the others multiplied.

    From Keskar et al., "CTRL" (2019), section 4.1, as vLLM and transformers apply it.

    >>> penalize_repetition(np.array([4.0, -4.0, 1.0]), [0, 1, 1], 2).tolist()
    [2.0, -8.0, 1.0]
    """
    seen = list(token_ids)
    scores = scores.copy()
    scores[seen] = np.where(scores[seen] > 0, scores[seen] / penalty, scores[seen] * penalty)
    return scores


def penalize_counts(scores: Floats, token_ids: Sequence[int], frequency: float, presence: float) -> Floats:
    """Return scores less ``frequency`` for each time that a token occurred, and less ``presence`` if it did.

    OpenAI's formula, which vLLM applies to the tokens of the answer alone.

    >>> penalize_counts(np.zeros(3), [0, 1, 1], 0.5, 1).tolist()
    [-1.5, -2.0, 0.0]
    """
    counts = np.bincount(np.array(token_ids, np.intp), minlength=len(scores))
    scores = scores - frequency * counts - presence * (counts > 0)
    return scores


def keep_top_k(scores: Floats, k: int) -> Floats:
    """Return scores with all but the k largest at -inf; a tie with the last of them stays (Fan et al., 2018).

    >>> keep_top_k(np.array([3.0, 1.0, 2.0, 2.0]), 2).tolist()
    [3.0, -inf, 2.0, 2.0]
    """
    if k >= len(scores):
        return scores
    return np.where(scores < np.partition(scores, -k)[-k], -np.inf, scores)


def keep_top_p(scores: Floats, p: float) -> Floats:
    """Return scores with the fewest most likely ones whose probabilities reach p, the others at -inf.

    From Holtzman et al., "The Curious Case of Neural Text Degeneration" (2020).

    >>> keep_top_p(np.log([0.5, 0.2, 0.3]), 0.7).round(2).tolist()  # 0.5 isn't enough; 0.5 + 0.3 is
    [-0.69, -inf, -1.2]
    """
    order = np.argsort(-scores, kind="stable")
    weights = np.exp(scores[order] - scores[order[0]])
    before = weights.cumsum() - weights
    kept = scores.copy()
    # A token goes if those before it suffice; the first always stays.
    kept[order[1:][before[1:] >= p * weights.sum()]] = -np.inf
    return kept


def keep_min_p(scores: Floats, p: float) -> Floats:
    """Return scores with those at -inf whose probability is below p times the largest (Nguyen et al., 2024).

    >>> keep_min_p(np.log([0.6, 0.1, 0.3]), 0.4).round(2).tolist()  # 0.4 * 0.6 is 0.24
    [-0.51, -inf, -1.2]
    """
    return np.where(scores < scores.max() + np.log(p), -np.inf, scores)


def logprob_of(
    logits: NDArray[np.float32], token_id: int, count: int, masked: NDArray[np.float32] | None = None
) -> Logprob:
    """Return a token's logprob under a row of logits, and the ``count`` most likely ones.

    Args:
        masked: the row after the mask, for the receipt; None if there was no mask.

    >>> found = logprob_of(np.log([0.25, 0.25, 0.5], dtype=np.float32), 0, count=1)
    >>> round(found.logprob, 2), found.top[0][0]  # ln 0.25; token 2 is the likeliest
    (-1.39, 2)
    """
    scores = logits.astype(np.float64) - logits.max()
    scores -= np.log(np.exp(scores).sum())
    top = np.argsort(-scores, kind="stable")[:count]
    receipt = None if masked is None else receipt_of(logits, masked > -np.inf)
    return Logprob(token_id, float(scores[token_id]), tuple((int(i), float(scores[i])) for i in top), receipt)
