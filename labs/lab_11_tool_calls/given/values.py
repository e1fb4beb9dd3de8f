"""How arguments are written, as JSON, as in Python, or as plain text; and the arguments of a tool one by one.

Your functions of labs 06 and 08 make the automata here, so a tool's schemas have the keywords of lab 08. With
``mask_engine/tool_calls/arguments.py`` they may have all keywords, and the rest of the lab doesn't notice.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from labkit.automata.dfa import Dfa
from labkit.automata.syntax import Node
from labkit.automata.trees import NOTHING, times
from labkit.errors import InvalidSchema, UnsupportedSchema
from labs.lab_06_regex_to_dfa.given.unfolding import explored
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, nfa_to_dfa, parse_tree, unfold
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.sharing import shared_text
from labs.lab_08_json_schema.given.subset import check_subset
from labs.lab_08_json_schema.given.values import type_of
from labs.lab_08_json_schema.given.whitespace import POLICIES
from labs.lab_08_json_schema.solution import all_of, any_of, complement, schema_tree
from labs.lab_11_tool_calls.given.markers import Markers, lacking

Child = tuple[tuple[Any, str], ...]
"""The schemas that a value must all satisfy, each with its JSON pointer in the tool's parameters."""

Tree = Any
"""What stands for some texts: an automaton, or the engine's tree; ``NOTHING`` if there are none."""

Write = Callable[["Arguments", Child, str], Tree]
"""Given the arguments, the schemas of one, and a text that ends it: the tree of its values as they are written."""

_TEXT = compile_dfa(r"[^\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]*")
"""Texts that stand as they are. Control characters are left out: some stand for special tokens (``spelling``)."""

_ESCAPE = r'\\(["\\bfnrt]|u([0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2}))'
"""What JSON and Python read alike after a backslash: not ``/``, nor a character as two surrogates."""

_ALIKE = compile_dfa(rf'([^"tfn\\]|"([^"\\]|{_ESCAPE})*")*')
"""What JSON and Python write alike: outside quotes only ``true``, ``false`` and ``null`` begin with t, f or n."""

_UNESCAPED = compile_dfa(r"[^\x00-\x1f'\\]*")
"""Texts that Python reads as they stand between single quotes."""

_WORDS = {"true": "True", "false": "False", "null": "None"}

_INNER = all_of([compile_dfa(r'([^"tfn\\]|"([^"\\]|\\(?s:.))*")*[tfn](?s:.)*'), complement(literals(_WORDS))])
"""Texts with one of the three words outside quotes, and more."""


def json_values(arguments: "Arguments", child: Child, stop: str) -> Tree:
    """Return the tree of some values as JSON.

    Raises:
        InvalidSchema, UnsupportedSchema, LimitExceeded: see lab 08.
    """
    found = arguments.json(child)
    return arguments.within(found, lacking(stop)) if stop else found


def plain_texts(arguments: "Arguments", child: Child, stop: str) -> Tree:
    """Return the automaton of some strings as they stand, without quotes."""
    return some(all_of([_TEXT, arguments.texts(child), lacking(stop)]))


def python_values(arguments: "Arguments", child: Child, stop: str) -> Tree:
    """Return the tree of some values as Python writes them; a string may stand in either quotes.

    Raises:
        UnsupportedSchema: if ``true``, ``false`` or ``null`` may stand inside an array or object: Python has other
            words for them.
    """
    json = arguments.json(child)
    if arguments.within(json, _INNER) is not NOTHING:
        raise UnsupportedSchema("an array or object with true, false or null in it", child[0][1])
    words = [
        literals([python]) for word, python in _WORDS.items() if arguments.within(json, literals([word])) is not NOTHING
    ]
    markers = Markers()
    single = some(markers.compile(f"'{markers.add(all_of([arguments.texts(child), _UNESCAPED]))}'"))
    return arguments.either([arguments.within(json, _ALIKE), *words, single])


def some(dfa: Dfa) -> Tree:
    """Return an automaton, or ``NOTHING`` if it matches no text.

    >>> some(literals([])) is NOTHING
    True
    """
    return NOTHING if shared_text([dfa]) is None else dfa


def _automaton(tree: Node) -> Dfa:
    return minimize_dfa(nfa_to_dfa(explored(tree, unfold)))


class Arguments:
    """The arguments of a tool, all together or one by one.

    Args:
        parameters: the tool's schema, an object. ``additionalProperties: false`` is what it means anyway.
        symbol: makes what stands for a tree in the automaton of an answer; by default the tree is an automaton.

    Raises:
        InvalidSchema, UnsupportedSchema: see lab 08.

    >>> city = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    >>> arguments = Arguments(city)
    >>> arguments.members, arguments.is_text("city")
    ([('city', True)], True)
    """

    def __init__(self, parameters: dict[str, Any], symbol: Callable[[Tree], Dfa] = lambda tree: tree) -> None:
        self.parameters, self.symbol = parameters, symbol

    # What the schemas say, which the engine knows for all keywords ---------------------------------------------

    @property
    def whole(self) -> Child:
        """The schemas of all arguments together."""
        return (self._schema, ""), ({"type": "object"}, "")

    @cached_property
    def children(self) -> dict[str, Child]:
        """The schemas of each argument.

        >>> Arguments({"type": "object", "properties": {"a": {"type": "null"}}}).children
        {'a': (({'type': 'null'}, '/properties/a'),)}
        """
        properties = self._schema["properties"]
        return {key: ((schema, below("", "properties", key)),) for key, schema in properties.items()}

    @property
    def members(self) -> list[tuple[str, bool]]:
        """Each argument in the order in which they're written, and whether it's required."""
        return [(key, key in self._schema.get("required", ())) for key in self.children]

    @cached_property
    def _schema(self) -> dict[str, Any]:
        parameters = dict(self.parameters)
        if parameters.get("additionalProperties") is False:
            del parameters["additionalProperties"]
        return check_subset(parameters, "")

    def kinds(self, child: Child) -> list[str]:
        """Return the JSON types that a value may have, an integer being a number.

        >>> Arguments({}).kinds((({"enum": ["a", 1, 2.5]}, ""),))
        ['number', 'string']
        """
        schema = check_subset(*child[0])
        kinds = [schema["type"]] if "type" in schema else map(type_of, schema["enum"])
        return sorted({"number" if kind == "integer" else kind for kind in kinds})

    def json(self, child: Child) -> Tree:
        """Return the tree of some values as JSON, with white space as ``json.dumps`` writes it.

        >>> Arguments({}).json((({"enum": []}, ""),)) is NOTHING
        True
        """
        schema, kind = self._narrowed(child)
        if kind not in (None, *self.kinds(child)):
            return NOTHING
        return some(_automaton(schema_tree(schema, space=POLICIES["flexible"], pointer=child[0][1])))

    def texts(self, child: Child) -> Dfa:
        """Return the automaton of those values that are strings, as plain texts.

        >>> len(Arguments({}).texts((({"type": "string", "maxLength": 3}, ""),)))
        4
        """
        schema, _ = self._narrowed(child)
        if "string" not in self.kinds(child):
            return literals([])
        if "enum" in schema:
            return literals([value for value in schema["enum"] if isinstance(value, str)])
        least, most = schema.get("minLength", 0), schema.get("maxLength")
        return _automaton(times(parse_tree(r"[^\ud800-\udfff]"), least, most))

    def _narrowed(self, child: Child) -> tuple[dict[str, Any], str | None]:
        """Return a schema, of one type if a second schema asks for that, and this type."""
        (schema, pointer), *others = child
        kind = next((other["type"] for other, _ in others), None)
        return check_subset({"type": kind, **schema} if kind else schema, pointer), kind

    # Texts, which are the engine's trees or, here, automata ----------------------------------------------------

    def within(self, tree: Tree, dfa: Dfa) -> Tree:
        """Return the tree of the texts that an automaton matches.

        >>> Arguments({}).within(compile_dfa("a"), compile_dfa("b")) is NOTHING
        True
        """
        return NOTHING if tree is NOTHING else some(all_of([tree, dfa]))

    def either(self, trees: Sequence[Tree]) -> Tree:
        """Return the tree of the texts of any of some trees.

        >>> Arguments({}).either([NOTHING]) is NOTHING
        True
        """
        found = [tree for tree in trees if tree is not NOTHING]
        return any_of(found) if found else NOTHING

    def built(self, write: Write, child: Child, stop: str) -> Tree:
        """Return the tree of some values as they are written."""
        return write(self, child, stop)

    # How they are written ------------------------------------------------------------------------------------

    def compile(self, child: Child, write: Write, stop: str = "") -> Dfa:
        """Return the automaton of the values that satisfy some schemas.

        Args:
            write: says how values are written.
            stop: a text that ends the value, so that no value contains it; none if it is empty.

        Raises:
            InvalidSchema: if there is no value.

        >>> len(Arguments({}).compile((({"type": "null"}, ""),), json_values))
        5
        """
        tree = self.built(write, child, stop)
        if tree is NOTHING:
            raise InvalidSchema("no value satisfies the schema", child[0][1])
        return self.symbol(tree)

    def as_object(self) -> Dfa:
        """Return the automaton of all arguments together, as a JSON object."""
        return self.compile(self.whole, json_values)

    def is_text(self, key: str) -> bool:
        """Return whether an argument is a string, which is written as it is.

        Raises:
            UnsupportedSchema: if it may be a string or something else: ``1`` would be a number or a text.
        """
        kinds = self.kinds(self.children[key])
        if "string" in kinds and len(kinds) > 1:
            raise UnsupportedSchema("a text without quotes would be a string or another value", self._pointer(key))
        return kinds == ["string"]

    def written(self, key: str, values: str, stop: str = "", kind: str | None = None) -> Dfa:
        """Return the automaton of an argument's value.

        Args:
            values: how a format writes it: ``json`` (on one line: the next one is another call), ``python`` or
                ``text``.
            stop: what comes after a ``text``, and isn't in it.
            kind: one of ``kinds``, where the format says which of them the value is.
        """
        child = self.children[key]
        if values != "text":
            return self.compile(child, python_values) if values == "python" else self.compile(child, json_values, "\n")
        if kind is not None:
            child = (*child, ({"type": kind}, self._pointer(key)))
        is_text = kind == "string" or (kind is None and self.is_text(key))
        return self.compile(child, plain_texts if is_text else json_values, stop)

    def _pointer(self, key: str) -> str:
        child = self.children[key]
        return child[0][1] if child else below("", "properties", key)
