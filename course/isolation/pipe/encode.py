"""From values to the nodes of one message."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from course.isolation.pipe import arrays
from course.isolation.pipe.objects import Entry, Kind, Table
from course.isolation.pipe.values import (
    CONTAINERS,
    DEEPEST,
    LARGEST,
    MAPPINGS,
    MUTABLE,
    PLAIN,
    Item,
    Node,
    awkward,
    fields_of,
    is_frozen,
    is_record,
    items_of,
    path_of,
)
from course.isolation.pipe.wire import FRAME_CAP, PipeError

_NUMBERED = (*CONTAINERS.values(), "array", "const", "opaque")
"""Tags of nodes whose second part is a number, or None."""


class Encoder:
    """Makes one message. The table learns of new entries with ``commit`` alone, so a failure leaves no trace.

    Args:
        label: returns the label of an object that stays here; raises ``PipeError`` if it must not be passed on.
    """

    def __init__(self, table: Table, label: Callable[[object], str]) -> None:
        self.nodes: list[Node] = []
        self.blobs: list[bytes] = []
        self.mentioned: dict[int, Entry] = {}
        self._table = table
        self._label = label
        self._new: list[Entry] = []
        self._seen: dict[int, tuple[Item, Any]] = {}
        self._open: set[int] = set()
        self._in_data = self._in_frozen = 0
        self._n_items = self._n_bytes = self._n_blobs = 0

    def commit(self) -> None:
        """Enter what this message numbered into the table."""
        for entry in self._new:
            if entry.kind == "shared":
                entry.settle()
            self._table.add(entry)

    def encode(self, value: Any) -> Item:
        """Return the item of a value.

        Raises:
            PipeError: if it is cyclic, too deep, too large, or must not be passed on.
        """
        with _room_to_recurse():
            return self._item(value)

    def content(self, value: Any) -> Item:
        """Return the item of what a shared value holds now, as a value without a number."""
        with _room_to_recurse():
            return self._node(self._container(value, None) if type(value) in MUTABLE else self._array(value, None))

    def _item(self, value: Any) -> Item:
        kind = type(value)
        fits = PLAIN.get(kind)
        if fits is not None:
            if kind is str:
                self._count_bytes(len(value))
            return value if fits(value) else self._node(awkward(value))
        if id(value) in self._seen:
            return self._seen[id(value)][0]
        entry = self._table.find(value)
        if entry is not None and not (self._in_frozen and entry.kind == "shared"):
            self.mentioned[entry.number] = entry
            return self._see(value, self._node(["ref", entry.number]))
        if id(value) in self._open:
            raise PipeError(f"a {kind.__name__} that contains itself")
        if len(self._open) > DEEPEST:
            raise PipeError(f"a value nested more than {DEEPEST} deep")
        self._open.add(id(value))
        node = self._described(value, kind)
        self._open.discard(id(value))
        item = self._node(node)
        return self._see(value, item) if node[0] in _NUMBERED and node[1] is not None else item

    def _described(self, value: Any, kind: type) -> Node:
        """Return the node of a value that is no plain scalar; what it holds gets nodes before it."""
        if kind in CONTAINERS or (self._in_data and kind in MAPPINGS):
            return self._container(value, self._number("shared", value) if kind in MUTABLE else None)
        if kind is bytes:
            return ["bytes", *self._blob(value)]
        if kind is np.ndarray:
            return self._array(value, self._number("shared", value))
        if arrays.is_scalar(value):
            return ["scalar", arrays.dtype_code(value.dtype), *self._blob(value.tobytes())]
        if isinstance(value, np.dtype):
            return ["dtype", arrays.dtype_code(value)]
        if fields := fields_of(kind):
            return self._data(value, kind, fields)
        if is_record(kind):
            name, names = kind.__name__, list(kind._fields)  # type: ignore[attr-defined]
            self._table.records.setdefault((name, *names), kind)
            return ["record", name, names, self._items(tuple(value))]
        return ["opaque", self._number("own", value), self._label(value)]

    def _container(self, value: Any, number: int | None) -> Node:
        if type(value) in (list, tuple) and set(map(type, value)) == {bytes}:
            return [CONTAINERS[type(value)], number, self._packed(value)]
        return [CONTAINERS.get(type(value), "dict"), number, self._items(items_of(value))]

    def _packed(self, values: Sequence[bytes]) -> dict[str, Any]:
        """Return many bytes objects, as of a vocabulary, as one blob and their lengths."""
        self._count(1 + len(values))
        offset, _ = self._blob(b"".join(values))
        return {"at": offset, "lengths": list(map(len, values))}

    def _data(self, value: Any, kind: type, fields: tuple[str, ...]) -> Node:
        """A frozen type's parts get no numbers: nothing may change them after the type has checked them."""
        frozen = is_frozen(kind)
        number = self._number("constant", value) if frozen else None
        self._in_data += 1
        self._in_frozen += frozen
        items = self._items(getattr(value, name) for name in fields)
        self._in_data -= 1
        self._in_frozen -= frozen
        return ["const", number, path_of(kind), items]

    def _array(self, value: Any, number: int | None) -> Node:
        self._count(value.size)
        return ["array", number, *arrays.layout(value), *self._blob(value.tobytes())]

    def _items(self, values: Iterable[Any]) -> list[Item]:
        items = [self._item(value) for value in values]
        self._count(1 + len(items))
        return items

    def _count(self, n_items: int) -> None:
        self._n_items += n_items
        if self._n_items > LARGEST:
            raise PipeError(f"a value of more than {LARGEST:,} items")

    def _count_bytes(self, n_bytes: int) -> None:
        self._n_bytes += n_bytes
        if self._n_bytes > FRAME_CAP:
            raise PipeError(f"a value of more than {FRAME_CAP:,} bytes")

    def _blob(self, content: bytes) -> tuple[int, int]:
        """Return where in the message's raw bytes the content lies."""
        offset = self._n_blobs
        self._n_blobs += len(content)
        self._count_bytes(len(content))
        self.blobs.append(content)
        return offset, len(content)

    def _number(self, kind: Kind, value: Any) -> int | None:
        """Return a new number for a value; None inside of a frozen data type, unless the object stays here."""
        if self._in_frozen and kind != "own":
            return None
        self._new.append(Entry(self._table.new_number(), kind, value))
        return self._new[-1].number

    def _node(self, node: Node) -> Item:
        self.nodes.append(node)
        return [len(self.nodes) - 1]

    def _see(self, value: Any, item: Item) -> Item:
        self._seen[id(value)] = (item, value)
        return item


@contextmanager
def _room_to_recurse() -> Iterator[None]:
    """Allow for the deepest value, however deep the caller is."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 10 * DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
