"""Sixty schemas as people write them, for the question which functions of lab 08 the compiler needs."""

from typing import Any

Schema = dict[str, Any]


def _of(kind: str, **keywords: Any) -> Schema:
    return {"type": kind, **keywords}


def _object(needed: str = "", /, others: Any = None, **properties: Any) -> Schema:
    """Return the schema of an object; ``others`` is its ``additionalProperties``."""
    more = {} if others is None else {"additionalProperties": others}
    return {"type": "object", "properties": properties, "required": needed.split()} | more


def _list(items: Schema, least: int | None = None, most: int | None = None) -> Schema:
    counts = {"minItems": least, "maxItems": most}
    return {"type": "array", "items": items} | {key: count for key, count in counts.items() if count is not None}


def _integer(low: int | None = None, high: int | None = None) -> Schema:
    bounds = {"minimum": low, "maximum": high}
    return {"type": "integer"} | {key: bound for key, bound in bounds.items() if bound is not None}


def _map(values: Schema) -> Schema:
    return {"type": "object", "additionalProperties": values}


def _enum(*values: Any) -> Schema:
    return {"enum": list(values)}


TEXT, NAME, LINE = _of("string"), _of("string", minLength=1, maxLength=40), _of("string", pattern="^[^\n]+$")
DATE, TIME, MAIL, LINK = (_of("string", format=name) for name in ("date", "date-time", "email", "uri"))
WHOLE, COUNT, NUMBER, YES, NULL = _integer(), _integer(0), _of("number"), _of("boolean"), _of("null")
PORT, BYTE, HOUR, DEGREE = _integer(1, 65535), _integer(0, 255), _integer(0, 23), _integer(-90, 90)
SLUG, WORD, CODE = (_of("string", pattern=pattern) for pattern in ("^[a-z-]+$", r"^\w+$", "^[A-Z]{3}[0-9]{2}$"))
PRICE, SHARE = _of("number", exclusiveMinimum=0, maximum=100000), _of("number", minimum=0, maximum=1)
POINT = _object("x y", x=NUMBER, y=NUMBER)

SCHEMAS: dict[str, Schema] = {
    # one value
    "text": NAME,
    "code": CODE,
    "day": DATE,
    "port": PORT,
    "share": SHARE,
    "colour": _enum("red", "green", "blue"),
    "answer": _of("array", items=YES, maxItems=3),
    "maybe a count": {"anyOf": [COUNT, NULL]},
    "text or number": _of(["string", "integer"]),
    "percent": {"allOf": [_integer(0), _integer(None, 100)]},
    # lists
    "words": _list(SLUG, 1, 5),
    "matrix": _list(_list(NUMBER), 1),
    "bytes": _list(BYTE, 4, 4),
    "flags": _list(YES),
    "readings": _list(_object("hour", hour=HOUR, degrees=DEGREE)),
    "tuple": {"type": "array", "prefixItems": [NAME, COUNT], "items": False},
    "polygon": _list(POINT, 3),
    # objects
    "person": _object("name", name=NAME, age=_integer(0, 130), mail=MAIL),
    "address": _object("street city", street=TEXT, city=TEXT, zip=_of("string", pattern="^[0-9]{5}$"), main=YES),
    "product": _object("id price", id=COUNT, price=PRICE, tags=_list(SLUG), sale=YES),
    "event": _object("title start", title=TEXT, start=TIME, guests=_list(MAIL, most=3), public=YES),
    "weather": _object("city", city=TEXT, degrees=DEGREE, wind=_of("number", minimum=0), sky=_enum("clear", "rain")),
    "login": _object("user password", user=WORD, password=_of("string", minLength=8), remember=YES),
    "recipe": _object("name", name=TEXT, steps=_list(TEXT, 1), minutes=_integer(1), level=_enum("easy", "hard")),
    "invoice": _object("number lines", number=CODE, lines=_list(_object("what", what=TEXT, sum=PRICE)), paid=YES),
    "flight": _object("from to", **{"from": CODE, "to": CODE, "day": DATE, "seats": _integer(1, 9), "meal": YES}),
    "ticket": _object("title", title=TEXT, severity=_enum("low", "high"), votes=COUNT, open=YES, tags=_list(TEXT)),
    "song": _object("title", title=TEXT, seconds=_integer(1, 36000), artists=_list(TEXT, 1), explicit=YES),
    "film": _object("title year", title=TEXT, year=_integer(1888, 2100), stars=_integer(1, 5), seen=YES),
    "empty": _object(),
    "tree, three deep": _object("a", a=_object("b", b=_object("c", c=COUNT), tags=_list(WORD))),
    "order": _object("id", id=WHOLE, items=_list(_object("sku n", sku=CODE, n=_integer(1, 99)), 1), note=TEXT),
    # maps: members of any key
    "labels": _map(TEXT),
    "scores": _map(_integer(0, 100)),
    "environment": _object("image", image=WORD, env=_map(TEXT), ports=_list(PORT)),
    "translations": _object("en", en=LINE, others=LINE),
    "feature flags": _object("version", others=YES, version=COUNT),
    "headers": _object("method", method=_enum("GET", "POST"), headers=_map(LINE), timeout=_integer(1, 60)),
    "service": _object("image", image=TEXT, replicas=_integer(1, 10), labels=_map(SLUG), debug=YES),
    "package": _object("name", name=SLUG, scripts=_map(TEXT), dependencies=_map(CODE), private=YES),
    "inventory": _map(_object("n", n=COUNT, price=PRICE)),
    "index": _map(_list(COUNT)),
    "metrics": _object("at", at=TIME, values=_map(NUMBER), ok=YES),
    "settings": _object("theme", others=_of(["string", "boolean"]), theme=_enum("dark", "light"), size=_integer(6, 72)),
    "answers": _map(_enum("yes", "no")) | {"minProperties": 1, "maxProperties": 3},
    "nested maps": _map(_map(WHOLE)),
    "job": _object("run", run=LINE, env=_map(TEXT), retries=_integer(0, 5), when=_enum("always", "failure")),
    "form": _object("fields", fields=_map(_object("kind", kind=_enum("text", "date"), needed=YES))),
    "cache": _object("key", key=WORD, paths=_list(TEXT), meta=_map(TEXT), days=_integer(1, 365)),
    # combinations
    "id": {"anyOf": [COUNT, CODE]},
    "shape": {
        "oneOf": [
            _object("kind r", kind=_enum("circle"), r=PRICE),
            _object("kind w", kind=_enum("box"), w=PRICE, h=PRICE),
        ]
    },
    "contact": {"anyOf": [_object("mail", mail=MAIL), _object("phone", phone=_of("string", pattern="^[0-9+ ]+$"))]},
    "either text": {"oneOf": [_of("string", pattern="^a"), _of("string", pattern="z$")]},
    "cold or hot": {"oneOf": [_integer(None, -1), _integer(30)]},
    "merged": {"allOf": [_object("id", id=COUNT, ok=YES), _object("name", name=NAME)]},
    "references": {
        "$defs": {"part": _object("name", name=SLUG, size=COUNT)},
        **_object("main", main={"$ref": "#/$defs/part"}, parts=_list({"$ref": "#/$defs/part"})),
    },
    "optional text": _object("at", at=DATE, note={"anyOf": [NAME, NULL]}, rank=_integer(1, 3)),
    "payment": _object("how", how={"oneOf": [_enum("cash"), _object("card", card=CODE)]}, tip=_integer(0, 30)),
    "tool call": _object("name arguments", name=_enum("search", "open"), arguments=_map(TEXT)),
    "booking": _object("room day", room=_object("floor", floor=_integer(0, 12), code=CODE), day=DATE, by=_map(MAIL)),
}
