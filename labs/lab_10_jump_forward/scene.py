"""What ``python3 -m course show 10`` plays: masks as before, and after each token the text that's forced."""

from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from labkit.engine import Engine, SamplingParams
from labkit.errors import TokenNotAllowed
from labkit.pictures import Svg, bar_chart
from labkit.scenes import BYTE_VOCABULARY, ByteOracle, Mask, Oracle, Scene, Steps
from labkit.scenes.endings import MAX_TOKENS, Ending, Function, Line, MakeSteps, matches
from labkit.scenes.prompted import small_model
from labkit.small_model.tokenizer import Tokenizer
from labs.lab_04_eos_gating.solution import choose
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_09_inside_an_engine.solution import StructuredOutputManager, tokens_of
from labs.lab_10_jump_forward.given.tokens import TokenBytes

if TYPE_CHECKING:
    from mask_engine import Guide

_MOST = 64
"""How many bytes of a forced run to look for."""


class Jumping(Steps):
    """One request, token by token; its state shows the text that an engine could append without a pass."""

    @cached_property
    def guide(self) -> "Guide":
        """The guide, as the labs before make it."""
        from mask_engine import compile_guide  # it needs labs 06 to 08, which may not be in a student's copy yet

        return compile_guide(self.vocabulary, regex=self.grammar)

    @cached_property
    def tokens(self) -> TokenBytes:
        """The vocabulary by its bytes."""
        return TokenBytes(self.vocabulary)

    def initial(self) -> Any:
        """Return the guide's initial state."""
        self.remark = "forced text could be written without asking the model"
        return self.guide.initial

    def describe(self, state: Any) -> str:
        """Return the state, the text that is forced after it, and its number of tokens."""
        accepting = ", accepting" * self.guide.is_accepting(state)
        run, ids = self.forced(state)
        if not run:
            return f"{state}{accepting}, nothing is forced"
        return f"{state}, forced: {run.decode(errors='replace')!r} ({len(ids)} token{'s' * (len(ids) != 1)})"

    def forced(self, state: Any) -> tuple[bytes, list[int]]:
        """Return the forced run and its longest tokens; until ``forced_run`` is written, one byte after another."""
        try:
            run = self.typed("forced_run", bytes, self.guide, state, _MOST)
        except NotImplementedError:
            run = b""
            while len(run) < _MOST and (byte := self.call("forced_byte", self.guide, state)) is not None:
                run += bytes([byte])
                state = self.guide.after_byte(state, byte)
        return run, self.typed("longest_tokens", list, run, self.tokens) if run else []

    def bitmask(self, state: Any) -> NDArray[np.int32]:
        """Return the guide's bitmask."""
        return self.guide.mask(state)

    def legal(self, state: Any) -> Mask:
        """Return the guide's mask."""
        return np.isin(np.arange(self.size), list(tokens_of(self.guide.mask(state))))

    def masked(self, logits: NDArray[np.float32], mask: Mask) -> NDArray[np.float32]:
        """Return the logits under the mask."""
        return np.where(mask, logits, np.float32(-np.inf))

    def choose(self, masked: NDArray[np.float32], u: float) -> int:
        """Return the sampled token."""
        return choose(masked, u)

    def step(self, state: Any, token_id: int) -> Any:
        """Return the state after the token; None where the guide refuses it."""
        try:
            return self.guide.advance(state, token_id)
        except TokenNotAllowed:
            return None


def oracle(scene: Scene) -> Oracle:
    """Return the reference's automaton over bytes as a judge."""
    from labs.lab_07_bytes_and_vocabularies.solution import byte_dfa

    return ByteOracle(byte_dfa(compile_dfa(scene.grammar)), scene.vocabulary)


RECORD = r'\{"item": "[a-z ]+", "quantity": [0-9]+, "customer": "[A-Z][A-Za-z ]+", "city": "[A-Z][a-z]+"\}'


def ending(make_steps: MakeSteps, function: Function) -> Iterator[Line | Svg]:
    """Write one record without jumps and by each policy, and count the model's passes."""
    from mask_engine import compile_guide  # it needs labs 06 to 08, which may not be in a student's copy yet

    prompt, tokenizer = "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please.", Tokenizer.load()
    guide = compile_guide(tokenizer.vocabulary, regex=RECORD)
    tokens = TokenBytes(tokenizer.vocabulary, tokenizer.encode)
    yield f"prompt: {prompt}", None
    plain, bars = 0, dict[str, float]()
    for policy in ("", "single", "longest", "whole"):
        made: Any = partial(StructuredOutputManager, tokenizer.vocabulary, lambda wanted: guide)
        if policy:
            jumper = function("Jumper")(policy, tokens)
            made = partial(function("JumpingManager"), tokenizer.vocabulary, lambda wanted: guide, jumper=jumper)
        engine = Engine(small_model(), tokenizer.vocabulary, made(), max_num_seqs=1)
        request = engine.add_request(
            tokenizer.prompt(prompt),
            SamplingParams(max_tokens=MAX_TOKENS, temperature=0),
            response_format={"type": "regex", "pattern": RECORD},
        )
        engine.generate(request)
        if request.error is not None:
            raise request.error
        text, passes = tokenizer.decode(request.output_token_ids), engine.num_steps
        if not policy:
            yield f"answer: {text}", matches(RECORD)(text)
            first, plain = text, passes
        bars[policy or "no jumps"] = passes
        same = "the same text" if text == first else repr(text)
        saved = matches(RECORD)(text) and passes < plain if policy in ("longest", "whole") else None
        yield f"{policy or 'no jumps':9}{passes:3} passes, {len(request.output_token_ids)} tokens, {same}", saved
    yield bar_chart(bars, title="The model's passes for one record")
    yield "a mask rarely leaves a single token, even where every byte is forced", None


SCENE = Scene(
    Jumping,
    oracle,
    judged_by=("lab_06_regex_to_dfa", "lab_07_bytes_and_vocabularies"),
    grammar="0x[0-9a-f]{2},2024(é|è)1",
    vocabulary=BYTE_VOCABULARY,
    max_tokens=12,
    ending=Ending("forced text, written without a pass", ending),
)
