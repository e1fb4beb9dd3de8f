"""An agent: it thinks, calls a tool, reads the result, and in the end answers in JSON, all under the server's masks.

Start a server with your masks in one terminal, and this in another::

    python3 -m course serve --impl starter --checkpoint agent
    python3 -m labs.agent.agent
"""

import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args, get_type_hints
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

HERE = Path(__file__).parent
TOWN = tomllib.loads((HERE / "town.toml").read_text("utf-8"))
TASKS = tomllib.loads((HERE / "tasks.toml").read_text("utf-8"))["task"]
LIMITS = {"thinking_token_budget": 60, "max_tokens": 200}
MOST_TURNS = 4

# Tools: functions whose annotations become the schemas of their arguments ------------------------------------


def find_person(name: str) -> Any:
    return look_up("people", name)


def get_weather(city: str, unit: Literal["celsius", "fahrenheit"]) -> Any:
    weather = look_up("weather", city)
    degrees = weather["temperature"]
    return weather | {"temperature": degrees if unit == "celsius" else round(degrees * 9 / 5 + 32)}


def check_stock(item: str) -> Any:
    return look_up("shop", item)


def look_up(table: str, key: str) -> Any:
    if key not in TOWN[table]:
        raise LookupError(f"{key} is unknown")
    return TOWN[table][key]


TOOLS: tuple[Callable[..., Any], ...] = (find_person, get_weather, check_stock)


def definition(tool: Callable[..., Any]) -> dict[str, Any]:
    """Return what the server is told about a tool: its name, and the schema of its arguments."""
    kinds = {str: {"type": "string"}, int: {"type": "integer"}}
    hints = {name: kind for name, kind in get_type_hints(tool).items() if name != "return"}
    schema = closed({name: kinds.get(kind) or {"enum": [*get_args(kind)]} for name, kind in hints.items()})
    return {"type": "function", "function": {"name": tool.__name__, "parameters": schema}}


def closed(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with all of these members, and no others."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


# The loop ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One line of the transcript: who (``thinks``, ``calls``, ``is told``, ``answers``), what, and the server's word."""

    who: str
    text: str
    choice: dict[str, Any] = field(default_factory=dict)


class Unsolved(Exception):
    """The agent has no answer; the message says why."""


def run(task: dict[str, Any], ask: Callable[..., Any], tools: Sequence[Callable[..., Any]] = TOOLS) -> Iterator[Step]:
    """Yield the steps of one task, up to an answer.

    Raises:
        Unsolved: if there is none: after too many turns, or since the model broke the form, where no mask prevented it.
    """
    messages = [{"role": "user", "content": f"{task['question']} JSON with {', '.join(task['form'])}."}]
    form = closed({key: {"type": [kind, "null"]} for key, kind in task["form"].items()})
    for _ in range(MOST_TURNS):
        choice = ask(messages, [definition(tool) for tool in tools], form)
        message = choice["message"]
        messages.append(message)
        yield Step("thinks", message.get("reasoning_content") or "", choice)
        for call in message.get("tool_calls") or ():
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            yield Step("calls", f"{name} {arguments}")
            result = json.dumps(use(tools, name, arguments), ensure_ascii=False)
            yield Step("is told", result)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        if not message.get("tool_calls"):
            yield Step("answers", read(message["content"] or ""))
            return
    raise Unsolved(f"there is no answer after {MOST_TURNS} turns")


def read(content: str) -> str:
    """Return an answer if it is JSON. Under masks it always is; without them this is where hope ends."""
    try:
        json.loads(content)
    except ValueError:
        raise Unsolved(f"it answered {content!r}, which isn't JSON: no mask kept it to the form") from None
    return content


def use(tools: Sequence[Callable[..., Any]], name: str, arguments: str) -> Any:
    """Call a tool; whatever goes wrong in it is a result too, about which the model has to answer."""
    try:
        return {tool.__name__: tool for tool in tools}[name](**json.loads(arguments))
    except Exception as error:
        return {"error": str(error)}


def server(url: str, masks: bool = True, **sampling: Any) -> Callable[..., Any]:
    """Return what asks a server for the next turn; without masks there is no format that it could promise."""

    def ask(messages: list[Any], tools: list[Any], form: dict[str, Any]) -> Any:
        body = {"model": "small", "messages": messages, "tools": tools, "logprobs": True} | LIMITS | sampling
        if masks:
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": form}}
        data, kind = json.dumps(body).encode(), {"Content-Type": "application/json"}
        try:
            with urlopen(Request(f"{url}/v1/chat/completions", data, kind), timeout=120) as answer:
                return json.load(answer)["choices"][0]
        except HTTPError as error:
            raise Unsolved(f"the server says: {json.load(error)['error']['message']}") from None
        except URLError as error:
            raise ValueError(f"no server answers at {url} ({error.reason}): start one, python3 -m course serve") from None

    return ask


def main(url: str = "http://127.0.0.1:8000") -> None:
    for task in TASKS:
        print(f"\n{task['question']}")
        try:
            for step in run(task, server(url, temperature=0)):
                print(f"  {step.who:8} {step.text}")
        except Unsolved as error:
            print(f"  gives up {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
