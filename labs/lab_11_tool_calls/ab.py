"""The A/B of masks: calls of the small model in each format that it knows, without masks and with them.

``python3 -m labs.lab_11_tool_calls.ab`` measures and writes the figures. The parsers, ``json`` and ``jsonschema``
are the judges; no mask is involved in a verdict.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import jsonschema

from labkit.automata.dfa import Dfa
from labkit.small_model.generation import Constraint, Generator, Request
from labkit.small_model.tasks.conversations import conversation
from labkit.small_model.tasks.forms import Example, closed
from labkit.small_model.tasks.tool_calls import STYLES, tool_call
from labkit.small_model.tasks.tools import TOOLS
from labkit.small_model.tasks.unfamiliar import renamed
from labkit.small_model.tokenizer import Tokenizer
from labkit.small_model.transformer import SmallModel
from labs.lab_11_tool_calls.given.formats import WRITTEN, Format
from labs.lab_11_tool_calls.given.grammars import Writer, body_automaton, spelling
from labs.lab_11_tool_calls.given.parsing import parse
from labs.lab_11_tool_calls.given.tools import Tool

ROWS = {style: row for row, style in WRITTEN.items()}
"""The format of each style of the small model's corpus."""

REASONS = ("no call", "malformed", "out of tokens", "wrong name", "wrong type", "wrong arguments")
"""Why an answer is not valid; the first that applies counts. *Wrong arguments*: a key too many or too few, a value that
its schema forbids for another reason than its type."""

SEED = 3_000_017
"""The seed of the prompts; the training used none of these."""

MAX_TOKENS = 160

Masks = Callable[[Format, tuple[Tool, ...]], Constraint]
"""Makes what masks an answer in a format with some tools."""


@dataclass(frozen=True)
class Outcome:
    """One answer: why it is not valid, or nothing; whether it makes the calls that the prompt asks for; its text."""

    why: str
    right: bool
    text: str = field(default="", compare=False)


def prompts(style: str, n: int, *, words: bool = False, seed: int = 0) -> list[Example]:
    """Return prompts that ask for calls, half of them with names that the training has not.

    Args:
        words: prompts of a conversation, whose answers have words around one call or two; else one call alone.

    >>> prompts("hermes", 2)[0].answer.startswith("<tool_call>")
    True
    """
    rng, found = Random(f"{SEED + seed} {style}"), list[Example]()
    while len(found) < n:
        each = conversation(rng, style) if words else tool_call(rng, style)
        if parse(ROWS[style], each.answer, offered(each))[1]:
            found.append(replace(renamed(rng, each), familiar=False) if len(found) % 2 else each)
    return found


def offered(example: Example) -> tuple[Tool, ...]:
    """Return the tools that a prompt lists.

    >>> [tool.name for tool in offered(prompts("hermes", 1)[0])]
    ['translate', 'get_weather', 'play_song']
    """
    lines = example.prompt.partition("\nStyle:")[0].splitlines()[1:]
    return tuple(Tool(name, closed(TOOLS[name].parameters)) for name in (line.partition("(")[0] for line in lines))


def judged(row: Format, example: Example, text: str, *, ran_out: bool) -> Outcome:
    """Judge an answer: its calls, and what of it looks like a call and is none.

    >>> example = prompts("hermes", 1)[0]
    >>> [judged(ROWS["hermes"], example, text, ran_out=False).why for text in (example.answer, "<tool_call>", "")]
    ['', 'malformed', 'no call']
    """
    tools = offered(example)
    content, calls = parse(row, text, tools)
    wanted = parse(row, example.answer, tools)[1]
    right = calls == wanted and not is_malformed(row, content)
    return Outcome(_why(row, content, calls, tools, ran_out=ran_out), right, text)


def is_malformed(row: Format, content: str) -> bool:
    """Return whether a content, as ``parse`` returns it, has a call in it that could not be read.

    >>> is_malformed(ROWS["hermes"], "<tool_call>oops"), is_malformed(ROWS["hermes"], "Hello.")
    (True, False)
    """
    return any(trigger in content for trigger in row.triggers)


def _why(row: Format, content: str, calls: Sequence[Any], tools: Sequence[Tool], *, ran_out: bool) -> str:
    if is_malformed(row, content):
        return "out of tokens" if ran_out else "malformed"
    if not calls:
        return "no call"
    schemas = {tool.name: tool.parameters for tool in tools}
    if any(call.name not in schemas for call in calls):
        return "wrong name"
    errors = [
        error
        for call in calls
        for error in jsonschema.Draft202012Validator(schemas[call.name]).iter_errors(call.arguments)
    ]
    if errors:
        return "wrong type" if any(error.validator == "type" for error in errors) else "wrong arguments"
    return ""


def blocks_automaton(
    row: Format, tools: Sequence[Tool], *, parallel: bool = True, spelled: Mapping[str, str] | None = None
) -> Dfa | None:
    """Return the automaton of a whole answer that calls tools and says nothing else: for a required call.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> from labs.lab_11_tool_calls.given.formats import FORMATS
    >>> answer = blocks_automaton(FORMATS["mistral_v13"], [Tool("now")])
    >>> fullmatch(answer, "[TOOL_CALLS]now[ARGS]{}[TOOL_CALLS]now[ARGS]{}"), fullmatch(answer, "Now.")
    (True, False)
    """
    writer = Writer(row, spelled or {})
    blocks = []
    for trigger in row.triggers:
        body = body_automaton(row, tools, trigger, parallel=parallel, spelled=spelled)
        if body is None:
            return None
        blocks.append(f"{writer.literal(trigger)}{writer.markers.add(body)}")
    block = f"(?:{'|'.join(blocks)})"
    more = f"(?:{writer.literal(row.repeat)}{block})*" if parallel and row.repeat is not None else ""
    return writer.markers.compile(block + more)


@cache
def required_calls(row: Format, names: tuple[str, ...], *, parallel: bool = False) -> Constraint:
    """Return the guide of an answer that calls some of the corpus's tools and says nothing else."""
    from mask_engine import guide_of

    chars, vocabulary = spelling(row, Tokenizer.load().vocabulary)
    automaton = blocks_automaton(row, _tools(names), parallel=parallel, spelled=chars)
    if automaton is None:
        raise ValueError(f"no automaton reads {row.name}: {row.why}")
    return guide_of(vocabulary, automaton)


def _tools(names: Sequence[str]) -> list[Tool]:
    from mask_engine.tool_calls.arguments import with_all_keywords

    return with_all_keywords([Tool(name, closed(TOOLS[name].parameters)) for name in names])


def alone(row: Format, tools: tuple[Tool, ...]) -> Constraint:
    """Return masks for prompts that ask for one call and nothing else."""
    return required_calls(row, tuple(sorted(tool.name for tool in tools)))


@cache
def _free_text_and_calls(row: Format, names: tuple[str, ...]) -> Constraint:
    from labs.lab_11_tool_calls.given.guides import ToolGuide
    from labs.lab_11_tool_calls.solution import tool_automaton
    from mask_engine import guide_of

    chars, vocabulary = spelling(row, Tokenizer.load().vocabulary)
    joined = tool_automaton(row, _tools(names), spelled=chars)
    guide: Constraint = ToolGuide(guide_of(vocabulary, joined.dfa), joined)
    return guide


def among_words(row: Format, tools: tuple[Tool, ...]) -> Constraint:
    """Return the lab's masks, which leave words free and constrain calls: for prompts that want both."""
    return _free_text_and_calls(row, tuple(sorted(tool.name for tool in tools)))


def compare(
    checkpoint: str | Path,
    style: str,
    n: int,
    masks: Masks | None,
    *,
    words: bool = False,
    seed: int = 0,
    temperature: float = 1.0,
) -> list[Outcome]:
    """Answer ``n`` prompts of a style, with masks or without (None), and judge the answers."""
    tokenizer, row, examples = Tokenizer.load(), ROWS[style], prompts(style, n, words=words, seed=seed)
    requests = [
        Request(
            tokenizer.prompt(each.prompt),
            MAX_TOKENS,
            None if masks is None else masks(row, offered(each)),
            within_budget=masks is not None,
            seed=seed + place,
            temperature=temperature,
        )
        for place, each in enumerate(examples)
    ]
    answers = Generator(SmallModel.load(checkpoint), tokenizer.vocabulary).answer(requests)
    return [
        judged(row, each, tokenizer.decode(answer.ids, special=True), ran_out=answer.finish_reason == "length")
        for each, answer in zip(examples, answers, strict=True)
    ]


def shares(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return how many answers are valid and right, and why the others are not.

    >>> shares([Outcome("", True), Outcome("no call", False)])
    {'n': 2, 'valid': 1, 'right': 1, 'why': {'no call': 1}}
    """
    why = Counter(each.why for each in outcomes if each.why)
    right = sum(each.right for each in outcomes)
    return {"n": len(outcomes), "valid": len(outcomes) - why.total(), "right": right, "why": dict(why.most_common())}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure each style at each checkpoint without and with masks; print a line for each, and write them as JSON."""
    parser = ArgumentParser(description=__doc__, prog="python3 -m labs.lab_11_tool_calls.ab")
    parser.add_argument("--prompts", type=int, default=300, help="how many in each format; 300")
    parser.add_argument("--checkpoint", nargs="+", default=["early", "final"], help="early, final, or files")
    parser.add_argument("--style", nargs="+", default=list(STYLES), choices=STYLES, help="of the small model's corpus")
    parser.add_argument("--words", action="store_true", help="prompts that want words around their calls")
    parser.add_argument("--temperature", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path("out/calls.json"))
    options = parser.parse_args(arguments)
    masks = among_words if options.words else alone
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for checkpoint in options.checkpoint:
        source = Path(checkpoint) if Path(checkpoint).suffix else checkpoint
        for style in options.style:
            for mode, how in (("free", None), ("mask", masks)):
                answered = compare(
                    source,
                    style,
                    options.prompts,
                    how,
                    words=options.words,
                    seed=options.seed,
                    temperature=options.temperature,
                )
                found.setdefault(checkpoint, {}).setdefault(style, {})[mode] = share = shares(answered)
                why = ", ".join(f"{reason} {count}" for reason, count in share["why"].items())
                print(f"{checkpoint:8} {style:20} {mode:5} {share['valid']:4} valid {share['right']:4} right  {why}")
    setting = {name: getattr(options, name) for name in ("prompts", "words", "temperature", "seed")}
    options.json.parent.mkdir(parents=True, exist_ok=True)
    content = {**setting, "max_tokens": MAX_TOKENS, "shares": found}
    options.json.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
