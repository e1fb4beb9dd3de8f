"""The formats in which models write tool calls: the rows of ``formats.toml``.

A **block** is what a format writes for one call or several: a trigger, an opening, calls, a closing.
"""

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from string import Formatter
from typing import Any

from labkit.automata.trees import regex_of
from labkit.small_model.tasks.tool_calls import STYLES
from labs.lab_08_json_schema.given.whitespace import POLICIES

FIELDS = ("ws", "index", "id", "name", "arguments", "object", "parameters", "native", "key", "value", "string", "type")
"""What a template may have in braces."""

FIXED = {
    "ws": regex_of(POLICIES["flexible"].edge),
    "index": "(?:0|[1-9][0-9]{0,2})",
    "id": "[0-9A-Za-z]{9}",
    "string": "(?:true|false)",
    "type": "(?:string|number|boolean|array|object|null)",
}
"""The patterns of fields that are the same for every call."""

BODIES = {
    "object": "JSON object",
    "arguments": "name, then JSON",
    "parameters": "name, then parameters",
    "native": "its own syntax",
}
"""The kinds of bodies. You can tell them by a field in the template."""


@dataclass(frozen=True)
class Format:
    """One row of the table.

    Attributes:
        triggers: a block begins with one of them.
        special: texts that are single special tokens in the vocabularies of the models that write this format.
        forbidden: texts that parsers would take for a call: free text must not have them, and no call opens with one.
        headers: whether free text has special texts too, because each message begins with a header. In other formats
            they occur only in calls.
        begun: the start of a message, if the prompt has written it already. The answer continues from there.
        certain: whether a trigger alone opens a call. If not, the text after it has to fit a call first.
        inside: whether the trigger is a part of the call, so that the templates write it again.
        opening, closing: templates of the text between the trigger and the first call, and of that after the last.
        calls: templates of a call; any of them will do.
        keys: for ``{object}``: the key of the name, then the keys that the arguments may have.
        number: for ``{object}``: the key of the call's number, which comes first, or nothing.
        id: for ``{object}``: the key of the call's id, which may come last, or nothing.
        parameter: the template of one of the ``{parameters}``.
        values: how ``{value}`` is written: ``text`` (strings as they are, all else as JSON), ``json`` or ``python``.
        separator: the text between two parameters.
        between: the template of the text between two calls of a block; None if a block has only one call.
        repeat: the text between two blocks; None if there's only one block.
        around: pairs of texts that the format may put before and after a block.
        ends_turn: whether the answer ends with its last block.
        thinks: the texts around a thinking block. The prompt writes the first.
        constrained: whether the calls have an automaton. If not, only the parser reads them, and ``why`` says why.

    >>> FORMATS["hermes"].triggers
    ('<tool_call>',)
    """

    name: str
    triggers: tuple[str, ...]
    calls: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    special: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    headers: bool = False
    begun: str = ""
    certain: bool = True
    inside: bool = False
    opening: str = ""
    closing: str = ""
    keys: tuple[str, ...] = ("name", "arguments")
    number: str = ""
    id: str = ""
    parameter: str = ""
    values: str = "text"
    separator: str = ""
    between: str | None = None
    repeat: str | None = None
    around: tuple[tuple[str, str], ...] = ()
    ends_turn: bool = False
    thinks: tuple[str, str] = ("<think>", "</think>")
    constrained: bool = True
    why: str = ""

    @property
    def body(self) -> str:
        """The kind of its calls, one of ``BODIES``.

        >>> FORMATS["mistral_v13"].body
        'name, then JSON'
        """
        return next(kind for field, kind in BODIES.items() if any(field in fields_of(call) for call in self.calls))

    @property
    def whole(self) -> bool:
        """Whether the arguments of a call are one JSON object."""
        return all({"object", "arguments"} & set(fields_of(call)) for call in self.calls)

    @property
    def parallel(self) -> bool:
        """Whether an answer may have two calls."""
        return self.between is not None or self.repeat is not None


def pieces(template: str) -> tuple[tuple[str, str], ...]:
    """Return a template's fields, each with the text before it; the last field is empty.

    Raises:
        ValueError: if there is no such field.

    >>> pieces("<function={name}>")
    (('<function=', 'name'), ('>', ''))
    """
    found = [(text, field or "") for text, field, _, _ in Formatter().parse(template)]
    if unknown := [field for _, field in found if field not in ("", *FIELDS)]:
        raise ValueError(f"a template has no field {unknown[0]!r}: {template!r}")
    return tuple(found) if found and not found[-1][1] else (*found, ("", ""))


def fields_of(template: str) -> tuple[str, ...]:
    """Return the names of a template's fields.

    >>> fields_of("{name}:{index}")
    ('name', 'index')
    """
    return tuple(field for _, field in pieces(template) if field)


def stop_after(parts: tuple[tuple[str, str], ...], place: int) -> str:
    """Return the text that ends a field: what follows it, as far as no end of that text is its prefix again.

    Otherwise two ends could overlap: a value that ends with ``\\n</p>`` before ``\\n</p>\\n``.

    >>> stop_after(pieces("<p>\\n{value}\\n</p>\\n"), 0)
    '\\n</p>'
    """
    text = parts[place + 1][0]
    while any(text.startswith(text[-size:]) for size in range(1, len(text))):
        text = text[:-1]
    return text


def read_formats(path: Path) -> dict[str, Format]:
    """Read a table of formats.

    Raises:
        ValueError: if a column does not exist.

    >>> len(FORMATS)
    35
    """
    columns = {column.name for column in fields(Format)}
    table: dict[str, Format] = {}
    for name, row in tomllib.loads(path.read_text(encoding="utf-8")).items():
        if unknown := sorted(row.keys() - columns):
            raise ValueError(f"the format {name} has no column {unknown[0]!r}")
        table[name] = Format(name, **{column: _frozen(value) for column, value in row.items()})
    return table


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


FORMATS = read_formats(Path(__file__).with_name("formats.toml"))
"""The formats by name."""

_CORPUS = {"llama": "llama3_json", "qwen": "qwen3_coder", "mistral_v11": "mistral_bare"}
WRITTEN = {FORMATS[_CORPUS.get(style, style)]: style for style in STYLES}
"""The formats that the small model writes, each with its name in the corpus. Three of these names are, in the table,
those of other formats."""


def format_named(name: str) -> Format:
    """Return the format with a name or alias.

    Raises:
        ValueError: if there is none.

    >>> format_named("devstral").name
    'mistral_v13'
    >>> format_named("yaml")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ValueError: no format of tool calls is named 'yaml'; there are hermes, qwen25, ...
    """
    for row in FORMATS.values():
        if name in (row.name, *row.aliases):
            return row
    raise ValueError(f"no format of tool calls is named {name!r}; there are {', '.join(FORMATS)}")
