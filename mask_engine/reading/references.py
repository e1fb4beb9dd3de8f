"""References inside one document: ``$id``, anchors, ``$ref``, ``$dynamicRef`` and ``$recursiveRef``.

The reader compares schemas by their texts, and ``{"$ref": "#/$defs/a"}`` means one thing at the root and another inside
a schema with an ``$id`` of its own. So references are rewritten before anything is read, each as the way to its target
from the root, and then equal texts mean the same.

What a ``$dynamicRef`` means depends on how we got to it: of all documents that we came through, the outermost with an
anchor of that name counts. What we know of them is the *scope*. It's part of a rewritten reference, and a schema is
rewritten once for each scope in which it's read.
"""

from collections.abc import Iterator
from copy import copy
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin

from labkit.automata.work import spend
from labkit.errors import InvalidSchema, LimitExceeded, UnsupportedSchema
from labs.lab_08_json_schema.given.pointers import below
from mask_engine.reading.places import Schema, frozen

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")

OLD_DRAFTS = ("draft-03", "draft-04", "draft-06", "draft-07")
"""The drafts in which other keywords beside a ``$ref`` don't count."""

MAX_SCOPES = 200
"""The most scopes of one document. Each way through its dynamic anchors may have one."""

_OF_SCHEMAS = frozenset(("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"))
_SCHEMA_OR_LIST = frozenset(("allOf", "anyOf", "oneOf", "not", "if", "then", "else", "propertyNames", "contains"))
_SCHEMA_OR_LIST |= {"items", "prefixItems", "additionalItems", "unevaluatedItems", "contentSchema"}
_SCHEMA_OR_LIST |= {"additionalProperties", "unevaluatedProperties"}
_REWRITTEN = "root:"
"""How a rewritten reference begins: then come the scope, and the pointer from the root."""

Scope = tuple[tuple[str, str], ...]
"""For each name of a dynamic anchor the pointer to the one that counts."""


class Target(NamedTuple):
    """What a reference means: the schema, the pointer to it, and a text that is equal for equal targets."""

    schema: Any
    pointer: str
    key: str


class Document:
    """A schema with all its references.

    Attributes:
        root: the schema with its references rewritten.
        is_old: whether other keywords beside a ``$ref`` don't count.

    Raises:
        UnsupportedSchema: if a schema inside it has an ``$id`` and another ``$schema``.

    >>> shop = {"$id": "shop.json", "$defs": {"p": {"$anchor": "price", "minimum": 0}}}
    >>> document = Document({"$ref": "shop.json#price", "$defs": {"s": shop}})
    >>> document.target(document.root, "$ref", "").schema
    {'$anchor': 'price', 'minimum': 0}
    """

    def __init__(self, raw: Any) -> None:
        self._raw = frozen(raw)
        draft = self._draft = str(raw.get("$schema", "")) if isinstance(raw, dict) else ""
        self.is_old = any(name in draft for name in OLD_DRAFTS)
        self._identifier = "id" if "draft-03" in draft or "draft-04" in draft else "$id"
        # By URI the pointers of documents and anchors: several are a fault, but only where one of them is asked for.
        self._named: dict[str, list[str]] = {}
        self._resources = {"": ""}
        self._dynamic: dict[str, dict[str, str]] = {}
        self._index(self._raw, "", "")
        self._is_simple = len(self._named) < 2  # then every reference names its target from the root already
        self._scopes = set[Scope]()
        self._made: dict[tuple[str, Scope], Any] = {}
        self.root = self._scoped(self._raw, "", ())

    def target(self, schema: dict[str, Any], keyword: str, pointer: str) -> Target:
        """Return what a reference means.

        Args:
            schema: one of this document, in which references are rewritten or not.
            keyword: one of ``REFERENCES``.
            pointer: the pointer to the schema.

        Raises:
            UnsupportedSchema: if it refers to another document, or several places of this one have its name.
            InvalidSchema: if there is nothing at its place.
            LimitExceeded: beyond ``MAX_SCOPES``.
        """
        reference, scope = schema[keyword], Scope(())
        if isinstance(reference, str) and reference.startswith(_REWRITTEN):
            scoped, _, fragment = reference.removeprefix(_REWRITTEN).partition("#")
            scope, found = tuple(parse_qsl(scoped, keep_blank_values=True)), unquote(fragment)
        else:
            found = self._found(reference, keyword, pointer, scope)
        scope = self._entered(scope, self._resource_of(found))
        if (found, scope) not in self._made:
            target = self.at(found, reference, below(pointer, keyword))
            self._made[found, scope] = self._scoped(target, found, scope)
        return Target(self._made[found, scope], found, _written(found, scope))

    def at(self, pointer: str, reference: str = "#", place: str = "") -> Any:
        """Return what is at a pointer from the root, as it was written.

        Args:
            reference, place: what led there, and where it is, for an error.

        Raises:
            InvalidSchema: if there is nothing.
        """
        current = self._raw
        for step in pointer.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(current, dict) and name in current:
                current = current[name]
            elif isinstance(current, list) and name.isdecimal() and int(name) < len(current):
                current = current[int(name)]
            else:
                raise InvalidSchema(f"the $ref {reference!r:.80} leads nowhere: there is no {name!r:.80}", place)
        return current

    def _index(self, schema: Any, pointer: str, base: str) -> None:
        """Note the identifiers of a schema and of those inside it."""
        if not isinstance(schema, dict):
            return
        spend(2 + len(schema))
        base = self._identified(schema, pointer, base)
        for keyword in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := schema.get(keyword), str):
                self._name(f"{base}#{name}", pointer)
                if keyword == "$dynamicAnchor":
                    self._dynamic.setdefault(base, {}).setdefault(name, pointer)
        if schema.get("$recursiveAnchor") is True and pointer in self._resources:
            self._dynamic.setdefault(base, {}).setdefault("", pointer)
        for steps, inner in _inside(schema):
            self._index(inner, below(pointer, *steps), base)

    def _identified(self, schema: dict[str, Any], pointer: str, base: str) -> str:
        """Note the identifier of a schema; return the URI to which the references in it are relative."""
        counts = not (pointer and self.is_old and "$ref" in schema)
        words = [self._identifier] if pointer else ["$id", "id"]  # a root that names no draft means the same by both
        names = [schema[word] for word in words if counts and isinstance(schema.get(word), str)]
        uri, _, anchor = _joined(base, *names[:1] or [""]).partition("#")
        if anchor:  # until draft 7 an $id was an anchor too
            self._name(f"{uri}#{unquote(anchor)}", pointer)
        if uri != base or not pointer:
            self._name(uri, pointer)
            self._resources[pointer] = uri
            if str(schema.get("$schema", self._draft)).rstrip("#") != self._draft.rstrip("#"):
                problem = f"a schema of another draft, {schema['$schema']!r:.80}, inside this one is not supported"
                raise UnsupportedSchema(problem, below(pointer, "$schema"))
        return uri

    def _name(self, uri: str, pointer: str) -> None:
        places = self._named.setdefault(uri, [])
        if places[-1:] != [pointer]:  # an anchor may be dynamic and plain at once
            places.append(pointer)

    def _resource_of(self, pointer: str) -> str:
        """Return the URI of the innermost document that a place is in."""
        while pointer not in self._resources:
            pointer = pointer.rpartition("/")[0]
        return self._resources[pointer]

    def _found(self, reference: Any, keyword: str, pointer: str, scope: Scope) -> str:
        """Return the pointer to what a reference means as it stands in the document."""
        place = below(pointer, keyword)
        if not isinstance(reference, str):
            raise InvalidSchema(f"{keyword} is {reference!r:.80}, not a text", place)
        uri, _, fragment = _joined(self._resource_of(pointer), reference).partition("#")
        fragment = unquote(fragment)
        if uri not in self._named:
            raise UnsupportedSchema(f"the {keyword} {reference!r:.80} to another document is not supported", place)
        if fragment and not fragment.startswith("/"):
            if f"{uri}#{fragment}" not in self._named:
                raise InvalidSchema(f"the {keyword} {reference!r:.80} leads nowhere: there is no such anchor", place)
            found = self._only(f"{uri}#{fragment}", place)
        else:
            found, fragment = self._only(uri, place) + fragment, ""
            self.at(found, reference, place)
        if keyword == "$ref" or self._dynamic.get(self._resource_of(found), {}).get(fragment) != found:
            return found
        return dict(scope).get(fragment, found)

    def _only(self, uri: str, place: str) -> str:
        if len(self._named[uri]) > 1:
            what = f"anchors {uri.partition('#')[2]!r:.80}" if "#" in uri else f"schemas with the $id {uri!r:.80}"
            raise UnsupportedSchema(f"there are several {what}, which is not supported", place)
        return self._named[uri][0]

    def _entered(self, scope: Scope, uri: str) -> Scope:
        """Return the scope inside a document: for names that are new to it, its own dynamic anchors count."""
        if self._is_simple:
            return ()
        new = tuple(sorted({**self._dynamic.get(uri, {}), **dict(scope)}.items()))
        self._scopes.add(new)
        if len(self._scopes) > MAX_SCOPES:
            raise LimitExceeded("a schema whose dynamic references depend on so many ways to them", MAX_SCOPES)
        return new

    def _scoped(self, schema: Any, pointer: str, scope: Scope) -> Any:
        """Return a copy of a schema, and of those inside it, with their references rewritten for a scope."""
        if self._is_simple or not isinstance(schema, dict):
            return schema
        if pointer in self._resources:
            scope = self._entered(scope, self._resources[pointer])
        if (pointer, scope) not in self._made:
            spend(2 + len(schema))
            found = Schema((keyword, copy(value)) for keyword, value in schema.items())
            for steps, inner in _inside(schema):
                holder: Any = found if len(steps) == 1 else found[steps[0]]
                holder[steps[-1]] = self._scoped(inner, below(pointer, *steps), scope)
            for keyword in schema.keys() & set(REFERENCES):
                found[keyword] = self._rewritten(schema[keyword], keyword, pointer, scope)
            self._made[pointer, scope] = found
        return self._made[pointer, scope]

    def _rewritten(self, reference: Any, keyword: str, pointer: str, scope: Scope) -> Any:
        """Return a reference from the root; one without a meaning stays, and is refused where it is followed."""
        try:
            return _written(self._found(reference, keyword, pointer, scope), scope)
        except (InvalidSchema, UnsupportedSchema):
            return reference


def _written(pointer: str, scope: Scope) -> str:
    text = f"{_REWRITTEN}{urlencode(scope)}#{quote(pointer, safe='/$~')}"
    spend(len(text) // 20)
    return text


def _joined(base: str, reference: str) -> str:
    """Return a reference as a URI; the base may be a URN too, of which ``urljoin`` knows nothing."""
    if not reference or reference.startswith("#"):
        return base + reference
    try:
        return urljoin(base, reference)
    except ValueError:  # half an address in brackets
        return reference


def _inside(schema: dict[str, Any]) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Yield the schemas in a schema's keywords, each with the steps to it. What other keywords hold is no schema."""
    for keyword, value in schema.items():
        if keyword in _OF_SCHEMAS and isinstance(value, dict):
            yield from (((keyword, key), inner) for key, inner in value.items())
        elif keyword in _SCHEMA_OR_LIST and isinstance(value, list):
            yield from (((keyword, number), inner) for number, inner in enumerate(value))
        elif keyword in _SCHEMA_OR_LIST:
            yield (keyword,), value
