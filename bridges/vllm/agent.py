"""The agent on vLLM: ``python -m bridges.vllm.agent`` starts a server with the masks, and works on the agent's tasks.

vLLM gets each turn as ids, because the small model has no chat template, and a mask for its calls, its thoughts and
the form of its answer. What it wrote is read here, by lab 11's parser.
"""

import json
import sys
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from bridges.vllm.running import serve, small_model
from labkit.small_model.tasks.conversations import Turn, prompt_ids, signature
from labkit.small_model.tokenizer import Tokenizer
from labs.agent.agent import LIMITS, Unsolved, work
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.given.parsing import parse
from labs.lab_11_tool_calls.given.tools import read_tools

FORMAT = format_named("hermes")


def turns(messages: list[dict[str, Any]]) -> Iterator[Turn]:
    """Yield messages as the small model's prompt has them.

    >>> call = {"id": "call_0", "function": {"name": "now", "arguments": "{}"}}
    >>> [*turns([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None, "tool_calls": [call]}])]
    [Turn(role='user', text='Hi', calls=[]), Turn(role='assistant', text='', calls=[('now', {})])]
    """
    for message in messages:
        functions = [call["function"] for call in message.get("tool_calls") or ()]
        calls = [(each["name"], json.loads(each["arguments"])) for each in functions]
        yield Turn(message["role"], message["content"] or "", calls)


def message_of(text: str, tools: list[Any], ids: Iterator[int]) -> dict[str, Any]:
    """Return what the model wrote as a message: thoughts, then calls or an answer.

    >>> message = message_of('Hm.</think><tool_call>\\n{"name": "now", "arguments": {}}\\n</tool_call>', [], count())
    >>> message["reasoning_content"], message["tool_calls"][0]["function"]
    ('Hm.', {'name': 'now', 'arguments': '{}'})
    """
    thoughts, _, rest = text.partition(FORMAT.thinks[1])
    said, calls = parse(FORMAT, rest, read_tools(tools, FORMAT))
    message: dict[str, Any] = {"role": "assistant", "content": said or None, "reasoning_content": thoughts}
    made = [
        {
            "id": f"call_{next(ids)}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call in calls
    ]
    return message | {"tool_calls": made} if made else message


def asks(url: str, **sampling: Any) -> Callable[..., Any]:
    """Return a function that asks vLLM's server for the next turn, as ``labs.agent.agent.server`` asks the course's."""
    tokenizer, ids = Tokenizer.load(), count()

    def ask(messages: list[Any], tools: list[Any], form: dict[str, Any]) -> Any:
        listed = [signature(tool["function"]["name"], tool["function"]["parameters"]) for tool in tools]
        mask = {
            "type": "tools",
            "tools": tools,
            "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": form}},
            "thinking": LIMITS["thinking_token_budget"],
        }
        body = {
            "model": "small",
            "prompt": prompt_ids(tokenizer, turns(messages), listed, FORMAT.name, FORMAT.thinks[0]),
            "max_tokens": LIMITS["max_tokens"],
            "vllm_xargs": {"mask": json.dumps(mask)},
            "skip_special_tokens": False,
        } | sampling
        request = Request(f"{url}/v1/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urlopen(request, timeout=120) as answer:
                choice = json.load(answer)["choices"][0]
        except HTTPError as error:
            raise Unsolved(f"vLLM says: {error.read().decode(errors='replace')}") from None
        text = choice["text"].removesuffix(tokenizer.vocabulary.decode([tokenizer.eos_id]))
        return {"message": message_of(text, tools, ids), "finish_reason": choice["finish_reason"]}

    return ask


def main() -> int:
    """Work on all tasks, and print each step."""
    with small_model("agent") as folder, serve(folder) as url:
        work(asks(url, temperature=0))
    return 0


if __name__ == "__main__":
    sys.exit(main())
