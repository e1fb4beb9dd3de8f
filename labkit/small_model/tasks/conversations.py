"""Free text around tool calls, two calls in one answer, and tools that are not needed."""

from random import Random

from labkit.small_model.tasks.forms import Example
from labkit.small_model.tasks.prose import sentence
from labkit.small_model.tasks.tool_calls import STYLES, render
from labkit.small_model.tasks.tools import TOOLS

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
