"""From a JSON Schema to the automaton of its JSON texts.

Each inner schema becomes an automaton of its own, from the inside out. Scalars are compiled by the lab's
``json_schema_to_regex``; arrays and objects by its regular expressions over markers, which stand for the automata of
items and values. So no regular expression is ever written out in full.
"""

import json
from typing import Any

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded, UnsupportedSchema
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.operations import NOTHING, intersect, is_empty, union
from labs.lab_08_json_schema.given.compiling.arrays import tuple_regex
from labs.lab_08_json_schema.given.compiling.enum_values import values_regex
from labs.lab_08_json_schema.given.compiling.markers import Markers
from labs.lab_08_json_schema.given.compiling.objects import object_automaton
from labs.lab_08_json_schema.given.compiling.one_of import exactly_one
from labs.lab_08_json_schema.given.compiling.scalars import numeric_automaton, simple, string_automaton
from labs.lab_08_json_schema.given.compiling.whitespace import policy
from labs.lab_08_json_schema.given.reading.check import check_document
from labs.lab_08_json_schema.given.reading.flat_schema import Child, FlatSchema
from labs.lab_08_json_schema.given.reading.flatten import Alternatives, Flattener
from labs.lab_08_json_schema.given.reading.values import TYPES, type_of

MAX_DEPTH = 40
"""How deep schemas may be nested."""


def compile_schema(schema: Any, *, whitespace: str = "flexible") -> Dfa:
    """Return the minimal automaton, over code points, of the JSON texts that a schema allows.

    A schema that no value satisfies gives an automaton that matches nothing.

    Raises:
        InvalidSchema: if the schema is malformed.
        UnsupportedSchema: if a keyword is not covered, or the language is not regular: recursion, or any JSON value.
        LimitExceeded: if it is nested too deep, or its automaton grows too large.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> automaton = compile_schema({"type": "object", "properties": {"n": {"minimum": 3}}, "required": ["n"]})
    >>> fullmatch(automaton, '{"n": 3.5}'), fullmatch(automaton, '{"n": 2}'), fullmatch(automaton, "{}")
    (True, False, False)
    """
    check_document(schema)
    return SchemaCompiler(schema, whitespace).compile(((schema, ""),))


class SchemaCompiler:
    """A compiler for the schemas of one document; equal schemas are compiled once."""

    def __init__(self, root: Any, whitespace: str) -> None:
        self._space = policy(whitespace)
        self._whitespace = whitespace
        self._flattener = Flattener(root, self._exactly_one)
        self._known: dict[str, Dfa] = {}
        self._depth = 0

    def compile(self, child: Child, references: frozenset[str] = frozenset({""})) -> Dfa:
        """Return the automaton of the values that satisfy all schemas of ``child``."""
        key = json.dumps([schema for schema, _ in child])
        if key in self._known:
            return self._known[key]
        if self._depth >= MAX_DEPTH:
            raise LimitExceeded(f"the schema at {child[0][1][:80]}... is nested too deep", MAX_DEPTH)
        self._depth += 1
        automata = [self._flat_automaton(flat) for flat in self._flattener.flatten(child, references)]
        self._known[key] = union(*automata) if automata else NOTHING
        self._depth -= 1
        return self._known[key]

    def _exactly_one(self, branches: list[Alternatives], pointer: str) -> Alternatives:
        return exactly_one(branches, pointer, self._flattener.flatten)

    def _flat_automaton(self, flat: FlatSchema) -> Dfa:
        """Return the automaton of a flat schema, for all its types."""
        flat.refuse("any")
        if flat.enum is not None:
            return self._enum_automaton(flat)
        names = flat.mentions if flat.types is None else flat.types
        if not names and flat.types is None:
            raise _anything("any JSON value may stand here", flat.pointer)
        names -= {"integer"} if "number" in names else set()
        automata = [self._typed_automaton(flat, name) for name in TYPES if name in names]
        return union(*automata) if automata else NOTHING

    def _typed_automaton(self, flat: FlatSchema, name: str) -> Dfa:
        """Return the automaton of a flat schema's values of one type."""
        flat.refuse("number" if name == "integer" else name)
        match name:
            case "string":
                return string_automaton(flat)
            case "integer" | "number":
                return numeric_automaton(flat, integer=name == "integer")
            case "array":
                return self._array_automaton(flat)
            case "object":
                # Undeclared members are not written, unless nothing is declared: then all are undeclared.
                if not flat.declares and flat.additional is None and flat.most_members != 0:
                    raise _anything("the members may be any JSON value", flat.pointer)
                return object_automaton(flat, self._space, lambda child: self.compile(child, flat.references))
        return simple(name)

    def _enum_automaton(self, flat: FlatSchema) -> Dfa:
        """Return the automaton of the ``enum`` values that satisfy type and all other keywords."""
        by_kind: dict[str, list[Any]] = {}
        for value in flat.members():
            by_kind.setdefault(type_of(value), []).append(value)
        automata = []
        for kind, values in by_kind.items():
            automaton = lab_06.compile_dfa(values_regex(values, self._space))
            asked = [self._typed_automaton(flat, kind)] if flat.constrains(kind) else []
            automata.append(intersect(automaton, *asked))
        return union(*automata) if automata else NOTHING

    def _array_automaton(self, flat: FlatSchema) -> Dfa:
        most = flat.most_items
        if flat.rest is None and (most is None or most > len(flat.prefix)):
            raise _anything("the items may be any JSON value", flat.pointer)
        markers = Markers()
        prefix = [markers.add(self.compile(child, flat.references)) for child in flat.prefix[:most]]
        if prefix or flat.rest is None:
            more = most is None or most > len(flat.prefix)
            automaton = self.compile(flat.rest, flat.references) if flat.rest is not None and more else NOTHING
            rest = None if is_empty(automaton) else markers.add(automaton)
            return markers.compile(tuple_regex(prefix, rest, flat.least_items, most, self._space))
        return markers.compile(self._list_regex(flat, markers))

    def _list_regex(self, flat: FlatSchema, markers: Markers) -> str:
        """Return the expression for an array of equal items, by the lab's own function."""
        schema: dict[str, Any] = {"type": "array", "items": flat.rest, "minItems": flat.least_items}
        schema |= {} if flat.most_items is None else {"maxItems": flat.most_items}
        return lab.json_schema_to_regex(
            schema,
            whitespace=self._whitespace,
            pointer=flat.pointer,
            nested=lambda child, _: markers.add(self.compile(child, flat.references)),
        )


def _anything(problem: str, pointer: str) -> UnsupportedSchema:
    # An automaton cannot count brackets; lab 12 has a stack.
    return UnsupportedSchema(f"{problem}, which no regular expression describes", pointer)
