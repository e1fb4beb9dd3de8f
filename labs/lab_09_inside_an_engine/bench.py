"""Lab 09 in ``python3 -m course bench``: what a budget adds to a first mask, and what a format adds to a step."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from labkit.bench import BenchTable, Job
from labkit.engine import Engine, SamplingParams
from labkit.small_model import SmallModel
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide, structured_outputs

BATCH, BUDGET, PROMPT = 8, 500, [0] * 20

_SHORT = {"type": "string", "maxLength": 40}
_ADDRESS = {"type": "object", "properties": dict.fromkeys(("name", "street", "town"), _SHORT)}
CONSTRAINTS: dict[str, dict[str, Any]] = {
    "#[0-9a-f]{6}": {"regex": "#[0-9a-f]{6}"},
    "a JSON string": {"regex": r'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"'},
    ".{0,200}": {"regex": ".{0,200}"},
    "three strings of at most 40": {"json_schema": _ADDRESS | {"required": ["name", "street", "town"]}},
}
ENDLESS = ("[0-9]+", '[^"]*', "([a-z ]{99}-)+")
"""Patterns that allow few tokens, most tokens, and others in each row of a batch."""


def bench(vocabulary: Vocabulary) -> BenchTable:
    """Return a row for each constraint, with a budget and without, then steps of a batch, with a format and without."""
    model = SmallModel.load()

    def first_masks(asked: dict[str, Any]) -> Sequence[Job]:
        def first_mask(remaining: int | None) -> None:
            guide = compile_guide(vocabulary, **asked)
            guide.mask(guide.initial, remaining)

        first_mask(BUDGET)  # the vocabulary is made ready once, which is not timed
        return partial(first_mask, BUDGET), partial(first_mask, None)

    def steps(pattern: str) -> Sequence[Job]:
        return step(model, {"type": "regex", "pattern": pattern}), step(model, None)

    rows = {f"first mask, a budget: {name}": partial(first_masks, asked) for name, asked in CONSTRAINTS.items()}
    rows |= {f"a step of {BATCH}, a format: {each}": partial(steps, each) for each in ENDLESS}
    return BenchTable("what it adds", ("with", "without"), rows, turns=21)


def step(model: SmallModel, response_format: dict[str, Any] | None) -> Job:
    """Return a job that takes a step with a batch of requests, none of which ends; the first steps are taken."""
    vocabulary = Vocabulary.small()
    engine = Engine(model, vocabulary, structured_outputs(vocabulary), max_num_seqs=BATCH)
    params = SamplingParams(max_tokens=900, temperature=0, logit_bias={vocabulary.eos_id: -100.0})
    for _ in range(BATCH):
        engine.add_request(PROMPT, params, response_format=response_format)
    for _ in range(4):
        engine.step()
    return engine.step
