"""Exceptions as data. An error of one end is raised at the other, as the nearest class that both know."""

import re
from dataclasses import astuple
from typing import Any

from course.isolation.pipe.data import find, path_of
from course.isolation.pipe.wire import WireError
from course.student.core.trace import StudentFrame, StudentTrace, safe_text, student_trace

_TEXT = 2000
_FRAMES = 5000
_LARGEST = 1 << 31  # lines and lab numbers are below it
_WIDEST = 1 << 21  # lines and columns of a syntax error are: to show one, Python draws as many carets

_SLOTS: dict[type[BaseException], tuple[str, ...]] = {
    OSError: ("filename", "filename2"),
    ImportError: ("name", "path"),
    NameError: ("name",),
    AttributeError: ("name",),
}
"""Attributes of builtin exceptions, texts, that are neither in their ``args`` nor in their ``__dict__``."""

_ERRORS = re.compile(
    r"(builtins|labkit\.(\w+\.)*errors)\.\w+"
    r"|json\.decoder\.JSONDecodeError|re\.(error|PatternError)|course\.student\.core\.timeouts\.TimeLimit"
    r"|course\.isolation\.pipe\.wire\.PipeError"
)
"""Dotted names that may be errors'; an error of any other class crosses as the nearest of these."""


class Ledger:
    """The exceptions that crossed during one call, so that one that comes back is the very same object.

    The test's end notes the student's lines that the other end reports; the worker has the tracebacks, and learns
    nothing of this end's lines.
    """

    def __init__(self, *, notes_traces: bool) -> None:
        self._notes_traces = notes_traces
        self.clear()

    def clear(self) -> None:
        """Forget everything, between calls."""
        self._sent: list[BaseException] = []
        self._got: dict[int, BaseException] = {}

    def describe(self, error: BaseException, *, lean: bool = False) -> tuple[Any, ...]:
        """Return an exception as plain values; ``lean`` leaves out what may not be encodable."""
        passed = StudentTrace() if self._notes_traces else student_trace(error)
        trace = tuple(astuple(frame) for frame in passed.frames[-_FRAMES:]), passed.todo
        for number, got in self._got.items():
            if got is error:
                return "yours", number, trace, None
        if not any(sent is error for sent in self._sent):
            self._sent.append(error)
        number = next(number for number, sent in enumerate(self._sent) if sent is error)
        return "mine", number, trace, _details(error, lean=lean)

    def rebuild(self, described: Any) -> BaseException:
        """Return the exception that was described, at the test's end with a ``__student_trace__``."""
        try:
            owner, number, trace, details = described
            if owner != "yours" and number not in self._got:
                self._got[int(number)] = _build(*details)
            error: BaseException = self._sent[number] if owner == "yours" else self._got[number]
            noted = _unpack_trace(trace)
            if self._notes_traces:
                error.__student_trace__ = noted  # type: ignore[attr-defined]
            return error
        except Exception as broken:
            raise WireError(f"a message that describes no exception: {broken!s:.200}") from None


def _unpack_trace(data: Any) -> StudentTrace:
    frames, todo = data
    for frame in frames:
        if [type(part) for part in frame] != [int, str, int, str, str]:
            raise TypeError("a broken line of a trace")
        if not (0 <= frame[0] < _LARGEST and 0 <= frame[2] < _LARGEST):
            raise ValueError("a line of a trace with an impossible number")
    return StudentTrace(tuple(StudentFrame(*frame) for frame in frames[-_FRAMES:]), todo is True)


def _details(error: BaseException, *, lean: bool) -> tuple[Any, ...]:
    kind = type(error)
    paths = {base: path_of(base) for base in kind.__mro__}
    known = next(base for base, path in paths.items() if _ERRORS.fullmatch(path) and find(path, load=False) is base)
    name = None if known is kind else kind.__name__
    text = safe_text(error)
    if lean:
        return paths[known], name, (text[:_TEXT],), {}, text[:_TEXT]
    attributes = {name: value for name, value in vars(error).items() if not name.startswith("_")}  # tests may read them
    for base, names in _SLOTS.items():
        if isinstance(error, base):
            attributes |= {name: getattr(error, name) for name in names if getattr(error, name, None) is not None}
    return paths[known], name, error.args, attributes, text


def _build(path: str, name: str | None, args: tuple[Any, ...], attributes: dict[str, Any], text: str) -> BaseException:
    base = find(path, load=True) if _ERRORS.fullmatch(path) else None
    if not isinstance(base, type) or not issubclass(base, BaseException):
        raise ValueError(f"no error {path!r} crosses the pipe")
    if type(args) is not tuple or type(text) is not str:
        raise TypeError(f"{path} with {args!r:.100}")
    if issubclass(base, SyntaxError) and not all(map(_shows, args[1:])):
        args = args[:1]
    error = _instance(base, args, attributes)
    if name is None and error is not None and safe_text(error) == text:
        return error
    namesake = type(name or base.__name__, (base,), {"__str__": lambda self: text, "__module__": base.__module__})
    error = _instance(namesake, args, attributes)
    return error if error is not None else Exception(text)


def _instance(kind: type[BaseException], args: tuple[Any, ...], attributes: dict[str, Any]) -> BaseException | None:
    """Return an exception of the class, made without its constructor where that refuses; None if that fails too."""
    try:
        error = kind(*args)
    except Exception:
        try:
            error = kind.__new__(kind)
        except Exception:
            return None
        error.args = args
    for attribute, value in attributes.items():
        if _may_be_set(error, attribute, value):
            setattr(error, attribute, value)
    return error


def _may_be_set(error: BaseException, name: object, value: object) -> bool:
    """Return whether an attribute is copied. The interpreter itself uses those of builtin classes when it shows the
    error: it draws a syntax error's columns, and looks for suggestions in the module that an import error names.
    """
    if not isinstance(name, str) or name.startswith("_"):
        return False
    if not any(hasattr(base, name) for base in type(error).__mro__ if base.__module__ == "builtins"):
        return True
    return type(value) is str and any(isinstance(error, base) and name in names for base, names in _SLOTS.items())


def _shows(place: Any) -> bool:
    """Return whether a syntax error can be shown with its place: file, line, column, text, and where it ends."""
    if type(place) is not tuple or not 4 <= len(place) <= 7:
        return False
    file, line, column, text, *end = place
    numbers = [number for number in (line, column, *end) if number is not None]
    known = all(type(number) is int and -1 <= number < _WIDEST for number in numbers)
    return known and all(type(part) in (str, type(None)) for part in (file, text))
