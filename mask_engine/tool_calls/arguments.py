"""The arguments of a tool whose schemas have any keywords, as trees that are walked when a text first reaches them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import Any

from labkit.automata.dfa import Dfa
from labkit.automata.trees import NOTHING, choice
from labkit.errors import UnsupportedSchema
from labs.lab_08_json_schema.given.check import check_document
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.given.values import Arguments, Child, Write
from mask_engine.operations import ANY, intersect, union
from mask_engine.patterns.lazy import Tree
from mask_engine.reading.key_sets import holds
from mask_engine.reading.objects import Object
from mask_engine.reading.reader import SchemaReader
from mask_engine.reading.texts import text_values
from mask_engine.trees.compiler import place_tree
from mask_engine.trees.whole import in_full
from mask_engine.trees.within import within


class TreeArguments(Arguments):
    """Lab 11's arguments, for all keywords of JSON Schema.

    Raises:
        InvalidSchema: if the parameters are no document of JSON Schema.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> arguments = TreeArguments({"properties": {"chairs": {"minimum": 3}}, "required": ["chairs"]})
    >>> [fullmatch(arguments.as_object(), text) for text in ('{"chairs": 3}', '{"chairs": 2}', "{}")]
    [True, False, False]
    """

    def __init__(self, parameters: dict[str, Any], symbol: Callable[[Tree], Dfa] = in_full) -> None:
        check_document(parameters)
        super().__init__(parameters, symbol)

    @cached_property
    def _reader(self) -> SchemaReader:
        return SchemaReader(self.parameters)

    @cached_property
    def _case(self) -> Object:
        """The one case of the objects that the parameters allow, if it has properties and nothing else.

        Raises:
            UnsupportedSchema: if there are other keywords that count.
        """
        cases = self._reader.cases(self.whole)["object"]
        if len(cases) != 1:
            raise UnsupportedSchema("where parameters are written one by one, their schema is one object", "")
        case: Object = cases[0]
        if case.refused:
            raise UnsupportedSchema(*case.refused[0])
        required = case.required()
        if case.constant is not None or case.most is not None or max(case.least, len(case.some)) > len(required):
            raise UnsupportedSchema("where parameters are written one by one, only properties and required count", "")
        if missing := [key for key in required if key not in case.declared]:
            raise UnsupportedSchema(f"the required parameter {missing[0]!r} has no schema", below("", "required"))
        return case

    @property
    def whole(self) -> Child:
        """The schemas of all arguments together."""
        return (self._reader.root, ""), ({"type": "object"}, "")

    @cached_property
    def children(self) -> dict[str, Child]:
        """The schemas of each argument, wherever in the parameters they are."""
        case, cases_of = self._case, self._reader.cases
        clauses = (*case.every, *case.some)
        return {
            key: tuple(place for one in clauses if holds(one.keys, key, cases_of) for place in one.child)
            for key in case.declared
        }

    @property
    def members(self) -> list[tuple[str, bool]]:
        """Each argument in the order in which they're written, and whether it's required."""
        required = self._case.required()
        return [(key, key in required) for key in self._case.declared]

    def kinds(self, child: Child) -> list[str]:
        """Return the JSON types that a value may have."""
        return sorted(kind for kind, cases in self._reader.cases(child).items() if cases)

    def json(self, child: Child) -> Tree:
        """Return the tree of some values as JSON."""
        found = place_tree(self._reader, child)
        return NOTHING if found is None else found

    def texts(self, child: Child) -> Dfa:
        """Return the automaton of those values that are strings, as plain texts."""
        cases = self._reader.cases(child)["string"]
        for case in cases:
            if case.refused and not self._reader.emptiness.never(case):
                raise UnsupportedSchema(*case.refused[0])
        return intersect(ANY, union(*map(text_values, cases)))

    def within(self, tree: Tree, dfa: Dfa) -> Tree:
        """Return the tree of the texts that an automaton matches."""
        return within(tree, dfa)

    def either(self, trees: Sequence[Tree]) -> Tree:
        """Return the tree of the texts of any of some trees."""
        return choice(trees)

    def built(self, write: Write, child: Child, stop: str) -> Tree:
        """Return the tree of some values as they are written, the same one for equal schemas."""
        return _built(json.dumps(self.parameters), json.dumps(child), write, stop)


@lru_cache(maxsize=1024)
def _built(parameters: str, child: str, write: Write, stop: str) -> Tree:
    arguments = TreeArguments(json.loads(parameters))
    tree: Tree = write(arguments, tuple(map(tuple, json.loads(child))), stop)
    return tree


def with_all_keywords(tools: Sequence[Tool], symbol: Callable[[Tree], Dfa] = in_full) -> list[Tool]:
    """Return tools whose arguments may have all keywords of JSON Schema.

    Args:
        symbol: makes what stands for a tree in the automaton of an answer; by default all of the tree's states.

    >>> (tool,) = with_all_keywords([Tool("keep", {"type": "object", "minProperties": 1})])
    >>> tool.arguments.as_object()
    Traceback (most recent call last):
    labkit.errors.UnsupportedSchema: values that nest without end have no automaton in full, at the root of the schema
    """
    return [replace(tool, read=partial(TreeArguments, symbol=symbol)) for tool in tools]
