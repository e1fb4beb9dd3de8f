# Your file for lab 13. Replace each `raise NotImplementedError` with code of your own, in any order.
# How far you are:  python3 -m course test 13
# On every save:    python3 -m course watch 13
# Stuck on TODO 1:  python3 -m course hint 13.1
# The README beside this file explains the idea.

"""Lab 13: a mask bends the odds. First measure how far, then sample without the bend.

A mask looks only at the next token. The fair probability of a token also counts everything that may follow it: the
*weight* of the node that it leads to, which is the probability that the text ends legally from there. For a Markov
model under an automaton you compute the weights exactly, backwards from the end. A transformer has no table of nodes;
there, each sample carries a weight of its own.
"""

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.errors import LimitExceeded, NoLegalToken
from labkit.models import Model
from labs.lab_01_naive_matching.solution import sample
from labs.lab_03_token_lifting.solution import Table
from labs.lab_13_fair_sampling.given.markov import END, Chain, trimmed

Allowed = Callable[[Sequence[int]], NDArray[np.bool_]]
"""``allowed(ids)`` returns the mask after some token ids, ``bool[V]``. A budget is part of it, so every text ends."""

Draw = Callable[[], float]
"""``draw()`` gives the next random number, ``0 <= u < 1``."""

Text = tuple[int, ...]
"""The token ids of a text, EOS at its end."""

LogWeights = Sequence[float] | NDArray[np.float64]
"""Logarithms of weights, of any size; ``-inf`` for a sample that came to a dead end."""


def log_softmax(logits: NDArray[np.floating], temperature: float = 1.0) -> NDArray[np.float64]:
    """Return the logarithms of the model's probabilities, which sum to 1 over the whole vocabulary. Given.

    Args:
        logits: ``float[V]``, of any size; ``-inf`` for a token of probability 0.
        temperature: the logits are divided by it, once; above 0.

    Returns:
        ``float64[V]``; ``-inf`` stays ``-inf``.

    Raises:
        ValueError: if every logit is ``-inf``.

    >>> np.exp(log_softmax(np.array([1000.0, -np.inf, 1000.0]))).round(9).tolist()
    [0.5, 0.0, 0.5]
    """
    if not np.isfinite(logits).any():
        raise ValueError("no token has a finite logit: the model left nothing to choose from")
    # widen before the arithmetic, and subtract: the logarithm of a probability that has underflowed would be -inf
    scores: NDArray[np.float64] = logits.astype(np.float64) / temperature
    return scores - float(np.logaddexp.reduce(scores))


# Part 1: see the bend -------------------------------------------------------------------------------------


def masked_step(model: Model, allowed: Allowed, ids: Sequence[int], draw: Draw) -> tuple[int | None, float]:
    """Choose the next token under the mask, and return it with the share of the model's probability that the mask kept.

    Args:
        model, allowed: call each once, with ``ids``.
        draw: call it once, and choose with lab 01's ``sample``; but don't call it in a dead end.

    Returns:
        The token id, a plain int, and the logarithm of the **mass**, which is the sum of the allowed tokens'
        probabilities. If the mask allows nothing, or only tokens that the model rules out, that's a dead end: return
        ``(None, -inf)``.

    >>> after_yes = lambda ids: np.log([0.75, 0.25])  # it wants "terday", and only EOS is legal
    >>> token, mass = masked_step(after_yes, lambda ids: np.array([False, True]), [0], lambda: 0.5)
    >>> token, round(math.exp(mass), 9)
    (1, 0.25)
    """
    raise NotImplementedError("lab 13, TODO 1 (about 6 lines): a token under the mask, and the mass that it kept")


def masked_sample(model: Model, allowed: Allowed, eos_id: int, draw: Draw) -> tuple[list[int], float]:
    """Return a text that masking writes, and the logarithm of its importance weight. Given.

    The weight is the product of the masses of all steps, EOS's too. Masking writes a text with the model's probability
    divided by this product, so multiplying by it undoes the bend.

    Returns:
        The ids, EOS included, and the logarithm of the weight. In a dead end, the ids so far and ``-inf``.

    >>> only_eos_ends = lambda ids: np.array([len(ids) < 1, len(ids) == 1])
    >>> ids, weight = masked_sample(lambda ids: np.zeros(2), only_eos_ends, 1, lambda: 0.5)
    >>> ids, round(math.exp(weight), 9)
    ([0, 1], 0.25)
    """
    ids: list[int] = []
    weight = 0.0
    while ids[-1:] != [eos_id]:
        token, mass = masked_step(model, allowed, ids, draw)
        weight += mass
        if token is None:
            break
        ids.append(token)
    return ids, weight


def rejection_sample(model: Model, allowed: Allowed, eos_id: int, draw: Draw, attempts: int) -> list[int] | None:
    """Let the model write freely until it writes a legal text, which then has exactly its fair probability.

    Args:
        draw: call it once for each token, even for one that's rejected, and choose with ``sample``. Don't ask the model
            more often than that.
        attempts: how many texts you may begin. An attempt ends at its first token that isn't allowed.

    Returns:
        The ids, EOS included; None if no attempt was legal.

    >>> draws = iter([0.9, 0.1, 0.6])
    >>> rejection_sample(lambda ids: np.zeros(2), lambda ids: np.array([not ids, bool(ids)]), 1, draws.__next__, 2)
    [0, 1]
    """
    raise NotImplementedError("lab 13, TODO 2 (about 10 lines): write freely until a text is legal")


# Part 2: compute the weights, for a model that looks only at the last token -------------------------------


def joint_chain(
    logits: NDArray[np.floating],
    eos_id: int,
    table: Table,
    accepting: Collection[int],
    initial: int = 0,
    temperature: float = 1.0,
) -> Chain:
    """Return the chain of a Markov model under an automaton: a node for each pair of a state and a last token. Given.

    Together the two decide everything that may follow, because the mask looks at the state, and the model at the last
    token.

    Args:
        logits: ``float[V, V]``: row t scores the tokens that may follow token t. The first token of a text follows
            none, so the row of EOS scores it.
        table: as in lab 03: ``table[state][token_id]`` is the state after an allowed token. EOS isn't in it.
        accepting: the states in which EOS is allowed.

    Returns:
        A row for each node. It maps each token that may follow to the next node and the logarithm of the model's own
        probability, as ``log_softmax`` returns it. Don't normalise that again, because what the mask takes away is
        exactly what you're going to measure. A token of probability 0 has no entry, and EOS leads to ``END``. Node 0 is
        the start. Make only nodes that can be reached from there, and only one for each pair.

    >>> logits = np.log([[0.5, 0.5], [0.75, 0.25]])
    >>> chain = joint_chain(logits, eos_id=1, table=({0: 1}, {}), accepting={1})
    >>> [{token: (target, round(math.exp(score), 9)) for token, (target, score) in row.items()} for row in chain]
    [{0: (1, 0.75)}, {1: (-1, 0.5)}]
    """
    start = (initial, eos_id)
    waiting, number, chain = [start], {start: 0}, list[dict[int, tuple[int, float]]]()
    # the list grows while it is read
    for state, last in waiting:
        scores, row = log_softmax(logits[last], temperature), {}
        for token, target in table[state].items():
            if scores[token] > -np.inf:
                pair = (target, token)
                if pair not in number:
                    number[pair] = len(waiting)
                    waiting.append(pair)
                row[token] = (number[pair], float(scores[token]))
        if state in accepting and scores[eos_id] > -np.inf:
            row[eos_id] = (END, float(scores[eos_id]))
        chain.append(row)
    return chain


def backward_weights(chain: Chain) -> NDArray[np.float64]:
    """Return the logarithm of each node's weight: the sum of the probabilities of all texts from there to the end.

    The probability of a text is the product of its tokens' probabilities, EOS included. If the chain has loops there
    are infinitely many texts, so you can't list them. Remove the nodes one by one instead, as you would to turn an
    automaton into a regular expression.

    Returns:
        ``float64[N + 1]``: ``-inf`` in a dead end. The last entry, which ``END`` finds, is 0, since the end weighs 1.

    Raises:
        LimitExceeded: if a loop from which the end can be reached weighs 1 or more, so that the sum diverges. That
            never happens with probabilities, but it may with scores that aren't normalised.

    >>> half, quarter = math.log(1 / 2), math.log(1 / 4)
    >>> np.exp(backward_weights([{0: (0, half), 1: (1, quarter)}, {2: (END, half)}])).round(9).tolist()
    [0.25, 0.5, 1.0]
    """
    n = len(chain)
    raise NotImplementedError("lab 13, TODO 3 (about 14 lines): the sum over all completions, loops included")


def fair_distribution(row: Mapping[int, tuple[int, float]], weights: NDArray[np.float64]) -> dict[int, float]:
    """Return the fair probabilities of the next token, which take account of everything that may follow it.

    Args:
        row: a node's row of the chain.
        weights: ``float64[N + 1]``, logarithms: the weight of each node; the last entry is the end's.

    Returns:
        A dict from token id to probability, ids ascending; the probabilities sum to 1. Leave out a token that leads to
        a dead end. In a dead end nothing is left, so return {}. If all weights are the same, you get what a mask gives.

    >>> row = {0: (0, math.log(0.5)), 1: (1, math.log(0.25))}
    >>> fair_distribution(row, np.log([0.5, 1.0, 1.0])), fair_distribution(row, np.array([-np.inf, -5.0, 0.0]))
    ({0: 0.5, 1: 0.5}, {1: 1.0})
    """
    raise NotImplementedError("lab 13, TODO 4 (about 3 lines): score times what may follow, normalised")


def row_at(rows: Sequence[NDArray[np.float64]], step: int) -> NDArray[np.float64]:
    """Return the row of weights to use at a step; after the last row, that row again. Given.

    >>> [float(row_at([np.array([1.0]), np.array([2.0])], step)[0]) for step in (0, 1, 9)]
    [1.0, 2.0, 2.0]
    """
    return rows[min(step, len(rows) - 1)]


def sample_fair(chain: Chain, rows: Sequence[NDArray[np.float64]], draw: Draw) -> list[int]:
    """Return the token ids of a text, EOS included, each token drawn from ``fair_distribution``. Given.

    Args:
        rows: the weights to use at each step, ``float64[N + 1]`` each; ``row_at`` finds them. Without a budget that's
            ``[backward_weights(chain)]``, with one ``weights_within(chain, budget)[-2::-1]``. Zeros give masking.
        draw: called once for each token.

    Raises:
        NoLegalToken: in a dead end.

    >>> chain = [{0: (0, math.log(0.5)), 1: (END, math.log(0.5))}]
    >>> sample_fair(chain, [backward_weights(chain)], iter([0.1, 0.4, 0.6]).__next__)
    [0, 0, 1]
    """
    ids: list[int] = []
    node = 0
    while node != END:
        odds = fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            raise NoLegalToken(node, str(ids))
        ids.append([*odds][sample(np.array([*odds.values()]), draw())])
        node = chain[node][ids[-1]][0]
    return ids


def text_probabilities(chain: Chain, rows: Sequence[NDArray[np.float64]], most: int) -> dict[Text, float]:
    """Return each text of at most ``most`` tokens, EOS included, with the probability that sampling writes it. Given.

    Args:
        rows: as for ``sample_fair``; ``[np.zeros(len(chain) + 1)]`` gives the texts under a mask.

    Returns:
        The probabilities sum to 1, because a text that's cut or comes to a dead end is listed too, without EOS.

    >>> half = math.log(0.5)
    >>> text_probabilities([{0: (1, half), 2: (END, half)}, {2: (END, 0.0)}], [np.zeros(3)], most=2)
    {(2,): 0.5, (0, 2): 0.5}
    """
    found: dict[Text, float] = {}
    waiting: list[tuple[Text, int, float]] = [((), 0, 1.0)]
    for ids, node, probability in waiting:
        odds = {} if node == END or len(ids) == most else fair_distribution(chain[node], row_at(rows, len(ids)))
        if not odds:
            found[ids] = probability
        waiting += [((*ids, token), chain[node][token][0], probability * odd) for token, odd in odds.items()]
    return found


def is_fair(chain: Chain, weights: NDArray[np.float64], tolerance: float = 1e-9) -> bool:
    """Return whether masking writes every text with its fair probability, as a plain bool.

    Args:
        chain: node 0 isn't a dead end.
        weights: ``backward_weights(chain)``.
        tolerance: weights count as equal if no two of their logarithms differ by more than this.

    >>> half = math.log(0.5)
    >>> one = [{0: (1, half), 1: (2, half)}, {2: (END, half)}, {2: (END, half)}]
    >>> other = [{0: (1, half), 1: (2, half)}, {2: (END, half)}, {2: (END, 0.0)}]
    >>> is_fair(one, backward_weights(one)), is_fair(other, backward_weights(other))
    (True, False)
    """
    raise NotImplementedError("lab 13, TODO 5 (about 2 lines): does masking give the fair distribution?")


def distances(p: Mapping[Any, float], q: Mapping[Any, float]) -> tuple[float, float]:
    """Return how far two distributions over texts are apart. Given.

    Args:
        p, q: texts with their probabilities; a text that is missing has probability 0.

    Returns:
        The Kullback-Leibler divergence of p from q in nats, which is the sum of ``p log(p / q)``, and infinite if p
        writes a text that q never writes; and the total variation, which is half the sum of ``|p - q|``, from 0 to 1.

    >>> kl, tv = distances({"no": 0.5, "yes": 0.5}, {"no": 0.8, "yes": 0.2})
    >>> round(kl, 3), round(tv, 3)
    (0.223, 0.3)
    """
    # 0 log 0 counts as 0, and p log(p / 0) is infinite
    written = [(a, q.get(text, 0.0)) for text, a in p.items() if a > 0]
    kl = sum(a * math.log(a / b) if b > 0 else math.inf for a, b in written)
    return kl, sum(abs(p.get(text, 0.0) - q.get(text, 0.0)) for text in {*p, *q}) / 2


def weights_within(chain: Chain, budget: int) -> NDArray[np.float64]:
    """Return the logarithms of the nodes' weights for each number of tokens that may still be written. Given.

    Returns:
        ``float64[budget + 1, N + 1]``: row r sums over the texts of at most r tokens, EOS included. The last column is
        the end, which weighs 1 in every row. With no token left, as in row 0, everything else weighs 0.

    >>> chain = [{0: (0, math.log(0.5)), 1: (END, math.log(0.5))}]
    >>> np.exp(weights_within(chain, 3)).round(9).tolist()
    [[0.0, 1.0], [0.5, 1.0], [0.75, 1.0], [0.875, 1.0]]
    """
    weights = np.full((budget + 1, len(chain) + 1), -np.inf)
    weights[:, END] = 0
    for left in range(1, budget + 1):
        for node, row in enumerate(chain):
            after = [score + weights[left - 1, target] for target, score in row.values()]
            weights[left, node] = np.logaddexp.reduce(after)
    return weights


# Part 3: samplers for a transformer, which has no table ---------------------------------------------------


def effective_sample_size(log_weights: LogWeights) -> float:
    """Return how many equally weighted samples these are worth, ``(Σw)² / Σw²``. Given.

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


def resample(log_weights: LogWeights, u: float) -> list[int]:
    """Return as many indices as there are weights, each as often as its weight asks for: systematic resampling. Given.

    Args:
        log_weights: n logarithms, of any size; at least one is above ``-inf``.
        u: one number for all points, ``0 <= u < 1``.

    Returns:
        n plain ints, ascending. How often does index k occur? Take n times its share of all the weight, and round that
        down or up. An index whose weight is 0 never occurs.

    >>> resample(np.log([0.5, 0.25, 0.25, 1e-9]), 0.5)
    [0, 0, 1, 2]
    """
    # subtle: scale by the largest weight, or e^-2000 is 0; a point on a border belongs to the piece after it
    cumulative = np.cumsum(np.exp(np.asarray(log_weights) - max(log_weights)))
    points = (np.arange(len(cumulative)) + u) / len(cumulative)
    picked: list[int] = np.searchsorted(cumulative / cumulative[-1], points, side="right").tolist()
    return picked


def smc_sample(
    model: Model, allowed: Allowed, eos_id: int, n: int, draw: Draw, threshold: float = 0.5
) -> list[tuple[list[int], float]]:
    """Return n texts with the logarithms of their weights, by sequential Monte Carlo.

    In each round every particle that's still running takes one masked step, in order, and its weight is multiplied by
    the mass. Then, if ``effective_sample_size`` is below ``threshold * n`` and above 0, all n particles are resampled,
    and each gets the mean weight. A particle stops running after EOS, or in a dead end.

    Args:
        n: the number of particles, at least 1.
        draw: call it once for each token, and once for each resampling.
        threshold: with 0 you never resample, and get n masked samples with their weights.

    Returns:
        The ids, in a list of its own, and the weight of each particle, ``-inf`` for one in a dead end. The mean of the
        weights is an unbiased estimate of the probability that the model writes a legal text.

    >>> draws = iter([0.1, 0.9, 0.5, 0.1, 0.1])
    >>> model = lambda ids: np.log([0.5, 0.375, 0.125]) if not ids else np.log([1e-9, 1e-9, 1.0])
    >>> particles = smc_sample(model, lambda ids: np.array([not ids, not ids, bool(ids)]), 2, 2, draws.__next__, 0.0)
    >>> [(ids, round(math.exp(weight), 6)) for ids, weight in particles]
    [([0, 2], 0.875), ([1, 2], 0.875)]
    """
    raise NotImplementedError("lab 13, TODO 6 (about 12 lines): particles that step, weigh and resample together")


def pick(particles: Sequence[tuple[list[int], float]], u: float) -> list[int] | None:
    """Return the text of one particle, drawn by its weight; None if all came to dead ends. Given.

    >>> pick([([0], -np.inf), ([1], -900.0)], 0.0), pick([([0], -np.inf)], 0.0)
    ([1], None)
    """
    weights = np.array([weight for _, weight in particles])
    if not np.isfinite(weights).any():
        return None
    return particles[sample(np.exp(weights - weights.max()), u)][0]


def adaptive_sample(
    model: Model, allowed: Allowed, eos_id: int, remembered: Mapping[Text, float], draw: Draw
) -> tuple[list[int], dict[Text, float]]:
    """Return a text drawn with the weights that earlier samples left, and the weights that this one has learned.

    As long as you know nothing about a prefix, assume that it weighs 1, which is never too little. Once you've asked
    the model about it, you know better: its weight is the sum, over the allowed tokens, of the token's probability
    times the weight of the prefix that it leads to.

    Args:
        model, allowed: call each once for each prefix that you come to.
        remembered: prefixes with the logarithms of their weights, which are upper bounds. Don't change it.
        draw: call it once for each token, and choose with ``sample``.

    Returns:
        Two things. The ids, EOS included; in a dead end, the ids so far. And a dict with the logarithm of the new
        weight of each prefix that you asked the model about, the empty one among them; ``-inf`` for a dead end. The
        finished text has no entry, because it always weighs 1.

    >>> ids, learned = adaptive_sample(
    ...     lambda ids: np.zeros(2), lambda ids: np.array([not ids, bool(ids)]), 1, {(0,): math.log(0.25)}, lambda: 0.5
    ... )
    >>> ids, {prefix: round(math.exp(weight), 9) for prefix, weight in learned.items()}
    ([0, 1], {(0,): 0.5, (): 0.25})
    """
    raise NotImplementedError("lab 13, TODO 7 (about 16 lines): masking with remembered weights, and what it learns")


def estimated_distances(log_weights: LogWeights) -> tuple[float, float]:
    """Estimate, from masked samples alone, how far masking is from the fair distribution. Given.

    Masking writes a text with ``mean / weight`` times its fair probability, where ``mean`` is the expected weight.

    Returns:
        The divergence of masking from the fair distribution, and their total variation, as in ``distances``. They only
        know about texts that were drawn.

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
