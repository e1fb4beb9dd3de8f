"""The cases of lab 09 in ``python3 -m course bench``: budgets, what a format adds to a step, first tokens, 32 streams.

Every step is one of ``labkit.engine``, with the references of the labs, lab 05's budget among them. Tokens are chosen
greedily: other sampling takes longer, and would hide a part of what the mask costs.
"""

import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from labkit.bench import Case, Job, Setting
from labkit.engine import Engine, SamplingParams, ScriptedModel, sample_token
from labkit.engine.model_runner import Model
from labkit.models import uniform
from labkit.small_model import SmallModel
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide, structured_outputs

PASS_SECONDS = 0.02
"""How long the simulated model takes for a pass. It sleeps: the processor is free meanwhile, as beside a GPU."""

BATCHES = (1, 8, 32)
TURNS = 21
"""How often each method is timed, in turn."""

WARM_UP = 4
"""Steps that are not timed: the first one reads the prompts, and masks are made when they are first asked for."""

TOKENS = 32
"""The length of an answer where one stream is compared with many."""

PROMPT = [0] * 20
"""Token ids that every vocabulary has. What they mean does not change how long they take."""

PATTERNS = ("[0-9]+", '[^"]*', "([a-z ]{99}-)+")
"""One that allows few tokens, one that allows most, and one that leaves the rows of a batch in different states. None
forces an end, so a batch stays as large as it is."""


_SHORT = {"type": "string", "maxLength": 40}
CONSTRAINTS: dict[str, dict[str, Any]] = {
    "#[0-9a-f]{6}": {"regex": "#[0-9a-f]{6}"},
    "a JSON string": {"regex": r'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'},
    ".{0,200}": {"regex": ".{0,200}"},
    "three strings of at most 40": {
        "json_schema": {
            "type": "object",
            "properties": {"name": _SHORT, "street": _SHORT, "town": _SHORT},
            "required": ["name", "street", "town"],
            "additionalProperties": False,
        }
    },
}
"""What a budget's cost is measured on."""

BUDGET = 500
"""Tokens, of an answer that is far from its end."""


class Simulated(ScriptedModel):
    """A model whose pass takes ``PASS_SECONDS``, whatever the batch, and gives random logits; EOS is the least likely.

    >>> toy = Vocabulary.toy()
    >>> int(Simulated(toy).forward([[3], [3]], None)[0].argmin()) == toy.eos_id
    True
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__(uniform(len(vocabulary)), len(vocabulary))
        self._logits = np.random.default_rng(0).standard_normal((max(BATCHES), len(vocabulary)), dtype=np.float32)
        self._logits[:, vocabulary.eos_id] = -100

    def forward(
        self, tokens: ArrayLike, cache: Any, lengths: ArrayLike | None = None, last: ArrayLike | None = None
    ) -> NDArray[np.float32]:
        """Return ``float32[B, V]``."""
        time.sleep(PASS_SECONDS)
        return self._logits[: len(np.asarray(tokens))]


class Endless(SmallModel):
    """The small model, with EOS as the least likely token: no answer ends before the others."""

    def forward(self, *read: Any, **options: Any) -> NDArray[np.float32]:
        """Return the small model's logits, those of EOS lowered."""
        logits = super().forward(*read, **options)
        logits[..., Vocabulary.small().eos_id] = -100
        return logits


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield the cases of a simulated model over the vocabulary, then of the small model; none for a part of one."""
    if setting.vocabulary is None:
        return
    for name in CONSTRAINTS:
        yield partial(_budget, setting.vocabulary, name)
    small = cache(Endless.load)
    simulated = cache(partial(Simulated, setting.vocabulary))
    for name, model, vocabulary in (
        (f"a model that takes {PASS_SECONDS * 1000:.0f} ms", simulated, setting.vocabulary),
        ("the small model", small, Vocabulary.small()),
    ):
        for batch in BATCHES:
            for pattern in PATTERNS:
                yield partial(_step, name, model, vocabulary, batch, pattern)
        yield partial(_first_token, name, model, vocabulary, "a new schema")
        yield partial(_first_token, name, model, vocabulary, "a cached schema")
    yield partial(_streams, small)
    yield partial(_engine_alone, small)


def _budget(vocabulary: Vocabulary, name: str) -> Case:
    def first_mask(remaining: int | None) -> None:
        guide = compile_guide(vocabulary, **CONSTRAINTS[name])
        guide.mask(guide.initial, remaining)

    first_mask(BUDGET)  # the vocabulary is made ready once, which is not timed
    ways = ("with a budget", "without")
    slow, fast = (partial(first_mask, remaining) for remaining in (BUDGET, None))
    return Case("compile and first mask", name, ways, slow=slow, fast=fast, times=TURNS, tokens=len(vocabulary))


def _step(name: str, model: Callable[[], Model], vocabulary: Vocabulary, batch: int, pattern: str) -> Case:
    return Case(
        f"a step with {name}",
        f"batch {batch}, {pattern}",
        ("constrained", "free"),
        slow=_steps(model(), vocabulary, batch, {"type": "regex", "pattern": pattern}),
        fast=_steps(model(), vocabulary, batch, None),
        times=TURNS,
        tokens=len(vocabulary),
    )


def _steps(model: Model, vocabulary: Vocabulary, batch: int, response_format: Any) -> Job:
    """Return a job that takes one step with a batch of requests; it raises ValueError if one of them is lost."""
    engine = Engine(model, vocabulary, structured_outputs(vocabulary), max_num_seqs=batch, max_num_batched_tokens=1024)
    for _ in range(batch):
        engine.add_request(PROMPT, _greedy(900), response_format=response_format)

    def step() -> None:
        outputs = engine.step()
        if len(outputs) != batch or len(engine.requests) != batch:
            raise ValueError(f"{len(engine.requests)} of {batch} requests with {response_format} are left")

    for _ in range(WARM_UP):
        step()
    return step


def _first_token(name: str, model: Callable[[], Model], vocabulary: Vocabulary, which: str) -> Case:
    engine = Engine(model(), vocabulary, structured_outputs(vocabulary), max_num_seqs=1)
    numbers = count()

    def first_token(number: int | None) -> None:
        # a schema that differs from those of other numbers
        pets = {"type": "array", "items": {"enum": ["cat", "dog"]}}
        members = {f"name{number}": {"type": "string"}, "age": {"type": "integer"}, "pets": pets}
        schema = {"type": "object", "properties": members, "required": [*members], "additionalProperties": False}
        response_format = None if number is None else {"type": "json_schema", "schema": schema}
        request = engine.add_request(PROMPT, _greedy(900), response_format=response_format)
        while not request.output_token_ids:
            engine.step()
            if request.error is not None:
                raise request.error
        engine.abort(request.request_id)

    first_token(next(numbers))  # the vocabulary is made ready once, which is not timed
    return Case(
        f"the first token of {name}",
        which,
        ("with a schema", "without"),
        slow=(lambda: first_token(next(numbers))) if which == "a new schema" else (lambda: first_token(0)),
        fast=lambda: first_token(None),
        times=TURNS,
        tokens=len(vocabulary),
    )


def _streams(model: Callable[[], Model]) -> Case:
    vocabulary, many = Vocabulary.small(), max(BATCHES)
    alone, together = (Engine(model(), vocabulary, max_num_seqs=size) for size in (1, many))

    def one_by_one() -> None:
        for _ in range(many):
            alone.generate(alone.add_request(PROMPT, _greedy(TOKENS)))

    def at_once() -> None:
        together.generate(*[together.add_request(PROMPT, _greedy(TOKENS)) for _ in range(many)])

    rate = many * TOKENS
    return Case(
        f"{many} answers of {TOKENS} tokens by the small model",
        "without a format",
        ("one by one", "at once"),
        slow=one_by_one,
        fast=at_once,
        times=5,
        note=lambda times: (
            f"{rate / times.slow:,.0f} tokens a second in one stream, {rate / times.fast:,.0f} in {many}"
        ),
        tokens=len(vocabulary),
    )


def _engine_alone(model: Callable[[], Model]) -> Case:
    """Return a step beside the pass and the sampler called directly: what the engine itself takes is the difference."""
    vocabulary, batch = Vocabulary.small(), max(BATCHES)
    reader = model()
    kv_cache = reader.new_cache(batch)
    rows = [reader.forward([[*PROMPT]] * batch, kv_cache)]
    greedy, generator = _greedy(1), np.random.default_rng(0)

    def by_hand() -> None:
        tokens = [[sample_token(row, (), greedy, generator)] for row in rows[0]]
        rows[0] = reader.forward(tokens, kv_cache)

    for _ in range(WARM_UP - 1):  # the prompts are read, which is the engine's first step
        by_hand()
    return Case(
        "a step with the small model, what the engine takes",
        f"batch {batch}, free",
        ("engine", "pass and sampler"),
        slow=_steps(reader, vocabulary, batch, None),
        fast=by_hand,
        times=7 * TURNS,
        note=lambda times: f"the engine's own: {(times.slow - times.fast) * 1e6:,.0f} µs a step",
        tokens=len(vocabulary),
    )


def _greedy(max_tokens: int) -> SamplingParams:
    return SamplingParams(max_tokens=max_tokens, temperature=0)
