"""What ``python3 -m course show 09`` plays: one request of a batch, with two neighbours, by the student's functions."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labkit import engine as engine_parts
from labkit.engine import Engine, SamplingParams
from labkit.errors import TokenNotAllowed
from labkit.scenes import BYTE_VOCABULARY, ByteOracle, Mask, Oracle, Scene, Steps
from labkit.scenes.endings import COLOUR, MAX_TOKENS, Ending, Function, Line, MakeSteps, matches
from labkit.scenes.prompted import prompted, small_model
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_04_eos_gating.solution import choose
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_09_inside_an_engine.given.workers import Worker

if TYPE_CHECKING:
    from mask_engine import Guide


class InABatch(Steps):
    """Row 0 of a batch of three; row 1 has no constraint, row 2 the same guide and a state of its own."""

    @cached_property
    def guide(self) -> "Guide":
        """The guide, as the labs before make it; rows 0 and 2 share it."""
        from mask_engine import compile_guide  # it needs labs 06 to 08, which a student's copy may still lack

        return compile_guide(self.vocabulary, regex=self.grammar)

    @cached_property
    def neighbour(self) -> Any:
        """The state of row 2, which goes its own way."""
        return self.call("StructuredOutputState", self.guide)

    def initial(self) -> Any:
        """Return a state at the start of the guide."""
        self.remark = "row 0 of three; row 1 has no constraint, row 2 the same guide"
        return self.call("StructuredOutputState", self.guide)

    def describe(self, state: Any) -> str:
        """Return the guide's state in this row and in row 2, and whether an engine would stop here."""
        accepting = ", accepting" * self.guide.is_accepting(state.current)
        try:
            stops = ", finished without EOS" * bool(self.call("is_finished", state))
        except NotImplementedError:
            stops = ""
        return f"{state.current}{accepting}{stops} · row 2: {self.neighbour.current}"

    def bitmask(self, state: Any) -> NDArray[np.int32]:
        """Return the guide's bitmask for this row."""
        return self.guide.mask(state.current)

    def legal(self, state: Any) -> Mask:
        """Return what ``mask_batch`` leaves of row 0; until it is written, what the mask of one request leaves.

        Raises:
            AssertionError: if it touches the row without a constraint.
        """
        batch = np.zeros((3, self.size), np.float32)
        try:
            self.call("mask_batch", [state, None, self.neighbour], batch)
        except NotImplementedError:
            self.remark = "row 0 alone, until mask_batch is written"
            alone = self.array("apply_structured_output_mask", np.float32, (self.size,), batch[0], state)
            return np.asarray(alone == 0)
        assert not batch[1].any(), "mask_batch changed row 1, which has no constraint"
        ids = np.flatnonzero((batch[2] == 0) & (np.arange(self.size) != self.vocabulary.eos_id))
        if len(ids):  # row 2 takes the last token that it may
            self.call("advance_state", self.neighbour, int(ids[-1]))
        return np.asarray(batch[0] == 0)

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return choose(masked, u)

    def step(self, state: Any, token_id: int) -> Any:
        """Return a state after the token; None where the guide refuses it."""
        moved = self.call("StructuredOutputState", self.guide, state.current)
        try:
            self.call("advance_state", moved, token_id)
        except TokenNotAllowed:
            return None
        return moved


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton over bytes as a judge."""
    from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

    return ByteOracle(byte_dfa(compile_dfa(scene.grammar)), scene.vocabulary)


FORMATS = {
    "Tell me a sentence.": None,
    "Please tell me the hex code of violet. Thanks!": COLOUR,
    "Please write 2 July 2032 as an ISO date. Thanks!": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
}
"""Prompts of one batch, with their patterns. The last grammar comes late."""

LATE = 3
"""After so many steps the worker has compiled it."""


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line]:
    """Run a batch of three in the engine, with a grammar that comes late; until that's written, run it by hand."""
    try:
        yield from in_the_engine(function)
    except NotImplementedError:
        yield from by_hand(function)


def in_the_engine(function: Function) -> list[Line]:
    """Answer the prompts in one engine: without a format, with a grammar, and with one that still compiles."""
    from mask_engine import compile_guide  # it needs labs 06 to 08, which a student's copy may still lack

    tokenizer, worker = Tokenizer.load(), Worker()
    manager = function("StructuredOutputManager")(
        tokenizer.vocabulary, lambda wanted: compile_guide(tokenizer.vocabulary, regex=wanted.value), worker.submit
    )
    engine = Engine(small_model(), tokenizer.vocabulary, manager)
    requests = {}
    for prompt, pattern in FORMATS.items():
        wanted = None if pattern is None else {"type": "regex", "pattern": pattern}
        params = SamplingParams(max_tokens=MAX_TOKENS, temperature=0)
        requests[engine.add_request(tokenizer.prompt(prompt), params, response_format=wanted)] = (prompt, pattern)
    worker.work()  # the first grammar; the second keeps the worker busy
    began = dict.fromkeys(requests, 0)
    ended = dict.fromkeys(requests, 0)
    for step in range(1, 2 * MAX_TOKENS):
        if step == LATE + 1:
            worker.work()
        engine.step()
        for request in requests:
            began[request] = began[request] or (step if request.output_token_ids else 0)
            ended[request] = ended[request] or (step if request.finish_reason else 0)
        if all(ended.values()):
            break
    lines = list[Line]()
    for request, (prompt, pattern) in requests.items():
        if request.error is not None:
            raise request.error
        steps = f"steps {began[request]} to {ended[request]}"
        lines += judged(prompt, pattern, steps, tokenizer.decode(request.output_token_ids))
    others = [*requests][:2]
    in_time = all(began[request] == 1 for request in others)
    last = f"the late grammar came after step {LATE}; the others began in step {max(began[r] for r in others)}"
    return [*lines, (last, in_time)]


def by_hand(function: Function) -> Iterator[Line]:
    """Answer the prompts a token at a time, without an engine: by ``mask_batch``, or row by row before it's written."""
    from mask_engine import compile_guide

    tokenizer, greedy, rng = Tokenizer.load(), SamplingParams(temperature=0), np.random.default_rng(0)
    vocabulary = tokenizer.vocabulary
    guides = {pattern: compile_guide(vocabulary, regex=pattern) for pattern in FORMATS.values() if pattern}
    states = {prompt: function("StructuredOutputState")(guides[p]) for prompt, p in FORMATS.items() if p}
    models = {prompt: prompted(prompt) for prompt in FORMATS}
    written: dict[str, list[int]] = {prompt: [] for prompt in FORMATS}
    passes, live, rows = dict.fromkeys(FORMATS, 0), [*FORMATS], "one row at a time"
    while live:
        logits = np.stack([models[prompt](written[prompt]) for prompt in live]).astype(np.float32)
        try:
            function("mask_batch")([states.get(prompt) for prompt in live], logits)
            choose_token, rows = engine_parts.sample_token, "in one batch"
        except NotImplementedError:
            choose_token = function("sample_token")
        for prompt, row in zip([*live], logits, strict=True):
            state, ids = states.get(prompt), written[prompt]
            own = () if rows == "in one batch" else (state,)
            token_id = choose_token(row, ids, greedy, rng, *own)
            ids += [] if token_id == vocabulary.eos_id else [token_id]
            passes[prompt] += 1
            if state is not None:
                state.advance(token_id)
            try:
                ended = function("is_finished")(state) if state is not None else token_id == vocabulary.eos_id
            except NotImplementedError:
                ended = token_id == vocabulary.eos_id
            if ended or passes[prompt] == MAX_TOKENS:
                live.remove(prompt)
    for prompt, pattern in FORMATS.items():
        yield from judged(prompt, pattern, f"{passes[prompt]} passes", tokenizer.decode(written[prompt]))
    yield f"all three {rows}, by hand; part two puts them into an engine", None


def judged(prompt: str, pattern: str | None, work: str, text: str) -> Iterator[Line]:
    """Yield a prompt and its answer, with the verdict on it."""
    valid = None if pattern is None else matches(pattern)(text)
    verdict = "no format" if valid is None else "a match" if valid else "no match"
    yield prompt, None
    yield f"  {work}: {text!r}, {verdict}", valid


SCENE = Scene(
    InABatch,
    oracle,
    judged_by=("lab_06_regex_to_dfa", "lab_07_bytes_and_vocabularies"),
    vocabulary=BYTE_VOCABULARY,
    ending=Ending("one batch, and a grammar that comes late", ending),
)
