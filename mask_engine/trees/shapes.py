"""What a schema's keywords show at a glance: that it's covered and has a value, and how deep its values are nested.

Most schemas are so plain that this is certain without building anything. Their trees are built when a text first gets
there. All others are built at once, because only then we know whether they have to be refused, or have no value.
"""

from collections.abc import Sequence, Set
from math import inf
from typing import Any, NamedTuple

from labkit.automata.syntax import APART, ASCII, Chars, Ranges, beyond_ascii, with_flag
from labkit.automata.work import spend
from labkit.errors import InvalidSchema, UnsupportedSchema
from labkit.reading import Reading
from labs.lab_08_json_schema.given.keywords import BY_TYPE, REFUSED, speaks_of
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.values import has_type, type_of
from mask_engine.formats.registry import COVERED, UNCOVERED
from mask_engine.reading.bounds import first_integer, last_integer, read_bounds
from mask_engine.reading.places import Named, Schema
from mask_engine.reading.references import REFERENCES, Document
from mask_engine.reading.scalars import Numeric
from mask_engine.reading.texts import pattern_tree
from mask_engine.trees.pieces import Fewest

MOST_CHARACTERS = 1_000
"""The most characters of all values of a plain ``enum``."""

MOST_BRANCHES = 50
"""The most branches of a plain ``anyOf``."""

_KEYWORDS = {
    "null": frozenset[str](),
    "boolean": frozenset[str](),
    "integer": BY_TYPE["number"] - {"multipleOf"},
    "number": BY_TYPE["number"] - {"multipleOf"},
    "string": BY_TYPE["string"],
    "array": frozenset(("items", "additionalItems", "minItems", "maxItems", "uniqueItems")),
    "object": frozenset(("properties", "required", "additionalProperties")),
}
"""The keywords that a plain schema of each type may have."""

_ASCII_FORMATS = COVERED - {"iri", "iri-reference", "uri-template"}
"""The formats that treat all characters beyond ASCII alike."""

_OTHERS = frozenset(("type", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", *REFERENCES))
_CONSTRAINING = _OTHERS.union(REFUSED, *BY_TYPE.values())


class Shape(NamedTuple):
    """How deep arrays and objects are nested in the values of a plain schema, and whether there's no end to it."""

    depth: int = 0
    free: bool = False


def joined(shapes: Sequence[Shape | None], around: int = 0) -> Shape | None:
    """Return the shape of values that have one of some shapes; None if one of them isn't known.

    Args:
        around: 1 for that of an array or an object around such values.

    >>> joined([Shape(0), Shape(2)]), joined([Shape(1, free=True)], around=1), joined([], around=1), joined([None])
    (Shape(depth=2, free=False), Shape(depth=2, free=True), Shape(depth=0, free=False), None)
    """
    found = [each for each in shapes if each is not None]
    if len(found) < len(shapes):
        return None
    return Shape(max((each.depth + around for each in found), default=0), any(each.free for each in found))


ANY = Shape(free=True)
"""The shape of any value."""


class Shapes:
    """Finds the shapes of one document's schemas.

    Attributes:
        beyond: sets of characters beyond ASCII that plain schemas tell from others.

    Args:
        document: with the targets of references.
        reading: what counts where a schema says nothing.
    """

    def __init__(self, document: Document, reading: Reading) -> None:
        self._document, self._reading = document, reading
        self._known: dict[int, tuple[Any, Shape | None]] = {}
        self.beyond = set[Ranges]()

    def of(self, schema: Any, pointer: str) -> Shape | None:
        """Return the shape of a schema; None unless it's plain, and so are all schemas in it.

        >>> shapes = Shapes(Document({}), Reading())
        >>> shapes.of({"type": "array", "items": {"type": "string", "minLength": 2}}, "")
        Shape(depth=1, free=False)
        >>> print(shapes.of({"type": "string", "minLength": 2, "maxLength": 1}, ""))
        None
        """
        if isinstance(schema, Schema):
            schema = schema.bare
        if id(schema) not in self._known:
            self._known[id(schema)] = schema, None  # what holds itself isn't plain
            self._known[id(schema)] = schema, self._find(schema, pointer)
        return self._known[id(schema)][1]

    def _find(self, schema: Any, pointer: str) -> Shape | None:
        if isinstance(schema, bool) or not isinstance(schema, dict):
            return ANY if schema is True else None
        spend(20 + len(schema))
        asked = schema.keys() & _CONSTRAINING
        if asked == {"$ref"} or ("$ref" in asked and self._document.is_old):
            return self._target(schema, pointer)
        if not asked:
            return ANY
        if asked in ({"allOf"}, {"anyOf"}, {"oneOf"}):
            return self._of_branches(next(iter(asked)), schema, pointer)
        kinds = _kinds(schema, asked)
        if not asked.isdisjoint({"enum", "const"}):
            values = _values(schema, asked, kinds)
            self._note(*(value for value in values if isinstance(value, str)))
            return Shape() if values else None
        if not kinds or ("type" not in schema and (len(kinds) > 1 or not self._reading.implied)):
            return None
        if not asked <= {"type", "format"}.union(*map(_KEYWORDS.__getitem__, kinds)):
            return None
        if not isinstance(schema.get("format", ""), str):
            return None
        return joined([self._of_type(kind, schema, pointer) for kind in kinds])

    def _note(self, *texts: str) -> None:
        codes = (ord(character) for text in texts if not text.isascii() for character in text)
        self.beyond |= {((code, code),) for code in codes if code >= ASCII}

    def _target(self, schema: Any, pointer: str) -> Shape | None:
        try:
            target = self._document.target(schema, "$ref", pointer)
        except (InvalidSchema, UnsupportedSchema):
            return None
        return self.of(target.schema, target.pointer)

    def _of_branches(self, keyword: str, schema: dict[str, Any], pointer: str) -> Shape | None:
        """Return the shape of a schema that has nothing but branches, if they have little to do with each other."""
        branches, place = schema[keyword], below(pointer, keyword)
        if not isinstance(branches, list) or not 0 < len(branches) <= (1 if keyword == "allOf" else MOST_BRANCHES):
            return None
        shape = joined([self.of(each, below(place, index)) for index, each in enumerate(branches)])
        if shape is None:
            return None
        kinds = [kind for each in branches for kind in self._written(each, place)]
        if keyword == "anyOf":  # scalars may be of one type
            kinds = [kind for kind in kinds if kind in ("array", "object")]
        return None if len({*kinds}) < len(kinds) and len(branches) > 1 else shape

    def _written(self, schema: Any, pointer: str) -> list[str]:
        """Return the types of a plain schema that names them; arrays twice if it doesn't, as they're not alone then."""
        while isinstance(schema, dict) and "$ref" in schema:
            target = self._document.target(schema, "$ref", pointer)
            schema, pointer = target.schema, target.pointer
        if not isinstance(schema, dict) or schema.keys().isdisjoint({"type", "enum", "const"}):
            return ["array", "array"]
        if "type" not in schema:
            return [*{type_of(value) for value in schema.get("enum", [schema.get("const")])}]
        return [*{"number" if kind == "integer" else kind for kind in _kinds(schema, schema.keys())}]

    def _of_type(self, kind: str, schema: dict[str, Any], pointer: str) -> Shape | None:
        match kind:
            case "string":
                return Shape() if self._has_texts(schema, pointer) else None
            case "integer" | "number":
                return Shape() if _has_numbers(schema, kind == "integer") else None
            case "array":
                return self._of_array(schema, pointer)
            case "object":
                return self._of_object(schema, pointer)
        return Shape()

    def _has_texts(self, schema: dict[str, Any], pointer: str) -> bool:
        if not schema.keys().isdisjoint({"pattern"}):
            return schema.keys() & BY_TYPE["string"] == {"pattern"} and self._matches(schema, pointer)
        name = schema.get("format", "")
        if not _in_order(schema, "minLength", "maxLength"):
            return False
        if not self._reading.asserts_formats or name not in COVERED | UNCOVERED.keys():
            return True
        return name in _ASCII_FORMATS and schema.keys().isdisjoint({"minLength", "maxLength"})

    def _matches(self, schema: dict[str, Any], pointer: str) -> bool:
        """Return whether some text matches a pattern that is read into a tree, whose characters are noted."""
        if not isinstance(schema["pattern"], str):
            return False
        try:
            tree = pattern_tree(Named(schema["pattern"], below(pointer, "pattern")))
        except (InvalidSchema, UnsupportedSchema):
            return False
        if tree is None or Fewest()(tree) == inf:
            return False
        apart = (leaf for leaf in with_flag([tree], APART) if isinstance(leaf, Chars))
        self.beyond |= {beyond_ascii(leaf.ranges) for leaf in apart}
        return True

    def _of_array(self, schema: dict[str, Any], pointer: str) -> Shape | None:
        if not _in_order(schema, "minItems", "maxItems") or schema.get("maxItems") == 0:
            return None
        if schema.get("uniqueItems", False) is not False:
            return None
        return joined([self.of(schema.get("items", True), below(pointer, "items"))], around=1)

    def _of_object(self, schema: dict[str, Any], pointer: str) -> Shape | None:
        declared, required = schema.get("properties", {}), schema.get("required", [])
        if not (isinstance(declared, dict) and isinstance(required, list)):
            return None
        if not all(isinstance(key, str) and key in declared for key in required):
            return None
        self._note(*declared)
        others = schema.get("additionalProperties", not (declared and self._reading.closed))
        place = below(pointer, "properties")
        shapes = [self.of(inner, below(place, key)) for key, inner in declared.items()]
        if others is not False:
            shapes.append(self.of(others, below(pointer, "additionalProperties")))
        return joined(shapes, around=1)


def _kinds(schema: dict[str, Any], asked: Set[str]) -> set[str]:
    """Return the types that are asked for, or else those of which keywords speak; none if one of them is unknown."""
    named = schema.get("type", [*map(speaks_of, asked - {"enum", "const"})])
    kinds = named if isinstance(named, list) else [named]
    return {*kinds} if all(isinstance(kind, str) and kind in _KEYWORDS for kind in kinds) else set()


def _values(schema: dict[str, Any], asked: Set[str], kinds: set[str]) -> list[Any]:
    """Return the values of ``enum`` or ``const`` that have one of some types; none unless all are a few scalars."""
    values = schema.get("enum", [schema.get("const")])
    if not isinstance(values, list) or asked - {"type"} not in ({"enum"}, {"const"}):
        return []
    if not all(value is None or type(value) in (bool, int, str) for value in values):
        return []
    if sum(len(str(value)) for value in values) > MOST_CHARACTERS:
        return []
    return [value for value in values if "type" not in schema or any(has_type(value, kind) for kind in kinds)]


def _in_order(schema: dict[str, Any], least: str, most: str) -> bool:
    """Return whether two counts are counts, and the one isn't more than the other."""
    counts = [schema.get(least, 0), schema.get(most, 1 << 60)]
    return all(type(each) is int for each in counts) and 0 <= counts[0] <= counts[1]


def _has_numbers(schema: dict[str, Any], whole: bool) -> bool:
    """Return whether bounds are plain numbers of a few digits, with a number between them."""
    bounds = [schema[keyword] for keyword in schema.keys() & BY_TYPE["number"]]
    if not all(type(each) in (int, float) and (each == 0 or 1e-9 < abs(each) < 1e15) for each in bounds):
        return False
    low, high = read_bounds(schema, "")
    if whole:
        first, last = first_integer(low), last_integer(high)
        return first is None or last is None or first <= last
    return not Numeric(low, high).never()
