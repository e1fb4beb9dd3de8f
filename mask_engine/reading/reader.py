"""From a schema to its cases: every keyword, and ``$ref``, ``allOf``, ``anyOf``, ``oneOf``, ``not`` and ``if``."""

import sys
from functools import reduce
from typing import Any

from labkit.automata.work import spend, working_at
from labkit.errors import InvalidSchema, LimitExceeded, UnsupportedSchema
from labkit.reading import READINGS, Reading
from labs.lab_08_json_schema.given.keywords import REFUSED, speaks_of
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.values import type_of
from mask_engine.reading.arrays import ALL, Array, Every
from mask_engine.reading.cases import (
    KINDS,
    Cases,
    both,
    distinct,
    either,
    evaluating,
    everything,
    nothing,
    only,
    otherwise,
    silent,
    voiced,
)
from mask_engine.reading.emptiness import Emptiness
from mask_engine.reading.keywords import array_case, mapping, number_case, object_case, text_case, types_of, values_of
from mask_engine.reading.objects import (
    Keys,
    Members,
    Object,
    absorbed,
    exactly_one_joined,
    forbidden,
    joined_to_clauses,
    merged,
    present,
)
from mask_engine.reading.places import NEVER, Child, Made, key_of, plain
from mask_engine.reading.references import OLD_DRAFTS, REFERENCES, Document
from mask_engine.reading.scalars import (
    NAMED,
    PASSED_OVER,
    SILENT,
    SPOKEN_OF,
    Few,
    Numeric,
    Text,
)
from mask_engine.reading.texts import enum_values

MANY = 4
"""The most cases of one type that are kept without a look at whether some value satisfies each."""


class SchemaReader:
    """Reads the schemas of one document.

    Args:
        root: the whole schema, for references.
        reading: what counts where the schema says nothing.

    Raises:
        UnsupportedSchema: if another document says what keywords mean: another draft for a schema inside this one, or,
            where nothing is implied, a ``$schema`` that isn't JSON Schema's own.

    Attributes:
        root: the same, with its references rewritten (``references.py``).
    """

    def __init__(self, root: Any, reading: Reading = READINGS["form"]) -> None:
        self.reading = reading
        self.document = Document(root)
        self.root = self.document.root
        self._draft = str(root.get("$schema", "")) if isinstance(root, dict) else ""
        if not reading.implied and self._draft and "json-schema.org/" not in self._draft:
            problem = f"what keywords mean says another document, {self._draft!r:.80}, which is not supported"
            raise UnsupportedSchema(problem, "/$schema")
        self._known: dict[frozenset[str], Cases] = {}
        self._referred: dict[tuple[str, bool], Cases] = {}
        self.emptiness = Emptiness(self.cases)

    def cases(self, child: Child) -> Cases:
        """Return the cases of the values that satisfy all schemas of ``child``.

        Raises:
            InvalidSchema: if a schema is malformed, or a ``$ref`` leads back to itself at the same value.
            UnsupportedSchema: for what is not covered; some is refused only if a case needs it.
            LimitExceeded: if there are too many cases, or so many references lead to each other that Python gives up.
        """
        key = key_of(child)
        if key not in self._known:
            try:
                self._known[key] = self._together(plain(child))
            except RecursionError:  # the document isn't so deep, but a chain of references may be as long as it
                place = child[0][1][:80] or "the root"
                problem = f"the references that begin at {place} of the schema lead too deep"
                raise LimitExceeded(problem, sys.getrecursionlimit()) from None
        return self._known[key]

    def _together(self, places: Child) -> Cases:
        if len(places) > 1:
            return reduce(self._both, [self.cases((place,)) for place in places])
        parts = [self._read(schema, pointer, frozenset(), tracked=False) for schema, pointer in places]
        return parts[0] if parts else everything()

    def resolved(self, child: Child) -> Child:
        """Return a child with the targets of plain ``$ref``s in their places, so that equal ones have equal keys."""
        found, places = [], plain(child)
        for schema, pointer in places:
            seen: set[str] = set()
            while isinstance(schema, dict) and schema.keys() == {"$ref"} and pointer not in seen:
                seen.add(pointer)
                target = self.document.target(schema, "$ref", pointer)
                inner = plain(((target.schema, target.pointer),))
                schema, pointer = inner[0] if inner else (True, target.pointer)
            found.append((schema, pointer))
        unchanged = all(new is old for (new, _), (old, _) in zip(found, places, strict=True))
        return places if unchanged else plain(tuple(found))

    def values_of(self, child: Child) -> list[Any] | None:
        """Return the values that satisfy all schemas of ``child``; None if they are not plainly few."""
        found: list[Any] = []
        for kind in KINDS:
            for case in self.cases(child)[kind]:
                if isinstance(case, Few):
                    found += sorted(case.values, key=str)
                elif isinstance(case, Text | Numeric) and case.enum is not None and not case.refused:
                    found += enum_values(case) if isinstance(case, Text) else case.enum
                elif not self.emptiness.never(case):
                    return None
        return found

    def _read(self, schema: Any, pointer: str, seen: frozenset[str], *, tracked: bool) -> Cases:
        """Return the cases of one schema.

        Args:
            seen: the targets of the ``$ref``s that led here, all at the same value.
            tracked: whether it matters which items and members the schema speaks of.
        """
        if isinstance(schema, bool):
            return everything() if schema else nothing()
        if not isinstance(schema, dict):
            raise InvalidSchema(f"a schema is an object, true or false, not {schema!r:.80}", pointer)
        working_at(pointer)
        spend(100)
        references = [keyword for keyword in REFERENCES if keyword in schema]
        if "$ref" in schema and any(name in self._draft for name in OLD_DRAFTS):
            return self._follow(schema, "$ref", pointer, seen, tracked)
        tracked = tracked or not schema.keys().isdisjoint({"unevaluatedItems", "unevaluatedProperties"})
        found = self._own(schema, pointer)
        for keyword in references:
            found = self._both(found, self._follow(schema, keyword, pointer, seen, tracked))
        for branch, place in _branches(schema, "allOf", pointer):
            found = self._both(found, self._read(branch, place, seen, tracked=tracked))
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                places = _branches(schema, keyword, pointer)
                branches = [self._read(branch, place, seen, tracked=tracked) for branch, place in places]
                if keyword == "oneOf":
                    found = self._exactly_one(found, branches)
                else:
                    found = self._both(found, evaluating(branches) if tracked else _presence(either(branches)))
        if "not" in schema:
            place = pointer if isinstance(schema, Made) else below(pointer, "not")
            found = self._both(found, _presence(otherwise(self._read(schema["not"], place, seen, tracked=False))))
        if "if" in schema and ("then" in schema or "else" in schema or tracked):
            found = self._both(found, self._condition(schema, pointer, seen, tracked))
        for cases in self._dependencies(schema, pointer, seen, tracked):
            found = self._both(found, cases)
        return _with_rest(schema, pointer, found)

    def _exactly_one(self, found: Cases, branches: list[Cases]) -> Cases:
        joined = exactly_one_joined([branch["object"] for branch in branches])
        if joined is None:
            return self.emptiness.exactly_one([self._both(found, branch) for branch in branches])
        objects = self._both(found, only("object", joined))["object"]
        others = [self._both(found, branch) | {"object": []} for branch in branches]
        return self.emptiness.exactly_one(others) | {"object": objects}

    def _both(self, one: Cases, other: Cases) -> Cases:
        """Return the cases of both; of many, those of which it is certain that no value satisfies them are left out."""
        found = both(one, other)
        found["object"] = absorbed(found["object"])
        for kind in ("string", "array", "object"):
            if len(found[kind]) > MANY:
                found[kind] = [case for case in found[kind] if not self.emptiness.never(case)]
        found["object"] = merged(found["object"])
        return found

    def _own(self, schema: dict[str, Any], pointer: str) -> Cases:
        """Return the cases of the keywords that do not put schemas together."""
        types, values = types_of(schema, pointer), values_of(schema, pointer)
        found = everything()
        found["number"] = [number_case(schema, pointer)]
        found["string"] = [text_case(schema, pointer, self.reading)]
        found["array"] = [array_case(schema, pointer, self._draft)]
        found["object"] = [object_case(schema, pointer)]
        for keyword, words in REFUSED.items():
            if keyword in schema:
                raise UnsupportedSchema(f"{keyword}, {words}, is not supported", below(pointer, keyword))
        if types is not None:
            kinds = {"number" if name == "integer" else name for name in types}
            if "integer" in types and "number" not in types:
                found["number"] = [case.meet(Numeric(whole=True)) for case in found["number"]]
            found = {kind: cases if kind in kinds else [] for kind, cases in found.items()}
        mentions = set(map(speaks_of, schema)) - {None}
        others = PASSED_OVER if mentions else SILENT
        voices = {kind: SPOKEN_OF if kind in mentions else others for kind in KINDS}
        if values is not None:
            found = self._both(found, _constants(values, pointer))
        if values is not None or types is not None:
            voices = dict.fromkeys(KINDS, NAMED)
        return voiced(found, voices)

    def _follow(self, schema: Any, keyword: str, pointer: str, seen: frozenset[str], tracked: bool) -> Cases:
        """Return the cases of what a reference refers to."""
        target = self.document.target(schema, keyword, pointer)
        if target.key in seen:
            there = target.pointer or "the root"
            problem = f"the {keyword} to {there:.80} leads back to itself without an item or a member between"
            raise InvalidSchema(problem, below(pointer, keyword))
        # What was read whole leads back to nothing, wherever it is referred to.
        if (target.key, tracked) not in self._referred:
            inner = seen | {target.key}
            self._referred[target.key, tracked] = self._read(target.schema, target.pointer, inner, tracked=tracked)
        return self._referred[target.key, tracked]

    def _condition(self, schema: dict[str, Any], pointer: str, seen: frozenset[str], tracked: bool) -> Cases:
        asked = self._read(schema["if"], below(pointer, "if"), seen, tracked=tracked)
        met = self._both(
            silent(asked), self._read(schema.get("then", True), below(pointer, "then"), seen, tracked=tracked)
        )
        unmet = self._read(schema.get("else", True), below(pointer, "else"), seen, tracked=tracked)
        return either([met, self._both(otherwise(asked), unmet)])

    def _dependencies(self, schema: dict[str, Any], pointer: str, seen: frozenset[str], tracked: bool) -> list[Cases]:
        """Return the cases of each key on which others, or a schema, depend."""
        found = []
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            for key, asked in mapping(schema, keyword, pointer).items():
                place = below(pointer, keyword, key)
                if isinstance(asked, str) and keyword == "dependencies":
                    asked = [asked]
                if isinstance(asked, list) and keyword != "dependentSchemas":
                    if not all(isinstance(name, str) for name in asked):
                        raise InvalidSchema(f"{keyword} must list keys, not {asked!r:.80}", place)
                    clauses = frozenset(frozenset({(key, False), (name, True)}) for name in asked if name != key)
                    found.append(only("object", [Object(clauses=clauses)]))
                    continue
                inner = self._read(asked, place, seen, tracked=tracked)["object"]
                cases = [forbidden(key), *distinct(present(key).meet(case) for case in inner)]
                found.append(only("object", cases))
        return found


def _presence(cases: Cases) -> Cases:
    """Return the cases with one of objects where they ask of nothing but which keys are there."""
    return cases | {"object": joined_to_clauses(cases["object"])}


def _with_rest(schema: dict[str, Any], pointer: str, found: Cases) -> Cases:
    """Return the cases with ``unevaluatedItems`` and ``unevaluatedProperties`` for what nothing else speaks of."""
    if "unevaluatedItems" in schema:
        rest = schema["unevaluatedItems"], below(pointer, "unevaluatedItems")
        found = found | {"array": [_rest_of_items(case, *rest) for case in found["array"]]}
    if "unevaluatedProperties" in schema:
        rest = schema["unevaluatedProperties"], below(pointer, "unevaluatedProperties")
        found = found | {"object": [_rest_of_members(case, *rest) for case in found["object"]]}
    return found


def _rest_of_items(case: Array, schema: Any, place: str) -> Array:
    if case.evaluated >= ALL:
        return case
    if case.containing:
        found = [Made(allOf=[part for part, _ in child]) for child in case.containing]
        schema = Made(anyOf=[schema, *found])
    return case.meet(Array(every=(Every(case.evaluated, ALL, ((schema, place),)),), evaluated=ALL))


def _rest_of_members(case: Object, schema: Any, place: str) -> Object:
    others = Keys(outside=case.evaluated)
    written = () if schema in (False, True, {}) else (others,)
    return case.meet(Object(every=(Members(others, ((schema, place),)),), written=written, evaluated=(others,)))


def _constants(values: tuple[Any, ...], pointer: str) -> Cases:
    """Return the cases of some values."""
    found = nothing()
    by_kind: dict[str, list[Any]] = {}
    for value in values:
        by_kind.setdefault(type_of(value), []).append(value)
    for kind, same in by_kind.items():
        match kind:
            case "null" | "boolean":
                every = frozenset([None]) if kind == "null" else frozenset([False, True])
                found[kind] = [Few(frozenset(same), every)]
            case "number":
                found[kind] = [Numeric(enum=tuple(same))]
            case "string":
                found[kind] = [Text(enum=tuple(same))]
            case "array":
                for value in same:
                    items = (Every(i, i + 1, (({"const": item}, pointer),)) for i, item in enumerate(value))
                    found[kind].append(Array(every=(*items,), least=len(value), most=len(value), constant=value))
            case "object":
                for value in same:
                    members = (Members(Keys((key,)), (({"const": item}, pointer),)) for key, item in value.items())
                    each = (*members, Members(Keys(outside=(Keys(tuple(value)),)), NEVER))
                    some = present(*value).some
                    found[kind].append(Object(declared=tuple(value), every=each, some=some, constant=value))
    return found


def _branches(schema: dict[str, Any], keyword: str, pointer: str) -> list[tuple[Any, str]]:
    branches = schema.get(keyword, [])
    if not isinstance(branches, list) or (keyword in schema and not branches):
        problem = f"{keyword} must be a list of at least one schema, not {branches!r:.80}"
        raise InvalidSchema(problem, below(pointer, keyword))
    made = isinstance(schema, Made)
    return [(branch, pointer if made else below(pointer, keyword, index)) for index, branch in enumerate(branches)]
