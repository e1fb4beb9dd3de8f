"""``python -m bridges.vllm.compare``: 300 requests in vLLM and in the course's own engine, answer by answer.

Each answer is judged by somebody else's code, too: ``jsonschema``, ``re``, ``json``.
"""

import argparse
import gzip
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import numpy as np
from rich.console import Console
from rich.table import Table

from bridges.vllm.running import QUIET, WAYS, engine, params, small_model
from labkit.engine import Engine, SamplingParams
from labkit.errors import BudgetTooSmall
from labkit.small_model import SmallModel
from labkit.small_model.tasks import examples
from labkit.small_model.tasks.forms import JsonForm, TextForm
from labkit.small_model.tokenizer import Tokenizer
from mask_engine import tool_outputs

LIST = 'root ::= "[" (item ("," item)*)? "]"\nitem ::= root | [0-9]'
SUM = 'root ::= term ("+" term)*\nterm ::= [0-9]+ | "(" root ")"'

TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": properties,
     "required": [*properties], "additionalProperties": False}}}
    for name, properties in [
        ("get_weather", {"city": {"type": "string"}, "unit": {"enum": ["celsius", "fahrenheit"]}}),
        ("check_stock", {"item": {"type": "string"}, "count": {"type": "integer", "minimum": 1}}),
    ]
]  # fmt: skip

ROUNDING = 1e-3
"""How far apart two logits may be for rounding to choose between them: the two engines' agree to 1e-4."""


@dataclass(frozen=True)
class Case:
    """One request.

    Attributes:
        asked: lab 09's ``response_format``, or lab 11's tools.
        seed: None takes the likeliest tokens; otherwise they are drawn at temperature 1.
    """

    kind: str
    prompt: str
    asked: dict[str, Any]
    max_tokens: int
    seed: int | None = None

    @property
    def temperature(self) -> float:
        """1 for a request that is drawn, and 0 for the likeliest tokens."""
        return float(self.seed is not None)

    def is_valid(self, text: str) -> bool:
        """Return whether a text is what was asked for, by code that isn't the course's."""
        try:
            return bool(getattr(self, f"_{self.asked['type']}")(text))
        except (ValueError, jsonschema.ValidationError, LookupError, RecursionError):
            return False

    def _json_schema(self, text: str) -> bool:
        jsonschema.validate(json.loads(text), self.asked["schema"])
        return True

    def _regex(self, text: str) -> bool:
        return re.fullmatch(self.asked["pattern"], text) is not None

    def _grammar(self, text: str) -> bool:
        if self.asked["grammar"] == LIST:
            return isinstance(json.loads(text), list) and re.fullmatch(r"[][,0-9]+", text) is not None
        ends = eval(text, {"__builtins__": {}}) if re.fullmatch(r"[0-9+()]+", text) else None
        return isinstance(ends, int)

    def _tools(self, text: str) -> bool:
        calls = re.findall(r"<tool_call>\n?(.*?)\n?</tool_call>", text, re.S)
        schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in self.asked["tools"]}
        for read in map(json.loads, calls):
            jsonschema.validate(read["arguments"], schemas[read["name"]])
        return len(calls) == 1


def cases(count: int, suite: Path | None = None) -> Iterator[Case]:
    """Yield requests of all kinds: a third of them drawn, and a third with a budget that just fits.

    Args:
        suite: JSON lines, packed by gzip, each with a ``schema``; half of the schemas are then from there.
    """
    draw, drawn = Random(9), examples(11)
    others = schemas_of(suite) if suite else iter(())
    for number in range(count):
        kind = ("schema", "pattern", "schema", "grammar", "tools")[number % 5]
        seed = number if number % 3 == 1 else None
        if kind in ("schema", "pattern"):
            form = JsonForm if kind == "schema" else TextForm
            example = next(each for each in drawn if isinstance(each.form, form))
            prompt = example.prompt
            if kind == "schema":
                theirs = next(others, None) if number % 5 == 2 else None
                schema = example.form.schema if theirs is None else theirs  # type: ignore[union-attr]
                asked: dict[str, Any] = {"type": "json_schema", "schema": schema}
            else:
                asked = {"type": "regex", "pattern": example.form.pattern}  # type: ignore[union-attr]
        elif kind == "grammar":
            prompt, asked = "A list, please.", {"type": "grammar", "grammar": draw.choice([LIST, SUM])}
        else:
            city = draw.choice(["Oslo", "Rome", "Utrecht"])
            prompt = draw.choice([f"How warm is it in {city}?", f"Are there {number} lamps?"])
            asked = {"type": "tools", "tools": TOOLS, "tool_choice": "required", "parallel_tool_calls": False}
        yield Case(kind, prompt, asked, 0 if number % 3 == 2 else 100, seed)


def schemas_of(suite: Path) -> Iterator[Any]:
    """Yield the objects' schemas of a file, each once."""
    seen = set[str]()
    with gzip.open(suite, "rt", encoding="utf-8") as lines:
        for line in lines:
            schema = json.loads(line)["schema"]
            if isinstance(schema, dict) and schema.get("type") == "object" and str(schema) not in seen:
                seen.add(str(schema))
                yield schema


def answers_of_ours(requests: Sequence[Case]) -> tuple[list[Case], list[str | None]]:
    """Return the requests that our engine takes, each with its budget, and its answers to those that aren't drawn."""
    tokenizer = Tokenizer.load()
    ours = Engine(SmallModel.load(), tokenizer.vocabulary, tool_outputs(tokenizer.vocabulary, "hermes"))
    taken, texts = list[Case](), list[str | None]()
    for case in requests:
        ids = tokenizer.prompt(case.prompt)
        try:
            case = with_budget(case, ours, ids)
            greedy = SamplingParams(max_tokens=case.max_tokens, temperature=0)
            request = ours.add_request(ids, greedy, response_format=case.asked)
            ours.generate(request)
            if request.error is not None:
                raise request.error
        except ValueError as error:
            print(f"not taken: {error}"[:150], file=sys.stderr)
            continue
        taken.append(case)
        texts.append(tokenizer.decode(request.output_token_ids) if case.seed is None else None)
    return taken, texts


def with_budget(case: Case, ours: Engine, ids: Sequence[int]) -> Case:
    """Return a request with the budget that just fits, if it has none."""
    if case.max_tokens:
        return case
    request = ours.add_request(ids, SamplingParams(max_tokens=1, temperature=0), response_format=case.asked)
    ours.generate(request)
    if not isinstance(request.error, BudgetTooSmall):
        return replace(case, max_tokens=1) if request.error is None else case
    return replace(case, max_tokens=int(request.error.args[1]))


def gap(case: Case, one: str, other: str) -> float:
    """Return how far apart the logits of the two texts' first different tokens are."""
    tokenizer = Tokenizer.load()
    first, second = (tokenizer.answer(text) for text in (one, other))
    same = next(place for place, pair in enumerate(zip(first, second, strict=False)) if len({*pair}) > 1)
    model, ids = SmallModel.load(), [*tokenizer.prompt(case.prompt), *first[:same]]
    logits = model.forward(np.array([ids]), model.new_cache())[0]
    return float(abs(logits[first[same]] - logits[second[same]]))


def compare(count: int, way: str, suite: Path | None = None) -> tuple[Table, int]:
    """Return a table with a row for each kind, and how many answers are wrong or differ by more than rounding."""
    wanted_of = cases(count, suite)
    if way == "drafts":  # vLLM 0.32.0 on a CPU spoils batches in which some are drawn, whatever the backend
        wanted_of = (replace(case, seed=None) for case in wanted_of)
    requests, expected = answers_of_ours([*wanted_of])
    tokenizer = Tokenizer.load()
    with small_model() as folder, engine(folder, way) as llm:
        prompts = [{"prompt_token_ids": tokenizer.prompt(case.prompt)} for case in requests]
        wanted = [
            params(
                case.asked, way, max_tokens=case.max_tokens, temperature=float(case.seed is not None), seed=case.seed
            )
            for case in requests
        ]
        outputs = [each.outputs[0] for each in llm.generate(prompts, wanted, use_tqdm=False)]
    table, bad = Table("", "requests", "drawn", "same text", "by rounding", "differ", "invalid"), 0
    for kind in sorted({case.kind for case in requests}):
        row = dict.fromkeys(("requests", "drawn", "same", "rounding", "differ", "invalid"), 0)
        for case, ours, theirs in zip(requests, expected, outputs, strict=True):
            if case.kind != kind:
                continue
            text = tokenizer.decode([*theirs.token_ids])
            row["requests"] += 1
            row["drawn"] += ours is None
            row["same"] += text == ours
            if ours is not None and text != ours:
                by = gap(case, ours, text)
                row["rounding" if by < ROUNDING else "differ"] += 1
                print(f"ours {ours!r}, vLLM's {text!r}, logits {by:.1e} apart", file=sys.stderr)
            if theirs.finish_reason != "stop" or not case.is_valid(text):
                row["invalid"] += 1
                print(f"invalid: {text!r} ({theirs.finish_reason}) for {case.asked}", file=sys.stderr)
        bad += row["differ"] + row["invalid"]
        table.add_row(kind, *map(str, row.values()))
    return table, bad


def main() -> int:
    """Run it; return 1 if an answer is wrong or differs."""
    parser = argparse.ArgumentParser(description="The same requests in vLLM and in the course's engine.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--way", choices=WAYS, default="processor")
    parser.add_argument("--suite", type=Path)
    options = parser.parse_args()
    os.environ.update({name: os.environ.get(name, value) for name, value in QUIET.items()})
    table, bad = compare(options.count, options.way, options.suite)
    Console().print(table)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
