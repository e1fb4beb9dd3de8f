"""What clients ask for: bodies of all kinds, and what makes an answer to each a valid one."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from labkit.small_model.tasks.forms import JsonForm
from labkit.small_model.tasks.judging import judge

CHAT = "/v1/chat/completions"

PROMPTS = (
    "teal as a hex colour",
    "Write 5 March 2024 as YYYY-MM-DD.",
    "Tell me a joke about cats",
    "Ada, 36, Rome. JSON.",
)

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer"},
        "pets": {"type": "array", "items": {"enum": ["cat", "dog"]}},
    },
    "required": ["name", "age"],
    "additionalProperties": False,
}

TICKET = {
    "type": "object",
    "properties": {
        "department": {"enum": ["sales", "support"]},
        "urgent": {"type": "boolean"},
        "status": {"enum": ["open", "closed"]},
    },
    "required": ["department", "urgent", "status"],
}

MALFORMED: tuple[dict[str, Any], ...] = (
    {"tempo": 1},
    {"temperature": "warm"},
    {"messages": "hello"},
    {"max_tokens": 5000},
    {"response_format": {"type": "xml"}},
    {"response_format": {"type": "regex", "pattern": "(a"}},
    {"response_format": {"type": "json_schema", "schema": {"type": "strin"}}},
    {"response_format": {"type": "regex", "pattern": "[a-z]{40}"}, "max_tokens": 2},
    {"structured_outputs": {"regex": "a", "choice": ["b"]}},
    {"tool_choice": "required"},
)


@dataclass(frozen=True)
class Errand:
    """One request.

    Attributes:
        kind: for the table.
        body: what is sent.
        valid: whether an answer is valid; None where it must be refused.
        heavy: whether it may be refused, at once or midway, because it takes too much.
    """

    kind: str
    body: dict[str, Any]
    valid: Callable[[str], bool] | None
    heavy: bool = False


def make_errand(dice: random.Random) -> Errand:
    """Return a request of a random kind; one in ten is malformed.

    >>> errand = make_errand(random.Random(0))
    >>> errand.body["model"], errand.kind in ("malformed", *KINDS)
    ('small', True)
    """
    prompt = [{"role": "user", "content": dice.choice(PROMPTS)}]
    body = {"model": "small", "messages": prompt, "max_tokens": 150, "seed": dice.randrange(1 << 30)}
    if dice.random() < 0.1:
        return Errand("malformed", body | dice.choice(MALFORMED), None)
    kind = dice.choice(list(KINDS))
    asked, valid = KINDS[kind](dice)
    return Errand(kind, body | asked | {"temperature": dice.choice([0, 0.7, 1, 1.5])}, valid, kind == "heavy")


Asked = tuple[dict[str, Any], Callable[[str], bool]]


def _regex(dice: random.Random) -> Asked:
    pattern = dice.choice(["#[0-9a-f]{6}", r"\d{4}-\d\d-\d\d", "[a-z]+( [a-z]+){0,3}", "-?[0-9]+(\\.[0-9]{1,2})?"])
    return {"response_format": {"type": "regex", "pattern": pattern}}, lambda text: bool(
        re.fullmatch(pattern, text, re.A)
    )


def _choice(dice: random.Random) -> Asked:
    choices = dice.sample(["yes", "no", "perhaps", "a+b", "x (y)", "né"], 3)
    return {"structured_outputs": {"choice": choices}}, lambda text: text in choices


def _schema(dice: random.Random) -> Asked:
    shape = (
        {"json_schema": {"name": "person", "schema": PERSON, "strict": True}}
        if dice.random() < 0.5
        else {"schema": PERSON}
    )
    return {"response_format": {"type": "json_schema", **shape}}, lambda text: judge(JsonForm(PERSON), text).valid


def _new_schema(dice: random.Random) -> Asked:
    """A schema that was never asked for before, so that it has to be compiled."""
    name = "".join(dice.choices("abcdefgh", k=8))
    schema = {
        "type": "object",
        "properties": {name: {"type": "boolean"}},
        "required": [name],
        "additionalProperties": False,
    }
    return {"structured_outputs": {"json": schema}}, lambda text: judge(JsonForm(schema), text).valid


def _tools(dice: random.Random) -> Asked:
    """Tools that the model may call, or must, with arguments that obey their schema if the tool is strict."""
    tool = {"name": dice.choice(["add_person", "find"]), "parameters": PERSON, "strict": dice.random() < 0.5}
    choice = dice.choice(["auto", "required", {"type": "function", "function": {"name": tool["name"]}}])
    asked = {"tools": [{"type": "function", "function": tool}], "tool_choice": choice}
    form = JsonForm(PERSON if tool["strict"] else {"type": "object"})

    def valid(text: str) -> bool:
        calls = text.split("\0")[1:]
        return bool(calls or choice == "auto") and all(judge(form, call).valid for call in calls)

    return asked, valid


HEAVY_PATTERNS = (
    "(((a{1,1000}){1,1000}){1,1000}){1,1000}",
    r"\w{1,5000}\s\W{1,5000}",
    "(a|b)*a(a|b){90}",
    "((a?){50}b?){50}",
)
"""Patterns whose automata, made in full, take minutes and gigabytes."""


def _heavy(dice: random.Random) -> Asked:
    """A constraint that would take all the time of a server that let it; each differs, so that no cache helps."""
    word = "".join(dice.choices("abcdefgh", k=8))
    if dice.random() < 0.5:
        pattern = f"{dice.choice(HEAVY_PATTERNS)}|{word}"
        return {"response_format": {"type": "regex", "pattern": pattern}}, lambda text: bool(text)
    nested = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 300}, "b": {}}}
    pairs = [{"not": {"required": [f"{word}{n}", f"b{n}"]}} for n in range(14)]
    schema: dict[str, Any] = dice.choice(
        [
            {"type": "object", "properties": {f"{word}{n}": {"type": "integer"} for n in range(3000)}},
            {"type": "object", "properties": {f"{word}{n}": nested for n in range(40)}},
            {"type": "object", "allOf": pairs},
        ]
    )
    return {"structured_outputs": {"json": schema}}, _is_object


KINDS: dict[str, Callable[[random.Random], Asked]] = {
    "free": lambda dice: ({"max_tokens": dice.randrange(1, 60)}, lambda text: True),
    "regex": _regex,
    "choice": _choice,
    "schema": _schema,
    "new schema": _new_schema,
    "json_object": lambda dice: ({"response_format": {"type": "json_object"}}, _is_object),
    "tools": _tools,
    "heavy": _heavy,
}


def _is_object(text: str) -> bool:
    """Return whether a text is a JSON object, perhaps with a key twice: no automaton remembers the keys it wrote."""
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
