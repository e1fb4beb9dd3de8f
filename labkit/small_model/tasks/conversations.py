"""Conversations with tools: drawn for the training, and in ids, as the small model was trained to see them."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from random import Random
from typing import Any, NamedTuple

from labkit.small_model.tasks.forms import Example
from labkit.small_model.tasks.prose import sentence
from labkit.small_model.tasks.tool_calls import STYLES, Call, render
from labkit.small_model.tasks.tools import TOOLS, PromptTool
from labkit.small_model.tokenizer import Tokenizer

_BEFORE = ("I will look that up.", "One moment.", "Let me do that.", "Sure, I will see to it.")
_AFTER = "That is all."
CLOSED = ("hermes", "qwen", "llama_function_tag")
"""The styles whose calls end with a tag, so that text may follow them."""


def conversation(rng: Random, style: str | None = None) -> Example:
    """Draw a friendly request with tools at hand, answered by words and one or two calls, or by words alone.

    >>> print(conversation(Random(5)).answer)
    One moment.
    [TOOL_CALLS]add_reminder{"text": "film night", "time": "10:25"}
    """
    style, offered = style or rng.choice(STYLES), rng.sample(list(TOOLS.values()), rng.randint(2, 4))
    head = "\n".join(["Tools:", *(tool.signature() for tool in offered), f"Style: {style}"])
    if rng.random() < 0.2:
        return Example("conversation", f"{head}\nTell me a sentence.", sentence(rng), None)
    called = offered[: rng.choice([1, 2])]
    said, arguments = zip(*(tool.draw(rng) for tool in called), strict=True)
    calls = render(style, [(tool.name, each) for tool, each in zip(called, arguments, strict=True)])
    after = [_AFTER] if style in CLOSED and rng.random() < 0.3 else []
    prompt = f"{head}\nHi! {' And: '.join(said)} {'Tell me when you are done.' if after else 'Thank you!'}"
    return Example("conversation", prompt, "\n".join([rng.choice(_BEFORE), calls, *after]), None)


class Turn(NamedTuple):
    """One message: who speaks (``assistant``, ``tool``, or anybody else), what is said, and what is called."""

    role: str
    text: str
    calls: Sequence[Call] = ()


def signature(name: str, parameters: Any) -> str:
    """Return a tool as it's listed in the prompt.

    Args:
        parameters: the JSON Schema of its arguments, in whatever state a client sends it.

    >>> signature("now", {"properties": {"zone": {"enum": ["CET", "UTC"]}}})
    'now(zone: CET|UTC)'
    """
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    kinds = {key: _kind(schema) for key, schema in properties.items()} if isinstance(properties, dict) else {}
    return PromptTool(name, kinds, draw=lambda rng: ("", {})).signature()


def prompt_ids(
    tokenizer: Tokenizer, turns: Iterable[Turn], tools: Sequence[str] = (), style: str = "", begun: str = ""
) -> list[int]:
    """Return the ids of a conversation, up to where the model answers.

    Args:
        tools: their signatures.
        style: how the model was trained to call the format of tool calls that it writes.
        begun: what the answer begins with, such as the tag of a thinking block.

    >>> tokenizer = Tokenizer.load()
    >>> user, *said, assistant = prompt_ids(tokenizer, [Turn("user", "Hi")], ["now()"], "hermes")
    >>> user, tokenizer.decode(said), assistant
    (1021, 'Tools:\\nnow()\\nStyle: hermes\\nHi', 1022)
    """
    special, ids = tokenizer.special_ids, list[int]()
    head = ["Tools:", *tools, f"Style: {style}"] if tools else []
    for is_answer, turn in groupby(turns, lambda each: each.role == "assistant"):
        if is_answer:
            ids += [each for one in turn for each in [special["<|assistant|>"], *_answer(tokenizer, one, style)]]
        else:
            # Instructions and the question are one turn, for the model knows no system prompts.
            said = (f"Result: {one.text}" if one.role == "tool" else one.text for one in turn)
            ids += [special["<|user|>"], *tokenizer.encode("\n".join([*head, *said]))]
            head = []
    return [*ids, special["<|assistant|>"], *tokenizer.encode(begun)]


def _answer(tokenizer: Tokenizer, turn: Turn, style: str) -> list[int]:
    if not turn.calls:
        return [*tokenizer.encode(turn.text), tokenizer.eos_id]
    return tokenizer.answer("\n".join(filter(None, [turn.text.strip(), render(style, turn.calls)])))


def _kind(schema: Any) -> dict[str, Any]:
    """Return what a signature says of a parameter, in the words of the training."""
    schema = schema if isinstance(schema, dict) else {}
    if isinstance(schema.get("enum"), list):
        return {"enum": [str(value) for value in schema["enum"]]}
    kinds = schema.get("type", "any")
    return {"type": "|".join(map(str, kinds)) if isinstance(kinds, list) else kinds}
