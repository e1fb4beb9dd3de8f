"""From the nodes of one message to values. Nothing that a message says is believed unchecked."""

import math
from collections import deque, namedtuple
from collections.abc import Collection, Mapping
from typing import Any

from course.isolation.pipe.errors import WireError
from course.isolation.pipe.handles import Handle
from course.isolation.pipe.registry import CONSTANTS, GROWING, known_class
from course.isolation.pipe.table import MUTABLE, Entry, Kind, Table
from course.isolation.pipe.values import ALIKE, BUILDERS, DEEPEST, LARGEST, PLAIN, SCALARS, Item, Node, Outsiders

_FIELDS = 64
_TEXT = 64
"""So many characters count as an item."""

_LEAVES = ("ref", "bytes", "bytearray", "array", "scalar", "dtype", "class", "opaque")
_TAGS = (*_LEAVES, "const", "grown", "record", "shape")


class Decoder:
    """Builds the nodes of one message, in order.

    Raises:
        WireError: at a node that makes no sense, or that would be too deep or too large.
    """

    def __init__(self, table: Table, outsiders: Outsiders, nodes: list[Node], blobs: bytes) -> None:
        self._table = table
        self._outsiders = outsiders
        self._blobs = blobs
        self._values: list[Any] = []
        self._alike: dict[int, dict[Any, None]] = {}
        self._weights: list[tuple[int, int]] = []
        for node in nodes:
            self._add(node)

    def item(self, item: Item) -> Any:
        """The value of an item."""
        if type(item) is not list:
            return item
        (index,) = item
        if type(index) is not int or not 0 <= index < len(self._values):
            raise WireError(f"a message that refers to node {index!r}, which it does not have")
        return self._values[index]

    def _add(self, node: Node) -> None:
        try:
            self._weights.append(self._weigh(node))
            self._values.append(self._build(*node))
        except WireError:
            raise
        except Exception as error:
            tag = node[0] if isinstance(node, list) and node else node
            raise WireError(f"a message with a broken {tag!r:.40}: {error!s:.200}") from None

    def _weigh(self, node: Node) -> tuple[int, int]:
        """Depth and size. A tuple of two references to one of two references ... would take for ever to compare."""
        items = node[-1] if isinstance(node[-1], list) else ()
        inside = [self._weights[item[0]] for item in items if type(item) is list]
        depth = 1 + max((depth for depth, _ in inside), default=0)
        size = 1 + len(items) + sum(size for _, size in inside) + _hidden(node, items)
        if depth > DEEPEST + 1 or size > LARGEST + 1:
            raise WireError(f"a value that is {depth:,} deep and has {size:,} items")
        return depth, size

    def _build(self, tag: str, *rest: Any) -> Any:
        if tag in BUILDERS:
            number, items = rest
            value = BUILDERS[tag](self._items(items))
            return self._register(number, "shared" if type(value) in MUTABLE else "constant", value)
        if tag in SCALARS:
            return self._counted(SCALARS[tag](*rest))
        if tag in _TAGS:
            return getattr(self, f"_build_{tag}")(*rest)
        raise WireError(f"a message with an unknown tag {tag!r:.40}")

    def _counted(self, value: Any) -> Any:
        """An odd scalar, unless too many different ones share a hash, with which a test might build a set."""
        alike = self._alike.setdefault(hash(value), {})
        alike[value] = None
        if len(alike) > ALIKE:
            raise WireError(f"a message with more than {ALIKE} numbers that share a hash")
        return value

    def _items(self, items: Any) -> list[Any]:
        if isinstance(items, dict):
            return self._unpacked(items["at"], items["lengths"])
        return [item if type(item) is not list else self.item(item) for item in items]

    def _unpacked(self, start: int, lengths: list[int]) -> list[bytes]:
        values = []
        for length in lengths:
            values.append(self._blob(start, length))
            start += length
        return values

    def _blob(self, start: int, length: int) -> bytes:
        if start < 0 or length < 0 or start + length > len(self._blobs):
            raise WireError("a message that refers to bytes which it does not have")
        return self._blobs[start : start + length]

    def _register(self, number: int | None, kind: Kind, value: Any, snapshot: bytes | None = None) -> Any:
        if number is None:
            return value
        if not self._table.is_foreign(number):
            raise WireError(f"a message that gives a number {number!r} which is not its sender's to give")
        entry = Entry(number, kind, value, snapshot)
        if kind == "shared" and snapshot is None:
            entry.settle()
        self._table.add(entry)
        return value

    def _build_ref(self, number: int) -> Any:
        return self._table[number].value

    def _build_bytes(self, start: int, length: int) -> bytes:
        return self._blob(start, length)

    def _build_bytearray(self, number: int | None, start: int, length: int) -> bytearray:
        content = self._blob(start, length)
        value: bytearray = self._register(number, "shared", bytearray(content), content)
        return value

    def _build_array(self, number: int | None, *layout: Any) -> Any:
        from course.isolation.pipe import arrays  # NumPy takes longer to load than the rest of a worker

        code, shape, strides, writeable, start, length = layout
        content = self._blob(start, length)
        return self._register(number, "shared", arrays.build_array(code, shape, strides, writeable, content), content)

    def _build_scalar(self, code: str, start: int, length: int) -> Any:
        from course.isolation.pipe import arrays

        return arrays.build_scalar(code, self._blob(start, length))

    def _build_dtype(self, code: str) -> Any:
        from course.isolation.pipe import arrays

        return arrays.build_dtype(code)

    def _build_class(self, path: str) -> type:
        return known_class(path)

    def _build_const(self, number: int | None, path: str, items: list[Item]) -> Any:
        fields = CONSTANTS[path]
        value = known_class(path)(**dict(zip(fields, _dead(path, self._items(items)), strict=True)))
        return self._register(number, "constant", value)

    def _build_grown(self, number: None, path: str, items: list[Item]) -> Any:
        return known_class(path)(**dict(zip(GROWING[path], _dead(path, self._items(items)), strict=True)))

    def _build_record(self, number: None, shape: Item, items: list[Item]) -> Any:
        kind = self.item(shape)
        values = self._items(items)
        if not issubclass(kind, tuple) or len(values) != len(kind._fields):
            raise WireError("a message with a named tuple whose values do not fit its fields")
        return tuple.__new__(kind, values)

    def _build_shape(self, number: int, name: str, fields: list[str]) -> Any:
        if len(fields) > _FIELDS:
            raise WireError(f"a message with a named tuple of more than {_FIELDS} fields")
        return self._register(number, "shape", namedtuple(name, fields))

    def _build_opaque(self, number: int, flavour: str, label: str) -> Any:
        stub = self._outsiders.make_stub(number, str(flavour), str(label))
        return self._register(number, "stub", stub)


def _hidden(node: Node, items: Collection[Item]) -> Any:
    """How many items a node stands for beside those that it lists: an array's numbers, packed bytes, long texts.

    All of them come to be listed and shown when a test fails, and then take up to a hundred times their room.
    """
    if node[0] == "array":
        return math.prod(node[3])
    if node[0] in ("bytes", "bytearray"):
        return node[-1] // _TEXT
    lengths = node[-1]["lengths"] if isinstance(node[-1], dict) else ()
    return len(lengths) + (sum(lengths) + sum(len(item) for item in items if type(item) is str)) // _TEXT


def _dead(path: str, items: list[Any]) -> list[Any]:
    """The items, if they are data to the bottom: a row of a machine that is asked at each step, where it is, may answer
    whatever suits the text so far, and be no machine at all.

    Raises:
        WireError: if an object of the student's is among them.
    """
    waiting: list[Any] = [items]
    seen: set[int] = set()
    while waiting:
        value = waiting.pop()
        if isinstance(value, Handle):
            label = object.__getattribute__(value, "_label")
            raise WireError(f"a {path.rpartition('.')[2]} that holds the student's {label}, which is no data")
        if type(value) not in PLAIN and id(value) not in seen:
            seen.add(id(value))
            waiting += _inside(value)
    return items


def _inside(value: Any) -> list[Any]:
    """What a container holds."""
    if isinstance(value, Mapping):
        return [*value, *value.values()]
    return list(value) if isinstance(value, (list, tuple, set, frozenset, deque)) else []
