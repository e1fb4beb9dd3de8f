"""The command: reads what it is given, and prints a report."""

import json
import sys
from dataclasses import asdict
from typing import Any

from rich.console import Console

from course.showcase.demo.own import read_schema, read_text
from course.showcase.explain.report import explain, show
from labkit.scenes.prompted import prompted
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide

LONGEST = 100_000
"""Bytes of a text."""


def run_explain(
    console: Console,
    text: str,
    regex: str | None,
    schema: str | None,
    grammar: str | None,
    is_open: bool,
    reading: str,
    token: int | None,
    prompt: str | None,
    to_json: bool,
) -> int:
    """Explain a text; return 0 if it is whole or may become so, and 1 if it is refused.

    Raises:
        ValueError: unless there is one pattern, schema or grammar, which can be read; or for a text that is too long,
            also for the model, with the prompt; or for a token that Tekken does not have.
    """
    if [regex, schema, grammar].count(None) != 2:
        raise ValueError("explain needs one of --regex, --schema and --grammar")
    content = sys.stdin.buffer.read(LONGEST + 1) if text == "-" else text.encode("utf-8", "surrogateescape")
    if len(content) > LONGEST:
        raise ValueError(f"the text has more than {LONGEST:,} bytes")
    read: Any = None if schema is None else read_schema(schema)
    rules = None if grammar is None else read_text(grammar, "grammar")
    given: dict[str, Any] = {"regex": regex, "json_schema": read, "grammar": rules}
    guide = compile_guide(Vocabulary.toy(), **given, reading=reading, closed=False if is_open else None)
    report = explain(guide, content + _bytes_of(token), read, None if prompt is None else prompted(prompt))
    if to_json:
        console.print(json.dumps(asdict(report), ensure_ascii=False, indent=2), markup=False)
    else:
        show(report, console)
    return int(report.verdict == "refused")


def _bytes_of(token: int | None) -> bytes:
    if token is None:
        return b""
    tekken = Vocabulary.tekken()
    named = 0 <= token < len(tekken) and token not in tekken.special_ids
    found = tekken.token_bytes[token] if named else None
    if not found:
        raise ValueError(f"Tekken has no token {token} with bytes of its own; ids are 0 to {len(tekken) - 1}")
    return found
