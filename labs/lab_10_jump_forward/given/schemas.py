"""Grammars from free text to a rigid record, with the prompts that the small model gets for each."""

from typing import Any, NamedTuple

from labkit.small_model.tasks.forms import closed


class AskedGrammar(NamedTuple):
    """A grammar and its prompts.

    Attributes:
        name: as tables show it.
        grammar: the arguments of ``mask_engine.compile_guide`` beside the vocabulary.
        prompts: what the model is asked.
    """

    name: str
    grammar: dict[str, Any]
    prompts: tuple[str, ...]


def as_written(*keys: str) -> str:
    """Return a pattern of an object of strings in the one style in which the model was trained: a space after , and :.

    >>> as_written("a")
    '\\\\{"a": "[^"\\\\\\\\\\\\n]{1,20}"\\\\}'
    """
    return r"\{" + ", ".join(rf'"{key}": "[^"\\\n]{{1,20}}"' for key in keys) + r"\}"


TEXT = {"type": "string", "minLength": 1, "maxLength": 20}
ORDER = closed({"item": TEXT, "quantity": {"type": "integer", "minimum": 0}, "customer": TEXT, "city": TEXT})
SIX = ("name", "city", "colour", "language", "email", "place")
SIX_KEYS = closed(dict.fromkeys(SIX, TEXT))
TICKET = closed(
    {
        "department": {"enum": ["sales", "support"]},
        "urgent": {"type": "boolean"},
        "status": {"enum": ["open", "closed"]},
        "newsletter": {"type": "boolean"},
        "priority": {"enum": ["low", "high"]},
    }
)
READING = r'\{"unit": "celsius", "sensor": "outside", "station": "harbour", "value": [0-9]{2}\}'

_ORDERS = ("Ada Berg from Rome orders 3 lamps. JSON only.", "Send 12 mugs to Noor Haddad, Oslo. Answer with JSON.")
_PEOPLE = (
    "JSON with name, city, colour, language, email, place: Ada Berg, Rome, teal, Dutch, ada@post.org, Blue Room.",
    "JSON with name, city, colour, language, email, place: Omar Silva, Lima, red, Spanish, omar@post.org, Town Hall.",
)
_TICKETS = ("A ticket for support, urgent. As JSON, nothing else.", "Sales asks for the newsletter. JSON only.")

ALL = (
    AskedGrammar("prose", {"regex": "[A-Z][^\n]{30,80}"}, ("Tell me a joke about cats", "Who mended the clock?")),
    AskedGrammar(
        "object, any keys",
        {"json_schema": {"type": "object", "additionalProperties": TEXT, "maxProperties": 4}},
        _ORDERS,
    ),
    AskedGrammar("colour", {"regex": "#[0-9a-f]{6}"}, ("Hex code of violet?", "teal as a hex colour")),
    AskedGrammar(
        "date", {"regex": "20[0-9]{2}-[01][0-9]-[0-3][0-9]"}, ("3 May 2031 as an ISO date", "Date of 19.11.2035?")
    ),
    AskedGrammar("order, any spacing", {"json_schema": ORDER}, _ORDERS),
    AskedGrammar("six keys, any spacing", {"json_schema": SIX_KEYS}, _PEOPLE),
    AskedGrammar(
        "list of strings",
        {"regex": r'\["[a-z ]{2,12}"(, "[a-z ]{2,12}"){0,3}\]'},
        ("A list of fruit as JSON.", "Items: 2"),
    ),
    AskedGrammar("order, compact", {"json_schema": ORDER, "whitespace": "compact"}, _ORDERS),
    AskedGrammar("six string keys, compact", {"json_schema": SIX_KEYS, "whitespace": "compact"}, _PEOPLE),
    AskedGrammar("six string keys, as written", {"regex": as_written(*SIX)}, _PEOPLE),
    AskedGrammar("two keys, as written", {"regex": as_written("name", "city")}, _PEOPLE),
    AskedGrammar(
        "tool call",
        {"regex": r'\[\{"name": "(get_weather|send_mail)", "arguments": \{"city": "[A-Z][a-z]{2,12}"\}\}\]'},
        ("What is the weather in Rome?", "Weather in Oslo, please"),
    ),
    AskedGrammar("ticket, compact", {"json_schema": TICKET, "whitespace": "compact"}, _TICKETS),
    AskedGrammar("reading", {"regex": READING}, ("21 degrees outside. JSON only.", "It is 7 degrees. JSON only.")),
)
"""From free text to a record in which two digits are free."""
