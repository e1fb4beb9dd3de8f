"""From a schema to flat schemas: follow ``$ref``, merge ``allOf``, list the alternatives of ``anyOf`` and ``oneOf``."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from labkit.errors import InvalidSchema, LimitExceeded, UnsupportedSchema
from labs.lab_08_json_schema.given.reading.flat_schema import Child, FlatSchema, Place, meet
from labs.lab_08_json_schema.given.reading.keywords import ANNOTATIONS
from labs.lab_08_json_schema.given.reading.pointers import below, resolve
from labs.lab_08_json_schema.given.reading.read_flat import read_flat

MAX_ALTERNATIVES = 1_000
"""The most alternatives of one schema."""

Alternatives = list[FlatSchema]
"""A value satisfies the schema if it satisfies one of them. Without any, no value does."""

_OLD_DRAFTS = ("draft-03", "draft-04", "draft-06", "draft-07")


@dataclass
class Flattener:
    """Flattens the schemas of one document.

    Args:
        root: the whole schema, for references.
        exactly_one: given the alternatives of each branch of a ``oneOf`` and its pointer, the alternatives that leave
            out what two branches have in common.
    """

    root: Any
    exactly_one: Callable[[list[Alternatives], str], Alternatives]

    def flatten(self, child: Child, references: frozenset[str] = frozenset()) -> Alternatives:
        """Return the alternatives of a value that must satisfy all schemas of ``child``.

        Args:
            references: pointers of the ``$ref``s that led here; meeting one of them again is recursion.

        Raises:
            InvalidSchema: if something is not a schema.
            UnsupportedSchema: for recursion, and for keywords that are not covered.
            LimitExceeded: if there are more than ``MAX_ALTERNATIVES``.
        """
        found = [FlatSchema(child[0][1], references=references)]
        for schema, pointer in child:
            one = self._flatten_one(schema, pointer, references, alone=len(child) == 1)
            found = self._combine(found, one, pointer)
        return found

    def _flatten_one(
        self, schema: Any, pointer: str, references: frozenset[str], *, alone: bool = False
    ) -> Alternatives:
        if isinstance(schema, bool):
            return [FlatSchema(pointer)] if schema else []
        if not isinstance(schema, dict):
            raise InvalidSchema(f"a schema is an object, true or false, not {schema!r:.80}", pointer)
        found = [read_flat(schema, pointer, alone=alone)]
        if "$ref" in schema:
            only = self._is_old() or not schema.keys() - ANNOTATIONS - {"$ref"}
            target = self._follow(schema["$ref"], below(pointer, "$ref"), references, alone=alone and only)
            if only:
                return target
            found = self._combine(found, target, pointer)
        for child in self._branches(schema, "allOf", pointer):
            found = self._combine(found, self._flatten_one(*child, references), pointer)
        if "anyOf" in schema:
            branches = [self._flatten_one(*child, references) for child in self._branches(schema, "anyOf", pointer)]
            found = self._combine(found, [flat for branch in branches for flat in branch], pointer)
        if "oneOf" in schema:
            branches = [self._flatten_one(*child, references) for child in self._branches(schema, "oneOf", pointer)]
            merged = [self._combine(found, branch, pointer) for branch in branches]
            found = self.exactly_one(merged, below(pointer, "oneOf"))
        return found

    def _is_old(self) -> bool:
        """Return whether the document's draft ignores all keywords beside a ``$ref``."""
        draft = self.root.get("$schema", "") if isinstance(self.root, dict) else ""
        return any(name in str(draft) for name in _OLD_DRAFTS)

    def _follow(self, reference: Any, pointer: str, references: frozenset[str], *, alone: bool) -> Alternatives:
        target, place = resolve(self.root, reference, pointer)
        if place in references:
            problem = f"the $ref {reference!r:.80} is recursive, which takes the stack of lab 12"
            raise UnsupportedSchema(problem, pointer)
        inner = references | {place}
        found = self._flatten_one(target, place, inner, alone=alone)
        return [replace(flat, references=flat.references | inner) for flat in found]

    def _branches(self, schema: dict[str, Any], keyword: str, pointer: str) -> Iterable[Place]:
        branches = schema.get(keyword, [])
        if not isinstance(branches, list) or (keyword in schema and not branches):
            problem = f"{keyword} must be a list of at least one schema, not {branches!r:.80}"
            raise InvalidSchema(problem, below(pointer, keyword))
        return [(branch, below(pointer, keyword, index)) for index, branch in enumerate(branches)]

    def _combine(self, one: Alternatives, other: Alternatives, pointer: str) -> Alternatives:
        """Return every alternative of one, merged with every alternative of the other."""
        if len(one) * len(other) > MAX_ALTERNATIVES:
            raise LimitExceeded(f"the schema at {pointer or 'the root'} falls into too many cases", MAX_ALTERNATIVES)
        return [meet(first, second) for first in one for second in other]


def pairs(branches: list[Alternatives]) -> Iterable[tuple[FlatSchema, FlatSchema]]:
    """Yield every alternative of one branch with every alternative of another."""
    for one, other in combinations(branches, 2):
        yield from ((first, second) for first in one for second in other)
