"""What both ends know by number: objects kept in step, objects sent once, and objects that stay where they are.

Numbers that the test's end gives are even, the worker's odd, so that neither needs to ask.
"""

import operator
import sys
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

KEPT = 256
"""How many lists, dicts, sets and arrays are kept in step from one call to the next."""

_FRESH = 64
_FRESH_BYTES = 16 << 20
"""So many new entries, or bytes in them, make it worth while to look for dead ones."""

Kind = Literal["shared", "constant", "own", "stub", "shape"]
"""shared: a mutable value, of which each end has a copy, kept in step.
constant: an immutable value, sent once.
own: an object that stays here, and that the other end only holds a stub of.
stub: the other end's object.
shape: a namedtuple class.
"""

DICTS = (dict, OrderedDict, Counter, defaultdict)
MUTABLE = frozenset({list, set, deque, *DICTS})


@dataclass(slots=True, eq=False)
class Entry:
    """One numbered object. ``snapshot`` is a shared value's content when both ends last agreed on it."""

    number: int
    kind: Kind
    value: Any
    snapshot: Any = None

    def settle(self, content: bytes | None = None) -> None:
        """Note the content as agreed; an array's bytes may be handed in to save a copy."""
        self.snapshot = take_snapshot(self.value) if content is None else content

    def changed(self) -> bool:
        """Whether the value is no longer what both ends agreed on. Items are compared by identity."""
        value, old = self.value, self.snapshot
        if type(value) in DICTS:
            return _differ(value, old) or _differ(value.values(), old.values())
        if type(value) is set:
            return len(value) != len(old) or set(map(id, value)) != set(map(id, old))
        if type(value) in MUTABLE:
            return _differ(value, old)
        return bool(take_snapshot(value) != old)


def _differ(new: Any, old: Any) -> bool:
    return len(new) != len(old) or any(map(operator.is_not, new, old))


def take_snapshot(value: Any) -> Any:
    """A shallow copy: the same items for a container, the bytes for an array or a bytearray."""
    kind = type(value)
    if kind in DICTS:
        return dict(value)
    if kind in MUTABLE:
        return frozenset(value) if kind is set else list(value)
    return bytes(value) if kind is bytearray else value.tobytes()


class Table:
    """The numbered objects of one end.

    Args:
        first: 0 at the test's end, 1 at the worker's.
    """

    def __init__(self, first: int) -> None:
        self._next = first
        self._parity = first
        self._by_number: dict[int, Entry] = {}
        self._by_id: dict[int, Entry] = {}
        self._fresh = 0
        self._fresh_bytes = 0
        self._due = _FRESH

    def __len__(self) -> int:
        return len(self._by_number)

    def new_number(self) -> int:
        """A number that this end has not given yet."""
        self._next += 2
        return self._next

    def add(self, entry: Entry) -> None:
        """Remember an entry of either end; a number in use is a ``ValueError``."""
        if entry.number in self._by_number:
            raise ValueError(f"number {entry.number} is in use")
        self._by_number[entry.number] = entry
        self._by_id[id(entry.value)] = entry
        self._fresh += 1
        self._fresh_bytes += len(entry.snapshot) if type(entry.snapshot) is bytes else 0

    def is_foreign(self, number: int) -> bool:
        """Whether the other end may give this number to a new object."""
        return type(number) is int and number > 0 and number % 2 != self._parity

    def __getitem__(self, number: int) -> Entry:
        return self._by_number[number]

    def find(self, value: object) -> Entry | None:
        """The entry of this very object."""
        entry = self._by_id.get(id(value))
        return entry if entry is not None and entry.value is value else None

    def shared(self) -> list[Entry]:
        """The entries that are kept in step."""
        return [entry for entry in self._by_number.values() if entry.kind == "shared"]

    def forget(self, numbers: Iterable[int]) -> None:
        """Drop entries; unknown numbers are passed over."""
        for number in numbers:
            entry = self._by_number.pop(number, None)
            if entry is not None:
                self._by_id.pop(id(entry.value), None)

    def sweep(self, *, trim: bool) -> list[int]:
        """Drop what nobody at this end can see any more, now and then; with ``trim`` also all but the newest shared.

        Returns:
            The numbers, for the other end to drop them too.
        """
        if self._fresh <= self._due and self._fresh_bytes <= _FRESH_BYTES:
            return []
        dropped = [entry.number for entry in self._by_number.values() if self._is_unseen(entry)]
        self.forget(dropped)
        if trim:
            old = [entry.number for entry in self.shared()[:-KEPT] if not entry.changed()]
            self.forget(old)
            dropped += old
        self._fresh, self._fresh_bytes, self._due = 0, 0, max(_FRESH, len(self))
        return dropped

    def _is_unseen(self, entry: Entry) -> bool:
        """Whether this table alone holds the object (and ``getrefcount``, for as long as it counts)."""
        if entry.kind in ("own", "shape") or (entry.kind == "constant" and self._parity == 1):
            return False
        if entry.kind == "shared" and isinstance(getattr(entry.value, "base", None), type(entry.value)):
            return False  # a view: it may change through the array that it is a view of
        if sys.getrefcount(entry.value) > 2:
            return False
        return not (entry.kind == "shared" and entry.changed())  # what was written to it is still to be told
