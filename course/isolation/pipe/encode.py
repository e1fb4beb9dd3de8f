"""From values to the nodes of one message."""

from collections.abc import Iterable
from typing import Any

from course.isolation.pipe.errors import PipeError
from course.isolation.pipe.registry import fields_of, grows, is_known, path_of
from course.isolation.pipe.table import MUTABLE, Entry, Kind, Table
from course.isolation.pipe.values import (
    CONTAINERS,
    DEEPEST,
    LARGEST,
    PLAIN,
    Item,
    Node,
    Outsiders,
    awkward,
    is_record,
    plain_size,
)
from course.isolation.pipe.wire import FRAME_CAP

_LONG = 512
"""A tuple of so many plain items is sent once and then referred to."""

_CONTAINER, _END = object(), object()


class _Open:
    """A container whose items are being encoded."""

    __slots__ = ("children", "head", "items", "kind", "value")

    def __init__(self, value: Any, head: Node, children: Iterable[Any], kind: Kind | None = None) -> None:
        self.value = value
        self.head = head
        self.children = iter(children)
        self.kind = kind
        self.items: Any = []


class Encoder:
    """Makes one message. The table learns of new entries with ``commit`` alone, so a failure leaves no trace."""

    def __init__(self, table: Table, outsiders: Outsiders) -> None:
        self.nodes: list[Node] = []
        self.blobs: list[bytes] = []
        self.mentioned: dict[int, Entry] = {}
        self._table = table
        self._outsiders = outsiders
        self._new: list[Entry] = []
        self._seen: dict[int, tuple[Item, Any]] = {}
        self._opened: set[int] = set()
        self._sealed = 0
        self._n_items = 0
        self._n_bytes = 0
        self._n_blobs = 0

    def commit(self) -> None:
        """Enter what this message numbered into the table."""
        for entry in self._new:
            if entry.kind == "shared" and entry.snapshot is None:
                entry.settle()
            self._table.add(entry)

    def encode(self, value: Any) -> Item:
        """The item of a value.

        Raises:
            PipeError: if it is cyclic, too deep, too large, or must not be handed over.
        """
        return self._run([_Open(None, [], (value,))])

    def content(self, value: Any) -> Item:
        """The item of what a shared value holds now, as a value without a number."""
        if type(value) not in MUTABLE:
            return self._leaf(value, shares=False)
        opened = self._begin(value)
        opened.kind = None
        return self._run([_Open(None, [], ()), opened])

    def _run(self, stack: list[_Open]) -> Item:
        while True:
            top = stack[-1]
            child = self._fill(top)
            if child is not _END:
                stack.append(self._begin(child))
                if len(stack) > DEEPEST + 1:
                    raise PipeError(f"a value nested more than {DEEPEST} deep")
            elif len(stack) > 1:
                stack.pop()
                stack[-1].items.append(self._close(top))
            else:
                return top.items[0]

    def _fill(self, top: _Open) -> Any:
        """Encode items until one is a container, which is returned."""
        for child in top.children:
            item = self._item(child)
            if item is _CONTAINER:
                return child
            top.items.append(item)
        return _END

    def _item(self, value: Any) -> Item:
        kind = type(value)
        fits = PLAIN.get(kind)
        if fits is not None:
            if kind is str and len(value) > _LONG:
                self._count_bytes(len(value))
            return value if fits(value) else self._node(awkward(value))
        if id(value) in self._seen:
            return self._seen[id(value)][0]
        entry = self._table.find(value)
        if entry is not None:
            self.mentioned[entry.number] = entry
            return self._see(value, self._node(["ref", entry.number]))
        if kind in CONTAINERS or fields_of(kind) or is_record(kind):
            return _CONTAINER
        return self._leaf(value, shares=not self._sealed)

    def _begin(self, value: Any) -> _Open:
        if id(value) in self._opened:
            raise PipeError(f"a {type(value).__name__} that contains itself")
        self._opened.add(id(value))
        kind = type(value)
        if kind in CONTAINERS:
            return self._open_container(value)
        if fields := fields_of(kind):
            children = [getattr(value, name) for name in fields]
            if grows(kind):
                return _Open(value, ["grown", path_of(kind)], children)
            self._sealed += 1
            return _Open(value, ["const", path_of(kind)], children, "constant")
        return _Open(value, ["record", self._shape(kind)], tuple.__iter__(value))

    def _open_container(self, value: Any) -> _Open:
        kind = type(value)
        tag, children = CONTAINERS[kind]
        opened = _Open(value, [tag], children(value), "shared" if kind in MUTABLE else None)
        if kind in (list, tuple) and len(value) > 1 and (quick := self._quick(value)) is not None:
            opened.items, opened.children = quick, iter(())
            opened.kind = "constant" if kind is tuple and len(value) > _LONG else opened.kind
        return opened

    def _quick(self, value: Any) -> Any:
        """The items where none needs a node; many bytes objects as one blob and their lengths; else None."""
        size = plain_size(value)
        if size is not None:
            self._count_bytes(size)
            return list(value)
        if set(map(type, value)) != {bytes}:
            return None
        self._count(len(value))
        offset, _ = self._blob(b"".join(value))
        return {"at": offset, "lengths": list(map(len, value))}

    def _close(self, top: _Open) -> Item:
        self._opened.discard(id(top.value))
        self._sealed -= top.head[0] == "const"
        self._count(1 + len(top.items))
        number = None if self._sealed or top.kind is None else self._number(top.kind, top.value)
        item = self._node([top.head[0], number, *top.head[1:], top.items])
        return item if number is None else self._see(top.value, item)

    def _count(self, n_items: int) -> None:
        self._n_items += n_items
        if self._n_items > LARGEST:
            raise PipeError(f"a value of more than {LARGEST:,} items")

    def _number(self, kind: Kind, value: Any, snapshot: bytes | None = None) -> int:
        entry = Entry(self._table.new_number(), kind, value, snapshot)
        self._new.append(entry)
        return entry.number

    def _node(self, node: Node) -> Item:
        self.nodes.append(node)
        return [len(self.nodes) - 1]

    def _see(self, value: Any, item: Item) -> Item:
        self._seen[id(value)] = (item, value)
        return item

    def _blob(self, content: bytes) -> tuple[int, int]:
        """Where in the message's raw bytes the content lies."""
        offset = self._n_blobs
        self._n_blobs += len(content)
        self._count_bytes(len(content))
        self.blobs.append(content)
        return offset, len(content)

    def _count_bytes(self, n_bytes: int) -> None:
        self._n_bytes += n_bytes
        if self._n_bytes > FRAME_CAP:
            raise PipeError(f"a value of more than {FRAME_CAP:,} bytes")

    def _leaf(self, value: Any, *, shares: bool) -> Item:
        if type(value) is bytes:
            return self._node(["bytes", *self._blob(value)])
        if type(value) is bytearray:
            return self._raw("bytearray", value, bytes(value), [], shares=shares)
        if str(type(value).__module__).startswith("numpy") and (item := self._numeric(value, shares=shares)):
            return item
        if isinstance(value, type) and is_known(value):
            return self._node(["class", path_of(value)])
        return self._see(value, self._opaque(value))

    def _raw(self, tag: str, value: Any, content: bytes, shape: Node, *, shares: bool) -> Item:
        """A bytearray or an array: a number, how the bytes are to be read, and where they lie."""
        number = self._number("shared", value, content) if shares else None
        item = self._node([tag, number, *shape, *self._blob(content)])
        return self._see(value, item) if shares else item

    def _numeric(self, value: Any, *, shares: bool) -> Item | None:
        from course.isolation.pipe import arrays  # NumPy takes longer to load than the rest of a worker

        if arrays.is_dtype(value):
            return self._node(["dtype", arrays.dtype_code(value)])
        if arrays.is_array(value):
            self._count(value.size)
            return self._raw("array", value, value.tobytes(), arrays.layout(value), shares=shares)
        if arrays.is_scalar(value):
            return self._node(["scalar", arrays.dtype_code(value.dtype), *self._blob(value.tobytes())])
        return None

    def _shape(self, kind: type) -> Item:
        """The node of a namedtuple class, which the other end makes a class of its own for."""
        if id(kind) in self._seen:
            return self._seen[id(kind)][0]
        entry = self._table.find(kind)
        if entry is not None:
            return self._see(kind, self._node(["ref", entry.number]))
        fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
        return self._see(kind, self._node(["shape", self._number("shape", kind), kind.__name__, list(fields)]))

    def _opaque(self, value: object) -> Item:
        flavour, label = self._outsiders.describe(value)
        return self._node(["opaque", self._number("own", value), flavour, label])
