"""Tests of lab 13. The oracles are sums over all texts, and samplers run with every draw there is.

A model whose probabilities are whole parts of a grid makes all numbers of the grid equally good draws. So a sampler
that is run once with each of them shows its exact distribution, and nothing is left to chance.
"""

import math
from collections import Counter, defaultdict
from functools import partial
from itertools import product

import numpy as np
import pytest

from labkit.checking import Recorder, check_alike, check_array, check_equal, check_type, check_written
from labkit.checking.calls import check_call, check_raises, reporting
from labkit.checking.draws import Scripted, logs
from labkit.checking.promises import check_promises
from labkit.errors import LimitExceeded

END = -1
INF = math.inf
HALF, QUARTER = math.log(1 / 2), math.log(1 / 4)

check = partial(check_call, most=1e-9)


def by_key(parts):
    """Return a dictionary in the order of its keys, long ones first."""
    return dict(sorted(parts.items(), key=lambda item: (-len(item[0]), item[0])))


def always(u):
    """Return a draw that gives the same number for ever."""
    return lambda: u


def grid(parts, n):
    """Return every tuple of n draws from the middles of so many equal parts."""
    return [*product([(k + 0.5) / parts for k in range(parts)], repeat=n)]


# Words: the README's model
NO, YES, TERDAY, EOS = range(4)
WORDS = logs([[0, 0, 0, 1], [0, 0, 3 / 4, 1 / 4], [0, 0, 0, 1], [1 / 2, 1 / 2, 0, 0]])


SPELLED = ("no", "yes", "terday", "EOS")


def words(ids):
    """Ask the model of ``WORDS``."""
    return WORDS[ids[-1] if ids else EOS]


def spell(ids):
    """Return token ids of ``WORDS`` in words."""
    return " ".join(SPELLED[token] if token in range(4) else repr(token) for token in ids)


def answer(ids):
    """Return the mask of ``no|yes``."""
    return np.array([not ids, not ids, False, len(ids) == 1])


# A model in quarters, whose mask takes away a different share in each step, and which may come to a dead end.
A, B, C, STOP = range(4)
TRUE_GAPS = {(A, C, STOP): 2 / 4 * 1 / 2 * 1 / 2, (B, STOP): 1 / 4 * 1 / 2}
"""The legal texts, with the model's probabilities."""


def quarters(ids):
    """Return a half for A, quarters for B and C at first; later C and the end have a half each."""
    return logs([2, 1, 1, 0] if not ids else [0, 0, 2, 2] if len(ids) < 3 else [0, 0, 0, 4])


def gaps(ids):
    """Allow all at first; after A only C and then the end, after B the end, after C nothing."""
    assert None not in ids, f"the mask is asked what comes after {[*ids]}: a dead end has no token to append"
    if not ids:
        return np.array([True, True, True, False])
    return np.array([False, False, [*ids] == [A], [*ids] != [A] and ids[0] != C])


def unlikely(shift):
    """Return ``quarters``, and a fifth token that makes the first step's others e^shift times as likely."""

    def model(ids):
        first = shift and not ids
        return np.append(quarters(ids) + (shift - math.log(4) if first else 0), 0 if first else -INF)

    return Recorder(model)


# masked_step ----------------------------------------------------------------------------------------------


def check_step(lab, logits, mask, u, token, mass):
    """Assert the token of a step, and the logarithm of its mass."""
    model, allowed = Recorder(lambda ids: np.array(logits, float)), Recorder(lambda ids: np.array(mask, np.bool_))
    args = (model, allowed, [2, 1], Scripted([u] * (token is not None)))
    what = f"masked_step, logits {logits}, mask {mask}, u {u}"
    with reporting(what, (token, mass)):
        got = lab.masked_step(*args)
    check_type(got, tuple, what)
    check_equal(len(got), 2, f"how many parts {what}, returns")
    check_equal(got[0], token, f"the token of {what}")
    check_alike(got[1], float(mass), f"the logarithm of the mass, {what}")
    asked = [[[*ids] for ids in each.calls] for each in (model, allowed)]
    check_equal(asked, [[[2, 1]], [[2, 1]]], "what model and mask are asked about")


@pytest.mark.todo("masked_step")
def test_the_masses_of_no_or_yes(lab):
    """The mass is the sum of the model's probabilities of all allowed tokens. Return its logarithm."""
    for ids, where, mass in (([YES], "after yes", 1 / 4), ([NO], "after no", 1), ([], "at the start", 1)):
        with reporting(f"masked_step of no|yes, {where}"):
            step = lab.masked_step(words, answer, ids, always(0.5))
        check_type(step, tuple, f"masked_step of no|yes, {where},")
        log = round(math.log(mass), 4)
        check_alike(step[1], log, f"the logarithm of the mass of no|yes {where}, which is log {mass:g}", most=1e-4)


@pytest.mark.todo("masked_step")
@pytest.mark.parametrize(
    ("logits", "mask", "u", "token", "mass"),
    [
        *[([0, 0, 0, 0], [0, 0, 1, 1], 0.9, 3, HALF), ([0, 0, 0, 0], [0, 0, 1, 1], 0.4, 2, HALF)],
        *[([0, 0, 0, 0], [1, 1, 1, 1], 0.3, 1, 0.0), ([0, 0, 0, 0], [0, 1, 0, 0], 0.99, 1, QUARTER)],
        *[([math.log(3), 0, 0, 0], [1, 1, 0, 0], u, token, math.log(2 / 3)) for u, token in ((0.74, 0), (0.76, 1))],
    ],
)
def test_one_step_and_its_mass(lab, logits, mask, u, token, mass):
    """Draw among the allowed tokens, and return the token's id with the mass that the mask has kept."""
    check_step(lab, logits, mask, u, token, mass)


@pytest.mark.todo("masked_step")
@pytest.mark.parametrize(("logit", "allowed"), [(0, 0), (-INF, 1)])
def test_a_dead_end_has_no_token(lab, logit, allowed):
    """Where the mask allows nothing that the model could write, don't draw: return None and minus infinity."""
    check_step(lab, [0, logit, 0, 0], [0, allowed, 0, 0], 0.5, None, -INF)


@pytest.mark.todo("masked_step")
def test_a_mass_too_small_for_a_float(lab):
    """Subtract the logarithm of the mass before you take ``exp``, because e^-2000 is 0 as a float."""
    check_step(lab, [0, -2000, -2000, -INF], [0, 1, 1, 1], 0.6, 2, -2000 + math.log(2))


@pytest.mark.todo("masked_step")
def test_the_mass_of_float32_logits(lab):
    """Models give you float32, but compute the mass in float64."""
    logits = np.linspace(-3, 3, 301, dtype=np.float32)
    parts = [math.exp(float(x)) for x in logits]
    _, mass = lab.masked_step(lambda ids: logits, lambda ids: np.arange(301) < 200, [], always(0.5))
    check_alike(mass, math.log(math.fsum(parts[:200]) / math.fsum(parts)), "the mass of float32 logits", 1e-12)


@pytest.mark.todo("masked_step")
def test_weights_undo_the_bend(lab):
    """A text's weight is the product of its masses. Times how often it's drawn, that's the model's own probability."""
    found = defaultdict(float)
    for u in grid(4, 1):
        ids, weight = lab.masked_sample(quarters, gaps, STOP, Scripted([*u, 0.5, 0.5]))
        found[tuple(ids)] += math.exp(weight) / 4
    check_alike(by_key(found), by_key({**TRUE_GAPS, (C,): 0.0}), "the weighted texts over all draws")


# rejection_sample -----------------------------------------------------------------------------------------


DRAWN = {"no": [0.3], "yes": [0.7], "EOS": [0.9], "terday": [0.5]}
"""A draw for each token of the README's model, where it can come. After ``no`` any draw gives EOS."""


def check_rejection(lab, attempts, expected, *written):
    """Assert what is accepted when the draws make the model write these tokens."""
    draws = [u for token in " ".join(written).split() for u in DRAWN[token]]
    model = Recorder(words)
    what = f"rejection_sample of no|yes, attempts={attempts}, where the draws write: {' / '.join(written) or 'nothing'}"
    with reporting(what, expected):
        got = lab.rejection_sample(model, answer, EOS, Scripted(draws), attempts)
    if expected is None or got is None:
        check_equal(got, expected and spell(expected), what)
    check_written(got or [], expected or [], SPELLED, what)
    what = f"{what}: the model was asked {len(model.calls)} times"
    assert len(model.calls) <= len(draws), f"{what}, and {len(draws)} are enough"


@pytest.mark.todo("rejection_sample")
@pytest.mark.parametrize("text", ["no EOS", "yes EOS"])
def test_a_legal_text_is_accepted(lab, text):
    """Let the model write without a mask. If every token of the text is allowed, accept it."""
    check_rejection(lab, 1, [SPELLED.index(token) for token in text.split()], text)


@pytest.mark.todo("rejection_sample")
@pytest.mark.parametrize("attempts", [2, 9])
def test_an_illegal_token_ends_the_attempt(lab, attempts):
    """At the first token that isn't allowed, throw away the whole text, and begin again from an empty one."""
    check_rejection(lab, attempts, [NO, EOS], "yes terday", "no EOS")


@pytest.mark.todo("rejection_sample")
def test_the_attempts_run_out(lab):
    """Begin as many texts as there are attempts, and no more. If none of them was legal, return None."""
    for attempts in (1, 2, 0):
        check_rejection(lab, attempts, None, *["yes terday"] * attempts)


@pytest.mark.todo("rejection_sample")
def test_one_attempt_over_all_draws(lab):
    """Nothing is bent, so each text is accepted with the model's own probability. Here () stands for None."""
    found = Counter()
    for draws in grid(4, 3):
        found[tuple(lab.rejection_sample(quarters, gaps, STOP, Scripted(draws), 1) or ())] += 1 / 64
    check_alike(by_key(found), by_key({**TRUE_GAPS, (): 1 - sum(TRUE_GAPS.values())}), "the texts of one attempt")


@pytest.mark.todo("rejection_sample")
def test_a_dead_end_ends_its_attempt_alone(lab):
    """After C nothing is allowed, so throw that text away. There's another attempt left: it writes B and the end."""
    args = (quarters, gaps, STOP, Scripted([0.9, 0.6, 0.6, 0.9]), 2)
    check(lab, "rejection_sample", args, [B, STOP], "of A, B, C and EOS (0 to 3), 2 attempts, the first one a dead end")


# backward_weights -----------------------------------------------------------------------------------------


def chain_of(rows):
    """Return a chain from rows of ``token: (target, probability)``."""
    return [{token: (target, math.log(part)) for token, (target, part) in row.items()} for row in rows]


def random_rows(seed, loops=True):
    """Return the rows of a random chain. Without loops, a token leads to a later node, and every node is reached."""
    rng = np.random.default_rng(seed)
    n, rows = int(rng.integers(1, 7)), []
    for node in range(n):
        targets = range(0 if loops else node + 1, n)
        row = {t: (int(rng.choice(targets)), int(part) / 16) for t, part in enumerate(rng.integers(1, 5, 3)) if targets}
        if not loops and targets:
            row[5] = (node + 1, 1 / 16)
        rows.append(row | {7: (END, 1 / 5)} if rng.random() < 0.8 or not row else row)
    return rows


def sums_by_length(rows, most):
    """Return each node's weight for 0, 1, … tokens: the probabilities of the texts, one length after another."""
    table = [[0.0] * len(rows) + [1.0]]
    for _ in range(most):
        before = table[-1]
        table.append([math.fsum(p * before[target] for target, p in row.values()) for row in rows] + [1.0])
    return table


def said(rows):
    """Return a chain's rows as text, with probabilities, and END by its name."""
    return str([{token: (target, round(p, 6)) for token, (target, p) in row.items()} for row in rows]).replace(
        "(-1,", "(END,"
    )


def check_weights(lab, rows, expected, most=1e-9):
    """Assert the weights of the nodes, and of the end, as the probabilities that they are."""
    what = f"np.exp(backward_weights(…)) of {said(rows)}"
    with reporting(what, [*expected]):
        got = lab.backward_weights(chain_of(rows))
    check_array(got, np.float64, (len(rows) + 1,), what)
    names = [*(f"node {n}" for n in range(len(rows))), "the end"]
    check_alike(*(dict(zip(names, map(float, each), strict=True)) for each in (np.exp(got), expected)), what, most)


NO_OR_YES = [{NO: (1, 1 / 2), YES: (2, 1 / 2)}, {EOS: (END, 1)}, {EOS: (END, 1 / 4)}]


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (NO_OR_YES, [5 / 8, 1, 1 / 4]),
        ([{0: (END, 1 / 4), 1: (END, 1 / 4)}], [1 / 2]),
        ([{0: (1, 1 / 2), 1: (1, 1 / 4)}, {0: (END, 1 / 2)}], [3 / 8, 1 / 2]),
    ],
)
def test_weights_without_loops(lab, rows, expected):
    """A node weighs the sum, over all its tokens, of probability times the weight of the target. The end weighs 1."""
    check_weights(lab, rows, [*expected, 1])


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        *[([{0: (0, 1 / 2), 1: (END, 1 / 4)}], [1 / 2]), ([{0: (0, 1 / 4), 1: (0, 1 / 4), 2: (END, 1 / 4)}], [1 / 2])],
        *[([{0: (0, 0.999999), 1: (END, 0.000001)}], [1]), ([{0: (1, 1 / 2), 1: (END, 1 / 2)}, {0: (0, 1)}], [1, 1])],
        ([{0: (1, 1 / 2), 1: (END, 1 / 8)}, {0: (1, 1 / 2), 1: (0, 1 / 4), 2: (END, 1 / 8)}], [1 / 3, 5 / 12]),
    ],
)
def test_weights_of_loops(lab, rows, expected):
    """A loop of probability l and an exit of weight e weigh e/(1-l). In a ring of nodes, remove one after another."""
    check_weights(lab, rows, [*expected, 1], most=1e-8)


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        *[([{}], [0]), ([{0: (1, 1 / 2), 1: (END, 1 / 4)}, {}], [1 / 4, 0])],
        ([{0: (1, 1 / 2), 1: (END, 1 / 4)}, {0: (1, 1)}], [1 / 4, 0]),
        ([{0: (1, 1), 1: (END, 1 / 4)}, {0: (2, 9)}, {0: (1, 9)}], [1 / 4, 0, 0]),
    ],
)
def test_dead_ends_weigh_nothing(lab, rows, expected):
    """A node from which the end can't be reached weighs 0, whatever its loops weigh. ``trimmed`` leaves them out."""
    check_weights(lab, rows, [*expected, 1])


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize("loops", [False, True], ids=["without", "with"])
@pytest.mark.parametrize("seed", range(12))
def test_weights_are_sums_over_all_texts(lab, seed, loops):
    """A weight is the sum over all texts that follow, even those that go round a loop again and again."""
    rows = random_rows(seed, loops)
    check_weights(lab, rows, sums_by_length(rows, 600)[-1])


@pytest.mark.todo("backward_weights")
def test_weights_that_need_all_their_digits(lab):
    """Small weights and loops near 1 need logarithms: as a float, 1e-30 to the 60th is 0, and 1 - e^-1e-12 is rough."""
    small = math.log(1e-30)
    line = [{0: (node + 1, small)} for node in range(59)] + [{0: (END, small)}]
    check(lab, "backward_weights", (line,), small * np.arange(60.0, -1, -1), "of 60 tokens of probability 1e-30")
    loop = [{0: (0, -1e-12), 1: (END, math.log(1e-12))}]
    check(lab, "backward_weights", (loop,), np.array([5e-13, 0.0]), "of a loop of e^-1e-12 and an exit of 1e-12")


@pytest.mark.todo("backward_weights")
@pytest.mark.parametrize(
    "chain",
    [
        *[[{0: (0, 0.0), 1: (END, HALF)}], [{0: (0, 2.0), 1: (END, HALF)}]],
        *[[{0: (1, 3.0), 1: (END, HALF)}, {0: (0, -2.0)}], [{0: (0, HALF), 1: (0, HALF), 2: (END, HALF)}]],
        [{0: (1, HALF), 1: (END, HALF)}, {0: (1, 0.5), 1: (0, HALF)}],
        [{0: (END, HALF), 1: (1, HALF)}, {0: (2, 0.0)}, {0: (1, 0.0), 1: (END, HALF)}],
    ],
)
def test_a_sum_that_diverges_is_refused(lab, chain):
    """If a loop weighs 1 or more, the sum over longer and longer texts never settles: raise ``LimitExceeded``."""
    check_weights(lab, [{0: (END, 9)}], [9, 1])
    less = [{token: (target, score - 4.0) for token, (target, score) in row.items()} for row in chain]
    check_array(lab.backward_weights(less), np.float64, (len(chain) + 1,), f"backward_weights({less})")
    text = said([{token: (target, math.exp(score)) for token, (target, score) in row.items()} for row in chain])
    what = f"backward_weights of {text}, in which a loop weighs 1 or more,"
    error = check_raises(lambda: lab.backward_weights(chain), LimitExceeded, what)
    check_equal(error.limit, 1, f"the limit of the error, {what}")


# fair_distribution ----------------------------------------------------------------------------------------


TWO_WAYS = {0: (0, 0.5), 1: (1, 0.25)}


def check_fair(lab, row, weights, expected, shift=0.0):
    """Assert the fair distribution of a row, whose targets have these weights times e^shift."""
    what = f"fair_distribution of {said([row])[1:-1]} with weights {weights}{f', times e^{shift:g}' if shift else ''}"
    with reporting(what, expected):
        got = lab.fair_distribution(*chain_of([row]), logs(weights) + shift)
    check_type(got, dict, what)
    check_equal([*got], [*expected], f"the tokens that are left, {what}")
    check_alike(*({f"token {token}": p for token, p in each.items()} for each in (got, expected)), what)


@pytest.mark.todo("fair_distribution")
def test_a_token_counts_what_may_follow(lab):
    """Multiply each token's probability by its target's weight. Only then normalise, by the sum of these products."""
    check_fair(lab, NO_OR_YES[0], [5 / 8, 1, 1 / 4, 1], {NO: 4 / 5, YES: 1 / 5})
    check_fair(lab, TWO_WAYS, [0.5, 1, 1], {0: 0.5, 1: 0.5})
    check_fair(lab, TWO_WAYS, [1, 1, 1], {0: 2 / 3, 1: 1 / 3})


@pytest.mark.todo("fair_distribution")
@pytest.mark.parametrize(("weights", "expected"), [([0, 1, 1], {1: 1.0}), ([0, 0, 1], {})])
def test_what_weighs_nothing_is_left_out(lab, weights, expected):
    """Leave out a token whose target weighs 0: no text can end there."""
    check_fair(lab, TWO_WAYS, weights, expected)
    check_fair(lab, {}, weights, {})


@pytest.mark.todo("fair_distribution")
def test_ids_ascend(lab):
    """Return the token ids in ascending order, whatever the order of the row."""
    check_fair(lab, {5: (END, 0.125), 2: (1, 0.25)}, [0, 0.5, 1], {2: 0.5, 5: 0.5})
    check_fair(lab, {9: (1, 0.5), 3: (1, 0.25), 4: (0, 0.25)}, [1, 0.5, 1], {3: 0.2, 4: 0.4, 9: 0.4})


@pytest.mark.todo("fair_distribution")
@pytest.mark.parametrize("weights", [[0.5, 1, 1], [0, 1, 1]])
def test_products_too_small_for_a_float(lab, weights):
    """Subtract the logarithm of the total before you take ``exp``, because e^-4000 is 0 as a float."""
    check_fair(lab, TWO_WAYS, weights, {0: 0.5, 1: 0.5} if weights[0] else {1: 1.0}, -4000.0)


@pytest.mark.todo("fair_distribution")
def test_every_draw_gives_the_fair_texts(lab):
    """Of twenty evenly spaced draws, sixteen write ``no`` and four ``yes``: four fifths and one fifth are fair."""
    chain = chain_of(NO_OR_YES)
    weights = logs([0.625, 1, 0.25, 1])
    got = Counter(tuple(lab.sample_fair(chain, [weights], Scripted([u, 0.5]))) for (u,) in grid(20, 1))
    check_equal(dict(sorted(got.items())), {(NO, EOS): 16, (YES, EOS): 4}, "the texts of twenty draws")


# is_fair --------------------------------------------------------------------------------------------------


def bent(rows, most=9):
    """Return a text that masking writes too often or too rarely, with both probabilities; None if there is none."""
    weights = sums_by_length(rows, 600)[-1]
    waiting = [((), 0, 1.0, 1.0)]
    for ids, node, masked, true in waiting:
        if node == END or weights[node] == 0:
            fair = true / weights[0] if node == END else 0.0
            if abs(masked - fair) > 1e-7:
                return f"{[*ids]}{'' if node == END else ' and never ends'} with {masked:.4g}, and {fair:.4g} is fair"
        elif len(ids) < most:
            kept = sum(p for _, p in rows[node].values())
            waiting += [((*ids, i), t, masked * p / kept, true * p) for i, (t, p) in rows[node].items()]
    return None


FAIR = [
    [{0: (1, 1 / 2), 1: (2, 1 / 4)}, {2: (END, 1 / 8)}, {2: (END, 1 / 8)}],
    [{0: (1, 1 / 2), 1: (1, 1 / 4)}, {2: (END, 1 / 8)}],
    [{0: (0, 1 / 2), 1: (END, 1 / 2)}],
    [{0: (1, 1 / 8)}, {0: (2, 1 / 2)}, {0: (END, 1 / 3), 1: (END, 1 / 3)}],
    # dead ends that no text comes to say nothing
    [{0: (END, 1 / 2)}, {}],
    [{0: (END, 1 / 2)}, {0: (1, 1 / 2), 1: (2, 1 / 2)}, {0: (1, 1)}],
]
UNFAIR = [
    [{0: (1, 1 / 2), 1: (2, 1 / 4)}, {2: (END, 1 / 8)}, {2: (END, 1 / 4)}],
    [{0: (0, 1 / 2), 1: (END, 1 / 4)}],
    [{0: (1, 1 / 2), 1: (END, 1 / 2)}, {}],
    [{0: (1, 1 / 8)}, {0: (2, 1 / 2), 1: (END, 1 / 2)}, {0: (END, 1 / 3)}],
    [{0: (1, 1 / 2), 1: (1, 1 / 2)}, {0: (2, 1 / 2), 1: (3, 1 / 2)}, {2: (END, 1 / 3)}, {2: (END, 1 / 4)}],
]
RANDOM = [random_rows(seed, loops=False) for seed in range(20)]


@pytest.mark.todo("is_fair")
@pytest.mark.parametrize("rows", FAIR + UNFAIR + RANDOM)
def test_masking_is_fair_if_every_text_is(lab, rows):
    """Masking is fair if it gives each text its fair probability. A single text that it bends makes it unfair."""
    text = bent(rows)
    expected = text is None
    assert rows in RANDOM or expected == (rows in FAIR), "the oracle"
    weights = sums_by_length(rows, 600)[-1]
    what = f"of {said(rows)}, whose nodes weigh {[round(weight, 4) for weight in weights[:-1]]}"
    what += ", where masking writes " + (f"the tokens {text}" if text else "each text as often as it should")
    check(lab, "is_fair", (chain_of(rows), logs(weights)), expected, what)


@pytest.mark.todo("is_fair")
@pytest.mark.parametrize(
    ("targets", "tolerance", "expected"),
    [
        *[([-1, -1 + 1e-6], [], False), ([-1, -1 + 1e-6], [1e-5], True), ([-1, -1 + 1e-12], [], True)],
        # e^-2000 is almost three times e^-2001, small as both are
        *[([-1, -1], [0.0], True), ([-2000, -2001], [], False)],
        # small steps add up, from one to the next and on both sides of the first
        *[([-1.25, -1, -1.25, -1.5], [0.375], False), ([-1.25, -1, -1.25, -1.5], [0.5], True)],
    ],
)
def test_rounding_is_not_unfair(lab, targets, tolerance, expected):
    """Weights count as equal if their logarithms, the largest and the smallest, differ by at most the tolerance."""
    part = -math.log(len(targets))
    chain = [{t: (t + 1, part) for t in range(len(targets))}, *({9: (END, float(weight))} for weight in targets)]
    weights = np.array([np.logaddexp.reduce(targets) + part, *targets, 0.0])
    what = f"of a node whose targets' weights have the logarithms {targets}"
    what += f", tolerance {tolerance[0]:g}" if tolerance else ", with the default tolerance"
    check(lab, "is_fair", (chain, weights, *tolerance), expected, what)


# smc_sample -----------------------------------------------------------------------------------------------


def run_two(lab, first, draws, threshold):
    """Return two particles of ``no|yes``, how often they were resampled, and what this is about."""
    script = [*(DRAWN[word][0] for word in first), 0.9, 0.9, *draws]
    draw = Scripted([*script, *[0.5] * 8])
    worth = {"yes no": "1/4 and 1, worth 1.47", "no no": "1 and 1, worth 2"}[" ".join(first)]
    what = f"smc_sample of no|yes, threshold {threshold:g}, where 2 particles write {' and '.join(first)}"
    what += f", weights {worth}"
    with reporting(what):
        got = lab.smc_sample(words, answer, EOS, 2, draw, threshold)
    check_type(got, list, what)
    times = len(draw.numbers) - len(draw.left) - 4
    weights = {f"particle {n}": math.exp(weight) for n, (_, weight) in enumerate(got, 1)}
    return [spell(ids) for ids, _ in got], weights, times, what


@pytest.mark.todo("smc_sample")
def test_particles_step_together(lab):
    """In each round every running particle takes one step: first the first tokens of all, then the second ones."""
    texts, _, _, what = run_two(lab, ("no", "no"), [], 0.0)
    check_equal(texts, ["no EOS", "no EOS"], f"the texts, {what}")


@pytest.mark.todo("smc_sample")
@pytest.mark.parametrize(
    ("first", "threshold", "times"),
    [(("yes", "no"), 0.7, 0), (("no", "no"), 1.0, 0), (("yes", "no"), 0.9, 1)],
)
def test_when_to_resample(lab, first, threshold, times):
    """After each round, resample if the effective size is *below* threshold times n, and only then."""
    _, _, resampled, what = run_two(lab, first, [0.5] * times, threshold)
    check_equal(resampled, times, f"how often you resample, {what}")


@pytest.mark.todo("smc_sample")
def test_a_particle_weighs_the_product_of_its_masses(lab):
    """Each step multiplies a particle's weight by the mass: ``no`` ends at 1, ``yes`` at 1/4. Don't normalise them."""
    _, weights, _, what = run_two(lab, ("yes", "no"), [], 0.0)
    check_alike(weights, {"particle 1": 1 / 4, "particle 2": 1.0}, f"the weights, {what}")


@pytest.mark.todo("smc_sample")
@pytest.mark.parametrize(("u", "expected"), [(0.5, ["no EOS", "no EOS"]), (0.1, ["yes EOS", "no EOS"])])
def test_resampled_particles_share_the_weight(lab, u, expected):
    """Resampled particles share the weight: whichever are copied, each gets the mean of all n weights, here 5/8."""
    texts, weights, _, what = run_two(lab, ("yes", "no"), [u], 0.9)
    check_equal(texts, expected, f"the texts, {what}")
    check_alike(weights, {"particle 1": 5 / 8, "particle 2": 5 / 8}, f"the weights once resampled, {what}")


@pytest.mark.todo("smc_sample")
def test_nothing_is_resampled_if_all_are_dead(lab):
    """A dead end adds no token. If all particles are in dead ends, their effective size is 0: don't resample."""
    what = "smc_sample of two particles that write C, a dead end"
    with reporting(what):
        got = lab.smc_sample(quarters, gaps, STOP, 2, Scripted([0.9, 0.9]), 1.0)
    check_equal([(ids, float(weight)) for ids, weight in got], [([C], -INF), ([C], -INF)], what)


ROUNDS = [0.1, 0.6, 0.9, 0.5, 0.5]
"""Draws of three particles: A, B and C at first, then C, the end of B, and a dead end."""


@pytest.mark.todo("smc_sample")
@pytest.mark.parametrize("shift", [0.0, -3000.0])
@pytest.mark.parametrize(
    ("draws", "threshold", "texts", "parts", "asked"),
    [
        # in rounds: the first tokens of all, then the second ones of those that run
        ([*ROUNDS, 0.5], [0.0], [[A, C, STOP], [B, STOP], [C]], [1 / 4, 1 / 2, 0], 7),
        # two particles of three are worth 2, which is not below half of three
        ([*ROUNDS, 0.5], [], [[A, C, STOP], [B, STOP], [C]], [1 / 4, 1 / 2, 0], 7),
        # after two rounds the weights 1/2, 1/2, 0 are worth 2, less than 2.4: points at 0.4/3, 1.4/3, 2.4/3
        ([*ROUNDS, 0.4, 0.5, 0.5], [0.8], [[A, C, STOP], [A, C, STOP], [B, STOP]], [1 / 6, 1 / 6, 1 / 3], 8),
        # after three rounds 1/4, 1/2, 0 are worth 1.8, less than 1.95: points at 1/6, 1/2, 5/6; A takes the first third
        ([*ROUNDS, 0.5, 0.5], [0.65], [[A, C, STOP], [B, STOP], [B, STOP]], [1 / 4, 1 / 4, 1 / 4], 7),
        # one of two has all the weight: it is worth 1, and is copied
        ([0.1, 0.9, 0.5, 0.4, 0.5, 0.5], [0.9], [[A, C, STOP], [A, C, STOP]], [1 / 8, 1 / 8], 6),
    ],
)
def test_particles_step_and_are_resampled(lab, draws, threshold, texts, parts, asked, shift):
    """First all running particles take a step. Then, if it's time, resample all particles, the finished ones too.

    A finished particle never asks the model again. Each copy gets the mean of the weights, and a list of its own.
    """
    model, mask = unlikely(shift), lambda ids: np.append(gaps(ids), False)
    what = f"smc_sample of A, B, C and EOS (0 to 3), {len(texts)} particles, draws {draws}"
    what += f", threshold {threshold[0] if threshold else 0.5}{f', first tokens times e^{shift:g}' if shift else ''}"
    with reporting(what):
        got = lab.smc_sample(model, mask, STOP, len(texts), Scripted(draws), *threshold)
    check_type(got, list, what)
    check_equal([ids for ids, _ in got], texts, f"the texts of {what}")
    weights = tuple(weight for _, weight in got)
    if not shift:
        check_alike(tuple(map(math.exp, weights)), tuple(map(float, parts)), f"the weights of {what}")
    check_alike(weights, tuple((logs(parts) + shift).tolist()), f"the logarithms of the weights of {what}")
    assert len(model.calls) <= asked, f"{what}: the model was asked {len(model.calls)} times, and {asked} are enough"
    assert len({id(ids) for ids, _ in got}) == len(got), f"two particles share one list of ids, {what}"


@pytest.mark.todo("smc_sample")
@pytest.mark.parametrize("threshold", [0.0, 0.5, 0.7, 0.99])
@pytest.mark.parametrize("n", [1, 2])
def test_weighted_particles_over_all_draws(lab, n, threshold):
    """Over all draws, the mean weight that your particles give a text is the model's own probability of it.

    So no resampling loses weight, and a text that is finished early neither gains nor loses. A draw that follows a call
    of the mask chooses a token; only the first n have a choice. Any other draw is for resampling, of which there is
    one at most; all shares of two particles are whole twelfths.
    """
    found, runs = defaultdict(float), [*product(grid(4, n), grid(12, 1))]
    for firsts, (u,) in runs:
        left, asked = [*firsts][::-1], []

        def mask(ids, asked=asked):
            asked.append(ids)
            return gaps(ids)

        def draw(left=left, asked=asked, u=u):
            if not asked:
                return u
            asked.clear()
            return left.pop() if left else 0.5

        for ids, weight in lab.smc_sample(quarters, mask, STOP, n, draw, threshold):
            if weight > -INF:
                found[tuple(ids)] += math.exp(weight) / n / len(runs)
    check_alike(by_key(found), by_key(TRUE_GAPS), f"the weighted texts, {n} particles, threshold {threshold}")


# adaptive_sample ------------------------------------------------------------------------------------------


def check_adaptive(lab, remembered, draws, text, learned):
    """Assert which text of ``no|yes`` is written, and which weights are learned; all in words."""
    ids_of = {"the start": (), "no": (NO,), "yes": (YES,), "yes terday": (YES, TERDAY)}
    memory = {ids_of[prefix]: float(logs(part)) for prefix, part in remembered.items()}
    what = f"adaptive_sample of no|yes, remembering {remembered or 'nothing'}, draws {draws}"
    model = Recorder(words)
    with reporting(what):
        got = lab.adaptive_sample(model, answer, EOS, memory, Scripted(draws))
    check_type(got, tuple, what)
    check_written(got[0], [SPELLED.index(token) for token in text.split()], SPELLED, f"the ids, {what}")
    weights = {spell(prefix) or "the start": math.exp(weight) for prefix, weight in by_key(got[1]).items()}
    if learned is not None:
        check_alike(weights, learned, f"the learned weights, {what}")
    check_equal(len(model.calls), max(1, len(got[0])), f"how often the model is asked, {what}")


@pytest.mark.todo("adaptive_sample")
def test_the_first_text_teaches(lab):
    """An unknown prefix counts as 1. Then learn from the end backwards: for the chosen token, use what's just learned.

    Each prefix that the model was asked about gets a weight: the sum of probability times weight.
    """
    check_adaptive(lab, {}, [0.7, 0.5], "yes EOS", {"yes": 0.25, "the start": 0.625})
    check_adaptive(lab, {}, [0.3, 0.5], "no EOS", {"no": 1.0, "the start": 1.0})


MEMORIES = [
    ({"yes": 0.25}, [0.7, 0.5], "no EOS", {"no": 1.0, "the start": 0.625}),
    ({"yes": 0.25}, [0.81, 0.5], "yes EOS", {"yes": 0.25, "the start": 0.625}),
    ({"no": 0.0}, [0.01, 0.5], "yes EOS", {"yes": 0.25, "the start": 0.125}),
    ({"no": 0.0, "yes": 0.0}, [], "", {"the start": 0.0}),
]


@pytest.mark.todo("adaptive_sample")
@pytest.mark.parametrize(("remembered", "draws", "text", "learned"), MEMORIES)
def test_what_is_remembered_weighs_in(lab, remembered, draws, text, learned):
    """Draw with each token's probability times the remembered weight of the prefix that it leads to."""
    check_adaptive(lab, remembered, draws, text, None)


@pytest.mark.todo("adaptive_sample")
@pytest.mark.parametrize(
    ("remembered", "draws", "text", "learned"),
    [
        *MEMORIES,
        ({"yes": 0.5}, [0.7, 0.5], "yes EOS", {"yes": 0.25, "the start": 0.625}),
        ({"no": 0.5, "yes": 0.25}, [0.7, 0.5], "yes EOS", {"yes": 0.25, "the start": 0.375}),
        ({"yes terday": 0.5, "the start": 0.1}, [0.7, 0.5], "yes EOS", {"yes": 0.25, "the start": 0.625}),
    ],
)
def test_new_weights_come_before_remembered_ones(lab, remembered, draws, text, learned):
    """For the chosen token, count the weight that you've just learned; for the others, the remembered one."""
    check_adaptive(lab, remembered, draws, text, learned)


@pytest.mark.todo("adaptive_sample")
def test_a_weight_belongs_to_a_whole_prefix(lab):
    """Look up the whole prefix, ``(*ids, token)``: C alone may be a dead end, and C after A may not."""
    what = "adaptive_sample of a model of A, B, C and EOS (0 to 3), remembering that C alone weighs 0"
    with reporting(what):
        ids, _ = lab.adaptive_sample(quarters, gaps, STOP, {(C,): -INF}, Scripted([0.1, 0.5, 0.5]))
    check_written(ids, [A, C, STOP], ("A", "B", "C", "EOS"), f"the ids, {what}")


@pytest.mark.todo("adaptive_sample")
@pytest.mark.parametrize("shift", [0.0, -3000.0])
def test_a_dead_end_is_remembered(lab, shift):
    """A dead end is worth remembering: run into the one after C only once, and take its quarter off from then on."""
    model, mask = unlikely(shift), lambda ids: np.append(gaps(ids), False)
    what = f"adaptive_sample of first tokens times e^{shift:g}, of which the last leads to a dead end"
    with reporting(what):
        ids, learned = lab.adaptive_sample(model, mask, STOP, {}, Scripted([0.9]))
        check_equal(ids, [C], f"the ids of {what}")
        check_alike(by_key(learned), {(C,): -INF, (): math.log(0.75) + shift}, f"the weights of {what}")
        ids, _ = lab.adaptive_sample(model, mask, STOP, learned, Scripted([0.99, 0.5]))
    check_equal(ids, [B, STOP], f"the ids of the highest draw, {what}, once that is known")


@pytest.mark.todo("adaptive_sample")
def test_with_everything_learned_it_is_fair(lab):
    """Once every text has been written, the empty prefix weighs what the language does, and the draws are fair."""
    memory, bounds = {}, []
    for draws in [[0.1, 0.5, 0.5], [0.99], [0.99, 0.5], [0.1, 0.5, 0.5]]:
        _, learned = lab.adaptive_sample(quarters, gaps, STOP, dict(memory), Scripted(draws))
        memory |= learned
        bounds.append(memory[()])
    check_alike(math.exp(memory[()]), sum(TRUE_GAPS.values()), "the weight of the empty prefix")
    assert bounds == sorted(bounds, reverse=True), f"the bound of the language's probability rises: {bounds}"
    runs = [lab.adaptive_sample(quarters, gaps, STOP, memory, Scripted([*u, 0.5, 0.5])) for u in grid(32, 1)]
    found = Counter(tuple(ids) for ids, _ in runs)
    check_equal(dict(sorted(found.items())), {(A, C, STOP): 16, (B, STOP): 16}, "the texts of 32 draws")


# Promises of every function -------------------------------------------------------------------------------

LOOP = [{0: (0, HALF), 1: (END, HALF)}]
LINE = [{5: (1, HALF), 2: (END, QUARTER)}, {2: (END, QUARTER)}]
LINE_WEIGHTS = np.array([math.log(0.375), QUARTER, 0.0])


def alike(expected, of=lambda got: got):
    """Return a check that an answer, or what is made of it, is as expected up to rounding."""
    return lambda got, what: check_alike(of(got), expected, what)


def promises():
    """Return calls of each function with different answers."""
    sort = lambda got: (got[0], by_key(got[1]))  # noqa: E731
    plain = (lambda ids: np.zeros(2), lambda ids: np.array([True, True]), 1)
    once = (lambda ids: np.zeros(2, np.float32), lambda ids: np.array([not ids, bool(ids)]), 1)
    sure = lambda ids: np.array([20, 0], np.float32)  # noqa: E731
    first = (lambda ids: logs([bool(ids), not ids]), lambda ids: np.array([bool(ids), not ids]), 0)
    return {
        "masked_step": {
            "with all allowed": ((*plain[:2], [], always(0.7)), alike((1, 0.0))),
            "with one allowed": ((*once[:2], (0,), always(0.1)), alike((1, HALF))),
            "with one other": ((*once[:2], [], always(0.9)), alike((0, HALF))),
        },
        "rejection_sample": {
            "with all allowed": ((*plain, always(0.7), 1), [1]),
            "that never ends well": ((*once, always(0.7), 3), None),
            "with EOS as id 0": ((*first, always(0.5), 1), [1, 0]),
            "of float32 logits of 20 and 0": ((sure, lambda ids: np.array([False, True]), 1, always(1 - 1e-9), 1), [1]),
        },
        "backward_weights": {
            "of a loop": ((LOOP,), alike(np.zeros(2))),
            "of a line as a tuple": ((tuple(LINE),), alike(LINE_WEIGHTS)),
            "of a dead end": (([{0: (1, 0.0)}, {}],), alike(np.array([-INF, -INF, 0.0]))),
        },
        "fair_distribution": {
            "of a row": ((LINE[0], np.array([0.0, QUARTER, 0.0])), alike({2: 2 / 3, 5: 1 / 3})),
            "of the same with other weights": ((LINE[0], np.array([0.0, HALF, 0.0])), alike({2: 0.5, 5: 0.5})),
            "of nothing": (({}, np.array([0.0])), {}),
        },
        "is_fair": {
            "of a loop": ((LOOP, np.zeros(2)), True),
            "of a line": ((LINE, LINE_WEIGHTS), False),
            "of a line as a tuple, with room": ((tuple(LINE), LINE_WEIGHTS, 2.0), True),
        },
        "smc_sample": {
            "with all allowed": ((*plain, 2, always(0.7)), alike((([1], 0.0), ([1], 0.0)), tuple)),
            "with one particle": ((*plain, 1, always(0.9), 1.0), alike((([1], 0.0),), tuple)),
            "with EOS as id 0": ((*first, 1, always(0.5)), alike((([1, 0], 0.0),), tuple)),
        },
        "adaptive_sample": {
            "with all allowed": ((*plain, {}, always(0.7)), alike(([1], {(): 0.0}), sort)),
            "with a memory": ((*plain, {(0,): -INF}, always(0.1)), alike(([1], {(): HALF}), sort)),
            "with EOS as id 0": ((*first, {}, always(0.5)), alike(([1, 0], {(1,): 0.0, (): 0.0}), sort)),
            "of float32 logits of 20 and 0": (
                (sure, lambda ids: np.array([not ids, True]), 1, {}, always(1 - 1e-9)),
                alike(([1], {(): 0.0}), sort),
            ),
            "with one text": ((*once, {(): -3.0}, always(0.1)), alike(([0, 1], {(0,): HALF, (): 2 * HALF}), sort)),
        },
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.todo(name), id=name) for name in promises()])
def test_calls_leave_everything_else_alone(lab, name):
    """Each call gives the right answer, as a new object. Leave the arguments alone, and remember no other call."""
    check_promises(lab, name, promises()[name])
