"""How arguments are written, as JSON, as in Python, or as plain text; and the parameters of a tool one by one."""

from labkit.automata.dfa import Dfa
from labkit.automata.trees import NOTHING, char, choice, row
from labkit.errors import UnsupportedSchema
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema.given.check import check_document
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_11_tool_calls.given.patterns import lacking
from labs.lab_11_tool_calls.given.tools import Tool
from mask_engine.operations import ANY, difference, intersect, is_empty, union
from mask_engine.patterns.lazy import Tree
from mask_engine.reading.flat_schema import Child
from mask_engine.reading.key_sets import holds
from mask_engine.reading.reader import SchemaReader
from mask_engine.reading.texts import text_values
from mask_engine.trees.compiler import place_tree
from mask_engine.trees.within import within

_TEXT = intersect(ANY, compile_dfa(r"[^\x00-\x08\x0b\x0c\x0e-\x1f]*"))
"""Texts that stand as they are. Control characters are left out: some stand for special tokens (``spelling``)."""

_ESCAPE = r'\\(["\\bfnrt]|u([0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}))'
"""What JSON and Python read alike after a backslash: not ``/``, nor a character as two surrogates."""

_ALIKE = compile_dfa(rf'([^"tfn\\]|"([^"\\]|{_ESCAPE})*")*')
"""What JSON and Python write alike: outside quotes only ``true``, ``false`` and ``null`` begin with t, f or n."""

_BARE = compile_dfa(r'([^"tfn\\]|"([^"\\]|\\(?s:.))*")*[tfn](?s:.)*')
"""Texts with one of the three words outside quotes."""

_UNESCAPED = compile_dfa(r"[^\x00-\x1f'\\]*")
"""Texts that Python reads as they stand between single quotes."""

_WORDS = {"true": "True", "false": "False", "null": "None"}


def json_values(reader: SchemaReader, child: Child, stop: str) -> Tree:
    """Return the tree of some values as JSON.

    Raises:
        InvalidSchema, UnsupportedSchema, LimitExceeded: see lab 08.
    """
    found = place_tree(reader, child)
    return NOTHING if found is None else within(found, lacking(stop)) if stop else found


def plain_texts(reader: SchemaReader, child: Child, stop: str) -> Tree:
    """Return the automaton of some strings as they stand, without quotes."""
    texts = intersect(_TEXT, _strings(reader, child))
    found = intersect(texts, lacking(stop))
    return NOTHING if is_empty(found) else found


def python_values(reader: SchemaReader, child: Child, stop: str) -> Tree:
    """Return the tree of some values as Python writes them; a string may stand in either quotes.

    Raises:
        UnsupportedSchema: if ``true``, ``false`` or ``null`` may stand inside an array or object: Python has other
            words for them.
    """
    json = json_values(reader, child, stop)
    if within(json, difference(_BARE, literals(_WORDS))) is not NOTHING:
        raise UnsupportedSchema("an array or object with true, false or null in it", child[0][1])
    words = [literals([python]) for word, python in _WORDS.items() if within(json, literals([word])) is not NOTHING]
    unescaped = intersect(_strings(reader, child), _UNESCAPED)
    single = NOTHING if is_empty(unescaped) else row(char("'"), unescaped, char("'"))
    return choice([within(json, _ALIKE), *words, single])


def _strings(reader: SchemaReader, child: Child) -> Dfa:
    """Return the automaton of the strings that satisfy some schemas."""
    cases = reader.cases(child)["string"]
    for case in cases:
        if case.refused and not reader.emptiness.never(case):
            raise UnsupportedSchema(*case.refused[0])
    return intersect(ANY, union(*map(text_values, cases)))


class Arguments:
    """The parameters of one tool, read one by one.

    Raises:
        InvalidSchema, UnsupportedSchema: see lab 08; also if the schema is not of an object with ``properties`` alone.

    >>> city = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    >>> arguments = Arguments(Tool("get_weather", city))
    >>> [(key, required) for key, required in arguments.members]
    [('city', True)]
    >>> arguments.is_text("city")
    True
    """

    def __init__(self, tool: Tool) -> None:
        self._tool = tool
        check_document(tool.parameters)
        self._reader = SchemaReader(tool.parameters)
        cases = self._reader.cases(((self._reader.root, ""), ({"type": "object"}, "")))["object"]
        if len(cases) != 1:
            raise UnsupportedSchema("where parameters are written one by one, their schema is one object", "")
        case = cases[0]
        if case.refused:
            raise UnsupportedSchema(*case.refused[0])
        required = case.required()
        if (
            case.constant is not None
            or case.least > len(required)
            or case.most is not None
            or len(required) < len(case.some)
        ):
            raise UnsupportedSchema("where parameters are written one by one, only properties and required count", "")
        if missing := [key for key in required if key not in case.declared]:
            raise UnsupportedSchema(f"the required parameter {missing[0]!r} has no schema", below("", "required"))
        self._children: dict[str, Child] = {
            key: tuple(
                place
                for one in (*case.every, *case.some)
                if holds(one.keys, key, self._reader.cases)
                for place in one.child
            )
            for key in case.declared
        }
        self.members = [(key, key in required) for key in case.declared]

    def is_text(self, key: str) -> bool:
        """Return whether a parameter is a string, which is written as it is.

        Raises:
            UnsupportedSchema: if it may be a string or something else: ``1`` would be a number or a text.
        """
        kinds = self.kinds(key)
        if "string" in kinds and len(kinds) > 1:
            raise UnsupportedSchema("a text without quotes would be a string or another value", self._pointer(key))
        return kinds == ["string"]

    def kinds(self, key: str) -> list[str]:
        """Return the JSON types that a parameter's value may have, an integer being a number."""
        return sorted(kind for kind, cases in self._reader.cases(self._children[key]).items() if cases)

    def as_text(self, key: str, stop: str, kind: str | None = None) -> Dfa:
        """Return the automaton of a parameter's value before ``stop``, which the value does not contain.

        Args:
            kind: one of ``kinds``, where the format says which of them the value is.
        """
        child = self._children[key]
        if kind is not None:
            child = (*child, ({"type": kind}, self._pointer(key)))
        is_text = kind == "string" or (kind is None and self.is_text(key))
        return self._tool.compile(child, plain_texts if is_text else json_values, stop)

    def as_json(self, key: str) -> Dfa:
        """Return the automaton of a parameter's value as JSON writes it on one line: the next line is another call."""
        return self._tool.compile(self._children[key], json_values, "\n")

    def as_python(self, key: str) -> Dfa:
        """Return the automaton of a parameter's value as Python writes it."""
        return self._tool.compile(self._children[key], python_values)

    def _pointer(self, key: str) -> str:
        child = self._children[key]
        return child[0][1] if child else below("", "properties", key)
