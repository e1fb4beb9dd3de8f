"""What ``python3 -m course show 13`` plays: masking, and after each token what the mask has kept of the model."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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

    def ending(self, state: WeighedState) -> str:
        """Return the weight of the whole text."""
        return f"; weight {math.exp(state.log_weight + self._kept):.2g}"

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


Shares = dict[str, float]
"""How often each text of the language is written."""


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Answer yes or no: how often masking says which, what would be fair, and what undoes the mask."""
    asked = Asked()
    draw, memory = np.random.default_rng(0).random, dict[tuple[int, ...], float]()

    def exact() -> Shares:
        weights = function("backward_weights")(asked.chain)
        return asked.shares([function("fair_distribution")(row, weights) for row in asked.chain])

    def smc() -> list[int] | None:
        return function("pick")(function("smc_sample")(*asked.seen, 16, draw), draw())  # type: ignore[no-any-return]

    def adaptive() -> list[int]:
        ids, learned = function("adaptive_sample")(*asked.seen, memory, draw)
        memory.update(learned)
        return list(ids)

    fair = asked.shares([{token: math.exp(score) for token, (_, score) in row.items()} for row in asked.chain])
    pairs = [function("masked_sample")(*asked.seen, draw) for _ in range(10 * TEXTS)]
    masked = asked.counted((ids, 1.0) for ids, _ in pairs)
    weighed = asked.counted((ids, math.exp(weight)) for ids, weight in pairs)
    yield f"prompt: {PROMPT} ({PATTERN})", None
    yield f"fair:      {_percent(fair)}, by the model's own odds of whole texts", None
    yield f"masked:    {_percent(masked)} of {len(pairs):,} texts by your masked_step", None
    yield f"weighed:   {_percent(weighed)}, the same texts, each counted by its weight", None
    found = {"fair": fair, "masked": masked, "weighed": weighed}
    samplers: dict[str, Callable[[], Shares]] = {
        "computed": exact,
        "SMC": lambda: asked.counted((smc() or [], 1.0) for _ in range(TEXTS)),
        "adaptive": lambda: asked.counted((adaptive(), 1.0) for _ in range(TEXTS)),
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
    series = {label: 1 for label in bars if label.startswith("yes")}
    yield bar_chart(bars, series=series, title="Fair, masked, and what undoes the mask, in percent")


class Asked:
    """The question to the small model, with the mask and the chain of its two answers.

    Attributes:
        seen: model, mask and EOS, as a sampler gets them.
    """

    def __init__(self) -> None:
        from mask_engine import compile_guide  # it needs labs 06 to 08, which a student's copy may still lack

        self.vocabulary = Vocabulary.small()
        guide, ask = compile_guide(self.vocabulary, regex=PATTERN), prompted(PROMPT)

        @cache
        def answer(ids: tuple[int, ...]) -> tuple[NDArray[np.float32], Mask]:
            bitmask = guide.mask(reduce(guide.advance, ids, guide.initial)).view(np.uint8)
            mask = np.unpackbits(bitmask, bitorder="little", count=len(self.vocabulary))
            return ask(ids), mask.astype(np.bool_)

        model = lambda ids: answer((*ids,))[0]  # noqa: E731
        allowed = lambda ids: answer((*ids,))[1].copy()  # noqa: E731
        self.seen = model, allowed, self.vocabulary.eos_id
        self.chain, self._texts = chain_of(*self.seen)

    def shares(self, odds: Sequence[dict[int, float]]) -> Shares:
        """Follow every text through the odds of each node."""
        reached, ended = {0: 1.0}, list[tuple[list[int], float]]()
        for node, row in enumerate(self.chain):
            for token, share in odds[node].items():
                if row[token][0] == END:
                    ended.append((self._texts[node], reached[node] * share))
                else:
                    reached[row[token][0]] = reached[node] * share
        return self.counted(ended)

    def counted(self, texts: Iterable[tuple[Sequence[int], float]]) -> Shares:
        """Add up what texts count, and divide by the sum."""
        found = Counter[str]()
        for ids, count in texts:
            found[self.vocabulary.decode(ids)] += count  # type: ignore[assignment]
        return {text: found[text] / found.total() for text in PATTERN.split("|")}


def _percent(shares: Shares) -> str:
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
