"""The A/B of masks: calls of the small model in each format that it knows, without masks and with them.

``python3 -m labs.lab_11_tool_calls.ab`` prints the figures. The parsers, ``json`` and ``jsonschema``
are the judges; no mask is involved in a verdict.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
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


def prompts(style: str, n: int, *, words: bool = False) -> list[Example]:
    """Return prompts that ask for calls, half of them with names that the training has not.

    Args:
        words: prompts of a conversation, whose answers have words around one call or two; else one call alone.

    >>> prompts("hermes", 2)[0].answer.startswith("<tool_call>")
    True
    """
    rng, found = Random(f"{SEED} {style}"), list[Example]()
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


def compare(checkpoint: str, style: str, n: int, masks: Masks | None) -> list[Outcome]:
    """Answer ``n`` prompts of a style, with masks or without (None), and judge the answers."""
    tokenizer, row, examples = Tokenizer.load(), ROWS[style], prompts(style, n)
    requests = [
        Request(
            tokenizer.prompt(each.prompt),
            MAX_TOKENS,
            None if masks is None else masks(row, offered(each)),
            within_budget=masks is not None,
            seed=place,
            temperature=1.0,
        )
        for place, each in enumerate(examples)
    ]
    answers = Generator(SmallModel.load(checkpoint), tokenizer.vocabulary).answer(requests)
    return [
        judged(row, each, tokenizer.decode(answer.ids, special=True), ran_out=answer.finish_reason == "length")
        for each, answer in zip(examples, answers, strict=True)
    ]


def main(n: int = 300, checkpoints: Sequence[str] = ("early", "final"), styles: Sequence[str] = tuple(STYLES)) -> None:
    """Print a line for each checkpoint and style, without and with masks: valid, right, and why the others are not."""
    for checkpoint in checkpoints:
        for style in styles:
            for mode, masks in (("free", None), ("mask", alone)):
                outcomes = compare(checkpoint, style, n, masks)
                why = Counter(each.why for each in outcomes)
                reasons = ", ".join(f"{reason} {count}" for reason, count in why.most_common() if reason)
                right = sum(each.right for each in outcomes)
                print(f"{checkpoint:8} {style:20} {mode:5} {why['']:4} valid {right:4} right  {reasons}")


if __name__ == "__main__":
    main()
