"""What ``python3 -m course show 14`` plays: a draft for each token, kept or replaced, and then whole drafts."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labkit.pictures import Svg, bar_chart
from labkit.scenes import CharacterOracle, Mask, Oracle, Scene, Steps, check_expression
from labkit.scenes.endings import MAX_TOKENS, Ending, Function, Line, MakeSteps, matches
from labkit.scenes.prompted import small_model
from labkit.small_model.tokenizer import Tokenizer


class DraftedState(NamedTuple):
    """A state of the automaton, and what became of the draft that led there."""

    state: int
    draft: str


class Drafting(Steps):
    """Lab 04's masks; each token is drafted by a model in a hurry, and kept or replaced by what ``residual`` owes."""

    _draft = ""

    @cached_property
    def prepared(self) -> Any:
        """Lab 04's automaton and table."""
        return self.call("lab_04_eos_gating.prepare", self.grammar, self.vocabulary)

    def initial(self) -> DraftedState:
        """Return the automaton's initial state."""
        self.remark = "each token is drafted by a model that can't tell tokens apart, and then kept or replaced"
        return DraftedState(self.prepared[0].initial, "")

    def describe(self, state: DraftedState) -> str:
        """Return the state, and what became of the last draft."""
        accepting = ", accepting" * (state.state in self.prepared[0].accepting)
        return f"{state.state}{accepting}{state.draft and ', ' + state.draft}"

    def legal(self, state: DraftedState) -> Mask:
        """Return lab 04's mask."""
        fsm, table = self.prepared
        return self.array(
            "lab_04_eos_gating.mask_row", np.bool_, (self.size,), fsm, table, state.state, self.vocabulary
        )

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Draft a token, any of those that are allowed; keep it, or replace it from what the student says is owed."""
        draw = np.random.default_rng(int(u * 2**32)).random
        weights = np.exp(masked.astype(np.float64) - masked.max())
        p, q = weights / weights.sum(), np.isfinite(masked) / np.isfinite(masked).sum()
        drafted = self.token("lab_01_naive_matching.sample", q, u)
        owed = self.call("residual", p, q)
        kept = draw() * q[drafted] < p[drafted]
        token = drafted if kept else self.token("lab_01_naive_matching.sample", owed, draw())
        what = repr(self.texts[drafted] or "EOS")
        self._draft = f"{what} kept" if kept else f"{what} rejected"
        return int(token)

    def step(self, state: DraftedState, token_id: int) -> DraftedState | None:
        """Follow a transition of the table."""
        target = self.prepared[1][state.state].get(token_id)
        return None if target is None else DraftedState(target, self._draft)


def oracle(scene: Scene) -> Oracle:
    """Return lab 02's automaton as a judge."""
    from labs.lab_02_atom_fsm.solution import compile_pattern

    check_expression(scene.grammar)
    return CharacterOracle(compile_pattern(scene.grammar), scene.vocabulary)


PROMPT = "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please."
RECORD = r'\{"item": "[a-z ]+", "quantity": [0-9]+, "customer": "[A-Z][A-Za-z ]+", "city": "[A-Z][a-z]+"\}'
LENGTH, SHOWN, TIMES = 4, 5, 10_000
"""Tokens of a draft, how many passes are shown one by one, and how often the first token is drafted."""

COLD = 1e6
"""Logits times this are so far apart that the best token is always drawn."""


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Draft one token many times, then an answer without masks; then one under masks, by several drafters."""
    from labkit.small_model.drafting import DraftReader, draft_freely

    tokenizer = Tokenizer.load()
    prompt, eos = tokenizer.prompt(PROMPT), tokenizer.vocabulary.eos_id
    rng, early, target = np.random.default_rng(0), DraftReader(small_model("early")), DraftReader(small_model())

    def probabilities(logits: NDArray[Any]) -> NDArray[np.float64]:
        return function("probabilities")(logits, np.ones(logits.shape, np.bool_))  # type: ignore[no-any-return]

    yield f"prompt: {PROMPT}", None
    p, q = probabilities(target.after(prompt)), probabilities(early.after(prompt))
    drafted = rng.choice(len(q), TIMES, p=q)
    kept = rng.random(TIMES) * q[drafted] < p[drafted]
    written = np.where(kept, drafted, rng.choice(len(p), TIMES, p=function("residual")(p, q)))
    result = np.bincount(written, minlength=len(p)) / TIMES
    yield f"the first token, {TIMES:,} times:", None
    yield f"  drafted: {_likeliest(tokenizer, q)}", None
    yield f"  kept {kept.sum():,} of them, the others replaced from your residual", None
    yield f"  result:  {_likeliest(tokenizer, result)}", bool(np.abs(result - p).max() < 0.02)
    yield f"  target:  {_likeliest(tokenizer, p)}", None
    target, ids, draw = DraftReader(small_model()), [*prompt], np.random.default_rng(0).random
    try:
        while eos not in ids[len(prompt) :] and len(ids) < len(prompt) + MAX_TOKENS:
            draft, q_rows = draft_freely(early.after, ids, LENGTH, draw)
            tokens = function("verify")(probabilities(target.score(ids, draft)), q_rows, draft, draw)
            tokens = tokens[: tokens.index(eos) + 1] if eos in tokens else tokens
            ids += tokens
            if target.passes <= SHOWN:
                yield f"pass {target.passes}: {_became(tokenizer, draft, tokens)}", None
        text = tokenizer.decode(ids[len(prompt) :])
        yield f"{target.passes} passes for {len(ids) - len(prompt)} tokens: {text}", None
    except NotImplementedError:
        yield "whole drafts: not written yet", None
    yield from _under_masks(tokenizer, function, early.after, draw)


def _under_masks(
    tokenizer: Tokenizer, function: Function, early: Callable[..., Any], draw: Callable[[], float]
) -> Iterator[Line | Svg]:
    """Write the order under masks, always the best token, by several drafters."""
    from labkit.small_model.drafting import DraftReader, by_bigrams
    from mask_engine import compile_guide  # it needs labs 06 to 08, which may not be in a student's copy yet

    vocabulary, prompt, eos = tokenizer.vocabulary, tokenizer.prompt(PROMPT), tokenizer.vocabulary.eos_id
    guide, certain, first = compile_guide(vocabulary, regex=RECORD), np.eye(len(vocabulary)), ""

    def by(drafter: Callable[..., Any]) -> Callable[..., Any]:
        cold = lambda ids: drafter(ids) * COLD  # noqa: E731
        return lambda state, ids, left: function("draft_legally")(guide, state, cold, ids, LENGTH, eos, left, draw)

    def forced(state: Any, ids: Sequence[int], left: int) -> tuple[list[int], NDArray[np.float64]]:
        draft = function("forced_draft")(guide, state, len(vocabulary), eos, LENGTH, left)
        return draft, certain[draft]

    yield "under the masks, the best token each time:", None
    nothing: Callable[..., Any] = lambda state, ids, left: ([], certain[[]])  # noqa: E731
    passes = dict[str, float]()
    drafters = {"no drafts": nothing, "early": by(early), "bigrams": by(by_bigrams), "forced": forced}
    for name, propose in drafters.items():
        target = DraftReader(small_model())
        cold = lambda ids, draft, target=target: target.score(ids, draft) * COLD  # noqa: E731
        try:
            rounds = function("generate")(guide, propose, cold, prompt, eos, MAX_TOKENS, draw)
        except NotImplementedError:
            yield f"{name + ':':11}not written yet", None
            continue
        ids = [token for tokens in rounds for token in tokens]
        text = tokenizer.decode(ids[:-1])
        if not first:
            first, plain = text, target.passes
            yield f"answer: {text!r}", matches(RECORD)(text)
        passes[name] = target.passes
        same = "the same text" if text == first else repr(text)
        saved = text == first and target.passes < plain if name == "early" else None
        yield f"{name + ':':11}{target.passes:2} passes, {len(ids)} tokens, {same}", saved
    if passes:
        yield bar_chart(passes, title="The model's passes for one order, by drafter")


def _likeliest(tokenizer: Tokenizer, row: NDArray[np.float64]) -> str:
    return ", ".join(f"{tokenizer.decode([i])!r} {row[i]:.0%}" for i in np.argsort(-row)[:3].tolist())


def _became(tokenizer: Tokenizer, draft: Sequence[int], tokens: Sequence[int]) -> str:
    """Return which part of a draft was kept, and what the model wrote after it."""
    kept = next((n for n, pair in enumerate(zip(draft, tokens, strict=False)) if pair[0] != pair[1]), len(draft))
    parts = [f"{tokenizer.decode(tokens[:kept])!r} kept" if kept else "nothing kept"]
    if kept < len(tokens):
        own = repr(tokenizer.decode(tokens[kept:], special=True))
        parts.append(f"then {own}")
        if kept < len(draft):
            parts.append(f"not {tokenizer.decode([draft[kept]], special=True)!r}")
    return ", ".join(parts)


SCENE = Scene(
    Drafting,
    oracle,
    judged_by=("lab_02_atom_fsm",),
    model_name="random",
    ending=Ending("several tokens a pass, and the same text", ending),
)
