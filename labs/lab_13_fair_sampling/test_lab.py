"""Tests of lab 13. The oracles are fractions, sums over all texts, and samplers run with every draw there is.

A model whose probabilities are whole parts of a grid makes all numbers of the grid equally good draws. So a sampler
that is run once with each of them shows its exact distribution, and nothing is left to chance. Two tests draw at
random: they say how unlikely they are to fail a right answer; ``python -m tests.labs.lab_13.seeds`` tries other seeds.
"""

import math
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from labkit.checking import Recorder, check_array, check_close, check_equal, check_type
from labkit.checking.calls import reporting
from labkit.checking.promises import check_promises
from labkit.errors import LimitExceeded, NoLegalToken

END = -1
INF = math.inf
HALF, QUARTER = math.log(1 / 2), math.log(1 / 4)


def near(got, expected, what, most=1e-9):
    """Assert that a number is a float and as expected, up to rounding; an infinity is exact."""
    check_type(got, float, what)
    alike = got == expected if math.isinf(expected) else abs(got - expected) <= most * max(1.0, abs(expected))
    assert alike, f"{what}\n    expected {expected!r}\n    yours    {got!r}"


def all_near(got, expected, what):
    """Assert the same of a dictionary, whose keys and their order are exact."""
    check_type(got, dict, what)
    check_equal([*got], [*expected], f"the keys of {what}")
    for key, number in expected.items():
        near(got[key], float(number), f"{what}, at {key}")


def logs(parts):
    """Return the logarithms of fractions, as the logits of a model."""
    with np.errstate(divide="ignore"):
        return np.log(np.array(parts, float))


# Words: a model that is bent -------------------------------------------------------------------------------

NO, YES, TERDAY, EOS = range(4)
WORDS = [
    [Fraction(0), Fraction(0), Fraction(0), Fraction(1)],  # after no: the end
    [Fraction(0), Fraction(0), Fraction(3, 4), Fraction(1, 4)],  # after yes: terday, mostly
    [Fraction(0), Fraction(0), Fraction(0), Fraction(1)],
    [Fraction(1, 2), Fraction(1, 2), Fraction(0), Fraction(0)],  # at first
]
ANSWER = ({NO: 1, YES: 1}, {})
"""``no|yes``: one of the two tokens, then EOS. Masked, they are equally likely; in truth no is four times as likely."""


def words(ids):
    """Ask the model of ``WORDS``."""
    return logs(WORDS[ids[-1] if ids else EOS])


def answer(ids):
    """Return the mask of ``no|yes``."""
    return np.array([not ids, not ids, False, len(ids) == 1])


def always(u):
    """Return a draw that gives the same number for ever."""
    return lambda: u


def scripted(numbers):
    """Return a draw that gives these numbers, and fails the test where it is asked for more."""
    left = list(numbers)[::-1]

    def draw():
        assert left, f"more draws than the {len(numbers)} that are needed"
        return left.pop()

    return draw


def grid(parts, n):
    """Yield every list of n draws from the middles of so many equal parts."""
    return product([(k + 0.5) / parts for k in range(parts)], repeat=n)


# Random chains, by fractions --------------------------------------------------------------------------------


def random_case(seed, loops):
    """Return a model as fractions, a table and accepting states; without loops, a token leads to a higher state."""
    rng = np.random.default_rng(seed)
    n_states, n_tokens, eos_id = int(rng.integers(2, 5)), 3, int(rng.integers(0, 3))
    parts = rng.integers(0, 4, (n_tokens, n_tokens))
    parts[:, eos_id] += 1
    model = [[Fraction(int(part), int(row.sum())) for part in row] for row in parts]
    table = []
    for state in range(n_states):
        targets = range(0 if loops else state + 1, n_states)
        tokens = [token for token in range(n_tokens) if token != eos_id and rng.random() < 0.8]
        table.append({token: int(rng.choice(targets)) for token in tokens[::-1] if targets})
    accepting = {state for state in range(n_states) if rng.random() < 0.5} | {n_states - 1}
    return model, eos_id, tuple(table), accepting


def texts_of(model, eos_id, table, accepting, initial, most):
    """Return every legal text of at most so many tokens with the model's probability, as a fraction, by brute force."""
    found = {}
    for length in range(most):
        for ids in product([token for token in range(len(model)) if token != eos_id], repeat=length):
            state, last, probability = initial, eos_id, Fraction(1)
            for token in ids:
                state = table[state].get(token) if state is not None else None
                probability *= model[last][token]
                last = token
            probability *= model[last][eos_id]
            if state in accepting and state is not None and probability:
                found[*ids, eos_id] = probability
    return found


def chain_of(rows):
    """Return a chain from rows of ``token: (target, fraction)``."""
    return [{token: (target, math.log(part)) for token, (target, part) in row.items()} for row in rows]


def random_rows(seed, loops=True):
    """Return the rows of a random chain; each node ends with a fifth at least, unless it is a dead end."""
    rng = np.random.default_rng(seed)
    n, rows = int(rng.integers(1, 7)), []
    for node in range(n):
        targets = range(0 if loops else node + 1, n)
        parts = rng.integers(1, 5, 3)
        row = {t: (int(rng.choice(targets)), Fraction(int(part), 16)) for t, part in enumerate(parts) if targets}
        rows.append(row | {7: (END, Fraction(1, 5))} if rng.random() < 0.8 or not row else row)
    return rows


def sums_by_length(rows, most):
    """Return each node's weight: the probabilities of the texts of each length, one length after another."""
    table = [[0.0] * len(rows) + [1.0]]
    for _ in range(most):
        before = table[-1]
        table.append([math.fsum(float(p) * before[target] for target, p in row.values()) for row in rows] + [1.0])
    return table


# TODO 1 -------------------------------------------------------------------------------------------------


@pytest.mark.todo("log_softmax")
@pytest.mark.parametrize(
    ("logits", "temperature", "expected"),
    [
        ([0.0, 0.0], 1.0, [HALF, HALF]),
        ([3.0, 3.0, 3.0, 3.0], 1.0, [QUARTER] * 4),
        ([1000.0, 1000.0], 1.0, [HALF, HALF]),
        ([-3000.0, -3000.0], 1.0, [HALF, HALF]),
        ([-INF, 5.0], 1.0, [-INF, 0.0]),
        ([0.0, math.log(3)], 1.0, [QUARTER, math.log(3 / 4)]),
        ([0.0, 2 * math.log(3)], 2.0, [QUARTER, math.log(3 / 4)]),
        ([0.0, math.log(3) / 2], 0.5, [QUARTER, math.log(3 / 4)]),
        ([1.0, -INF, 1.0], 7.0, [HALF, -INF, HALF]),
    ],
)
def test_logarithms_of_the_probabilities(lab, logits, temperature, expected):
    """Differences stay, the probabilities sum to 1, and the temperature divides the logits once."""
    what = f"log_softmax({logits}, {temperature})"
    with reporting(what, expected):
        got = lab.log_softmax(np.array(logits), temperature)
    check_array(got, np.float64, (len(logits),), what)
    check_close(got, expected, what, rtol=1e-9, atol=1e-12)


@pytest.mark.todo("log_softmax")
def test_a_small_probability_is_not_zero(lab):
    """e^-2000 is no float; its logarithm is."""
    got = lab.log_softmax(np.array([0.0, -2000.0, -INF], np.float32))
    check_array(got, np.float64, (3,), "log_softmax of float32")
    check_close(got, [0.0, -2000.0, -INF], "log_softmax([0, -2000, -inf])")


@pytest.mark.todo("log_softmax")
def test_float32_is_widened_first(lab):
    """The sum of a thousand float32 is computed in float64."""
    logits = np.linspace(-3, 3, 1001, dtype=np.float32)
    exact = math.log(math.fsum(math.exp(float(x)) for x in logits))
    check_close(lab.log_softmax(logits), [float(x) - exact for x in logits], "log_softmax of float32", rtol=1e-12)


# TODO 2 -------------------------------------------------------------------------------------------------


def walked(chain, most):
    """Return the logarithm of the probability of each text that the chain writes, of at most so many tokens."""
    found, waiting = {}, [((), 0, 0.0)]
    for ids, node, score in waiting:
        if node == END:
            found[ids] = score
        elif len(ids) < most:
            waiting += [((*ids, token), target, score + s) for token, (target, s) in chain[node].items()]
    return found


def as_rows(chain):
    """Return the chain as plain dictionaries, having checked the types of what is in them."""
    for node, row in enumerate(chain):
        for token, (target, score) in row.items():
            check_type(target, int, f"the target of token {token} in node {node}")
            check_type(score, float, f"the score of token {token} in node {node}")
            assert score > -INF, f"token {token} in node {node} has probability 0, and no place in the chain"
    return [dict(row) for row in chain]


@pytest.mark.todo("joint_chain")
@pytest.mark.parametrize("seed", range(12))
def test_texts_keep_the_models_probabilities(lab, seed):
    """The chain writes the legal texts, each with the model's own probability: nothing is normalised."""
    model, eos_id, table, accepting = random_case(seed, loops=True)
    initial = seed % len(table)
    what = f"joint_chain, EOS {eos_id}, table {table}, accepting {sorted(accepting)}, initial {initial}"
    with reporting(what):
        chain = as_rows(lab.joint_chain(logs(model), eos_id, table, accepting, initial))
    expected = texts_of(model, eos_id, table, accepting, initial, 5)
    got = walked(chain, 5)
    check_equal(sorted(got), sorted(expected), f"the texts of at most 5 tokens of {what}")
    for ids, part in expected.items():
        near(math.exp(got[ids]), float(part), f"the probability of {ids}, {what}")


@pytest.mark.todo("joint_chain")
@pytest.mark.parametrize("seed", range(6))
def test_a_node_for_each_pair(lab, seed):
    """A node is a state and the token before it; each pair that can be reached has one, and no other has."""
    model, eos_id, table, accepting = random_case(seed, loops=True)
    pairs = {(0, eos_id)}
    for _ in range(20):
        pairs |= {(q, t) for state, last in pairs for t, q in table[state].items() if model[last][t]}
    chain = as_rows(lab.joint_chain(logs(model), eos_id, table, accepting))
    check_equal(len(chain), len(pairs), f"the nodes for {sorted(pairs)}")
    sizes = Counter(
        sum(model[last][t] > 0 for t in table[s]) + (s in accepting and model[last][eos_id] > 0) for s, last in pairs
    )
    check_equal(
        dict(sorted(Counter(map(len, chain)).items())), dict(sorted(sizes.items())), "how many rows of each size"
    )


@pytest.mark.todo("joint_chain")
def test_the_words(lab):
    """After yes the mask keeps a quarter of the model's probability."""
    chain = as_rows(lab.joint_chain(logs(WORDS), EOS, ANSWER, [1]))
    expected = {(NO, EOS): HALF, (YES, EOS): HALF + QUARTER}
    got = walked(chain, 9)
    all_near({key: got[key] for key in sorted(got)}, expected, "the texts of no|yes")


@pytest.mark.todo("joint_chain")
def test_the_temperature_of_the_chain(lab):
    """The temperature divides the logits once, in every row."""
    chain = as_rows(lab.joint_chain(np.array([[0.0, 0.0], [2 * math.log(3), 0.0]]), 1, ({0: 1}, {}), {1}, 0, 2.0))
    near(chain[0][0][1], math.log(3 / 4), "the score of token 0 at temperature 2")
    near(chain[1][1][1], HALF, "the score of EOS at temperature 2")


# TODO 3 -------------------------------------------------------------------------------------------------


def check_weights(lab, rows, expected, what, most=1e-9):
    """Assert the weights of a chain, written as fractions."""
    with reporting(f"backward_weights of {what}"):
        got = lab.backward_weights(chain_of(rows))
    check_array(got, np.float64, (len(rows) + 1,), f"backward_weights of {what}")
    with np.errstate(divide="ignore"):
        check_close(got, np.log([*expected, 1.0]).tolist(), f"backward_weights of {what}", rtol=most, atol=most)


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize("seed", range(15))
def test_weights_without_loops(lab, seed):
    """Without loops there are finitely many texts, and their fractions are added up."""
    rows = random_rows(seed, loops=False)

    def weight(node):
        return Fraction(1) if node == END else sum((p * weight(t) for t, p in rows[node].values()), Fraction(0))

    check_weights(lab, rows, [float(weight(node)) for node in range(len(rows))], f"{rows}")


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize("seed", range(15))
def test_weights_with_loops(lab, seed):
    """With loops the texts are added up to 600 tokens; fewer than one in 10^20 is longer."""
    rows = random_rows(100 + seed)
    check_weights(lab, rows, sums_by_length(rows, 600)[-1][:-1], f"{rows}")


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([{0: (END, Fraction(1))}], [1.0]),
        ([{0: (0, Fraction(1, 2)), 1: (END, Fraction(1, 4))}], [0.5]),
        ([{0: (0, Fraction(1, 4)), 1: (0, Fraction(1, 4)), 2: (END, Fraction(1, 4))}], [0.5]),
        ([{0: (END, Fraction(1, 4)), 1: (END, Fraction(1, 4))}], [0.5]),
        ([{0: (1, Fraction(1, 2)), 1: (END, Fraction(1, 2))}, {0: (0, Fraction(1))}], [1.0, 1.0]),
        ([{0: (1, Fraction(1, 2)), 1: (END, Fraction(1, 4))}, {}], [0.25, 0.0]),
        ([{0: (1, Fraction(1, 2)), 1: (END, Fraction(1, 4))}, {0: (1, Fraction(1))}], [0.25, 0.0]),
        ([{0: (1, Fraction(1)), 1: (END, Fraction(1, 4))}, {0: (2, Fraction(9))}, {0: (1, Fraction(9))}], [0.25, 0, 0]),
        ([{}], [0.0]),
        ([{0: (0, Fraction(999_999, 1_000_000)), 1: (END, Fraction(1, 1_000_000))}], [1.0]),
    ],
)
def test_weights_of_small_chains(lab, rows, expected):
    """Loops, two tokens with one target, dead ends, and loops in dead ends, which harm nobody."""
    check_weights(lab, rows, expected, f"{rows}", 1e-8)


@pytest.mark.todo("backward_weights")
def test_weights_too_small_for_a_float(lab):
    """A text of 60 tokens of probability 1e-30 has the logarithm -4145, and 0 as a float."""
    chain = [{0: (node + 1, math.log(1e-30))} for node in range(59)] + [{0: (END, math.log(1e-30))}]
    got = lab.backward_weights(chain)
    check_array(got, np.float64, (61,), "backward_weights of a long chain")
    check_close(
        got, [math.log(1e-30) * (60 - node) for node in range(61)], "backward_weights of a long chain", rtol=1e-9
    )


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize(
    "chain",
    [
        [{0: (0, 0.0), 1: (END, HALF)}],
        [{0: (0, 2.0), 1: (END, HALF)}],
        [{0: (0, HALF), 1: (0, HALF), 2: (END, HALF)}],
        [{0: (1, 3.0), 1: (END, HALF)}, {0: (0, -2.0)}],
        [{0: (1, HALF), 1: (END, HALF)}, {0: (1, 0.5), 1: (0, HALF)}],
        [{0: (END, HALF), 1: (1, HALF)}, {0: (2, 0.0)}, {0: (1, 0.0), 1: (END, HALF)}],
    ],
)
def test_a_sum_that_diverges_is_refused(lab, chain):
    """Scores that are not normalised may make a loop weigh 1 or more: then longer and longer texts never add up."""
    half = [{token: (target, score - 4.0) for token, (target, score) in row.items()} for row in chain]
    check_array(lab.backward_weights(half), np.float64, (len(chain) + 1,), f"backward_weights({half})")
    with pytest.raises(LimitExceeded):
        lab.backward_weights(chain)


# TODO 4 -------------------------------------------------------------------------------------------------


@pytest.mark.todo("fair_distribution")
@pytest.mark.parametrize(
    ("row", "weights", "expected"),
    [
        ({0: (0, 0.5), 1: (1, 0.25)}, [0.5, 1.0, 1.0], {0: 0.5, 1: 0.5}),
        ({0: (0, 0.5), 1: (1, 0.25)}, [1.0, 1.0, 1.0], {0: 2 / 3, 1: 1 / 3}),
        ({0: (0, 0.5), 1: (1, 0.25)}, [0.0, 1.0, 1.0], {1: 1.0}),
        ({0: (0, 0.5), 1: (1, 0.25)}, [0.0, 0.0, 1.0], {}),
        ({}, [1.0, 1.0], {}),
        ({5: (END, 0.125), 2: (1, 0.25)}, [0.0, 0.5, 1.0], {2: 0.5, 5: 0.5}),
        ({9: (1, 0.5), 3: (1, 0.25), 4: (0, 0.25)}, [1.0, 0.5, 1.0], {3: 0.2, 4: 0.4, 9: 0.4}),
    ],
)
def test_a_token_counts_what_may_follow(lab, row, weights, expected):
    """Its probability times the weight of its target, normalised over the row; what weighs nothing is left out."""
    chain = {token: (target, math.log(part)) for token, (target, part) in row.items()}
    what = f"fair_distribution of {row} with weights {weights}"
    with reporting(what, expected):
        got = lab.fair_distribution(chain, logs(weights))
    all_near(got, expected, what)


@pytest.mark.todo("fair_distribution")
def test_small_weights_are_compared_not_rounded(lab):
    """Weights of e^-4000 and e^-4001 are both 0 as floats, and their ratio is e."""
    got = lab.fair_distribution({0: (0, HALF), 1: (1, HALF)}, np.array([-4000.0, -4001.0, 0.0]))
    all_near(got, {0: math.e / (1 + math.e), 1: 1 / (1 + math.e)}, "fair_distribution of weights e^-4000 and e^-4001")


# TODO 5 -------------------------------------------------------------------------------------------------

BENT = chain_of(
    [
        {0: (1, Fraction(1, 2)), 5: (2, Fraction(1, 4)), 2: (3, Fraction(1, 4))},
        {4: (END, Fraction(1, 4))},
        {0: (2, Fraction(1, 2)), 4: (END, Fraction(1, 2))},
        {0: (3, Fraction(1))},
    ]
)
"""Token 0 leads to a node of weight 1/4, 5 to a loop of weight 1, 2 to a dead end. EOS is 4."""
BENT_WEIGHTS = logs([0.375, 0.25, 1.0, 0.0, 1.0])


@pytest.mark.todo("sample_fair")
@pytest.mark.parametrize(
    ("draws", "expected"),
    [
        ([0.3, 0.9], [0, 4]),
        ([0.34, 0.6], [5, 4]),
        ([0.34, 0.4, 0.4, 0.6], [5, 0, 0, 4]),
        ([0.0, 0.0], [0, 4]),
        ([0.99, 0.99], [5, 4]),
    ],
)
def test_a_text_by_its_draws(lab, draws, expected):
    """One draw for each token, over the ids in ascending order: a third for 0, two thirds for 5, none for 2."""
    what = f"sample_fair with the draws {draws}"
    with reporting(what, expected):
        got = lab.sample_fair(BENT, [BENT_WEIGHTS], scripted(draws))
    check_equal(got, expected, what)


@pytest.mark.todo("sample_fair")
def test_every_draw_gives_the_fair_texts(lab):
    """Of twelve equal draws, no gets its four fifths and yes its fifth, up to one draw at each border."""
    chain = chain_of(
        [{NO: (1, Fraction(1, 2)), YES: (2, Fraction(1, 2))}, {EOS: (END, 1)}, {EOS: (END, Fraction(1, 4))}]
    )
    weights = logs([0.625, 1.0, 0.25, 1.0])
    got = Counter(tuple(lab.sample_fair(chain, [weights], scripted([u, 0.5]))) for (u,) in grid(20, 1))
    check_equal(dict(sorted(got.items())), {(NO, EOS): 16, (YES, EOS): 4}, "the texts of twenty draws")


@pytest.mark.todo("sample_fair")
def test_each_step_has_its_weights(lab):
    """Step i uses row i; from the last row on, the last."""
    rows = [logs([1.0, 1.0, 0.0, 0.0, 0.0]), logs([0.0, 1.0, 0.0, 0.0, 1.0])]
    check_equal(lab.sample_fair(BENT, rows, scripted([0.99, 0.5])), [0, 4], "sample_fair with two rows")
    loop = chain_of([{0: (0, Fraction(1, 2)), 1: (END, Fraction(1, 2))}])
    rows = np.log([[1.0, 1e-9], [1.0, 1e-9], [1.0, 1.0]])
    check_equal(
        lab.sample_fair(loop, rows, scripted([0.9, 0.9, 0.1, 0.9])), [0, 0, 0, 1], "with an array of three rows"
    )


@pytest.mark.todo("sample_fair")
def test_a_dead_end_is_an_error(lab):
    """Where every token has weight 0 nothing can be drawn: at the start, or, under a mask, on the path."""
    with pytest.raises(NoLegalToken):
        lab.sample_fair([{0: (0, 0.0)}], [logs([0.0, 1.0])], always(0.5))
    with pytest.raises(NoLegalToken):
        lab.sample_fair([{0: (1, HALF), 1: (END, HALF)}, {}], [np.zeros(3)], always(0.1))


# TODO 6 -------------------------------------------------------------------------------------------------


@pytest.mark.todo("distances")
@pytest.mark.parametrize(
    ("p", "q", "kl", "tv"),
    [
        ({(0,): 1.0}, {(0,): 1.0}, 0.0, 0.0),
        ({(0,): 0.5, (1,): 0.5}, {(0,): 0.25, (1,): 0.75}, 0.5 * math.log(2) + 0.5 * math.log(2 / 3), 0.25),
        ({(0,): 0.25, (1,): 0.75}, {(0,): 0.5, (1,): 0.5}, 0.25 * math.log(1 / 2) + 0.75 * math.log(3 / 2), 0.25),
        ({(0,): 1.0}, {(1,): 1.0}, INF, 1.0),
        ({(0,): 1.0}, {(0,): 0.5, (1,): 0.5}, math.log(2), 0.5),
        ({(0,): 0.5, (1,): 0.5}, {(0,): 1.0}, INF, 0.5),
        ({(0,): 1.0, (1,): 0.0}, {(0,): 1.0}, 0.0, 0.0),
        ({(0,): 0.75, (1,): 0.25}, {(0,): 1.0, (1,): 0.0}, INF, 0.25),
        ({(0, 1): 0.8, (1, 1): 0.2}, {(0, 1): 0.5, (1, 1): 0.5}, 0.8 * math.log(1.6) + 0.2 * math.log(0.4), 0.3),
    ],
)
def test_two_distances(lab, p, q, kl, tv):
    """The divergence looks at the texts of p alone; the variation at those of both."""
    what = f"distances({p}, {q})"
    with reporting(what, (kl, tv)):
        got = lab.distances(p, q)
    check_type(got, tuple, what)
    near(got[0], kl, f"the divergence, {what}")
    near(got[1], tv, f"the variation, {what}")


@pytest.mark.todo("distances")
def test_how_far_masking_is_off(lab):
    """Masking writes yes half the time; it should a fifth of the time."""
    chain = lab.joint_chain(logs(WORDS), EOS, ANSWER, {1})
    masked = lab.text_probabilities(chain, [np.zeros(len(chain) + 1)], 4)
    fair = lab.text_probabilities(chain, [lab.backward_weights(chain)], 4)
    all_near({key: fair[key] for key in sorted(fair)}, {(NO, EOS): 0.8, (YES, EOS): 0.2}, "the fair texts")
    kl, tv = lab.distances(masked, fair)
    near(kl, 0.5 * math.log(0.5 / 0.8) + 0.5 * math.log(0.5 / 0.2), "the divergence of masking no|yes")
    near(tv, 0.3, "the variation of masking no|yes")


# TODO 7 -------------------------------------------------------------------------------------------------


def log_weights(rows, most=600):
    """Return the logarithms of the weights, by sums."""
    return logs(sums_by_length(rows, most)[-1])


def masked_is_fair(rows, most=9):
    """Return whether masking gives each text of so many tokens what it should have, by brute force in fractions."""
    weights = sums_by_length(rows, 600)[-1]
    waiting = [(0, 1.0, 1.0, 0)]
    for node, masked, true, length in waiting:
        if node == END:
            if abs(masked - true / weights[0]) > 1e-7:
                return False
        elif length < most:
            kept = float(sum(p for _, p in rows[node].values()))
            if weights[node] == 0:
                return False
            waiting += [(t, masked * float(p) / kept, true * float(p), length + 1) for t, p in rows[node].values()]
    return True


FAIR = [
    [{0: (1, Fraction(1, 2)), 1: (2, Fraction(1, 4))}, {2: (END, Fraction(1, 8))}, {2: (END, Fraction(1, 8))}],
    [{0: (1, Fraction(1, 2)), 1: (1, Fraction(1, 4))}, {2: (END, Fraction(1, 8))}],
    [{0: (0, Fraction(1, 2)), 1: (END, Fraction(1, 2))}],
    [{0: (1, Fraction(1, 8))}, {0: (2, Fraction(1, 2))}, {0: (END, Fraction(1, 3)), 1: (END, Fraction(1, 3))}],
]
UNFAIR = [
    [{0: (1, Fraction(1, 2)), 1: (2, Fraction(1, 4))}, {2: (END, Fraction(1, 8))}, {2: (END, Fraction(1, 4))}],
    [{0: (0, Fraction(1, 2)), 1: (END, Fraction(1, 4))}],
    [{0: (1, Fraction(1, 2)), 1: (END, Fraction(1, 2))}, {}],
    [{0: (1, Fraction(1, 8))}, {0: (2, Fraction(1, 2)), 1: (END, Fraction(1, 2))}, {0: (END, Fraction(1, 3))}],
    [
        {0: (1, Fraction(1, 2)), 1: (1, Fraction(1, 2))},
        {0: (2, Fraction(1, 2)), 1: (3, Fraction(1, 2))},
        {2: (END, Fraction(1, 3))},
        {2: (END, Fraction(1, 4))},
    ],
]


@pytest.mark.todo("is_fair")
@pytest.mark.parametrize("rows", FAIR + UNFAIR, ids=str)
def test_masking_is_fair_where_weights_are_alike(lab, rows):
    """It is fair exactly if each text gets, masked, what it should have: here by brute force."""
    check_equal(masked_is_fair(rows), rows in FAIR, "the oracle")
    what = f"is_fair of {rows}"
    with reporting(what):
        got = lab.is_fair(chain_of(rows), log_weights(rows))
    check_equal(got, rows in FAIR, what)


@pytest.mark.todo("is_fair")
@pytest.mark.parametrize("seed", range(20))
def test_fair_or_not_by_brute_force(lab, seed):
    """Random chains, most of them bent, some not."""
    rows = random_rows(seed, loops=False)
    reachable, waiting = {0}, [0]
    for node in waiting:
        new = {t for t, _ in rows[node].values() if t != END} - reachable
        reachable |= new
        waiting += new
    number = {node: i for i, node in enumerate(sorted(reachable))} | {END: END}
    rows = [{token: (number[t], p) for token, (t, p) in rows[node].items()} for node in sorted(reachable)]
    if sums_by_length(rows, 20)[-1][0] == 0:
        rows = [{7: (END, Fraction(1, 2))}]
    check_equal(lab.is_fair(chain_of(rows), log_weights(rows, 20)), masked_is_fair(rows), f"is_fair of {rows}")


@pytest.mark.todo("is_fair")
def test_a_nearly_equal_weight_is_within_the_tolerance(lab):
    """Rounding must not make a fair language unfair; the caller says how much is rounding."""
    chain = [{0: (1, HALF), 1: (2, HALF)}, {2: (END, HALF)}, {2: (END, HALF)}]
    weights = np.array([HALF, HALF, HALF + 1e-6, 0.0])
    check_equal(lab.is_fair(chain, weights), False, "is_fair, weights 1e-6 apart")
    check_equal(lab.is_fair(chain, weights, 1e-5), True, "is_fair, weights 1e-6 apart, tolerance 1e-5")
    check_equal(lab.is_fair(chain, np.array([HALF, HALF, HALF + 1e-12, 0.0])), True, "is_fair, weights 1e-12 apart")


@pytest.mark.todo("is_fair")
def test_small_weights_differ_too(lab):
    """Of e^-2000 and e^-2001 one is almost three times the other, though both are 0 as floats."""
    chain = [{0: (1, HALF), 1: (2, HALF)}, {2: (END, -2000.0)}, {2: (END, -2001.0)}]
    weights = np.array([np.logaddexp(-2000, -2001) + HALF, -2000.0, -2001.0, 0.0])
    check_equal(lab.is_fair(chain, weights), False, "is_fair, weights e^-2000 and e^-2001")


# TODO 8 -------------------------------------------------------------------------------------------------


@pytest.mark.todo("weights_within")
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("budget", [1, 2, 6])
def test_weights_by_the_tokens_that_remain(lab, seed, budget):
    """Row r adds up the texts of at most r tokens, EOS included; the oracle adds them one length after another."""
    rows = random_rows(seed)
    with reporting(f"weights_within, budget {budget}, of {rows}"):
        got = lab.weights_within(chain_of(rows), budget)
    check_array(got, np.float64, (budget + 1, len(rows) + 1), "weights_within")
    for left, expected in enumerate(sums_by_length(rows, budget)):
        expected = logs(expected).tolist()
        check_close(got[left].copy(), expected, f"weights_within of {rows}, {left} tokens left", rtol=1e-9, atol=1e-9)


@pytest.mark.todo("weights_within")
def test_no_budget_is_no_text(lab):
    """With budget 0 only the end has weight; and weights that are 0 as floats are not 0 as logarithms."""
    got = lab.weights_within([{0: (END, HALF)}], 0)
    check_array(got, np.float64, (1, 2), "weights_within with budget 0")
    check_close(got[0].copy(), [-INF, 0.0], "weights_within with budget 0")
    chain = [{0: (1, -900.0), 1: (END, -1800.0)}, {1: (END, -900.0)}]
    got = lab.weights_within(chain, 2)[2].copy()
    check_close(got, [-1800.0 + math.log(2), -900.0, 0.0], "weights_within of weights e^-1800", rtol=1e-9)


# TODO 9 -------------------------------------------------------------------------------------------------


@pytest.mark.todo("masked_step")
@pytest.mark.parametrize(
    ("logits", "mask", "u", "token", "mass"),
    [
        ([0, 0, 0, 0], [0, 0, 1, 1], 0.9, 3, HALF),
        ([0, 0, 0, 0], [0, 0, 1, 1], 0.4, 2, HALF),
        ([0, 0, 0, 0], [1, 1, 1, 1], 0.3, 1, 0.0),
        ([0, 0, 0, 0], [0, 1, 0, 0], 0.99, 1, QUARTER),
        ([0, 0, 0, 0], [0, 0, 0, 0], 0.5, None, -INF),
        ([0, -INF, 0, 0], [0, 1, 0, 0], 0.5, None, -INF),
        ([math.log(3), 0, 0, 0], [1, 1, 0, 0], 0.74, 0, math.log(2 / 3)),
        ([math.log(3), 0, 0, 0], [1, 1, 0, 0], 0.76, 1, math.log(2 / 3)),
        ([0, -2000, -2000, -INF], [0, 1, 1, 1], 0.6, 2, -2000 + math.log(2)),
    ],
)
def test_one_step_and_its_mass(lab, logits, mask, u, token, mass):
    """The mass is the share of the model's probability that the mask keeps, before anything is normalised."""
    what = f"masked_step, logits {logits}, mask {mask}, u {u}"
    model = Recorder(lambda ids: np.array(logits, float))
    with reporting(what, (token, mass)):
        got = lab.masked_step(model, lambda ids: np.array(mask, np.bool_), [2, 1], scripted([u] * (token is not None)))
    check_type(got, tuple, what)
    check_equal(got[0], token, f"the token of {what}")
    near(got[1], mass, f"the mass of {what}")
    check_equal(model.calls, [[2, 1]], f"the calls of the model, {what}")


@pytest.mark.todo("masked_step")
def test_the_mask_is_asked_about_the_same_text(lab):
    """Model and mask are both asked with the ids so far."""
    got = lab.masked_step(words, answer, [YES], always(0.5))
    check_equal(got[0], EOS, "the token after yes")
    near(got[1], QUARTER, "the mass after yes")


# TODO 10 ------------------------------------------------------------------------------------------------


@pytest.mark.todo("masked_sample")
@pytest.mark.parametrize(("u", "ids", "weight"), [(0.3, [NO, EOS], 0.0), (0.7, [YES, EOS], QUARTER)])
def test_a_masked_text_has_a_weight(lab, u, ids, weight):
    """The weight is the product of the kept masses of all steps, that of EOS too."""
    what = f"masked_sample of no|yes with the draws {u}, 0.5"
    with reporting(what, (ids, weight)):
        got = lab.masked_sample(words, answer, EOS, scripted([u, 0.5]))
    check_type(got, tuple, what)
    check_equal(got[0], ids, f"the ids of {what}")
    near(got[1], weight, f"the weight of {what}")


# A model in quarters, whose mask cuts off a different share in each step, and which may come to a dead end.
A, B, C, STOP = range(4)


def quarters(ids):
    """Return a half for A, quarters for B and C at first; later C and the end have a half each."""
    return logs([2, 1, 1, 0] if not ids else [0, 0, 2, 2] if len(ids) < 3 else [0, 0, 0, 4])


def gaps(ids):
    """Allow all at first; after A only C and then the end, after B the end, after C nothing."""
    if not ids:
        return np.array([True, True, True, False])
    return np.array([False, False, ids == [A], ids != [A] and ids[0] != C])


TRUE_GAPS = {(A, C, STOP): 2 / 4 * 1 / 2 * 1 / 2, (B, STOP): 1 / 4 * 1 / 2}
"""The legal texts, with the model's probabilities."""


@pytest.mark.todo("masked_sample")
def test_weights_undo_the_bend(lab):
    """Over all draws, the mean of the weights of a text is the model's own probability of it."""
    found, dead = defaultdict(float), 0
    for u in grid(4, 1):
        ids, weight = lab.masked_sample(quarters, gaps, STOP, scripted([*u, 0.5, 0.5][: 3 - (u[0] > 0.5)]))
        check_type(weight, float, "a weight")
        if weight == -INF:
            check_equal(ids, [C], "the ids in a dead end")
            dead += 1
        else:
            found[tuple(ids)] += math.exp(weight) / 4
    check_equal(dead, 1, "how many of four draws come to the dead end")
    all_near(dict(sorted(found.items())), dict(sorted(TRUE_GAPS.items())), "the weighted texts over all draws")


def hoeffding(n, bounds):
    """Return by how much the mean of n numbers in [0, 1] differs from its expectation with probability 1e-7 at most.

    With as many bounds as are checked, all of them together (Hoeffding 1963, theorem 2).
    """
    return math.sqrt(math.log(2 * bounds / 1e-7) / (2 * n))


def masked_weights_by_chance(lab, seed):
    """Check the mean weight of 400 masked samples; a right answer fails it with probability 1e-7 at most."""
    draw = np.random.default_rng(seed).random
    weights = [lab.masked_sample(words, answer, EOS, lambda: float(draw()))[1] for _ in range(400)]
    mean = math.fsum(map(math.exp, weights)) / 400
    assert abs(mean - 0.625) <= hoeffding(400, 1), f"seed {seed}: the mean of 400 weights is {mean}, expected 0.625"


@pytest.mark.todo("masked_sample")
def test_the_mean_weight_is_the_probability_of_the_language(lab):
    """By chance, with seed 0: no and yes together have probability 5/8. A right answer fails with less than 1e-7."""
    masked_weights_by_chance(lab, 0)


# TODO 11, 12 --------------------------------------------------------------------------------------------


@pytest.mark.todo("effective_sample_size")
@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([1, 1, 1, 1], 4.0),
        ([0.25] * 4, 4.0),
        ([1, 0, 0, 0], 1.0),
        ([1, 1, 0], 2.0),
        ([3, 1], 16 / 10),
        ([5], 1.0),
        ([1, 2, 3], 36 / 14),
    ],
)
def test_what_samples_are_worth(lab, parts, expected):
    """The squared sum over the sum of squares: it does not change if all weights are scaled."""
    for shift in (0.0, -3000.0, 900.0):
        what = f"effective_sample_size of {parts}, times e^{shift:g}"
        with reporting(what, expected):
            got = lab.effective_sample_size((logs(parts) + shift).tolist())
        near(got, expected, what)


@pytest.mark.todo("estimated_distances")
@pytest.mark.parametrize("parts", [[1, 1], [0.5, 1.0], [0.25, 0.25, 1.0, 1.0], [1e-3, 1.0, 1.0], [7.0]])
def test_the_distances_of_masking_by_its_own_samples(lab, parts):
    """If each text were drawn once, masking would give each 1/n and fairness weight/sum: the distances of these two."""
    n, total = len(parts), math.fsum(parts)
    kl = math.fsum(math.log((1 / n) / (part / total)) / n for part in parts)
    tv = math.fsum(abs(1 / n - part / total) for part in parts) / 2
    for shift in (0.0, -3000.0):
        what = f"estimated_distances of {parts}, times e^{shift:g}"
        with reporting(what, (kl, tv)):
            got = lab.estimated_distances((logs(parts) + shift).tolist())
        check_type(got, tuple, what)
        near(got[0], kl, f"the divergence, {what}", 1e-7)
        near(got[1], tv, f"the variation, {what}", 1e-7)


@pytest.mark.todo("estimated_distances")
def test_dead_ends_are_infinitely_far(lab):
    """Masking comes to dead ends; the fair distribution does not."""
    kl, tv = lab.estimated_distances([0.0, -INF, 0.0, 0.0])
    near(kl, INF, "the divergence with one dead end in four")
    near(tv, 0.25, "the variation with one dead end in four")


# TODO 13 ------------------------------------------------------------------------------------------------


@pytest.mark.todo("rejection_sample")
@pytest.mark.parametrize(
    ("draws", "attempts", "expected"),
    [
        ([0.3, 0.5], 1, [NO, EOS]),
        ([0.7, 0.9], 1, [YES, EOS]),
        ([0.7, 0.5], 1, None),
        ([0.7, 0.5, 0.7, 0.5], 2, None),
        ([0.7, 0.5, 0.2, 0.5], 2, [NO, EOS]),
        ([0.7, 0.5, 0.2, 0.5], 9, [NO, EOS]),
        ([], 0, None),
    ],
)
def test_an_illegal_token_ends_the_attempt(lab, draws, attempts, expected):
    """After yes, terday is drawn three times in four: the whole text is thrown away, and a new one begun."""
    what = f"rejection_sample of no|yes, draws {draws}, {attempts} attempts"
    model = Recorder(words)
    with reporting(what, expected):
        got = lab.rejection_sample(model, answer, EOS, scripted(draws), attempts)
    check_equal(got, expected, what)
    check_equal(len(model.calls), len(draws), f"how often the model is asked, {what}")


@pytest.mark.todo("rejection_sample")
def test_one_attempt_over_all_draws(lab):
    """A text is accepted with exactly the model's probability, and everything else is None."""
    found = Counter()
    for draws in grid(4, 3):
        left = [*draws]
        got = lab.rejection_sample(quarters, gaps, STOP, lambda left=left: left.pop(0), 1)
        found[None if got is None else tuple(got)] += 1 / 64
    expected = {**TRUE_GAPS, None: 1 - sum(TRUE_GAPS.values())}
    all_near(
        dict(sorted(found.items(), key=str)), dict(sorted(expected.items(), key=str)), "the results of one attempt"
    )


def rejection_by_chance(lab, seed):
    """Check the texts of 300 accepted samples; a right answer fails it with probability 1e-7 at most."""
    draw = np.random.default_rng(seed).random
    texts = [lab.rejection_sample(words, answer, EOS, lambda: float(draw()), 10**6) for _ in range(300)]
    share = sum(text == [NO, EOS] for text in texts) / 300
    assert {tuple(text) for text in texts} == {(NO, EOS), (YES, EOS)}, f"seed {seed}: the texts are no and yes"
    assert abs(share - 0.8) <= hoeffding(300, 1), f"seed {seed}: {share:.0%} of the texts are no, expected 80%"


@pytest.mark.todo("rejection_sample")
def test_accepted_texts_are_fair(lab):
    """By chance, with seed 0: four of five texts are no. A right answer fails with less than 1e-7."""
    rejection_by_chance(lab, 0)


# TODO 14 ------------------------------------------------------------------------------------------------


@pytest.mark.todo("resample")
@pytest.mark.parametrize(
    ("parts", "u", "expected"),
    [
        ([1, 1, 1], 0.0, [0, 1, 2]),
        ([1, 1, 1], 0.9, [0, 1, 2]),
        ([2, 1, 1, 0], 0.5, [0, 0, 1, 2]),
        ([0, 1, 0], 0.5, [1, 1, 1]),
        ([0, 0, 1], 0.0, [2, 2, 2]),
        ([1, 3], 0.4, [0, 1]),
        ([1, 3], 0.6, [1, 1]),
        ([1, 0, 1], 0.0, [0, 0, 2]),
        ([1, 0, 1], 0.75, [0, 2, 2]),
        ([4], 0.3, [0]),
    ],
)
def test_points_at_equal_distances(lab, parts, u, expected):
    """Point i stands at (i + u) / n; a particle of weight 0 is never picked."""
    for shift in (0.0, -3000.0):
        what = f"resample of {parts}, times e^{shift:g}, u {u}"
        with reporting(what, expected):
            got = lab.resample((logs(parts) + shift).tolist(), u)
        check_equal(got, expected, what)


@pytest.mark.todo("resample")
@pytest.mark.parametrize("seed", range(8))
def test_each_index_as_often_as_its_share(lab, seed):
    """It occurs n times its share, rounded down or up; over all u, exactly that often in the mean."""
    rng = np.random.default_rng(seed)
    parts = rng.integers(0, 6, int(rng.integers(1, 7)))
    parts[0] += 1
    n, total, found = len(parts), int(parts.sum()), Counter()
    for (u,) in grid(total, 1):
        got = lab.resample(logs(parts), u)
        check_type(got, list, f"resample of {parts.tolist()}")
        counts = Counter(got)
        for k, part in enumerate(parts.tolist()):
            share = Fraction(n * part, total)
            assert math.floor(share) <= counts[k] <= math.ceil(share), (
                f"resample of {parts.tolist()}, u {u}: {got}; index {k} should occur about {float(share):g} times"
            )
        found.update(counts)
    check_equal([found[k] for k in range(n)], [n * part for part in parts.tolist()], f"over all u, of {parts.tolist()}")


# TODO 15 ------------------------------------------------------------------------------------------------


def particles_of(lab, n, draws, threshold):
    """Return the particles as (ids, weight), having checked their types."""
    got = lab.smc_sample(quarters, gaps, STOP, n, draws, threshold)
    what = f"smc_sample with {n} particles, threshold {threshold}"
    check_type(got, list, what)
    check_equal(len(got), n, f"how many particles {what} gives")
    for ids, weight in got:
        check_type(ids, list, f"the ids of {what}")
        check_type(weight, float, f"the weight of {what}")
    return got


class EveryDraw:
    """A draw and a model for one run, and a change to the next run, until all combinations of draws were given.

    A draw that follows a call of the model chooses a token: the first n of them come from a grid of four, later ones
    have no alternative. Any other draw is for resampling, and comes from a grid of twelve, of which all shares of two
    particles are whole parts.
    """

    def __init__(self, n):
        self.n, self.used, self.script, self.asked = n, [], [], False

    def model(self, ids):
        self.asked = True
        return quarters(ids)

    def draw(self):
        parts = (4 if len(self.used) < self.n else 1) if self.asked else 12
        self.asked = False
        self.used.append((self.script[len(self.used)] if len(self.used) < len(self.script) else 0, parts))
        return (self.used[-1][0] + 0.5) / parts

    def weight(self):
        """Return the probability of the draws of this run."""
        return 1 / math.prod(parts for _, parts in self.used)

    def next(self):
        """Go on to the next run; return whether there is one."""
        while self.used and self.used[-1][0] + 1 == self.used[-1][1]:
            self.used.pop()
        self.script = [k for k, _ in self.used]
        if self.script:
            self.script[-1] += 1
        self.used = []
        return bool(self.script)


@pytest.mark.todo("smc_sample")
@pytest.mark.parametrize("threshold", [0.0, 0.5, 0.7, 0.99])
@pytest.mark.parametrize("n", [1, 2])
def test_weighted_particles_over_all_draws(lab, n, threshold):
    """For each text, the mean over all draws of the particles' weights is the model's own probability of it.

    So no resampling loses weight, and a text that is finished early neither gains nor loses.
    """
    found, every, total = defaultdict(float), EveryDraw(n), 0.0
    while True:
        particles = lab.smc_sample(every.model, gaps, STOP, n, every.draw, threshold)
        for ids, weight in particles:
            if weight > -INF:
                found[tuple(ids)] += math.exp(weight) / n * every.weight()
        total += every.weight()
        if not every.next():
            break
    near(total, 1.0, "the probability of all runs")
    all_near(
        dict(sorted(found.items())), dict(sorted(TRUE_GAPS.items())), f"the weighted texts, {n} particles, {threshold}"
    )


@pytest.mark.todo("smc_sample")
def test_without_resampling_they_are_masked_samples(lab):
    """In rounds: the first tokens of all particles, then the second ones of those that run."""
    got = particles_of(lab, 3, scripted([0.1, 0.6, 0.9, 0.5, 0.5, 0.5]), 0.0)
    check_equal([ids for ids, _ in got], [[A, C, STOP], [B, STOP], [C]], "the texts of three particles")
    for (_, weight), expected in zip(got, [QUARTER, HALF, -INF], strict=True):
        near(weight, expected, "a weight")


@pytest.mark.todo("smc_sample")
def test_finished_particles_keep_their_weight_and_take_part(lab):
    """B's text has ended, and A's is still being written, when the dead end makes the three unequal."""
    got = particles_of(lab, 3, scripted([0.1, 0.6, 0.9, 0.5, 0.5, 0.4, 0.5, 0.5]), 0.8)
    # After two rounds the weights are 1/2, 1/2 and 0: they are worth two, less than 2.4. Points at 0.4/3, 1.4/3, 2.4/3.
    check_equal([ids for ids, _ in got], [[A, C, STOP], [A, C, STOP], [B, STOP]], "the texts after resampling")
    for (_, weight), expected in zip(got, [1 / 6, 1 / 6, 1 / 3], strict=True):
        near(weight, math.log(expected), "a weight after resampling")


@pytest.mark.todo("smc_sample")
def test_the_threshold_is_a_share_of_all_particles(lab):
    """When A's text ends, B's has ended and C is in a dead end: one of three still ran."""
    got = particles_of(lab, 3, scripted([0.1, 0.6, 0.9, 0.5, 0.5, 0.5, 0.5]), 0.65)
    # The weights 1/4, 1/2 and 0 are worth 1.8, less than 1.95. Points at 1/6, 1/2, 5/6; A takes the first third.
    check_equal([ids for ids, _ in got], [[A, C, STOP], [B, STOP], [B, STOP]], "the texts after resampling")
    for _, weight in got:
        near(weight, math.log(1 / 4), "a weight after resampling")


@pytest.mark.todo("smc_sample")
def test_no_particle_is_left(lab):
    """If all come to dead ends there is nothing to resample, and all weights are 0."""
    got = particles_of(lab, 2, scripted([0.9, 0.9]), 1.0)
    check_equal([ids for ids, _ in got], [[C], [C]], "the texts of two particles in dead ends")
    check_equal([weight for _, weight in got], [-INF, -INF], "their weights")


@pytest.mark.todo("smc_sample")
def test_the_default_is_half(lab):
    """Two particles of three are worth 2, which is not below half of three."""
    got = lab.smc_sample(quarters, gaps, STOP, 3, scripted([0.1, 0.6, 0.9, 0.5, 0.5, 0.5]))
    check_equal([ids for ids, _ in got], [[A, C, STOP], [B, STOP], [C]], "the texts with the default threshold")


@pytest.mark.todo("smc_sample")
def test_the_model_is_asked_for_running_particles_alone(lab):
    """A finished particle costs nothing."""
    model = Recorder(quarters)
    lab.smc_sample(model, gaps, STOP, 3, scripted([0.1, 0.6, 0.9, 0.5, 0.5, 0.5]), 0.0)
    check_equal(sorted(model.calls), sorted([[], [], [], [A], [B], [C], [A, C]]), "what the model is asked about")


@pytest.mark.todo("smc_sample")
def test_copies_part(lab):
    """Two copies of a particle go on by themselves after resampling."""

    def model(ids):
        return logs([1, 1, 0] if ids[:1] != [1] else [1e-6, 1e-6, 1])

    def allowed(ids):
        return (
            np.array([len(ids) < 2, len(ids) < 2, len(ids) == 2])
            if ids[:1] != [1]
            else np.array([len(ids) < 2, 0, 0]) > 0
        )

    def forced(ids):
        return model(ids) if len(ids) < 2 else logs([0, 0, 1])

    # One particle of two keeps a millionth; the other is copied, and its copies choose their second tokens.
    draws = scripted([0.1, 0.9, 0.1, 0.5, 0.5, 0.5, 0.5])
    got = lab.smc_sample(forced, allowed, 2, 2, draws, 0.9)
    check_equal([ids for ids, _ in got], [[0, 0, 2], [0, 0, 2]], "the texts of two copies")
    assert got[0][0] is not got[1][0], "two particles share one list of ids"


# TODO 16 ------------------------------------------------------------------------------------------------


@pytest.mark.todo("adaptive_sample")
@pytest.mark.parametrize(
    ("remembered", "draws", "ids", "learned"),
    [
        ({}, [0.3, 0.5], [NO, EOS], {(NO,): 1.0, (): 1.0}),
        ({}, [0.7, 0.5], [YES, EOS], {(YES,): 0.25, (): 0.625}),
        ({(YES,): 0.25}, [0.7, 0.5], [NO, EOS], {(NO,): 1.0, (): 0.625}),
        ({(YES,): 0.25}, [0.81, 0.5], [YES, EOS], {(YES,): 0.25, (): 0.625}),
        ({(YES,): 0.5}, [0.7, 0.5], [YES, EOS], {(YES,): 0.25, (): 0.625}),
        ({(NO,): 0.5, (YES,): 0.25}, [0.7, 0.5], [YES, EOS], {(YES,): 0.25, (): 0.375}),
        ({(NO,): 0.0}, [0.01, 0.5], [YES, EOS], {(YES,): 0.25, (): 0.125}),
        ({(NO,): 0.0, (YES,): 0.0}, [], [], {(): 0.0}),
        ({(YES, TERDAY): 0.5, (): 0.1}, [0.7, 0.5], [YES, EOS], {(YES,): 0.25, (): 0.625}),
    ],
)
def test_what_is_remembered_and_learned(lab, remembered, draws, ids, learned):
    """A token's probability counts what is remembered after it; then each prefix of the path learns its weight."""
    memory = {prefix: float(logs(part)) for prefix, part in remembered.items()}
    what = f"adaptive_sample of no|yes, remembering {remembered}, draws {draws}"
    model = Recorder(words)
    with reporting(what, (ids, learned)):
        got = lab.adaptive_sample(model, answer, EOS, memory, scripted(draws))
    check_type(got, tuple, what)
    check_equal(got[0], ids, f"the ids, {what}")
    found = {prefix: math.exp(weight) for prefix, weight in got[1].items()}
    key = lambda item: (-len(item[0]), item[0])  # noqa: E731
    all_near(dict(sorted(found.items(), key=key)), dict(sorted(learned.items(), key=key)), f"the weights, {what}")
    check_equal(len(model.calls), max(1, len(ids)), f"how often the model is asked, {what}")


@pytest.mark.todo("adaptive_sample")
def test_a_dead_end_is_remembered(lab):
    """The dead end after C is met once, and its quarter is subtracted."""
    ids, learned = lab.adaptive_sample(quarters, gaps, STOP, {}, scripted([0.9]))
    check_equal(ids, [C], "the ids in a dead end")
    all_near(
        {prefix: math.exp(learned[prefix]) for prefix in sorted(learned)}, {(): 0.75, (C,): 0.0}, "the weights learned"
    )
    ids, _ = lab.adaptive_sample(quarters, gaps, STOP, learned, scripted([0.99, 0.5]))
    check_equal(ids, [B, STOP], "the ids of the highest draw, once the dead end is known")


@pytest.mark.todo("adaptive_sample")
def test_with_everything_learned_it_is_fair(lab):
    """After each text was written once, the empty prefix weighs the language's probability, and draws are fair."""
    memory, bounds = {}, []
    for draws in [[0.1, 0.5, 0.5], [0.99], [0.99, 0.5], [0.1, 0.5, 0.5]]:
        _, learned = lab.adaptive_sample(quarters, gaps, STOP, dict(memory), scripted(draws))
        memory |= learned
        bounds.append(memory[()])
    near(math.exp(memory[()]), sum(TRUE_GAPS.values()), "the weight of the empty prefix")
    assert bounds == sorted(bounds, reverse=True), f"the bound of the language's probability rises: {bounds}"
    found = Counter(
        tuple(lab.adaptive_sample(quarters, gaps, STOP, dict(memory), lambda left=[u]: left.pop() if left else 0.5)[0])
        for (u,) in grid(32, 1)
    )
    check_equal(dict(sorted(found.items())), {(A, C, STOP): 16, (B, STOP): 16}, "the texts of 32 draws")


# Promises of every function -----------------------------------------------------------------------------

LOOP = [{0: (0, HALF), 1: (END, HALF)}]
LINE = [{5: (1, HALF), 2: (END, QUARTER)}, {2: (END, QUARTER)}]


def same_numbers(expected):
    """Return a check of an array, by rounding."""

    def check(got, what):
        check_array(got, np.float64, np.shape(expected), what)
        check_close(got.ravel(), np.ravel(expected).tolist(), what, rtol=1e-9, atol=1e-9)

    return check


def same_parts(expected):
    """Return a check of a tuple or dictionary of numbers and ids, by rounding."""

    def check(got, what):
        check_type(got, type(expected), what)
        pairs = got.items() if isinstance(got, dict) else enumerate(got)
        for key, part in pairs:
            if isinstance(part, float):
                near(part, float(expected[key]), f"{what}, part {key}")
            elif isinstance(part, dict):
                all_near(dict(sorted(part.items())), dict(sorted(expected[key].items())), f"{what}, part {key}")
            else:
                check_equal(part, expected[key], f"{what}, part {key}")
        check_equal(len(got), len(expected), f"the parts of {what}")

    return check


def same_chain(expected):
    """Return a check of a chain, by its texts."""

    def check(got, what):
        texts = walked(as_rows(got), 4)
        all_near(dict(sorted(texts.items())), dict(sorted(expected.items())), f"the texts of {what}")

    return check


def promises():
    """Return calls of each function with different answers."""
    two = np.array([[0.0, 0.0], [0.0, 0.0]])
    free = np.array([True, True])
    plain = (lambda ids: np.zeros(2), lambda ids: free, 1)
    once = (lambda ids: np.zeros(2, np.float32), lambda ids: np.array([not ids, bool(ids)]), 1)
    return {
        "log_softmax": {
            "of [0, 0]": ((np.zeros(2),), same_numbers([HALF, HALF])),
            "of [0, 0] in float32": ((np.zeros(2, np.float32),), same_numbers([HALF, HALF])),
            "of [log 3, 0]": ((np.array([math.log(3), 0]),), same_numbers([math.log(0.75), QUARTER])),
            "of one token": ((np.array([5.0]),), same_numbers([0.0])),
            "of nothing": ((np.array([-INF]),), ValueError),
        },
        "joint_chain": {
            "of one loop": ((two, 1, ({0: 0},), {0}), same_chain({(0,) * n + (1,): (n + 1) * HALF for n in range(4)})),
            "of one loop, EOS 0": (
                (two, 0, ({1: 0},), (0,)),
                same_chain({(1,) * n + (0,): (n + 1) * HALF for n in range(4)}),
            ),
            "of a state that accepts nothing": ((two, 1, ({0: 0},), ()), same_chain({})),
            "of two states, the second first": ((two, 1, ({0: 1}, {}), [1], 1), same_chain({(1,): HALF})),
        },
        "backward_weights": {
            "of a loop": ((LOOP,), same_numbers([0.0, 0.0])),
            "of a line": ((LINE,), same_numbers([math.log(0.375), QUARTER, 0.0])),
            "of a line as a tuple": ((tuple(LINE),), same_numbers([math.log(0.375), QUARTER, 0.0])),
            "of a dead end": (([{}],), same_numbers([-INF, 0.0])),
        },
        "fair_distribution": {
            "of a row": ((LINE[0], np.array([0.0, QUARTER, 0.0])), same_parts({2: 2 / 3, 5: 1 / 3})),
            "of the same with other weights": ((LINE[0], np.array([0.0, HALF, 0.0])), same_parts({2: 0.5, 5: 0.5})),
            "of nothing": (({}, np.array([0.0])), {}),
        },
        "sample_fair": {
            "of a loop": ((LOOP, [np.zeros(2)], always(0.7)), [1]),
            "of a line": ((LINE, (np.array([0.0, QUARTER, 0.0]),), always(0.7)), [5, 2]),
            "of a line, low": ((LINE, np.array([[0.0, QUARTER, 0.0]]), always(0.1)), [2]),
        },
        "distances": {
            "of one text": (({(0,): 1.0}, {(0,): 1.0}), same_parts((0.0, 0.0))),
            "of two texts": (({(0,): 1.0}, {(1,): 1.0}), same_parts((INF, 1.0))),
            "of none": (({}, {}), lambda got, what: check_equal([float(x) for x in got], [0.0, 0.0], what)),
        },
        "is_fair": {
            "of a loop": ((LOOP, np.zeros(2)), True),
            "of a line": ((LINE, np.array([math.log(0.375), QUARTER, 0.0])), False),
            "of a line, with room": ((LINE, np.array([math.log(0.375), QUARTER, 0.0]), 2.0), True),
        },
        "weights_within": {
            "of a loop": ((LOOP, 2), same_numbers([[-INF, 0.0], [HALF, 0.0], [math.log(0.75), 0.0]])),
            "of a line": ((tuple(LINE), 1), same_numbers([[-INF, -INF, 0.0], [QUARTER, QUARTER, 0.0]])),
            "of NumPy's 0": ((LOOP, np.int64(0)), same_numbers([[-INF, 0.0]])),
        },
        "masked_step": {
            "with all allowed": ((*plain[:2], [], always(0.7)), same_parts((1, 0.0))),
            "with one allowed": ((*once[:2], (0,), always(0.1)), same_parts((1, HALF))),
            "with one other": ((*once[:2], [], always(0.9)), same_parts((0, HALF))),
        },
        "masked_sample": {
            "with all allowed": ((*plain, always(0.7)), same_parts(([1], 0.0))),
            "with one text": ((*once, always(0.7)), same_parts(([0, 1], QUARTER))),
        },
        "effective_sample_size": {
            "of a list": (([0.0, 0.0],), lambda got, what: near(got, 2.0, what)),
            "of a tuple": (((0.0, -INF),), lambda got, what: near(got, 1.0, what)),
            "of an array": ((np.array([0.0, 0.0, 0.0]),), lambda got, what: near(got, 3.0, what)),
            "of dead ends": (([-INF, -INF],), lambda got, what: near(got, 0.0, what)),
        },
        "estimated_distances": {
            "of a list": (([0.0, 0.0],), same_parts((0.0, 0.0))),
            "of a tuple": (((0.0, -INF),), same_parts((INF, 0.5))),
            "of an array": ((np.array([-5.0, -5.0]),), same_parts((0.0, 0.0))),
        },
        "rejection_sample": {
            "with all allowed": ((*plain, always(0.7), 1), [1]),
            "that never ends well": ((*once, always(0.7), 3), None),
        },
        "resample": {
            "of a list": (([0.0, 0.0], 0.5), [0, 1]),
            "of a tuple": (((0.0, -INF), 0.5), [0, 0]),
            "of an array": ((np.array([-INF, 0.0, 0.0]), 0.4), [1, 1, 2]),
        },
        "smc_sample": {
            "with all allowed": ((*plain, 2, always(0.7)), [([1], 0.0), ([1], 0.0)]),
            "with one particle": ((*plain, 1, always(0.9), 1.0), [([1], 0.0)]),
        },
        "adaptive_sample": {
            "with all allowed": ((*plain, {}, always(0.7)), same_parts(([1], {(): 0.0}))),
            "with a memory": ((*plain, {(0,): -INF}, always(0.1)), same_parts(([1], {(): HALF}))),
            "with one text": ((*once, {(): -3.0}, always(0.1)), same_parts(([0, 1], {(): 2 * HALF, (0,): HALF}))),
        },
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name), id=name) for name in promises()])
def test_calls_leave_everything_else_alone(lab, name):
    """Arguments stay as they are, results are new objects, and no call remembers another."""
    check_promises(lab, name, promises()[name])
