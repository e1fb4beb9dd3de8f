"""The automata of single arguments, for formats that do not write them as one JSON object."""

from labkit.automata.dfa import Dfa
from labkit.automata.grammar import called_rules
from labkit.errors import InvalidSchema, UnsupportedSchema
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from labs.lab_08_json_schema.given.automata.operations import ANY, difference, intersect, is_empty, union
from labs.lab_08_json_schema.given.compiling.markers import Markers
from labs.lab_08_json_schema.given.compiling.one_of import exactly_one
from labs.lab_08_json_schema.given.compiling.scalars import string_values
from labs.lab_08_json_schema.given.reading.check import check_document
from labs.lab_08_json_schema.given.reading.flat_schema import FlatSchema, Place
from labs.lab_08_json_schema.given.reading.flatten import Flattener
from labs.lab_08_json_schema.given.reading.pointers import below
from labs.lab_11_tool_calls.given.patterns import containing
from labs.lab_11_tool_calls.given.tools import Tool

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
        self._tool, root = tool, tool.parameters
        check_document(root)
        self._flattener = Flattener(root, lambda branches, at: exactly_one(branches, at, self._flattener.flatten))
        flats = self._flatten(((root, ""),))
        if len(flats) != 1 or flats[0].types != frozenset({"object"}):
            raise UnsupportedSchema("where parameters are written one by one, their schema is one object", "")
        flat = flats[0]
        flat.refuse("object")
        if flat.enum is not None or flat.least_members or flat.most_members is not None:
            raise UnsupportedSchema("where parameters are written one by one, only properties and required count", "")
        self._children = flat.properties
        if missing := [key for key in flat.required if key not in self._children]:
            raise UnsupportedSchema(f"the required parameter {missing[0]!r} has no schema", below("", "required"))
        self.members = [(key, key in flat.required) for key in self._children]

    def _flatten(self, child: tuple[Place, ...]) -> list[FlatSchema]:
        return self._flattener.flatten(child, frozenset({""}))

    def is_text(self, key: str) -> bool:
        """Return whether a parameter is a string, which is written as it is.

        Raises:
            UnsupportedSchema: if it may be a string or something else: ``1`` would be a number or a text.
        """
        flats = self._flatten(self._children[key])
        kinds = frozenset(kind for flat in flats for kind in flat.kinds())
        if "string" in kinds and len(kinds) > 1:
            raise UnsupportedSchema("a text without quotes would be a string or another value", self._pointer(key))
        return kinds == {"string"}

    def kinds(self, key: str) -> list[str]:
        """Return the JSON types that a parameter's value may have, an integer being a number."""
        kinds = {kind for flat in self._flatten(self._children[key]) for kind in flat.kinds()}
        return sorted({"number" if kind == "integer" else kind for kind in kinds})

    def as_text(self, key: str, stop: str, kind: str | None = None) -> Dfa:
        """Return the automaton of a parameter's value before ``stop``, which the value does not contain.

        Args:
            kind: one of ``kinds``, where the format says which of them the value is.
        """
        child = self._children[key]
        if kind is not None:
            child = (*child, ({"type": kind}, self._pointer(key)))
        if kind == "string" or (kind is None and self.is_text(key)):
            texts = intersect(_TEXT, union(*map(_strings, self._flatten(child))))
            return self._checked(key, difference(texts, containing(stop)))
        return self._checked(key, self._tool.compile(child, stop))

    def as_json(self, key: str) -> Dfa:
        """Return the automaton of a parameter's value as JSON writes it on one line: the next line is another call."""
        return self._checked(key, self._tool.compile(self._children[key], "\n"))

    def as_python(self, key: str) -> Dfa:
        """Return the automaton of a parameter's value as Python writes it; a string may stand in either quotes.

        Raises:
            UnsupportedSchema: if ``true``, ``false`` or ``null`` may stand inside an array or object: Python has
                other words for them.
        """
        json = self._tool.compile(self._children[key])
        if called_rules(json) or not is_empty(difference(intersect(json, _BARE), literals(_WORDS))):
            raise UnsupportedSchema("an array or object with true, false or null in it", self._pointer(key))
        words = literals(python for word, python in _WORDS.items() if fullmatch(json, word))
        quoted = [_in_single_quotes(flat) for flat in self._flatten(self._children[key]) if "string" in flat.kinds()]
        return self._checked(key, union(intersect(json, _ALIKE), words, *quoted))

    def _checked(self, key: str, automaton: Dfa) -> Dfa:
        if is_empty(automaton):
            raise InvalidSchema("no value satisfies the schema", self._pointer(key))
        return automaton

    def _pointer(self, key: str) -> str:
        return self._children[key][0][1]


def _in_single_quotes(flat: FlatSchema) -> Dfa:
    """Return the automaton of the strings of a flat schema that need no escape, in single quotes."""
    markers = Markers()
    return markers.compile(f"'{markers.add(intersect(_strings(flat), _UNESCAPED))}'")


def _strings(flat: FlatSchema) -> Dfa:
    """Return the automaton of the texts that a flat schema allows."""
    flat.refuse("string")
    if flat.enum is None:
        return string_values(flat)
    return intersect(literals(map(str, flat.members())), string_values(flat))
