"""The work of the engines: patterns, schemas, and walks, which are sequences of tokens."""

import json
import random
from dataclasses import dataclass
from typing import Any

from course.showcase.bench.engines.adapters import Buffer, Compilation, Encode, Language
from labkit.vocabulary import Vocabulary, data_file

Tokens = tuple[int, ...]

SAMPLES, LENGTH = 4, 24
"""Sampled walks a pattern, and the most tokens in one."""


@dataclass(frozen=True)
class Work:
    """A pattern or a JSON Schema, and texts that it matches, which become walks in the vocabulary's own tokens."""

    name: str
    regex: str
    texts: tuple[str, ...]
    schema: dict[str, Any] | None = None

    @property
    def language(self) -> Language:
        """What an engine compiles."""
        return self.regex if self.schema is None else self.schema


_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_DAY = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_HOUR = "([01][0-9]|2[0-3]):[0-5][0-9]"
_UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "xu", "za")


def work_set() -> list[Work]:
    """Return patterns, then schemas: literals, numbers, formats, strings of any characters, long choices, objects.

    >>> [work.name for work in work_set()][:4]
    ['hex', 'decimal', 'choice', 'date-time']
    """
    names = choices(500)
    return [
        Work("hex", "0x[0-9a-f]+", ("0x1fe0", "0xdeadbeef")),
        Work("decimal", r"([0-9]+)?\.[0-9]+", ("3.14159", ".5")),
        Work("choice", "yes|no|maybe", ("yes", "no", "maybe")),
        Work(
            "date-time",
            rf"{_DAY}T{_HOUR}:[0-5][0-9](\.[0-9]+)?(Z|[+-]{_HOUR})",
            ("2024-05-17T12:30:00Z", "1999-12-31T23:59:59.25+02:00"),
        ),
        Work("IPv4", rf"({_OCTET}\.){{3}}{_OCTET}", ("192.168.17.4", "8.8.8.255")),
        Work(
            "e-mail",
            r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}",
            ("ada.lovelace@mail.example.org", "x_1@a-b.co"),
        ),
        Work("UUID", _UUID, ("123e4567-e89b-12d3-a456-426614174000", "deadbeef-0000-4bad-9ace-0123456789ab")),
        Work(
            "JSON string",
            r'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"',
            ('"café \\u00e9 \\"hi\\" 世界 🦜"', '"The quick brown fox\\njumps, 12 times: over/under."'),
        ),
        Work(
            "phone",
            r"(\+[0-9]{1,3} )?\(?[0-9]{3}\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4}",
            ("+44 (020) 555-0199", "5551234567"),
        ),
        Work(r"\w+", r"\w+", ("Grüße_世界9", "constrained")),
        Work(".{0,200}", ".{0,200}", ("Hello, world! 🦜 Ça va?", "a line of plain English text, and nothing more")),
        Work("500 strings", "|".join(names), (names[0], names[250], names[499])),
        Work("50 strings", "|".join(names[::10]), (names[0], names[250], names[490])),
        Work("a 11th from the end", "(a|b)*a(a|b){10}", ("abababbabababba", "a" * 30)),
        Work("markdown list", "(- [^\\n]{1,80}\\n){1,20}", ("- bread and butter\n- two eggs\n",)),
        Work("signed numbers", r"\[(-?[0-9]+(\.[0-9]+)?(, )?)*\]", ("[3.14, -2, 0.5]",)),
        *(Work(f"S: {name}", "", tuple(map(json.dumps, values)), schema) for name, schema, values in _SCHEMAS),
    ]


def _object(required: int | None = None, **members: Any) -> dict[str, Any]:
    names = list(members)[:required]
    return {"type": "object", "properties": members, "required": names, "additionalProperties": False}


_STRING, _WHOLE = {"type": "string"}, {"type": "integer"}
_KEYS = ("name", "street", "city", "country", "phone", "email")
_OWNER = _object(
    1, name={"type": "string", "minLength": 1, "maxLength": 40}, age={**_WHOLE, "minimum": 0, "maximum": 150}
)
_TAGS = {"type": "array", "items": {"type": "string", "maxLength": 12}, "maxItems": 4}
_SCHEMAS: tuple[tuple[str, dict[str, Any], list[Any]], ...] = (
    ("a string", _STRING, ["a plain text, quoted", "caf\u00e9 \n"]),
    ("an enum", {"enum": ["red", "green", "blue"]}, ["green"]),
    ("integers", {"type": "array", "items": _WHOLE}, [[1, 22, 333]]),
    ("six string keys", _object(None, **dict.fromkeys(_KEYS, _STRING)), [dict.fromkeys(_KEYS, "Ada Lovelace")]),
    (
        "an order",
        _object(2, item=_STRING, count=_WHOLE, paid={"type": "boolean"}),
        [{"item": "a cup of tea", "count": 2, "paid": True}],
    ),
    (
        "nested, lengths",
        _object(id={"type": "string", "minLength": 3, "maxLength": 20}, tags=_TAGS, owner=_OWNER),
        [{"id": "a17-b", "tags": ["new", "large"], "owner": {"name": "Ada", "age": 36}}],
    ),
    ("a date", _object(when={"type": "string", "format": "date-time"}), [{"when": "2024-05-17T12:30:00Z"}]),
    ("one of three types", {"anyOf": [_STRING, _WHOLE, {"type": "null"}]}, ["some text", 17]),
    ("a pattern", {"type": "string", "pattern": "^[A-Z]{2}[0-9]{4}$"}, ["AB1234"]),
    (
        "optional keys",
        _object(0, title=_STRING, author=_STRING, year=_WHOLE, pages=_WHOLE, isbn=_STRING),
        [{"title": "Notes", "year": 1843, "isbn": "none"}],
    ),
)


def choices(count: int) -> list[str]:
    """Return different made-up words of two to five syllables, always the same, in order.

    >>> choices(3)
    ['gutipu', 'tilegunole', 'zakaxufo']
    """
    draw, found = random.Random(0), set[str]()
    while len(found) < count:
        found.add("".join(draw.choices(_SYLLABLES, k=draw.randint(2, 5))))
    return sorted(found)


def walks(work: Work, compiled: Compilation, vocabulary: Vocabulary, encode: Encode) -> list[Tokens]:
    """Return the texts as their tokenizer writes them; for a pattern, walks sampled from its compiled masks as well.

    Engines differ in which JSON texts of a schema they allow, so not all would follow walks sampled from ours.
    """
    texts = [tuple(encode(text)) for text in work.texts]
    if work.schema is not None:
        return texts
    sampled = [sampled_walk(compiled, vocabulary, random.Random(seed)) for seed in range(SAMPLES)]
    return list(dict.fromkeys([*texts, *sampled]))


def sampled_walk(compiled: Compilation, vocabulary: Vocabulary, draw: random.Random, length: int = LENGTH) -> Tokens:
    """Draw a token from each mask, EOS never; stop where nothing but EOS may follow.

    Raises:
        ValueError: if the engine refuses a token of its own mask.
    """
    buffer = Buffer(len(vocabulary))
    walk, tokens = compiled.start(buffer), list[int]()
    while len(tokens) < length:
        walk.fill()
        allowed = [int(i) for i in buffer.bits().nonzero()[0] if i != vocabulary.eos_id]
        if not allowed:
            break
        tokens.append(draw.choice(allowed))
        if not walk.advance(tokens[-1]):
            raise ValueError(f"token {tokens[-1]} is in the mask after {tokens[:-1]}, and refused")
    return tuple(tokens)


def tekken_encode() -> Encode:
    """Return the tokenizer of ``Vocabulary.tekken()``: mistral-common's own, which takes a second to import."""
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    tokenizer = Tekkenizer.from_file(str(data_file("tekken_240911.json", "the Tekken vocabulary")))
    return lambda text: list(tokenizer.encode(text, bos=False, eos=False))
