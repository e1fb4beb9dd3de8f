"""Fixed questions to each function of lab 13. The answers distinguish one misconception from another.

Models are functions of the prefix, draws are fixed numbers, and what is computed is rounded to six digits.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labkit.checking.probing import attempt
from labkit.numeric_probes import answered, rounded, scripted

END = -1


def _logs(parts: Any) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        logs: NDArray[np.float64] = np.log(np.array(parts, float))
    return logs


def _chain(*rows: dict[int, tuple[int, float]]) -> list[dict[int, tuple[int, float]]]:
    return [{token: (target, math.log(part)) for token, (target, part) in row.items()} for row in rows]


# Chains -------------------------------------------------------------------------------------------------

LOOP = _chain({0: (0, 0.5), 1: (END, 0.25)})
DOUBLE = _chain({4: (0, 0.25), 1: (0, 0.25), 2: (END, 0.125), 0: (END, 0.125)})
RING = _chain({0: (1, 0.5), 3: (END, 0.25)}, {1: (0, 0.5), 2: (2, 0.25)}, {5: (1, 0.125), 4: (END, 0.5)})
TRAP = _chain({0: (1, 0.5), 3: (2, 0.125), 2: (END, 0.25)}, {0: (1, 1.0)}, {2: (END, 0.5)})
SLOW = _chain({0: (0, 0.999), 1: (END, 0.0005)})
STEEP = [{0: (1, -500.0), 1: (1, -501.0)}, {0: (END, -400.0)}]
CHAINS: tuple[Any, ...] = (LOOP, DOUBLE, RING, TRAP, SLOW, STEEP, [{}], _chain({7: (END, 1.0)}))

# A model of four tokens whose probabilities depend on the last token and on the length; 3 ends.


def _model(ids: Sequence[int]) -> NDArray[np.float64]:
    parts = ([4, 2, 1, 1], [1, 4, 2, 1], [2, 1, 1, 4], [1, 1, 1, 1])
    return _logs(parts[(ids[-1] if len(ids) else 3)]) + len(ids)


def _allowed(ids: Sequence[int]) -> NDArray[np.bool_]:
    if len(ids) == 0:
        return np.array([True, True, True, False])
    if ids[0] == 2:
        return np.zeros(4, np.bool_)
    return np.array([len(ids) < 2, ids[0] == 0 and len(ids) < 3, False, len(ids) > 1 or ids[0] == 1])


MODEL = (_model, _allowed, 3)
DRAWS = ((0.1,) * 12, (0.3, 0.9, 0.2, 0.6, 0.45, 0.7, 0.05, 0.85, 0.55, 0.35, 0.15, 0.95) * 2, (0.99,) * 12)
FINE = np.linspace(-3, 3, 301, dtype=np.float32)
FINE_SUM = math.log(math.fsum(math.exp(float(x)) for x in FINE))
"""Logits on which sums in float32 and in float64 differ, and the logarithm of their sum."""


def probe_backward_weights(lab: Any) -> Any:
    diverging = ([{0: (0, 0.0), 1: (END, -1.0)}], [{0: (0, 0.7), 1: (END, -1.0)}])
    ring = [{0: (1, 0.5), 1: (END, -1.0)}, {0: (0, 0.5)}]
    near_one = [{0: (0, -1e-12), 1: (END, math.log(1e-12))}]
    return [answered(lab.backward_weights, chain) for chain in (*CHAINS, *diverging, ring, near_one)]


def probe_fair_distribution(lab: Any) -> Any:
    weights = (
        _logs([1, 1, 1, 1]),
        _logs([0.5, 0.25, 0.125, 1]),
        _logs([0, 0.5, 0, 1]),
        np.array([-900.0, -901, -902, 0]),
    )
    rows = [row for chain in (DOUBLE, RING, TRAP) for row in chain]
    found = [answered(lab.fair_distribution, row, each) for row in rows for each in weights]
    return [
        *found,
        answered(lab.fair_distribution, STEEP[0], np.array([-800.0, -801.0, 0.0])),
        answered(lab.fair_distribution, {}, weights[0]),
    ]


def probe_is_fair(lab: Any) -> Any:
    cases: list[tuple[Any, list[float]]] = [
        (LOOP, [0.5]),
        (_chain({0: (0, 0.5), 1: (END, 0.5)}), [1]),
        (_chain({0: (1, 0.5), 1: (2, 0.25)}, {2: (END, 0.125)}, {3: (END, 0.125)}), [3 / 32, 1 / 8, 1 / 8]),
        (_chain({0: (1, 0.5), 1: (2, 0.25)}, {2: (END, 0.125)}, {3: (END, 0.25)}), [1 / 8, 1 / 8, 1 / 4]),
        (_chain({0: (1, 0.5)}, {0: (2, 0.5), 1: (END, 0.5)}, {1: (END, 0.25)}), [0.3125, 0.625, 0.25]),
        (_chain({0: (1, 0.5), 1: (END, 0.5)}, {0: (1, 1.0)}), [0.5, 0]),
        (_chain({0: (1, 0.5), 1: (2, 0.5)}, {1: (END, 0.5)}, {0: (2, 0.5)}), [0.25, 0.5, 0]),
        (_chain({0: (END, 0.5)}, {0: (1, 0.5)}), [0.5, 0]),
        (_chain({0: (0, 1.0)}), [0]),
    ]
    found = [answered(lab.is_fair, chain, _logs([*weights, 1])) for chain, weights in cases]
    steps = [{0: (1, 0.0), 1: (2, 0.0), 2: (3, 0.0)}, {0: (END, 0.0)}, {0: (END, 0.0)}, {0: (END, 0.0)}]
    near = np.array([-1.0, -0.5, -0.5 + 1e-11, 0.0])
    return [
        *found,
        answered(lab.is_fair, cases[2][0], near),
        answered(lab.is_fair, steps, np.array([-1.0, -1.0, -0.75, -1.25, 0.0]), 0.375),
        answered(lab.is_fair, cases[3][0], _logs([1 / 8, 1 / 8, 1 / 4, 1]), 2.0),
        answered(lab.is_fair, cases[3][0], np.array([-900.0, -900.0, -901.0, 0.0])),
    ]


def probe_masked_step(lab: Any) -> Any:
    prefixes: tuple[list[int], ...] = ([], [0], [1], [2], [0, 1], [0, 0], [1, 0])
    found = [
        [answered(lab.masked_step, *MODEL[:2], ids, lambda u=u: u), ids] for ids in prefixes for u in (0.1, 0.5, 0.9)
    ]
    full = answered(lab.masked_step, _model, lambda ids: np.ones(4, np.bool_), [], lambda: 0.5)
    one = attempt(lambda: lab.masked_step(lambda ids: FINE, lambda ids: np.arange(301) == 7, [], lambda: 0.5)[1])
    return [*found, full, one[0] == "value" and bool(abs(one[1] - float(FINE[7]) + FINE_SUM) < 1e-9)]


def probe_rejection_sample(lab: Any) -> Any:
    found = []
    for numbers in (*DRAWS, (0.3, 0.99, 0.1, 0.4, 0.99), (0.7,) * 9, (0.1, 0.6, 0.99)):
        for attempts in (0, 1, 2, 5):
            draw, taken = scripted(numbers)
            found.append([answered(lab.rejection_sample, *MODEL, draw, attempts), len(taken)])
    return found


def probe_smc_sample(lab: Any) -> Any:
    found = []
    for numbers in (*DRAWS, (0.1, 0.5, 0.9) * 9, (0.4, 0.6, 0.2, 0.8) * 9):
        for n, threshold in ((1, 0.5), (2, 0.9), (3, 0.0), (4, 0.5), (4, 0.95)):
            asked: list[int] = []
            draw, taken = scripted([*numbers] * 3)

            def model(ids: Sequence[int], asked: list[int] = asked) -> NDArray[np.float64]:
                asked.append(len(ids))
                return _model(ids)

            answer = attempt(lab.smc_sample, model, _allowed, 3, n, draw, threshold)
            shared = answer[0] == "value" and len({id(ids) for ids, _ in answer[1]}) < n
            found.append([(answer[0], rounded(answer[1])), shared, len(taken), sorted(asked)])
    dead = answered(lab.smc_sample, *MODEL, 2, scripted((0.99,) * 3)[0], 1.0)
    unlikely = lambda ids: _model(ids) + np.array([0, 0, 0, 0 if ids else 800])  # noqa: E731
    small = answered(lab.smc_sample, unlikely, _allowed, 3, 3, scripted((0.1, 0.9, 0.4) * 9)[0], 1.0)
    return [*found, dead, small]


def probe_adaptive_sample(lab: Any) -> Any:
    found = []
    for memory in (
        {},
        {(0,): -1.0, (2,): -np.inf},
        {(1,): -3.0, (1, 0): -2.0},
        {(0, 1): -0.5, (0,): -np.inf, (): -9.0},
    ):
        for numbers in (*DRAWS, (0.6,) * 9):
            draw, taken = scripted(numbers)
            kind, *rest = attempt(lab.adaptive_sample, *MODEL, dict(memory), draw)
            learned = sorted(rest[0][1].items()) if kind == "value" else rest
            ids = rest[0][0] if kind == "value" else None
            found.append([(kind, ids, rounded(learned)), len(taken)])
    return found
