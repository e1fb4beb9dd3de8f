"""From the nodes of one message to values. Nothing that a message says is believed unchecked."""

import math
import struct
from collections import namedtuple
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from course.isolation.pipe import arrays, data
from course.isolation.pipe.data import Node
from course.isolation.pipe.objects import Handle, Kind, Numbered, ObjectTable
from course.isolation.pipe.wire import WireError

_FIELDS = 64
_TEXT = 64  # so many characters count as an item


class Decoder:
    """Builds the nodes of one message, in order. What makes no sense, or is too deep or too large, is a ``WireError``.

    ``make_stub`` makes the stand-in of an object of the other end, from its label.
    """

    def __init__(self, table: ObjectTable, make_stub: Callable[[str], object], nodes: list[Node], blobs: bytes) -> None:
        self._table = table
        self._make_stub = make_stub
        self._blobs = blobs
        self._values: list[Any] = []
        self._alike: dict[int, set[Any]] = {}
        self._weights: list[tuple[int, int]] = []
        for node in nodes:
            try:
                self._weights.append(self._weigh(node))
                self._values.append(self._build(node))
            except WireError:
                raise
            except Exception as error:
                tag = node[0] if isinstance(node, list) and node else node
                raise WireError(f"a message with a broken {tag!r:.40}: {error!s:.200}") from None

    def item(self, item: Any) -> Any:
        """Return the value of an item."""
        if type(item) is not list:
            return item
        (index,) = item
        if type(index) is not int or not 0 <= index < len(self._values):
            raise WireError(f"a message that refers to node {index!r}, which it does not have")
        return self._values[index]

    def _weigh(self, node: Node) -> tuple[int, int]:
        """Return depth and size: comparing tuples of two references to tuples of two references ... would never end."""
        items = node[-1] if isinstance(node[-1], list) else ()
        depth, size, text = 0, 1 + len(items), 0
        for item in items:
            if type(item) is list:
                inner, its_size = self._weights[item[0]]
                depth, size = max(depth, inner), size + its_size
            elif type(item) is str:
                text += len(item)
        depth, size = depth + 1, size + _hidden(node, text)
        if depth > data.DEEPEST + 1 or size > data.LARGEST + 1:
            raise WireError(f"a value that is {depth:,} deep and has {size:,} items")
        return depth, size

    def _build(self, node: Node) -> Any:
        match node:
            case ["list" | "tuple" | "set" | "frozenset" | "dict" as tag, number, items]:
                value = data.container(tag, self._items(items))
                return self._register(number, "shared" if type(value) in data.MUTABLE else "constant", value)
            case ["ref", number]:
                return self._table.entries[number].value
            case ["int", digits]:
                return self._counted(int(digits, 16))
            case ["float", digits]:
                return self._counted(struct.unpack("<d", bytes.fromhex(digits))[0])
            case ["str", digits]:
                return self._counted(bytes.fromhex(digits).decode("utf-32-le", "surrogatepass"))
            case ["bytes", start, length]:
                return self._blob(start, length)
            case ["array", number, code, shape, strides, writeable, start, length]:
                array = arrays.build_array(code, shape, strides, writeable, self._blob(start, length))
                return self._register(number, "shared", array)
            case ["scalar", code, start, length]:
                return np.ndarray((), arrays.build_dtype(code), self._blob(start, length))[()]
            case ["dtype", code]:
                return arrays.build_dtype(code)
            case ["const", number, path, items]:
                kind, values = data.data_type(path), self._items(items)
                require_data(values, self._table, kind.__name__, frozen=data.is_frozen(kind))
                made = kind(**dict(zip(data.fields_of(kind), values, strict=True)))
                return self._register(number, "constant", made)
            case ["record", name, fields, items]:
                return self._record(name, fields, self._items(items))
            case ["opaque", number, label]:
                return self._register(number, "stub", self._make_stub(str(label)))
        raise WireError(f"a message with an unknown node {node!r:.40}")

    def _counted(self, value: Any) -> Any:
        """Return an odd scalar, unless too many different ones share a hash, of which a test might build a set."""
        alike = self._alike.setdefault(hash(value), set())
        alike.add(value)
        if len(alike) > data.ALIKE:
            raise WireError(f"a message with more than {data.ALIKE} numbers that share a hash")
        return value

    def _items(self, items: Any) -> list[Any]:
        if not isinstance(items, dict):
            return [self.item(item) if type(item) is list else item for item in items]
        values, start = [], items["at"]
        for length in items["lengths"]:
            values.append(self._blob(start, length))
            start += length
        return values

    def _blob(self, start: int, length: int) -> bytes:
        if start < 0 or length < 0 or start + length > len(self._blobs):
            raise WireError("a message that refers to bytes which it does not have")
        return self._blobs[start : start + length]

    def _register(self, number: int | None, kind: Kind, value: Any) -> Any:
        if number is None:
            return value
        if not self._table.is_foreign(number):
            raise WireError(f"a message that gives a number {number!r} which is not its sender's to give")
        self._table.add(Numbered(number, kind, value))
        return value

    def _record(self, name: str, fields: list[str], values: list[Any]) -> Any:
        if len(fields) > _FIELDS or len(values) != len(fields):
            raise WireError(f"a message with a named tuple of more than {_FIELDS} fields, or with too few values")
        if (name, *fields) not in self._table.records:
            self._table.records[name, *fields] = namedtuple(name, fields)
        return tuple.__new__(self._table.records[name, *fields], values)


def _hidden(node: Node, text: int) -> Any:
    """Return how many items a node stands for beside those that it lists: an array's numbers, packed bytes, long texts.

    Args:
        text: how many characters the listed ones have.

    A failing test lists and shows all of them, which takes up to a hundred times their room.
    """
    if node[0] == "array":
        return math.prod(node[3])
    if node[0] == "bytes":
        return node[-1] // _TEXT
    lengths = node[-1]["lengths"] if isinstance(node[-1], dict) else ()
    return len(lengths) + (sum(lengths) + text) // _TEXT


def require_data(values: Iterable[Any], table: ObjectTable, what: str, *, frozen: bool) -> None:
    """Refuse parts of a data type that are no data: a transition that the student's code answers when it is asked could
    suit the text so far, and be no automaton at all. A frozen type must not hold a value that may still change either.
    """
    waiting: list[Any] = list(values)
    seen: set[int] = set()
    changing = ""
    while waiting:
        value = waiting.pop()
        if isinstance(value, Handle):
            label = object.__getattribute__(value, "_label")
            raise WireError(f"a {what} that holds the student's {label}, which is no data")
        if type(value) in data.PLAIN or id(value) in seen:
            continue
        seen.add(id(value))
        entry = table.find(value)
        if entry is not None and entry.kind == "shared":
            changing = type(value).__name__
            entry.only_data = True
        if isinstance(value, (tuple, frozenset)) or type(value) in data.MUTABLE:
            waiting += data.items_of(value)
    if changing and frozen:
        raise WireError(f"a {what} that holds a {changing} which may still change")
