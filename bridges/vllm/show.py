"""``python3 -m course show vllm``, as it runs in vLLM's own environment: a batch of requests under your masks."""

import argparse
import json
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from logging import Handler, LogRecord, getLogger
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bridges.vllm.running import QUIET, engine, params, small_model
from labkit.small_model.tokenizer import Tokenizer

VIOLET = "Hex code of violet?"
ORDER = "Hi! Could you send 3 chairs to Ben King in Oslo? JSON only, please."
TREE = "Hi! Folders: src holds test, code and build. test holds tools. JSON with name and folders. Thank you!"

BATCH: Sequence[tuple[str, dict[str, Any] | None]] = (
    (ORDER, None),
    (VIOLET, {"type": "regex", "pattern": "#[0-9a-f]{6}"}),
    (
        ORDER,
        {
            "type": "json_schema",
            "schema": {
                "type": "object",
                "properties": {
                    "item": {"type": "string"},
                    "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
                },
                "required": ["item", "quantity"],
                "additionalProperties": False,
            },
        },
    ),
    (
        TREE,
        {
            "type": "grammar",
            "grammar": r'root ::= "{\"name\": \"" [a-z]+ "\", \"folders\": [" (root (", " root)*)? "]}"',
        },
    ),
)
"""One without a mask, and three with: by labs 06 and 07, lab 08, lab 12."""

Step = tuple[str, str]
"""A token that was written, and the one that the model liked best."""


class Failures(Handler):
    """Keeps what the logits processor logs: why an answer ended before it was whole."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Exception] = []

    def emit(self, record: LogRecord) -> None:
        """Keep the exception."""
        self.found += [each for each in record.args or () if isinstance(each, Exception)]


def written(llm: Any, batch: Sequence[tuple[str, dict[str, Any] | None]], max_tokens: int) -> Iterator[list[Step]]:
    """Run a batch to its end, and yield for each of its requests the tokens, in the order of the batch."""
    tokenizer, core = Tokenizer.load(), llm.llm_engine
    for number, (prompt, asked) in enumerate(batch):
        wanted = params(asked, "processor", max_tokens=max_tokens, logprobs=1)
        core.add_request(str(number), {"prompt_token_ids": tokenizer.prompt(prompt)}, wanted)
    ended = dict[str, Any]()
    while core.has_unfinished_requests():
        ended |= {each.request_id: each.outputs[0] for each in core.step() if each.finished}
    for number in range(len(batch)):
        answer = ended[str(number)]
        best = [min(places, key=lambda token: places[token].rank) for places in answer.logprobs]
        names = [[tokenizer.decode([token]) or "EOS" for token in ids] for ids in (answer.token_ids, best)]
        yield [*zip(*names, strict=True)]


def told(prompt: str, asked: dict[str, Any] | None, steps: Sequence[Step]) -> Table:
    """Return a request as lines: what was asked, what was written, and where the mask forbade the favourite."""
    table = Table.grid(padding=(0, 1))
    table.add_column(width=9, justify="right", style="dim")
    table.add_column()
    table.add_row("prompt", Text(prompt))
    if asked:
        value = next(each for name, each in asked.items() if name != "type")
        table.add_row("mask", Text(value if isinstance(value, str) else json.dumps(value)))
    table.add_row("writes", Text("".join(one for one, _ in steps).removesuffix("EOS"), "bold" if asked else ""))
    if changes := [f"{one!r} for {other!r}" for one, other in steps if one != other]:
        table.add_row("instead", Text(", ".join(changes[:6]) + ", ..." * (len(changes) > 6)))
    return table


def fault_of(error: Exception) -> str:
    """Return an error as a line, with the place in a student's file if that's where it comes from."""
    places = [each for each in traceback.extract_tb(error.__traceback__) if each.filename.endswith("starter.py")]
    words = "".join(traceback.format_exception_only(error)).strip()
    return words + (f"\n    {places[-1].filename}:{places[-1].lineno}: {places[-1].line}" if places else "")


def show(console: Console, batch: Sequence[tuple[str, dict[str, Any] | None]], max_tokens: int) -> None:
    """Print what vLLM makes of a batch.

    Raises:
        Exception: the first for which an answer ended before it was whole.
    """
    import vllm

    failures, status = Failures(), console.status("vLLM reads the model: half a minute on two cores")
    with status, small_model() as folder, engine(folder) as llm:
        status.stop()
        getLogger("vllm.bridges.mask").addHandler(failures)  # vLLM sets up its logs when it starts
        found = [*written(llm, batch, max_tokens)]
    console.print(f"vLLM {vllm.__version__}: {len(batch)} requests in one batch", style="bold")
    for (prompt, asked), steps in zip(batch, found, strict=True):
        console.print()
        console.print(told(prompt, asked, steps))
    if failures.found:
        raise failures.found[0]


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description="One batch in vLLM, under your masks.")
    parser.add_argument("--pattern", help="a pattern, or a JSON schema, in place of the three masks")
    parser.add_argument("--prompt", default=VIOLET)
    parser.add_argument("--max-tokens", type=int, default=120)
    options = parser.parse_args()
    os.environ.update({name: os.environ.get(name, value) for name, value in QUIET.items()})
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"  # the engine in this process, so that a fault can be shown
    batch = BATCH
    if options.pattern is not None:
        own = options.pattern
        asked = (
            {"type": "json_schema", "schema": json.loads(own)}
            if own.lstrip().startswith("{")
            else {"type": "regex", "pattern": own}
        )
        batch = [(options.prompt, None), (options.prompt, asked)]
    try:
        show(Console(), batch, options.max_tokens)
    except Exception as error:
        print(f"error: {fault_of(error)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
