"""The command: reads what it is given, and prints a report."""

import json
import sys
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from course.showcase.demo.own import read_json, read_schema, read_text
from course.showcase.explain.report import Explanation, explain, show
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
    tools: str | None = None,
    row: str | None = None,
    with_engines: bool = False,
) -> int:
    """Explain a text; return 0 if it is whole or may become so, and 1 if it is refused.

    Args:
        tools: a file of tools, which the text calls.
        row: the format of lab 11 in which it calls them; None for JSON.
        with_engines: whether other engines that are installed are asked too.

    Raises:
        ValueError: unless there is one pattern, schema, grammar or tool set, which can be read; or for options that do
            not go together; or for a text that is too long, also for the model, with the prompt; or for a token that
            Tekken does not have.
    """
    if [regex, schema, grammar, tools].count(None) != 3:
        raise ValueError("explain needs one of --regex, --schema, --grammar and --tools")
    if tools is None and row is not None:
        raise ValueError("--format goes with --tools")
    if tools is not None and prompt is not None:
        raise ValueError("--prompt goes with --regex, --schema and --grammar")
    if row is not None and (is_open or reading != "form"):
        raise ValueError("--open and --reading go with calls as JSON, not with --format")
    if grammar is not None and with_engines:
        raise ValueError("--engines goes with --regex, --schema and --tools")
    content = sys.stdin.buffer.read(LONGEST + 1) if text == "-" else text.encode("utf-8", "surrogateescape")
    if len(content) > LONGEST:
        raise ValueError(f"the text has more than {LONGEST:,} bytes")
    content += _bytes_of(token)
    report: Explanation
    if tools is not None:
        report, called, asked = _of_tools(tools, row, reading, is_open, content)
    else:
        read: Any = None if schema is None else read_schema(schema)
        rules = None if grammar is None else read_text(grammar, "grammar")
        given: dict[str, Any] = {"regex": regex, "json_schema": read, "grammar": rules}
        guide = compile_guide(Vocabulary.toy(), **given, reading=reading, closed=False if is_open else None)
        report = explain(guide, content, read, None if prompt is None else prompted(prompt))
        called, asked = "", [("it", regex if regex is not None else read, content, 0)]
    engines = _answers(asked) if with_engines else {}
    if to_json:
        data = asdict(report) | ({"engines": engines} if with_engines else {})
        console.print(json.dumps(data, ensure_ascii=False, indent=2), markup=False)
    else:
        show(report, console)
        for line in [called] * bool(called) + [f"{name}: {answer}" for name, answer in engines.items()]:
            console.print(Text(line))
    return int(report.verdict == "refused")


def _of_tools(file: str, row: str | None, reading: str, is_open: bool, content: bytes) -> tuple[Explanation, str, Any]:
    """Return the report on a text with calls, a sentence on its tools, and what other engines may be asked."""
    from course.showcase.explain.calls import JsonCalls, check_depth, explain_format, said
    from course.showcase.explain.tool_sets import read_tool_set

    check_depth(content)
    tool_set = read_tool_set(read_json(file, "tool set"))
    if row is None:
        bare = content.rstrip(b" \t\r\n")  # a file ends with a new line, which no mask would write
        content = bare if bare.endswith((b"}", b"]")) else content
        found, asked = JsonCalls(tool_set, reading, is_open).explain(content)
    else:
        found, asked = explain_format(tool_set, row, content)
    return found, said(found), asked


def _answers(asked: Any) -> dict[str, str]:
    from course.showcase.explain.engines import verdicts

    return dict(verdicts(asked))


def _bytes_of(token: int | None) -> bytes:
    if token is None:
        return b""
    tekken = Vocabulary.tekken()
    named = 0 <= token < len(tekken) and token not in tekken.special_ids
    found = tekken.token_bytes[token] if named else None
    if not found:
        raise ValueError(f"Tekken has no token {token} with bytes of its own; ids are 0 to {len(tekken) - 1}")
    return found
