"""``python -m bridges.vllm.bench``: what masks cost in vLLM, with its own backends and with the course's.

Each backend gets an engine of its own, one after the other in one run. Whatever is measured with masks is divided by
what the same engine does without, for the same prompts, so that the machine drops out.
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

BATCH, MOST = 32, 200

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
        first: seconds from asking to the first token, for each.
        ends: the text of each, and why it ended.
    """

    seconds: float = 0.0
    tokens: int = 0
    first: list[float] = field(default_factory=list)
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def speed(self) -> float:
        """Tokens a second."""
        return self.tokens / self.seconds


def run(llm: Any, requests: Sequence[tuple[str, dict[str, Any] | None]], way: str, together: int) -> Ran:
    """Run requests, a number of them at a time. Those without a schema write as many tokens as fit."""
    core, tokenizer, ran = llm.llm_engine, Tokenizer.load(), Ran()
    for begin in range(0, len(requests), together):
        started, waiting = dict[str, float](), set[str]()
        for number, (prompt, schema) in enumerate(requests[begin : begin + together], begin):
            asked = None if schema is None else {"type": "json_schema", "schema": schema}
            wanted = params(asked, way, max_tokens=MOST, ignore_eos=schema is None)
            if schema is not None and way not in ("processor", "backend"):
                wanted = theirs(schema)
            started[str(number)] = time.perf_counter()
            core.add_request(str(number), {"prompt_token_ids": tokenizer.prompt(prompt)}, wanted)
            waiting.add(str(number))
        while core.has_unfinished_requests():
            for output in core.step():
                name, now = output.request_id, time.perf_counter()
                if name in waiting and output.outputs[0].token_ids:
                    waiting.discard(name)
                    ran.first.append(now - started[name])
                if output.finished:
                    answer = output.outputs[0]
                    ran.tokens += len(answer.token_ids)
                    ran.ends[name] = tokenizer.decode([*answer.token_ids]), str(answer.finish_reason)
        ran.seconds += time.perf_counter() - min(started.values())
    return ran


def theirs(schema: dict[str, Any]) -> Any:
    """Return what vLLM's users pass for a schema."""
    from vllm import SamplingParams
    from vllm.sampling_params import StructuredOutputsParams

    asked = StructuredOutputsParams(json=schema)
    return SamplingParams(max_tokens=MOST, temperature=0, skip_special_tokens=False, structured_outputs=asked)


def judged(requests: Sequence[Asked], ran: Ran) -> tuple[int, int]:
    """Return how many answers were cut, and how many of the others are wrong."""
    cut = wrong = 0
    for number, (_, schema) in enumerate(requests):
        text, reason = ran.ends[str(number)]
        if reason == "length":
            cut += 1
            continue
        try:
            jsonschema.validate(json.loads(text), schema)
        except (ValueError, jsonschema.ValidationError):
            wrong += 1
            print(f"wrong: {text!r} for {json.dumps(schema)}", file=sys.stderr)
    return cut, wrong


def row(name: str, folder: str, count: int) -> list[str]:
    """Measure one backend, and return its row."""
    way = "processor" if "processor" in name else "backend" if name == "ours" else "theirs"
    asked = [*different(BATCH)]
    free: list[tuple[str, None]] = [(prompt, None) for prompt, _ in asked]
    with engine(folder, backend=BACKENDS[name], max_num_seqs=BATCH) as llm:
        run(llm, free[:4], way, 1)  # the first ones are slower
        begins = statistics.median(run(llm, free[:16], way, 1).first)
        alone, together = run(llm, free[:4], way, 1).speed, run(llm, free, way, BATCH).speed
        new = run(llm, [*varied(asked[:16], 16)], way, 1)
        one = [asked[0]] * BATCH
        run(llm, one[:1], way, 1)
        same_alone, same = run(llm, one[:8], way, 1).speed, run(llm, one, way, BATCH).speed
        fresh = run(llm, [*varied(asked, 48)][16:], way, BATCH).speed
        many = [*varied(asked, 48 + count)][48:]
        cut, wrong = judged(many, run(llm, many, way, BATCH))
    ratios = statistics.median(new.first) / begins, same_alone / alone, same / together, fresh / together
    return [name, *(f"{ratio:.2f}" for ratio in ratios), str(cut), str(wrong)]


def main() -> int:
    """Run it; return 1 if one of our answers is wrong."""
    parser = argparse.ArgumentParser(description="What masks cost in vLLM: its own backends and the course's.")
    parser.add_argument("--count", type=int, default=200, help="answers to judge")
    parser.add_argument("--only", choices=BACKENDS)
    options = parser.parse_args()
    os.environ.update({name: os.environ.get(name, value) for name, value in QUIET.items()})
    heads = "first token, new schema", "speed: 1 request", f"{BATCH}, one schema", f"{BATCH} new schemas"
    table = Table("divided by no mask", *heads, "cut", f"wrong of {options.count}")
    with small_model() as folder:
        for name in [options.only] if options.only else BACKENDS:
            table.add_row(*row(name, folder, options.count))
            Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
