"""From a JSON Schema to the tree of its JSON texts.

What a value must satisfy at one place is a set of schemas. Each set is built once; one that is met again while it is
being built is a rule, and the inner mention stands for it. So a tree is finite, however deep its texts may nest.
"""

from functools import lru_cache, partial
from math import inf
from typing import Any

from labkit.automata.trees import NOTHING, choice
from labkit.automata.work import at_most, spend, working_at
from labkit.errors import LimitExceeded, UnsupportedSchema
from labkit.reading import READINGS, Reading
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.check import check_document
from labs.lab_08_json_schema.given.subset import is_covered
from labs.lab_08_json_schema.given.whitespace import policy
from mask_engine.patterns.lazy import Later, Rule, Tree
from mask_engine.reading.arrays import Array
from mask_engine.reading.cases import KINDS, Case, everything
from mask_engine.reading.objects import Object
from mask_engine.reading.places import Child, key_of
from mask_engine.reading.reader import SchemaReader
from mask_engine.reading.scalars import PASSED_OVER, Few, Numeric, Text
from mask_engine.trees.arrays import Arrays
from mask_engine.trees.enum_values import values_tree
from mask_engine.trees.objects import Objects
from mask_engine.trees.pieces import Fewest
from mask_engine.trees.scalars import few_tree, number_tree, text_tree
from mask_engine.trees.shapes import Shapes
from mask_engine.trees.space import Space

MOST_WORK = 1_000_000
"""The most work for one schema, in units of ``labkit.automata.work``."""

FORM = READINGS["form"]

MAX_DEPTH = 40
"""How deep schemas may be nested."""


def schema_tree(schema: Any, *, whitespace: str = "flexible", reading: Reading = FORM) -> Tree | None:
    """Return the tree of the JSON texts that a schema allows; None if there are none.

    Raises:
        InvalidSchema: if the schema is malformed, or a ``$ref`` has no meaning.
        UnsupportedSchema: if a keyword is not covered.
        LimitExceeded: if it is nested too deep, falls into too many cases, or an automaton grows too large.
    """
    with at_most(MOST_WORK, "the schema"):
        check_document(schema)
        reader = SchemaReader(schema, reading)
        return place_tree(reader, ((reader.root, ""),), whitespace=whitespace)


def place_tree(reader: SchemaReader, child: Child, *, whitespace: str = "flexible") -> Tree | None:
    """Return the tree of the JSON texts that satisfy some schemas of a document, all together; see ``schema_tree``.

    Args:
        reader: of the document, which is checked already.
        child: the schemas, each with its pointer.
    """
    empty = set[frozenset[str]]()
    while True:
        trees = SchemaTrees(reader, whitespace, empty)
        tree = trees.value(child)
        # Rules were taken to have texts while they were built. Those that have none are left out the next time.
        found = trees.rules_without_texts()
        if not found:
            trees.space.settle(None if trees.nests_freely else trees.deepest)
            return None if tree is NOTHING else tree
        empty |= found


@lru_cache(maxsize=16)
def any_value(whitespace: str, reading: Reading) -> Rule:
    """Return the tree of any value: the rule that most schemas have somewhere."""
    trees = SchemaTrees(SchemaReader(True, reading), whitespace, set(), is_any=True)
    tree = trees.value(())
    trees.space.settle(None)
    assert isinstance(tree, Rule)
    return tree


class SchemaTrees:
    """Builds the trees of one document's schemas.

    Args:
        empty: the places, by ``key_of``, which no value satisfies.
        is_any: whether it's the tree of any value that's being built.

    Attributes:
        deepest: how deep arrays and objects are nested.
        nests_freely: whether there is no end to it.
    """

    def __init__(self, reader: SchemaReader, whitespace: str, empty: set[frozenset[str]], is_any: bool = False) -> None:
        self.deepest = 0
        self.nests_freely = False
        self.space = Space(whitespace)
        self._whitespace, self._reading, self._is_any = whitespace, reader.reading, is_any
        self._plain = reader.reading == FORM
        self._reader, self._empty = reader, empty
        self._known: dict[frozenset[str], tuple[Tree, int]] = {}
        self._open: dict[frozenset[str], Rule | None] = {}
        self._heights: list[int] = []
        self._rules: dict[frozenset[str], Rule] = {}
        self._shapes = Shapes(reader.document, reader.reading)
        self._later: dict[int, Later] = {}
        self._arrays = Arrays(self.space.trees, self.value, reader.values_of)
        self._objects = Objects(self.space.trees, self.value, reader.cases, reader.reading)

    def rules_without_texts(self) -> set[frozenset[str]]:
        """Return the places of the rules that, now that all are built, have no text."""
        fewest = Fewest()
        return {key for key, rule in self._rules.items() if key and fewest(rule) == inf}  # any value has some

    def value(self, child: Child) -> Tree:
        """Return the tree of the values that satisfy all schemas of ``child``."""
        child = self._reader.resolved(child)
        if not child and not self._is_any:
            self.nests_freely = True
            return any_value(self._whitespace, self._reading)
        if child and (found := self._built_later(child)) is not None:
            return found
        key = key_of(child)
        if key in self._empty:
            return NOTHING
        if key in self._known:
            tree, height = self._known[key]
            self._note(height)
            return tree
        if key in self._open:
            self.nests_freely = True
            rule = self._open[key]
            if rule is None:
                rule = self._open[key] = self._rules[key] = Rule(child[0][1] if child else "any value")
            return rule
        if len(self._open) >= MAX_DEPTH:
            raise LimitExceeded(f"the schema at {child[0][1][:80]}... is nested too deep", MAX_DEPTH)
        return self._entered(child, key)

    def _entered(self, child: Child, key: frozenset[str]) -> Tree:
        self._open[key] = None
        self._heights.append(0)
        try:
            found = self._built(child)
        finally:
            rule, height = self._open.pop(key), self._heights.pop()
        if rule is not None:
            rule.body, found = found, rule
        self._known[key] = found, height
        self._note(height)
        return found

    def _built_later(self, child: Child) -> Later | None:
        """Return what a plain schema becomes: a tree that's built when a text first reaches it; None for others."""
        schema, pointer = child[0]
        shape = self._shapes.of(schema, pointer) if len(child) == 1 else None
        if shape is None or len(self._open) + shape.depth >= MAX_DEPTH:
            return None
        self.nests_freely |= shape.free
        self._note(shape.depth)
        if id(schema) not in self._later:
            rules = [any_value(self._whitespace, self._reading)] if shape.free else []
            self._later[id(schema)] = Later(partial(self._build_now, child), self._shapes.beyond, rules)
        return self._later[id(schema)]

    def _build_now(self, child: Child) -> Tree:
        key = key_of(child)
        if key not in self._known:
            with at_most(MOST_WORK, "the schema"):
                self._entered(child, key)
        return self._known[key][0]

    def _note(self, height: int) -> None:
        """Note how deep a value is nested that is an item or a member of the one being built."""
        if self._heights:
            self._heights[-1] = max(self._heights[-1], height + 1)
        else:
            self.deepest = height

    def _as_in_the_lab(self, child: Child) -> Tree | None:
        """Return lab 08's own tree of a schema that it covers, with this compiler's trees inside; None for others."""
        if len(child) != 1 or not self._plain or not is_covered(child[0][0]):
            return None
        schema, pointer = child[0]
        if schema.get("properties") == {}:  # in the lab such an object is empty; here it's any
            return None
        inside = list[Tree]()

        def nested(part: Any, pointer: str) -> Tree:
            inside.append(self._objects.value(((part, pointer),)))
            return inside[-1]

        spend(20 * len(schema.get("properties", ())))
        found = lab.schema_tree(schema, space=self.space.trees, pointer=pointer, nested=nested)
        return None if any(tree is NOTHING for tree in inside) else found

    def _built(self, child: Child) -> Tree:
        if (found := self._as_in_the_lab(child)) is not None:
            return found
        cases = self._reader.cases(child)
        working_at(child[0][1] if child else "any value")
        everywhere = [(kind, case) for kind in KINDS for case in cases[kind]]
        implied = self._reading.implied
        written = [(kind, case) for kind, case in everywhere if not implied or case.voice != PASSED_OVER]
        if child and len(written) == len(everywhere) and cases == everything():
            return self.value(())
        found = self._joined(written)
        return found if len(written) == len(everywhere) or found is not NOTHING else self._joined(everywhere)

    def _joined(self, cases: list[tuple[str, Case]]) -> Tree:
        """Return the tree of all conjunctions; arrays and objects of ``enum`` are one expression, as in lab 08.

        Its members have one order. In any order, each constant is read as the case that it is.
        """
        values, trees = list[Any](), list[Tree]()
        for _, case in cases:
            if self._reading.order == "schema" and isinstance(case, Array | Object) and case.constant is not None:
                values.append(case.constant)
            else:
                trees.append(self._case(case))
        if values:
            self._heights[-1] = max(self._heights[-1], *map(_depth, values))
            trees.insert(0, values_tree(values, policy(self._whitespace)))
        return choice(trees)

    def _case(self, case: Case) -> Tree:
        """Return the tree of one conjunction."""
        if case.refused:
            if self._reader.emptiness.never(case):
                return NOTHING
            raise UnsupportedSchema(*case.refused[0])
        if isinstance(case, Few):
            return few_tree(case)
        if isinstance(case, Numeric):
            return number_tree(case, plain=self._reading.implied)
        if isinstance(case, Text):
            return text_tree(case)
        return self._arrays.tree(case) if isinstance(case, Array) else self._objects.tree(case)


def _depth(value: Any) -> int:
    """Return how deep arrays and objects are nested in a value."""
    if not isinstance(value, list | dict):
        return 0
    return 1 + max(map(_depth, value if isinstance(value, list) else value.values()), default=0)
