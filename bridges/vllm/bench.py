"""``python -m bridges.vllm.bench``: what masks cost in vLLM, with its own backends and with the course's.

Each backend gets an engine of its own, one after the other in one run. Each measure is a ratio: the same engine runs
the same prompts without a mask as well, for as many tokens each, so that the machine drops out. For the first token, 2
means twice as long; for the speed, 0.5 means half as many tokens a second. A figure is the median of three rounds.
"""

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jsonschema
from rich.console import Console
from rich.table import Table

from bridges.vllm.running import QUIET, engine, params, small_model
from labkit.small_model.tasks import examples
from labkit.small_model.tasks.forms import JsonForm
from labkit.small_model.tokenizer import Tokenizer

BACKENDS = {
    "xgrammar": "xgrammar",
    "guidance": "guidance",
    "outlines": "outlines",
    "ours": None,
    "ours, processor": None,
}
"""The name of vLLM's backend for each row; None for the course's."""

BATCH, MOST, ROUNDS = 32, 200, 3

Asked = tuple[str, dict[str, Any]]
"""A prompt, and the schema of its answer."""


def different(count: int) -> Iterator[Asked]:
    """Yield prompts of the small model's training tasks, no two with the same schema.

    >>> (_, first), (_, second) = different(2)
    >>> first == second
    False
    """
    seen, drawn = set[str](), examples(5)
    while len(seen) < count:
        example = next(drawn)
        schema = example.form.schema if isinstance(example.form, JsonForm) else {}
        if schema.get("type") == "object" and (key := json.dumps(schema)) not in seen:
            seen.add(key)
            yield example.prompt, schema


def varied(asked: Sequence[Asked], count: int) -> Iterator[Asked]:
    """Yield each request again and again, with one more key each time round: schemas that no cache has seen.

    >>> [sorted(schema["properties"]) for _, schema in varied([("Hi", {"type": "object", "properties": {}})], 2)]
    [['key_0'], ['key_1']]
    """
    for number in range(count):
        prompt, schema = asked[number % len(asked)]
        more = {f"key_{number}": {"type": "boolean"}}
        required = [*schema.get("required", ()), *more]
        yield prompt, schema | {"properties": schema.get("properties", {}) | more, "required": required}


@dataclass
class Ran:
    """What became of some requests.

    Attributes:
        seconds: from the first to the last of them.
        first: seconds from asking to the first token, for each.
        answers: of each, its ids and why it ended.
    """

    seconds: float = 0.0
    first: list[float] = field(default_factory=list)
    answers: dict[int, tuple[list[int], str]] = field(default_factory=dict)


def run(llm: Any, prompts: Sequence[str], wanted: Sequence[Any], together: int) -> Ran:
    """Run requests, a number of them at a time."""
    core, tokenizer, ran = llm.llm_engine, Tokenizer.load(), Ran()
    for begin in range(0, len(prompts), together):
        started = dict[str, float]()
        for number in range(begin, min(begin + together, len(prompts))):
            started[str(number)] = time.perf_counter()
            core.add_request(str(number), {"prompt_token_ids": tokenizer.prompt(prompts[number])}, wanted[number])
        waiting, first = {*started}, min(started.values())
        while core.has_unfinished_requests():
            for output in core.step():
                name, answer = output.request_id, output.outputs[0]
                if name in waiting and answer.token_ids:
                    waiting.discard(name)
                    ran.first.append(time.perf_counter() - started[name])
                if output.finished:
                    ran.answers[int(name)] = [*answer.token_ids], str(answer.finish_reason)
        ran.seconds += time.perf_counter() - first
    return ran


def beside(llm: Any, asked: Sequence[Asked], way: str, together: int) -> tuple[Ran, Ran]:
    """Run requests under masks, and then without: the same prompts, and as many tokens each."""
    prompts = [prompt for prompt, _ in asked]
    masked = run(llm, prompts, [wanted(schema, way) for _, schema in asked], together)
    lengths = [len(masked.answers[number][0]) for number in range(len(asked))]
    free = [params(None, max_tokens=length, ignore_eos=True) for length in lengths]
    return masked, run(llm, prompts, free, together)


def wanted(schema: dict[str, Any], way: str) -> Any:
    """Return vLLM's parameters for a schema: by the course's backend or processor, or as vLLM's users write them."""
    if way != "theirs":
        return params({"type": "json_schema", "schema": schema}, way, max_tokens=MOST)
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    asked = StructuredOutputsParams(json=schema)
    return SamplingParams(max_tokens=MOST, temperature=0, skip_special_tokens=False, structured_outputs=asked)


def judged(asked: Sequence[Asked], ran: Ran) -> tuple[int, int]:
    """Return how many answers were cut, and how many of the others are wrong."""
    cut, wrong, tokenizer = 0, 0, Tokenizer.load()
    for number, (_, schema) in enumerate(asked):
        ids, reason = ran.answers[number]
        if reason == "length":
            cut += 1
            continue
        try:
            jsonschema.validate(json.loads(tokenizer.decode(ids)), schema)
        except (ValueError, jsonschema.ValidationError):
            wrong += 1
            print(f"wrong: {tokenizer.decode(ids)!r} for {json.dumps(schema)}", file=sys.stderr)
    return cut, wrong


def row(name: str, folder: str, count: int) -> list[str]:
    """Measure one backend, and return its row."""
    way = "processor" if "processor" in name else "backend" if name == "ours" else "theirs"
    asked, firsts, speeds = [*different(BATCH)], list[float](), list[list[float]]([[], [], []])
    new = iter([*varied(asked, ROUNDS * 2 * BATCH + count)])
    with engine(folder, backend=BACKENDS[name], max_num_seqs=BATCH) as llm:
        beside(llm, asked[:2], way, 1)  # the first ones are slower
        for _ in range(ROUNDS):
            fresh, free = beside(llm, [next(new) for _ in range(BATCH)], way, 1)
            firsts.append(statistics.median(fresh.first) / statistics.median(free.first))
            batches = (1, asked[:1] * 8), (BATCH, asked[:1] * BATCH), (BATCH, [next(new) for _ in asked])
            for found, (together, requests) in zip(speeds, batches, strict=True):
                masked, free = beside(llm, requests, way, together)
                found.append(free.seconds / masked.seconds)
        many = [*new]
        cut, wrong = judged(
            many, run(llm, [prompt for prompt, _ in many], [wanted(each, way) for _, each in many], BATCH)
        )
    return [name, *(f"{statistics.median(each):.2f}" for each in (firsts, *speeds)), str(cut), str(wrong)]


def main() -> int:
    """Run it; return 1 if one of our answers is wrong."""
    parser = argparse.ArgumentParser(description="What masks cost in vLLM: its own backends and the course's.")
    parser.add_argument("--count", type=int, default=200, help="answers to judge")
    parser.add_argument("--only", choices=BACKENDS)
    options = parser.parse_args()
    os.environ.update({name: os.environ.get(name, value) for name, value in QUIET.items()})
    heads = "first token, new schema", "speed, 1 request", f"{BATCH}, one schema", f"{BATCH}, each a new one"
    table = Table("beside no mask", *heads, "cut", f"wrong of {options.count}")
    with small_model() as folder:
        for name in [options.only] if options.only else BACKENDS:
            table.add_row(*row(name, folder, options.count))
            Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
