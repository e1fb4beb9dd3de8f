"""Schemas, patterns and grammars of every kind, and random answers to them: what a guide is soaked in."""

import pickle
import random
from typing import Any

from labkit.reading import READINGS
from labkit.vocabulary import Vocabulary
from mask_engine import FINISHED, Guide, guide_of, texts_of
from tests.walks import ids_of

STRING, INTEGER = {"type": "string"}, {"type": "integer"}


def record(n: int, inner: Any = STRING, **more: Any) -> dict[str, Any]:
    """Return the schema of an object with so many members, all of them optional."""
    return {"type": "object", "properties": {f"m{i}": inner for i in range(n)}, **more}


TREE = {"type": "object", "properties": {"v": INTEGER, "kids": {"type": "array", "items": {"$ref": "#/$defs/t"}}}}
WIDE = [INTEGER, STRING, {"enum": ["red", "rose", "blue", 7, None]}, {"type": "array", "items": {"type": "boolean"}}]
SCHEMAS: list[dict[str, Any]] = [
    record(8),
    record(6, record(3)),
    record(5, required=["m1", "m4"], minProperties=3),
    record(4, {"anyOf": WIDE}),
    record(3, {"$ref": "#/$defs/t"}, **{"$defs": {"t": TREE}}),
    {"$ref": "#/$defs/t", "$defs": {"t": TREE}},
    {"type": "array", "items": {"anyOf": WIDE}, "minItems": 1, "maxItems": 5},
    {"type": "array", "prefixItems": [{"const": "éa, b"}, record(1)], "minItems": 2},
    {"type": "array", "items": {"type": "string", "pattern": "^(ab|[c-f]é?){2,9}$"}},
    {"type": "string", "minLength": 3, "maxLength": 12},
    {"type": "integer", "minimum": -3, "maximum": 250},
    {},
]
ASKED: list[dict[str, Any]] = [
    *({"json_schema": schema, "reading": READINGS["validator"]} for schema in SCHEMAS),
    *({"json_schema": schema, "whitespace": "compact"} for schema in SCHEMAS),
    {"regex": "(a|b)*a(a|b){20}"},
    {"regex": "a{2,40}(b|é){3,60}|[^a]{0,30}"},
    {"regex": "|".join(f"{n:b}x{n}" for n in range(300))},
    {"grammar": 'root ::= "(" root ")" | [a-zé€]{3} | "[" root "," root "]"'},
    {"grammar": 'root ::= ("é" | "ab" item){2,4}\nitem ::= "<" root? ">"'},
]


class Fresh:
    """Makes new guides of one thing that was asked for."""

    def __init__(self, vocabulary: Vocabulary, asked: dict[str, Any]) -> None:
        self.vocabulary, self._texts = vocabulary, pickle.dumps(texts_of(**asked))

    def __call__(self) -> Guide:
        """Return a guide that remembers nothing."""
        return guide_of(self.vocabulary, pickle.loads(self._texts))


class Text:
    """A random text of at most so many tokens that is being written on a guide, and its masks so far.

    Args:
        within: whether it is written within a budget, so that it never stops before its end.
    """

    def __init__(self, guide: Any, rng: random.Random, most: int, within: bool) -> None:
        self._guide, self._rng, self._most, self._within = guide, rng, most, within
        self.masks, self.ids, self.state = list[bytes](), list[int](), guide.initial

    def go_on(self) -> bool:
        """Add a token, any that may come next, and return whether more may follow."""
        mask = self._guide.mask(self.state, self._most if self._within else None)
        self.masks.append(mask.tobytes())
        allowed = ids_of(mask)
        self.ids.append(self._rng.choice(allowed))
        self.state, self._most = self._guide.advance(self.state, self.ids[-1]), self._most - 1
        return self.state != FINISHED and self._most > 0
