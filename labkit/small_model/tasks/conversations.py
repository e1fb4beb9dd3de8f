"""Free text around tool calls, two calls in one answer, and tools that are not needed."""

from random import Random

from labkit.small_model.tasks.forms import Example
from labkit.small_model.tasks.prose import sentence
from labkit.small_model.tasks.tool_calls import STYLES, render
from labkit.small_model.tasks.tools import TOOLS, Tool

_BEFORE = ("I will look that up.", "One moment.", "Let me do that.", "Sure, I will see to it.")


def conversation(rng: Random) -> Example:
    """Draw a friendly request with tools at hand, answered by words and one or two calls, or by words alone.

    >>> print(conversation(Random(5)).answer)
    One moment.
    {"name": "add_reminder", "parameters": {"text": "film night", "time": "10:25"}}
    """
    style, offered = rng.choice(STYLES), rng.sample(list(TOOLS.values()), rng.randint(2, 4))
    head = "\n".join(["Tools:", *(tool.signature() for tool in offered), f"Style: {style}"])
    if rng.random() < 0.25:
        return Example("conversation", f"{head}\nTell me a sentence.", sentence(rng), None)
    said, calls = zip(*(_request(rng, style, tool) for tool in offered[: rng.choice([1, 1, 2])]), strict=True)
    prompt = f"{head}\nHi! {' And: '.join(said)} Thank you!"
    return Example("conversation", prompt, "\n".join([rng.choice(_BEFORE), *calls]), None)


def _request(rng: Random, style: str, tool: Tool) -> tuple[str, str]:
    said, arguments = tool.draw(rng)
    return said, render(style, tool.name, arguments)
