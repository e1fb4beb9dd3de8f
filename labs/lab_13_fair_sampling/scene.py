"""What ``python3 -m course show 13`` plays: masking, and after each token what the mask has kept of the model."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property, reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.models import Model
from labkit.pictures import Svg, bar_chart
from labkit.scenes import CharacterOracle, Mask, Oracle, Scene, Steps, check_expression
from labkit.scenes.endings import Ending, Function, Line, MakeSteps
from labkit.scenes.prompted import prompted
from labkit.vocabulary import Vocabulary
from labs.lab_13_fair_sampling.given.markov import END


class WeighedState(NamedTuple):
    """A state of the automaton, and the logarithm of the product of the masses that the mask has kept."""

    state: int
    log_weight: float


class Weighed(Steps):
    """Lab 04's masks, the student's steps, and the importance weight of the text so far."""

    _asked: tuple[NDArray[np.float32], Mask]
    _kept = 0.0

    @cached_property
    def prepared(self) -> Any:
        """Lab 04's automaton and table."""
        return self.call("lab_04_eos_gating.prepare", self.grammar, self.vocabulary)

    def initial(self) -> WeighedState:
        """Return the automaton's initial state, with the weight 1."""
        self.remark = "the weight is the product of what the mask kept: masking is fair only if all texts have the same"
        return WeighedState(self.prepared[0].initial, 0.0)

    def describe(self, state: WeighedState) -> str:
        """Return the state, and the weight so far."""
        accepting = ", accepting" * (state.state in self.prepared[0].accepting)
        return f"{state.state}{accepting}, weight {math.exp(state.log_weight):.3g}"

    def legal(self, state: WeighedState) -> Mask:
        """Return lab 04's mask."""
        fsm, table = self.prepared
        return self.array(
            "lab_04_eos_gating.mask_row", np.bool_, (self.size,), fsm, table, state.state, self.vocabulary
        )

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask, and keep what the step is asked with."""
        self._asked = logits, mask
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the student's token, and keep the mass."""
        logits, mask = self._asked
        token, self._kept = self.call("masked_step", lambda ids: logits, lambda ids: mask, [], lambda: u)
        assert token is not None, "masked_step gave no token, though the mask allows some"
        return int(token)

    def step(self, state: WeighedState, token_id: int) -> WeighedState | None:
        """Follow a transition of the table, and multiply the weight."""
        target = self.prepared[1][state.state].get(token_id)
        return None if target is None else WeighedState(target, state.log_weight + self._kept)


def oracle(scene: Scene) -> Oracle:
    """Return lab 02's automaton as a judge."""
    from labs.lab_02_atom_fsm.solution import compile_pattern

    check_expression(scene.grammar)
    return CharacterOracle(compile_pattern(scene.grammar), scene.vocabulary)


PROMPT, PATTERN = "Is it paid? Answer yes or no.", "no|yes"

TEXTS = 200
"""Texts that each sampler writes."""


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Answer yes or no: how often masking says which, what would be fair, and what undoes the mask."""
    from mask_engine import compile_guide  # it needs labs 06 to 08, which a student's copy may still lack

    vocabulary, rows = Vocabulary.small(), dict[tuple[int, ...], NDArray[np.float32]]()
    asked = prompted(PROMPT)

    def model(ids: Sequence[int]) -> NDArray[np.float32]:
        if (*ids,) not in rows:
            rows[(*ids,)] = asked(ids)
        return rows[(*ids,)]

    guide, eos = compile_guide(vocabulary, regex=PATTERN), vocabulary.eos_id

    @cache
    def mask(ids: tuple[int, ...]) -> Mask:
        bitmask = guide.mask(reduce(guide.advance, ids, guide.initial))
        return np.unpackbits(bitmask.view(np.uint8), bitorder="little", count=len(vocabulary)).astype(np.bool_)

    def allowed(ids: Sequence[int]) -> Mask:
        return mask((*ids,)).copy()

    chain, texts = chain_of(model, allowed, eos)
    draw, memory = np.random.default_rng(0).random, dict[tuple[int, ...], float]()

    def shares(odds_of: Callable[[int], dict[int, float]]) -> dict[str, float]:
        """Follow every text, and add up what its tokens' odds come to."""
        found, reached = Counter[str](), {0: 1.0}
        for node, row in enumerate(chain):
            for token, share in odds_of(node).items():
                if token == eos:
                    found[vocabulary.decode(texts[node])] += reached[node] * share
                else:
                    reached[row[token][0]] = reached[node] * share
        return {text: found[text] / found.total() for text in PATTERN.split("|")}

    def sampled(write: Callable[[], list[int] | None], n: int = TEXTS) -> dict[str, float]:
        found = Counter(vocabulary.decode(write() or []) for _ in range(n))
        return {text: found[text] / n for text in PATTERN.split("|")}

    def weighed(n: int = 10 * TEXTS) -> Iterator[dict[str, float]]:
        """Yield how often masking writes each text, and then the same texts, counted by their weights."""
        pairs = [function("masked_sample")(model, allowed, eos, draw) for _ in range(n)]
        for weigh in (lambda _: 1.0, math.exp):
            found = Counter[str]()
            for ids, weight in pairs:
                found[vocabulary.decode(ids)] += weigh(weight)
            yield {text: found[text] / found.total() for text in PATTERN.split("|")}

    def adaptive() -> list[int]:
        ids, learned = function("adaptive_sample")(model, allowed, eos, memory, draw)
        memory.update(learned)
        return list(ids)

    def exact() -> dict[str, float]:
        weights = function("backward_weights")(chain)
        return shares(lambda node: function("fair_distribution")(chain[node], weights))

    fair = shares(lambda node: {token: math.exp(score) for token, (_, score) in chain[node].items()})
    masked, counted = weighed()
    yield f"prompt: {PROMPT} ({PATTERN})", None
    yield f"fair:      {_percent(fair)}, by the model's own odds of whole texts", None
    yield f"masked:    {_percent(masked)} of {10 * TEXTS:,} texts by your masked_step", None
    yield f"weighed:   {_percent(counted)}, the same texts, each counted by its weight", None
    found = {"fair": fair, "masked": masked, "weighed": counted}
    samplers: dict[str, Callable[[], dict[str, float]]] = {
        "computed": exact,
        "SMC": lambda: sampled(lambda: function("pick")(function("smc_sample")(model, allowed, eos, 16, draw), draw())),
        "adaptive": lambda: sampled(adaptive),
    }
    for name, answer in samplers.items():
        try:
            found[name] = answer()
        except NotImplementedError:
            yield f"{name + ':':11}not written yet", None
            continue
        off = max(abs(found[name][text] - share) for text, share in fair.items())
        yield f"{name + ':':11}{_percent(found[name])}, off by {off:.0%}", off < 0.1
    bars = {f"{text}, {name}": round(100 * share[text], 1) for text in fair for name, share in found.items()}
    yield bar_chart(bars, title="Fair, masked, and what undoes the mask, in percent")


def _percent(shares: dict[str, float]) -> str:
    return ", ".join(f"{text} {share:.0%}" for text, share in shares.items())


def chain_of(model: Model, allowed: Callable[[list[int]], Mask], eos: int) -> tuple[list[Any], list[list[int]]]:
    """Return every prefix of a finite language as a node: its row of a ``Chain``, and its ids."""
    texts, chain = [list[int]()], list[Any]()
    for ids in texts:  # it grows meanwhile
        scores = model(ids).astype(np.float64)
        scores -= np.logaddexp.reduce(scores)
        row = {}
        for token in np.flatnonzero(allowed(ids)).tolist():
            row[token] = (END if token == eos else len(texts), float(scores[token]))
            if token != eos:
                texts.append([*ids, token])
        chain.append(row)
    return chain, texts


SCENE = Scene(
    Weighed,
    oracle,
    judged_by=("lab_02_atom_fsm",),
    model_name="random",
    ending=Ending("what the mask bends, and what undoes it", ending),
)
