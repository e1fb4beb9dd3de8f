"""Counts and times what a policy saves on one grammar, and measures the formula's cost ratio with it.

Times are processor time. Everything here runs on one thread and waits for nothing, so on an idle computer that's the
same as the clock's.
"""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labkit.engine import Engine, SamplingParams
from labkit.engine.sampler import logprob_of
from labkit.small_model.config import CONFIG
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import DATA, SmallModel
from labkit.small_model.weights import load_weights
from labs.lab_09_inside_an_engine.solution import StructuredOutputManager
from labs.lab_10_jump_forward.given.guides import ByteGuide
from labs.lab_10_jump_forward.given.schemas import ALL, AskedGrammar
from labs.lab_10_jump_forward.given.steps import expected_speedup
from labs.lab_10_jump_forward.given.tokens import TokenBytes
from labs.lab_10_jump_forward.solution import POLICIES, Jumper, JumpingManager
from mask_engine import compile_guide

MAX_TOKENS = 110

POINTS = Path(__file__).parent / "given" / "points.json"
"""What each policy saved on each grammar."""


class Replayed(SmallModel):
    """The small model, made to choose the tokens of a script: the passes are real, their outcome is known.

    Attributes:
        script: what it is to write after a prompt of ``n_prompt`` tokens; None to leave it alone.
        seconds: what its passes took.
    """

    script: Sequence[int] | None = None
    n_prompt = 0
    seconds = 0.0

    def forward(self, tokens: ArrayLike, cache: Any, *more: Any, **options: Any) -> NDArray[np.float32]:
        """Return the small model's logits, the next token of the script far above all others."""
        begun = time.process_time()
        logits = super().forward(tokens, cache, *more, **options)
        self.seconds += time.process_time() - begun
        if self.script is not None:
            place = int(cache.lengths[0]) - self.n_prompt
            if 0 <= place < len(self.script):
                logits[0, self.script[place]] += 1e6
        return logits


@dataclass(frozen=True)
class MeasuredAnswer:
    """One answer: its tokens, how many tokens each pass read, the seconds, and those of them outside the passes."""

    ids: list[int]
    passes: list[int]
    seconds: float
    outside: float


@dataclass(frozen=True)
class Saved:
    """What a policy saved on one grammar, over its prompts.

    Attributes:
        tokens, passes: of the answers with jumps.
        plain_passes: of plain masking's own answers, which may be other texts.
        differ: how many of the greedy answers are other texts than with plain masking.
        logprob, plain_logprob: the model's own log-probability of an answer, the mean over the prompts.
        ratio: seconds of plain masking over those of jumps, for the same tokens; what the prompt takes is left out.
        cost_ratio: what an appended token cost, to find it and in its pass, over what a step costs that decodes one.
    """

    name: str
    policy: str
    prompts: int
    tokens: int
    passes: int
    plain_passes: int
    differ: int
    logprob: float
    plain_logprob: float
    ratio: float
    cost_ratio: float

    @property
    def forced(self) -> float:
        """The share of tokens that no pass was spent on: f of the formula."""
        return 1 - self.passes / self.tokens


def committed() -> list[Saved]:
    """Return what was measured; ``python3 -m labs.lab_10_jump_forward.measuring`` measures again and writes it.

    >>> {each.policy for each in committed()} == {"single", "longest", "whole"}
    True
    """
    return [Saved(**each) for each in json.loads(POINTS.read_text(encoding="utf-8"))]


class Bench:
    """A single stream of the small model, greedy, with plain masking or with jumps.

    Args:
        compile_guide: makes the guide of a grammar; ``mask_engine`` has it.
        repetitions: how often each run is timed; the least counts.
    """

    def __init__(self, compile_guide: Callable[..., ByteGuide], repetitions: int = 5) -> None:
        self.model = Replayed(load_weights(DATA / "final.npz", CONFIG))
        self.tokenizer = Tokenizer.load()
        self.repetitions = repetitions
        self._compile = compile_guide
        self._tokens = TokenBytes(self.tokenizer.vocabulary, self.tokenizer.encode)

    def engine(self, guide: ByteGuide, policy: str | None) -> Engine:
        """Return an engine whose every format means this guide."""
        vocabulary = self.tokenizer.vocabulary

        def compiled(wanted: object) -> ByteGuide:
            return guide

        if policy is None:
            return Engine(self.model, vocabulary, StructuredOutputManager(vocabulary, compiled), max_num_seqs=1)
        manager = JumpingManager(vocabulary, compiled, jumper=Jumper(policy, self._tokens))
        return Engine(self.model, vocabulary, manager, max_num_seqs=1)

    def answer(self, engine: Engine, prompt: Sequence[int], script: Sequence[int] | None = None) -> MeasuredAnswer:
        """Return a greedy answer, or the one of a script."""
        self.model.script, self.model.n_prompt = script, len(prompt)
        params = SamplingParams(max_tokens=MAX_TOKENS, temperature=0)
        request = engine.add_request(prompt, params, response_format=_ANY)
        self.model.seconds, passes, begun = 0.0, list[int](), time.process_time()
        while request.finish_reason is None:
            engine.step()
            passes.append(sum(engine.scheduled.values()))
        seconds = time.process_time() - begun
        if request.error is not None:
            raise request.error
        if script is not None and request.output_token_ids != [*script]:
            raise ValueError(f"a replay of {script} wrote {request.output_token_ids}")
        return MeasuredAnswer(request.output_token_ids, passes, seconds, seconds - self.model.seconds)

    def logprob(self, prompt: Sequence[int], ids: Sequence[int]) -> float:
        """Return the model's own log-probability of an answer after a prompt, with nothing masked."""
        self.model.script = None
        tokens = [*prompt, *ids]
        logits = self.model.forward([tokens[:-1]], self.model.new_cache(), every=True)[0, len(prompt) - 1 :]
        return sum(logprob_of(row, token_id, 0).logprob for row, token_id in zip(logits, ids, strict=True))

    def saved(self, asked: AskedGrammar, policy: str) -> Saved:
        """Return what a policy saves on one grammar."""
        guide = self._compile(self.tokenizer.vocabulary, **asked.grammar)
        plain, jumping = self.engine(guide, None), self.engine(guide, policy)
        prompts = [self.tokenizer.prompt(text) for text in asked.prompts]
        own = [self.answer(plain, prompt) for prompt in prompts]
        jumps = [self.answer(jumping, prompt) for prompt in prompts]
        texts = [[self.tokenizer.decode(run.ids) for run in runs] for runs in (own, jumps)]
        logprobs = [
            sum(self.logprob(prompt, run.ids) for prompt, run in zip(prompts, runs, strict=True)) / len(prompts)
            for runs in (own, jumps)
        ]
        slow, fast, extra = np.sum(
            [self._times(plain, jumping, prompt, run) for prompt, run in zip(prompts, jumps, strict=True)], axis=0
        )
        tokens, passes = sum(len(run.ids) for run in jumps), sum(len(run.passes) for run in jumps)
        return Saved(
            asked.name,
            policy,
            len(prompts),
            tokens,
            passes,
            plain_passes=sum(len(run.passes) for run in own),
            differ=sum(one != other for one, other in zip(*texts, strict=True)),
            logprob=round(logprobs[1], 2),
            plain_logprob=round(logprobs[0], 2),
            ratio=round(slow / fast, 3),
            cost_ratio=round(extra / max(1, tokens - passes) / (slow / tokens), 3),
        )

    def _times(
        self, plain: Engine, jumping: Engine, prompt: Sequence[int], run: MeasuredAnswer
    ) -> tuple[float, float, float]:
        """Return seconds: of plain masking, of jumps for the same tokens, and what the passes took for the jumps."""
        n, jobs = len(run.passes) - 1, list[list[float]]()
        for _ in range(self.repetitions):
            plainly, jumped = (self.answer(engine, prompt, run.ids) for engine in (plain, jumping))
            passes = [self._passes(each) for each in (run.passes, [len(prompt), *[1] * n], [1] * (n + 1))]
            jobs.append([plainly.seconds, jumped.seconds, plainly.outside, jumped.outside, *passes])
        # Whatever else the computer does adds to a time, and never takes from it.
        slow, fast, outside_plain, outside, jumps, without, decoding = np.min(jobs, axis=0)
        # The prompt's pass shows the first token too: what is left out is what it takes longer than another pass.
        reading = without - decoding
        # What the jumps took: longer passes, and in the engine more than so many steps that decode one token.
        extra = jumps - without + outside - outside_plain * (n + 1) / len(run.ids)
        return slow - reading, fast - reading, max(0.0, extra)

    def _passes(self, lengths: Sequence[int]) -> float:
        """Return the seconds of the model's bare passes over so many tokens each."""
        cache, begun = self.model.new_cache(), time.process_time()
        for length in lengths:
            self.model.forward([[0] * length], cache)
        return time.process_time() - begun


_ANY = {"type": "regex", "pattern": "what the engine's one guide matches"}


def main() -> None:
    """Measure everything, print a line for each, and write the file."""
    bench, found = Bench(compile_guide, 9), []
    for asked in ALL:
        for policy in POLICIES:
            saved = bench.saved(asked, policy)
            formula = expected_speedup(saved.forced, saved.cost_ratio)
            print(
                f"{saved.name:28} {policy:8} forced {saved.forced:4.0%}, {saved.passes} passes, plain "
                f"{saved.plain_passes}, {saved.ratio:.2f} times, formula {formula:.2f} (c {saved.cost_ratio:.2f}), "
                f"{saved.differ} of {saved.prompts} differ, logprob {saved.plain_logprob:.1f} -> {saved.logprob:.1f}"
            )
            found.append(asdict(saved))
    lines = ",\n".join(json.dumps(each) for each in found)
    POINTS.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
