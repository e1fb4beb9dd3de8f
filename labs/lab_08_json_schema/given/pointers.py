"""JSON pointers (RFC 6901): places in a schema, and the target of a local ``$ref``."""

from typing import Any
from urllib.parse import unquote

from labkit.errors import InvalidSchema, UnsupportedSchema

_ANCHORS = ("$anchor", "$dynamicAnchor")


def below(pointer: str, *steps: str | int) -> str:
    """Return the pointer to something further down.

    >>> below("/properties", "a/b~c", 0)
    '/properties/a~1b~0c/0'
    """
    return pointer + "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def resolve(root: Any, reference: Any, pointer: str) -> tuple[Any, str]:
    """Return the schema that a ``$ref`` refers to, and the pointer to it.

    Args:
        root: the whole schema.
        reference: the value of ``$ref``: ``#``, ``#/$defs/name``, or ``#anchor``.
        pointer: the pointer to the ``$ref``, for errors.

    Raises:
        UnsupportedSchema: if it refers to another document.
        InvalidSchema: if there is nothing at its place.

    >>> resolve({"$defs": {"a b": {"type": "null"}}}, "#/$defs/a%20b", "/$ref")
    ({'type': 'null'}, '/$defs/a b')
    """
    if not isinstance(reference, str):
        raise InvalidSchema(f"$ref is {reference!r:.80}, not a text", pointer)
    document, _, fragment = reference.partition("#")
    if document and not (isinstance(root, dict) and document == root.get("$id", root.get("id"))):
        raise UnsupportedSchema(f"the $ref {reference!r:.80} to another document is not supported", pointer)
    fragment = unquote(fragment)
    if fragment and not fragment.startswith("/"):
        return _find_anchor(root, fragment, pointer)
    return _walk(root, fragment, f"the $ref {reference!r:.80}", pointer)


def _walk(root: Any, fragment: str, what: str, pointer: str) -> tuple[Any, str]:
    """Follow a pointer from the root."""
    current = root
    for step in fragment.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(current, dict) and name in current:
            current = current[name]
        elif isinstance(current, list) and name.isdecimal() and int(name) < len(current):
            current = current[int(name)]
        else:
            raise InvalidSchema(f"{what} leads nowhere: there is no {name!r:.80}", pointer)
    return current, fragment


def _find_anchor(root: Any, name: str, pointer: str) -> tuple[Any, str]:
    """Return the schema with that anchor, anywhere below the root."""
    waiting = [(root, "")]
    while waiting:
        current, place = waiting.pop()
        if isinstance(current, dict):
            if any(current.get(keyword) == name for keyword in _ANCHORS):
                return current, place
            waiting += [(value, below(place, key)) for key, value in current.items()]
        elif isinstance(current, list):
            waiting += [(value, below(place, index)) for index, value in enumerate(current)]
    raise InvalidSchema(f"the $ref '#{name:.80}' leads nowhere: there is no such anchor", pointer)
