"""From a JSON Schema to a grammar of its JSON texts.

What a value must satisfy at one place is a set of schemas. Each set is compiled once. A set that is met again while it
is being compiled becomes a rule, and the inner mention a call; any JSON value is such a rule, that of the empty set.
So a schema without recursion, and without a place for any value, is a single automaton.

Products and complements are made of schemas, never of automata with calls: ``allOf`` of two recursive schemas is the
rule of both together, and their brackets match because they are read together.
"""

from collections import Counter
from functools import cache
from typing import Any

from labkit.automata.dfa import Dfa
from labkit.automata.grammar import Grammar
from labkit.errors import LimitExceeded, UnsupportedSchema
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema.given.automata.operations import NOTHING, is_empty, union
from labs.lab_08_json_schema.given.compiling.enum_values import values_regex
from labs.lab_08_json_schema.given.compiling.whitespace import MAX_INDENT, Whitespace, policy
from labs.lab_08_json_schema.given.reading.check import check_document
from labs.lab_08_json_schema.given.reading.flat_schema import Child
from labs.lab_08_json_schema.given.schemas.reading.arrays import Array
from labs.lab_08_json_schema.given.schemas.reading.cases import KINDS, Case, everything
from labs.lab_08_json_schema.given.schemas.reading.objects import Object
from labs.lab_08_json_schema.given.schemas.reading.places import key_of
from labs.lab_08_json_schema.given.schemas.reading.reader import Reader
from labs.lab_08_json_schema.given.schemas.reading.scalars import PASSED_OVER, Few, Numeric, Text
from labs.lab_12_pushdown.given.schemas.building.arrays import array_automaton
from labs.lab_12_pushdown.given.schemas.building.letters import joined
from labs.lab_12_pushdown.given.schemas.building.objects import MOST_INSIDE, Objects
from labs.lab_12_pushdown.given.schemas.building.rules import ANY_VALUE, Rules, called
from labs.lab_12_pushdown.given.schemas.building.strings import few_automaton, numeric, string

MAX_DEPTH = 40
"""How deep schemas may be nested."""

MOST_NESTED = 300
"""The most states of an automaton that is copied into the one around it, except in a schema that needs no stack."""

MAX_WORK, MAX_NOVEL_WORK = 40_000, 8_000
"""The most states of all automata that are made for a schema that needs no stack; beyond, some become rules. The second
limit is for schemas that lab 08 refuses."""

SEVERAL = 4
"""So many cases of one type are not joined to one automaton, except in a schema that needs no stack."""

FREE_DEPTH = 16
"""How deep values are indented where nothing says how deep they are nested."""


def schema_grammar(schema: Any, *, whitespace: str = "flexible") -> Grammar:
    """Return a grammar of the JSON texts that a schema allows.

    Returns:
        One rule, a minimal automaton, if the schema needs no stack. If no value satisfies it, the root matches nothing.

    Raises:
        InvalidSchema: if the schema is malformed, or a ``$ref`` has no meaning.
        UnsupportedSchema: if a keyword is not covered.
        LimitExceeded: if it is nested too deep, falls into too many cases, or an automaton grows too large.

    >>> tree = schema_grammar({"type": "object", "properties": {"left": {"$ref": "#"}}, "additionalProperties": False})
    >>> len(tree), len(schema_grammar({"type": "integer"}))
    (1, 1)
    """
    check_document(schema)
    return place_grammar(schema, ((schema, ""),), whitespace)


def place_grammar(root: Any, child: Child, whitespace: str = "flexible") -> Grammar:
    """Return a grammar of the JSON texts that satisfy some schemas, all together; see ``schema_grammar``.

    Args:
        root: the document that they stand in, checked already.
        child: the schemas, each with its pointer.

    >>> document = {"type": "object", "properties": {"n": {"type": "integer"}}}
    >>> len(place_grammar(document, ((document["properties"]["n"], "/properties/n"),)))
    1
    """
    space = policy(whitespace)
    try:
        compiler = SchemaCompiler(root, space, regular=True)
        grammar = compiler.grammar(child)
        if whitespace != "flexible" or 4 * compiler.deepest <= MAX_INDENT:
            return grammar
        return SchemaCompiler(root, _indented(4 * compiler.deepest), regular=True).grammar(child)
    except (_NeedsRulesError, LimitExceeded):
        space = space if whitespace != "flexible" else _indented(4 * FREE_DEPTH)
        return SchemaCompiler(root, space).grammar(child)


def _depth(value: Any) -> int:
    """Return how deep arrays and objects are nested in a value."""
    if not isinstance(value, list | dict):
        return 0
    return 1 + max(map(_depth, value if isinstance(value, list) else value.values()), default=0)


@cache
def free(space: Whitespace, kind: str) -> Dfa:
    """Return the automaton of all values of a type; those in arrays and objects are calls of ``ANY_VALUE``."""
    case = everything()[kind][0]
    if isinstance(case, Few):
        return few_automaton(case)
    if isinstance(case, Numeric):
        return numeric(case)
    if isinstance(case, Text):
        return string(case, Rules())
    if isinstance(case, Array):
        return array_automaton(case, space, lambda _: called(ANY_VALUE), lambda _: None, Rules())
    return Objects(space, lambda _: called(ANY_VALUE), lambda _: everything(), Rules()).automaton(case)


@cache
def any_value(space: Whitespace) -> Dfa:
    """Return the body of the rule of any JSON value."""
    return joined([free(space, kind) for kind in KINDS])


def _indented(most: int) -> Whitespace:
    """Return the flexible policy with lines indented up to so many spaces."""
    gap = rf"(?: |\n {{0,{most}}})?"
    return Whitespace(edge=gap, comma=f",{gap}", colon=policy("flexible").colon)


class _NeedsRulesError(Exception):
    """A schema is not regular, or its one automaton would be large."""


class SchemaCompiler:
    """A compiler for the schemas of one document.

    Args:
        root: the whole schema, for references.
        space: the policy of white space.
        regular: whether to give up with ``_NeedsRulesError`` as soon as a rule would call itself. Otherwise many
            cases of one type become rules, since their automata, joined, may explode.

    Attributes:
        deepest: how deep arrays and objects were nested.
    """

    def __init__(self, root: Any, space: Whitespace, *, regular: bool = False) -> None:
        self.deepest = 0
        self.work = 0
        self._space = space
        self._regular = regular
        self._reader = Reader(root)
        self._rules = Rules()
        self._known: dict[frozenset[str], Dfa] = {}
        self._open: dict[frozenset[str], int | None] = {}
        self._objects = Objects(space, self.compile, self._reader.cases, self._rules)

    def grammar(self, child: Child) -> Grammar:
        """Return the grammar of the values that satisfy all schemas of ``child``."""
        return self._rules.grammar(self.compile(child))

    def compile(self, child: Child) -> Dfa:
        """Return the automaton of the values that satisfy all schemas of ``child``, perhaps the call of a rule."""
        child = self._reader.resolved(child)
        key = key_of(child)
        if key in self._known:
            return self._known[key]
        if key in self._open or not child:
            if self._regular:
                raise _NeedsRulesError
            if not child:
                self._rules.define(ANY_VALUE, any_value(self._space))
                return called(ANY_VALUE)
            number = self._open[key]
            if number is None:
                number = self._open[key] = self._rules.reserve(child[0][1] or "the root")
            return called(number)
        depth = len(self._open)
        if depth >= MAX_DEPTH:
            raise LimitExceeded(f"the schema at {child[0][1][:80]}... is nested too deep", MAX_DEPTH)
        self.deepest = max(self.deepest, depth)
        self._open[key] = None
        cases = self._reader.cases(child)
        everywhere = [(kind, case) for kind in KINDS for case in cases[kind]]
        written = [(kind, case) for kind, case in everywhere if case.voice != PASSED_OVER]
        if cases == everything() and len(written) == len(everywhere):
            del self._open[key]
            return self.compile(())
        found = self._joined(written)
        if len(written) < len(everywhere) and is_empty(found):
            found = self._joined(everywhere)
        number = self._open.pop(key)
        self.work += len(found)
        if self._regular and self.work > (MAX_NOVEL_WORK if self._reader.novel else MAX_WORK):
            raise _NeedsRulesError
        if number is None and not self._regular and self._open and len(found) > MOST_NESTED:
            number = self._rules.reserve(child[0][1])
        if number is not None:
            self._rules.define(number, found)
            found = called(number)
        self._known[key] = found
        return found

    def _joined(self, cases: list[tuple[str, Case]]) -> Dfa:
        """Return the automaton of all conjunctions; arrays and objects of ``enum`` are one expression, as in lab 08."""
        constants = [
            case.constant for _, case in cases if isinstance(case, Array | Object) and case.constant is not None
        ]
        automata = [compile_dfa(values_regex(constants, self._space))] if constants else []
        self.deepest = max(self.deepest, len(self._open) - 1 + max(map(_depth, constants), default=0))
        several = Counter(kind for kind, _ in cases)
        for kind, case in cases:
            if not isinstance(case, Array | Object) or case.constant is None:
                automaton = self._case(kind, case)
                if not self._regular and several[kind] >= SEVERAL and len(automaton) > MOST_INSIDE:
                    automaton = self._rules.add(f"one of several cases: {kind}", automaton)
                automata.append(automaton)
        return union(*automata) if self._regular and len(automata) < SEVERAL else joined(automata)

    def _case(self, kind: str, case: Case) -> Dfa:
        """Return the automaton of one conjunction."""
        if case.refused:
            if self._reader.emptiness.never(case):
                return NOTHING
            raise UnsupportedSchema(*case.refused[0])
        if case == everything()[kind][0]:
            if self._regular and kind in ("array", "object"):
                raise _NeedsRulesError
            self._rules.define(ANY_VALUE, any_value(self._space))
            return free(self._space, kind)
        if isinstance(case, Few):
            return few_automaton(case)
        if isinstance(case, Numeric):
            return numeric(case)
        if isinstance(case, Text):
            return string(case, self._rules)
        if isinstance(case, Array):
            return array_automaton(case, self._space, self.compile, self._reader.values_of, self._rules)
        return self._objects.automaton(case)
