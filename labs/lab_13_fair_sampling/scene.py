"""What ``python3 -m course show 13`` plays: masking, and after each token what the mask has kept of the model."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce
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

    @cached_property
    def weighs(self) -> bool:
        """Whether ``masked_step`` is written. Until then ``fair_distribution`` masks, with weights that are all 1."""
        try:
            self.call("masked_step", lambda ids: np.zeros(1), lambda ids: np.ones(1, np.bool_), [], lambda: 0.5)
        except NotImplementedError:
            return False
        return True

    def initial(self) -> WeighedState:
        """Return the automaton's initial state, with the weight 1."""
        self.remark = "masked by your fair_distribution, with weights that are all 1"
        if self.weighs:
            self.remark = (
                "the weight is the product of what the mask kept: masking is fair only if all texts have the same"
            )
        return WeighedState(self.prepared[0].initial, 0.0)

    def describe(self, state: WeighedState) -> str:
        """Return the state, and the weight so far."""
        accepting = ", accepting" * (state.state in self.prepared[0].accepting)
        return f"{state.state}{accepting}" + f", weight {math.exp(state.log_weight):.3g}" * self.weighs

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
        if not self.weighs:
            row = {token: (END, float(logits[token])) for token in np.flatnonzero(mask).tolist()}
            odds = self.call("fair_distribution", row, np.zeros(1))
            return int([*odds][self.token("lab_01_naive_matching.sample", np.array([*odds.values()]), u)])
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
    """Answer yes or no: what is fair, what masking makes of it, and two samplers that undo that."""
    from mask_engine import compile_guide  # it needs labs 06 to 08, which a student's copy may still lack

    vocabulary, rows = Vocabulary.small(), dict[tuple[int, ...], NDArray[np.float32]]()
    asked = prompted(PROMPT)

    def model(ids: Sequence[int]) -> NDArray[np.float32]:
        if (*ids,) not in rows:
            rows[(*ids,)] = asked(ids)
        return rows[(*ids,)]

    guide, eos = compile_guide(vocabulary, regex=PATTERN), vocabulary.eos_id

    def allowed(ids: Sequence[int]) -> Mask:
        bitmask = guide.mask(reduce(guide.advance, ids, guide.initial))
        return np.unpackbits(bitmask.view(np.uint8), bitorder="little", count=len(vocabulary)).astype(np.bool_)

    chain, texts = chain_of(model, allowed, eos)
    exact = function("backward_weights")(chain)

    def shares(weights: NDArray[np.float64]) -> dict[str, float]:
        found, reached = dict.fromkeys(PATTERN.split("|"), 0.0), {0: 1.0}
        for node, row in enumerate(chain):
            for token, share in function("fair_distribution")(row, weights).items():
                if token == eos:
                    found[vocabulary.decode(texts[node])] += reached[node] * share
                else:
                    reached[row[token][0]] = reached[node] * share
        return found

    draw, memory = np.random.default_rng(0).random, dict[tuple[int, ...], float]()

    def adaptive() -> list[int]:
        ids, learned = function("adaptive_sample")(model, allowed, eos, memory, draw)
        memory.update(learned)
        return list(ids)

    samplers: dict[str, Callable[[], list[int] | None]] = {
        "SMC": lambda: function("pick")(function("smc_sample")(model, allowed, eos, 16, draw), draw()),
        "adaptive": adaptive,
    }
    masked, fair = shares(np.zeros(len(exact))), shares(exact)
    found = {"masked": masked, "fair": fair}
    yield f"prompt: {PROMPT} ({PATTERN})", None
    first = {repr(vocabulary.decode([token])): step for token, step in chain[0].items()}
    odds = ", ".join(f"{math.exp(score):.1e} for {token}" for token, (_, score) in first.items())
    after = ", ".join(f"{math.exp(exact[node]):.1e} after {token}" for token, (node, _) in first.items())
    yield f"masked:   {_percent(masked)}, by probabilities alone: {odds}", None
    yield f"fair:     {_percent(fair)}, by your weights too: {after}", None
    for name, write in samplers.items():
        try:
            written = Counter(vocabulary.decode(write() or []) for _ in range(TEXTS))
        except NotImplementedError:
            yield f"{name + ':':10}comes in part 2", None
            continue
        off = max(abs(written[text] / TEXTS - share) for text, share in fair.items())
        found[name] = {text: written[text] / TEXTS for text in fair}
        yield f"{name + ':':10}{_percent(found[name])} of {TEXTS} texts, off by {off:.0%}", off < 0.1
    bars = {f"{text}, {name}": round(100 * share[text], 1) for text in fair for name, share in found.items()}
    yield bar_chart(bars, title="Masked, fair, and what undoes the mask, in percent")


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
