"""Objects that both ends know by number, and the stand-ins for those that live at the other end.

Numbers that the test's end gives are even, the worker's odd, so that neither needs to ask.
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from course.isolation.pipe.data import items_of
from course.student.core.timeouts import TimeLimit

Kind = Literal["shared", "constant", "own", "stub"]
"""shared: a mutable value, of which each end has a copy; changes are copied until the call is over, see ``in_place``.
constant: a data type that never changes, sent once a test.
own: an object that stays here, and that the other end only holds a stub of.
stub: the other end's object.
"""


@dataclass(slots=True, eq=False)
class Numbered:
    """One numbered object."""

    number: int
    kind: Kind
    value: Any
    snapshot: Any = None  # a shared value's content when both ends last agreed on it
    only_data: bool = False  # it lies in a data type, and no handle may be put into it
    lasting: bool = False  # it outlasts the test

    def content(self) -> list[Any] | bytes:
        """Return a shallow copy: a container's items, an array's bytes."""
        return self.value.tobytes() if hasattr(self.value, "tobytes") else list(items_of(self.value))

    def settle(self) -> None:
        """Note the present content as agreed."""
        self.snapshot = self.content()

    def changed(self) -> bool:
        """Return whether the content is no longer the agreed one. Items are compared by identity."""
        new, old = self.content(), self.snapshot
        if isinstance(new, bytes):
            return bool(new != old)
        return len(new) != len(old) or any(map(operator.is_not, new, old))


class ObjectTable:
    """The numbered objects of one end: ``first`` is 0 at the test's end, 1 at the worker's."""

    def __init__(self, first: int) -> None:
        self.entries: dict[int, Numbered] = {}
        self.records: dict[tuple[str, ...], type] = {}  # the namedtuple class of each name and fields
        self.in_place = False  # whether this call may change what is the test's
        self._by_id: dict[int, Numbered] = {}
        self._shared: dict[int, Numbered] = {}  # those of mutable values
        self._parity = self._last = first

    def new_number(self) -> int:
        """Return a number that this end has not given yet."""
        self._last += 2
        return self._last

    def is_foreign(self, number: int) -> bool:
        """Return whether the other end may give this number to a new object."""
        return type(number) is int and number > 0 and number % 2 != self._parity

    def add(self, entry: Numbered) -> None:
        """Remember an entry of either end; a number in use is a ``ValueError``."""
        if entry.number in self.entries:
            raise ValueError(f"number {entry.number} is in use")
        if entry.kind == "shared":
            entry.settle()
            self._shared[entry.number] = entry
        self.entries[entry.number] = self._by_id[id(entry.value)] = entry

    def find(self, value: object) -> Numbered | None:
        """Return the entry of this very object; none at the worker's end of one that it changed and may not."""
        entry = self._by_id.get(id(value))
        return None if entry is not None and self.is_copy(entry) and entry.changed() else entry

    def is_copy(self, entry: Numbered) -> bool:
        """Return whether this is the worker's end, and its changes of this value stay there."""
        return self._parity == 1 and not self.in_place and entry.kind == "shared" and self.is_foreign(entry.number)

    def part(self) -> None:
        """Take the test's values for the worker's own if one was changed: what it returns may hold any of them."""
        copies = [entry for entry in self.shared() if self.is_copy(entry)]
        for entry in copies if any(entry.changed() for entry in copies) else ():
            self._by_id.pop(id(entry.value), None)

    def shared(self) -> list[Numbered]:
        """Return the entries of mutable values."""
        return list(self._shared.values())

    def end_call(self) -> None:
        """Forget the shared values: each end now has a copy of its own."""
        for number, entry in self._shared.items():
            del self.entries[number]
            self._by_id.pop(id(entry.value), None)
        self._shared.clear()

    def keep(self, value: object) -> None:
        """Let what the module holds outlast the test: the object at its own end, the handle at the other."""
        entry = self._by_id.get(id(value))
        if entry is not None and entry.kind in ("own", "stub"):
            entry.lasting = True

    def end_test(self) -> None:
        """Forget everything but what outlasts a test."""
        lasting = [entry for entry in self.entries.values() if entry.lasting]
        for entries in (self.entries, self._by_id, self._shared, self.records):
            entries.clear()
        for entry in lasting:
            self.add(entry)


class Handle:
    """A student's object, as a test sees it: it can be called, and asked for its attributes.

    ``==`` and ``hash`` are identity and never ask. Private names are refused here.
    """

    __slots__ = ("_ask", "_label")

    def __init__(self, ask: Callable[..., Any], label: str) -> None:
        self._ask = ask
        self._label = label

    def __repr__(self) -> str:
        """Return the object's own ``repr`` while its worker lives; failing tests show it."""
        try:
            said = self._ask("repr", self)
        except (Exception, TimeLimit, SystemExit, GeneratorExit):
            said = None
        return f"{said:.2000}" if type(said) is str else f"<the student's {self._label}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the object in its worker."""
        return self._ask("call", self, args, tuple(kwargs.items()))

    def __getattr__(self, name: str) -> Any:
        refuse_private(name)
        return self._ask("get", self, name)


def refuse_private(name: str) -> None:
    """Raise ``AttributeError`` for a name that begins with an underscore."""
    if name.startswith("_"):
        raise AttributeError(f"{name!r} is private: tests read the public names of a student's objects only")
