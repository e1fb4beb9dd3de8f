"""From values to the nodes of one message."""

import sys
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from course.isolation.pipe import arrays, data
from course.isolation.pipe.data import Node
from course.isolation.pipe.objects import Kind, Numbered, ObjectTable
from course.isolation.pipe.wire import FRAME_CAP, PipeError


class Encoder:
    """Makes one message. The table learns of new entries with ``commit`` alone, so a failure leaves no trace.

    ``label`` returns the label of an object that stays here, or raises ``PipeError`` if it must not be passed on.
    """

    def __init__(self, table: ObjectTable, label: Callable[[object], str]) -> None:
        self.nodes: list[Node] = []
        self.blobs: list[bytes] = []
        self.mentioned: list[Numbered] = []
        self._table = table
        self._label = label
        self._new: dict[int, Numbered] = {}
        self._seen: dict[int, Any] = {}
        self._open: set[int] = set()
        self._in_data = self._in_frozen = 0
        self._n_items = self._n_bytes = self._n_blobs = 0

    def commit(self) -> None:
        """Enter what this message numbered into the table."""
        for entry in self._new.values():
            self._table.add(entry)

    def encode(self, value: Any, *, again: bool = False) -> Any:
        """Return the item of a value; ``again``: of what a shared value holds now, as a value without a number.

        One that is cyclic, too deep, too large, or must not be passed on raises ``PipeError``.
        """
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 10 * data.DEEPEST))  # enough for the deepest value, however deep the caller is
        try:
            return self._add(self._node(value, numbered=False)) if again else self._item(value)
        finally:
            sys.setrecursionlimit(limit)

    def _item(self, value: Any) -> Any:
        kind = type(value)
        if kind in data.PLAIN:
            if kind is str:
                self._count(n_bytes=len(value))
            node = data.awkward(value)
            return value if node is None else self._add(node)
        key = id(value)
        if key in self._seen:
            return self._seen[key]
        entry = self._table.find(value)
        if entry is not None and not (self._in_frozen and entry.kind == "shared"):
            self.mentioned.append(entry)
            self._seen[key] = self._add(["ref", entry.number])
            return self._seen[key]
        if key in self._open:
            raise PipeError(f"a {kind.__name__} that contains itself")
        if len(self._open) > data.DEEPEST:
            raise PipeError(f"a value nested more than {data.DEEPEST} deep")
        self._open.add(key)
        item = self._add(self._node(value))
        self._open.discard(key)
        if key in self._new:
            self._seen[key] = item
        return item

    def _node(self, value: Any, *, numbered: bool = True) -> Node:
        """Return the node of a value that is no plain scalar; what it holds gets nodes before it."""
        kind: type = type(value)
        if kind in data.CONTAINERS or (self._in_data and kind in data.MAPPINGS):
            number = self._number("shared", value) if numbered and kind in data.MUTABLE else None
            head = [data.CONTAINERS.get(kind, "dict"), number]
            if kind in (list, tuple) and set(map(type, value)) == {bytes}:  # a vocabulary: one blob and their lengths
                self._count(1 + len(value))
                return [*head, {"at": self._blob(b"".join(value))[0], "lengths": list(map(len, value))}]
            return [*head, self._items(data.items_of(value))]
        if kind is bytes:
            return ["bytes", *self._blob(value)]
        if kind is np.ndarray:
            self._count(value.size)
            head = ["array", self._number("shared", value) if numbered else None]
            return [*head, *arrays.layout(value), *self._blob(value.tobytes())]
        if isinstance(value, np.generic) and kind is value.dtype.type:
            return ["scalar", arrays.dtype_code(value.dtype), *self._blob(value.tobytes())]
        if isinstance(value, np.dtype):
            return ["dtype", arrays.dtype_code(value)]
        if fields := data.fields_of(kind):
            return self._data(value, fields)
        if data.is_record(kind):
            name, names = kind.__name__, list(kind._fields)  # type: ignore[attr-defined]
            self._table.records.setdefault((name, *names), kind)
            return ["record", name, names, self._items(tuple(value))]
        return ["opaque", self._number("own", value), self._label(value)]

    def _data(self, value: Any, fields: tuple[str, ...]) -> Node:
        """A frozen type's parts get no numbers: nothing may change them after the type has checked them."""
        frozen = data.is_frozen(type(value))
        number = self._number("constant", value) if frozen else None
        self._in_data += 1
        self._in_frozen += frozen
        items = self._items(getattr(value, name) for name in fields)
        self._in_data -= 1
        self._in_frozen -= frozen
        return ["const", number, data.path_of(type(value)), items]

    def _items(self, values: Iterable[Any]) -> list[Any]:
        items = [self._item(value) for value in values]
        self._count(1 + len(items))
        return items

    def _count(self, n_items: int = 0, *, n_bytes: int = 0) -> None:
        self._n_items += n_items
        self._n_bytes += n_bytes
        if self._n_items > data.LARGEST:
            raise PipeError(f"a value of more than {data.LARGEST:,} items")
        if self._n_bytes > FRAME_CAP:
            raise PipeError(f"a value of more than {FRAME_CAP:,} bytes")

    def _blob(self, content: bytes) -> tuple[int, int]:
        """Return where in the message's raw bytes the content lies."""
        self._count(n_bytes=len(content))
        self.blobs.append(content)
        self._n_blobs += len(content)
        return self._n_blobs - len(content), len(content)

    def _number(self, kind: Kind, value: Any) -> int | None:
        """Return a new number for a value; None inside of a frozen data type, unless the object stays here."""
        if self._in_frozen and kind != "own":
            return None
        self._new[id(value)] = Numbered(self._table.new_number(), kind, value)
        return self._new[id(value)].number

    def _add(self, node: Node) -> Any:
        self.nodes.append(node)
        return [len(self.nodes) - 1]
