"""What stands at one end for an object of the other."""

from collections.abc import Callable
from typing import Any, Protocol

from course.student.core.timeouts import TimeLimit

_SAID = 2000


class Ask(Protocol):
    """Carries an operation to where the object is, and brings back the result."""

    def __call__(self, operation: str, target: "Handle", *operands: Any) -> Any:
        """The result of the operation."""


class Handle:
    """An object of the student's, as a test sees it: it can be called, asked for a method, measured, indexed, iterated.

    ``==`` and ``hash`` are identity and never ask. Private names are refused here.
    """

    __slots__ = ("__weakref__", "_ask", "_label")

    def __init__(self, ask: Ask, label: str) -> None:
        self._ask = ask
        self._label = label

    def __repr__(self) -> str:
        """What the object says of itself, while its worker lives; failing tests show it."""
        try:
            said = self._ask("repr", self)
        except (Exception, TimeLimit, SystemExit, GeneratorExit):
            said = None
        return f"{said:.{_SAID}}" if type(said) is str else f"<the student's {self._label}>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it where it is."""
        return self._ask("call", self, args, tuple(kwargs.items()))

    def __getattr__(self, name: str) -> Any:
        refuse_private(name)
        return self._ask("get", self, name)

    def __len__(self) -> Any:
        return self._ask("len", self)

    def __bool__(self) -> Any:
        return self._ask("bool", self)

    def __getitem__(self, key: Any) -> Any:
        return self._ask("item", self, key)

    def __contains__(self, value: object) -> Any:
        return self._ask("contains", self, value)

    def __iter__(self) -> Any:
        return self._ask("iter", self)

    def __next__(self) -> Any:
        return self._ask("next", self)

    def __instancecheck__(self, instance: object) -> Any:
        return self._ask("isinstance", self, instance)


def refuse_private(name: str) -> None:
    """Raise an ``AttributeError`` for a name that begins with an underscore."""
    if name.startswith("_"):
        raise AttributeError(f"{name!r} is private: tests read the public names of a student's objects only")


class Callback:
    """A callable of the test's, as the student's code sees it."""

    __slots__ = ("__weakref__", "_ask")

    def __init__(self, ask: Callable[..., Any]) -> None:
        self._ask = ask

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it in the test's process."""
        return self._ask(self, "call", args, tuple(kwargs.items()))


class CallbackIterator:
    """An iterator of the test's, as the student's code sees it."""

    __slots__ = ("__weakref__", "_ask")

    def __init__(self, ask: Callable[..., Any]) -> None:
        self._ask = ask

    def __iter__(self) -> "CallbackIterator":
        return self

    def __next__(self) -> Any:
        return self._ask(self, "next", (), ())
