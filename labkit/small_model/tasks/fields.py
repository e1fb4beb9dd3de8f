"""Objects whose keys are given in the prompt, as in an unknown schema."""

from collections.abc import Callable
from random import Random
from typing import Any

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.forms import (
    COUNT,
    DATE,
    EMAIL,
    FLAG,
    NUMBER,
    STRING,
    TIME,
    Example,
    JsonForm,
    Schema,
    closed,
)
from labkit.small_model.tasks.records import written
from labkit.small_model.tasks.words import CITIES, COLOURS, ITEMS, LANGUAGES, PLACES, SONGS

Field = tuple[Schema, Callable[[Random], Any]]


def _one_of(words: tuple[str, ...] | list[str]) -> Field:
    return STRING, lambda rng: rng.choice(words)


_NAME: Field = STRING, facts.person
_FLAG: Field = FLAG, lambda rng: rng.random() < 0.5
_COUNT: Field = COUNT, lambda rng: rng.randint(0, 120)
_DATE: Field = DATE, lambda rng: facts.iso(facts.date(rng))
_MANY: Field = (
    {"type": "array", "items": STRING, "maxItems": 4},
    lambda rng: rng.sample(ITEMS, rng.randint(0, 3)),
)

FIELDS: dict[str, Field] = {
    **dict.fromkeys(("name", "author", "owner", "customer", "teacher", "guest"), _NAME),
    **dict.fromkeys(("city", "from", "to", "destination", "town"), _one_of(CITIES)),
    **dict.fromkeys(("age", "count", "quantity", "seats", "year", "floor", "weight", "pages", "score"), _COUNT),
    **dict.fromkeys(("price", "total", "rating"), (NUMBER, facts.price)),
    **dict.fromkeys(("done", "paid", "active", "open", "member"), _FLAG),
    **dict.fromkeys(("date", "due", "start", "birthday"), _DATE),
    **dict.fromkeys(("items", "tags", "parts"), _MANY),
    "time": (TIME, facts.clock),
    "email": (EMAIL, lambda rng: facts.email(rng, facts.person(rng))),
    "colour": _one_of(list(COLOURS)),
    "item": _one_of(ITEMS),
    "product": _one_of(ITEMS),
    "language": _one_of(LANGUAGES),
    "place": _one_of(PLACES),
    "room": _one_of(PLACES),
    "song": _one_of(SONGS),
    "title": (STRING, facts.title),
}
"""Each key with its schema and a function that draws a value."""

KINDS = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}
"""What a schema in a prompt says of a value, by its type."""


def fields(rng: Random, least: int = 2, most: int = 5) -> Example:
    """Draw an object of ``least`` to ``most`` keys, given as a list, some with their schema in the prompt."""
    keys = rng.sample(list(FIELDS), rng.randint(least, most))
    value = {key: FIELDS[key][1](rng) for key in keys}
    schema = closed({key: FIELDS[key][0] for key in keys})
    return Example("fields", _prompt(rng, value), written(value), JsonForm(schema))


def _prompt(rng: Random, value: dict[str, Any]) -> str:
    said = [f"{key}: {_said(each)}" for key, each in value.items()]
    told = rng.sample(said, len(said)) if rng.random() < 0.3 else said
    kinds = ", ".join(f'"{key}": {KINDS[type(each)]}' for key, each in value.items())
    keys = ", ".join(value)
    return rng.choice(
        [
            f"JSON with the keys {keys}. {'; '.join(told)}",
            f"{'; '.join(told)}. JSON with {keys}.",
            f"Schema: {{{kinds}}}\n{'; '.join(told)}",
            f"Fill in {{{kinds}}} with {', '.join(told)}",
        ]
    )


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return facts.listed(value) if value else "none"
    return str(value)
