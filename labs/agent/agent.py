"""An agent: it thinks, calls a tool, reads the result, and in the end answers in JSON, all of it under your masks.

Start a server in one terminal, and the agent in another::

    python3 -m course serve --impl starter --checkpoint agent
    python3 -m labs.agent.agent
"""

import json
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from inspect import signature
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints
from urllib.error import HTTPError
from urllib.request import Request, urlopen

HERE = Path(__file__).parent
TOWN = tomllib.loads((HERE / "town.toml").read_text("utf-8"))
TASKS = tomllib.loads((HERE / "tasks.toml").read_text("utf-8")).get("task", [])
MOST_TURNS = 4
START = "python3 -m course serve --checkpoint agent"
LIMITS = {"thinking_token_budget": 60, "max_tokens": 200}

Tool = Callable[..., Any]
KINDS = {str: "string", int: "integer"}

# The tools: their annotations become the schemas of their arguments ------------------------------------------


def find_person(name: str) -> Any:
    """Return where somebody lives, and what they do."""
    return row_of("people", name)


def get_weather(city: str, unit: Literal["celsius", "fahrenheit"]) -> Any:
    """Return the temperature and the sky of a city."""
    weather = row_of("weather", city)
    if unit == "fahrenheit":
        weather = weather | {"temperature": round(weather["temperature"] * 9 / 5 + 32)}
    return weather


def check_stock(item: str) -> Any:
    """Return what something costs in the shop, and how many there are."""
    return row_of("shop", item)


def row_of(table: str, key: str) -> Any:
    """Return what the town knows about one of its people, cities or things."""
    if key not in TOWN[table]:
        raise LookupError(f"{key} is unknown")
    return TOWN[table][key]


TOOLS: Sequence[Tool] = (find_person, get_weather, check_stock)


def described(tool: Tool) -> dict[str, Any]:
    """Return what the server is told about a tool: its name, and the schema of its arguments."""
    hints, arguments = get_type_hints(tool), dict[str, Any]()
    for name in signature(tool).parameters:
        kind: Any = hints.get(name)
        if kind not in KINDS and get_origin(kind) is not Literal:
            raise ValueError(f"annotate {name} of the tool {tool.__name__} with str, int or a Literal")
        arguments[name] = {"type": KINDS[kind]} if kind in KINDS else {"enum": [*get_args(kind)]}
    return {"type": "function", "function": {"name": tool.__name__, "parameters": object_of(arguments)}}


def object_of(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with all of these members and no others."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


# The loop ----------------------------------------------------------------------------------------------------


class Unsolved(Exception):
    """There is no answer; the message says why."""


@dataclass(frozen=True)
class TranscriptLine:
    """A line of the transcript: ``thinks``, ``calls``, ``is told`` or ``answers``, and what.

    The first of a turn also has the ``choice``, which is all that the server said about that turn.
    """

    kind: str
    text: str
    choice: dict[str, Any] = field(default_factory=dict)


def run(task: dict[str, Any], ask: Callable[..., Any], tools: Sequence[Tool] = TOOLS) -> Iterator[TranscriptLine]:
    """Work on a task, step by step, until there is an answer.

    Raises:
        Unsolved: after too many turns, or where no mask kept the model to JSON.
    """
    messages = [{"role": "user", "content": f"{task['question']} JSON with {', '.join(task['form'])}."}]
    form = object_of({key: {"type": [kind, "null"]} for key, kind in task["form"].items()})
    for _ in range(MOST_TURNS):
        choice = ask(messages, [described(tool) for tool in tools], form)
        message = choice["message"]
        messages.append(message)
        yield TranscriptLine("thinks", message.get("reasoning_content") or "", choice)
        for call in message.get("tool_calls") or ():
            name, arguments = call["function"]["name"], call["function"]["arguments"]
            yield TranscriptLine("calls", f"{name} {arguments}")
            result = use(tools, name, arguments)
            yield TranscriptLine("is told", result)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
        if not message.get("tool_calls"):
            yield TranscriptLine("answers", in_json(message["content"] or ""))
            return
    raise Unsolved(f"no answer after {MOST_TURNS} turns")


def use(tools: Sequence[Tool], name: str, arguments: str) -> str:
    """Call a tool. If something goes wrong in it, that's a result too: the model has to answer all the same."""
    try:
        result = {tool.__name__: tool for tool in tools}[name](**json.loads(arguments))
        return json.dumps(result, ensure_ascii=False)
    except Exception as error:
        return json.dumps({"error": str(error) or type(error).__name__}, ensure_ascii=False)


def in_json(content: str) -> str:
    """Return an answer, if it is JSON: under masks it always is."""
    try:
        json.loads(content)
    except ValueError:
        raise Unsolved(f"no mask kept the model to JSON, and it wrote {content!r}") from None
    return content


def server(url: str, masks: bool = True, **sampling: Any) -> Callable[..., Any]:
    """Return a function that asks a server for the next turn. Without masks it can't promise a form, so don't ask."""

    def ask(messages: list[Any], tools: list[Any], form: dict[str, Any]) -> Any:
        body = {"model": "small", "messages": messages, "tools": tools, "logprobs": True} | LIMITS | sampling
        if masks:
            body["response_format"] = {"type": "json_schema", "json_schema": {"name": "answer", "schema": form}}
        headers = {"Content-Type": "application/json"}
        try:
            request = Request(f"{url}/v1/chat/completions", json.dumps(body).encode(), headers)
            with urlopen(request, timeout=120) as answer:
                return json.load(answer)["choices"][0]
        except HTTPError as error:
            said = error.read().decode(errors="replace")
            with suppress(ValueError, LookupError, TypeError):
                said = json.loads(said)["error"]["message"]
            raise Unsolved(f"the server says: {said}") from None
        except (OSError, HTTPException, ValueError, LookupError) as error:
            raise ValueError(f"no server of the course answers at {url} ({error}); start one: {START}") from None

    return ask


def check_model(url: str) -> None:
    """Check that a server has the model that was trained for this: the others have never seen a tool's result.

    Raises:
        ValueError: if it has another one, or nobody answers.
    """
    try:
        with urlopen(f"{url}/v1/models", timeout=120) as answer:
            served = json.load(answer)["data"][0]["root"]
    except (OSError, HTTPException, ValueError, LookupError) as error:
        raise ValueError(f"no server of the course answers at {url} ({error}); start one: {START}") from None
    if served != "agent":
        raise ValueError(f"the server at {url} has the checkpoint {served}; stop it, and start it with: {START}")


def work(ask: Callable[..., Any]) -> None:
    """Work on all tasks, and print each step."""
    for task in TASKS:
        print(f"\n{task['question']}")
        try:
            for step in run(task, ask):
                print(f"  {step.kind:8} {step.text}")
        except Unsolved as error:
            print(f"  {error}")


def main(url: str = "http://127.0.0.1:8000") -> None:
    """Work on all tasks by a server of the course."""
    check_model(url)
    work(server(url, temperature=0))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:2])
    except (ValueError, KeyboardInterrupt) as error:
        sys.exit(f"{error}")
