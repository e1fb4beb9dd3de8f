r"""A JSON text read while it is written: where in the value it is, and events as parts of the value begin and end.

A guide knows what may come next, but not where in the value that is. Its states hold no keys; two members of an
``anyOf`` that allow the same texts are one state; and within a value of any kind there is but one place in the schema.
So a pushdown automaton of its own walks along: a stack with a key or an index for each object and array that is open.
It reads each character once and nothing again. It may be so small because the guide has seen to it that the text is
JSON, so there is nothing to check.

>>> reader = JsonReader()
>>> reader.feed('{"a/b": [3.')
[{'pointer': '', 'event': 'begin'}, {'pointer': '/a~1b', 'event': 'begin'}, {'pointer': '/a~1b/0', 'event': 'begin'}]
>>> reader.feed("5]")
[{'pointer': '/a~1b/0', 'event': 'end', 'value': 3.5}, {'pointer': '/a~1b', 'event': 'end'}]
"""

import json
import math
import re
from typing import Any

from labkit.automata.work import spend

Step = str | int
"""A key of an object, or an index of an array."""

Event = dict[str, Any]
"""``pointer``, ``event`` (``"begin"`` or ``"end"``), and at the end of a text, a number, true, false or null ``value``.

An object or array ends without its value, or what is nested deep would be told again at each level. So does a number
that is no value of Python's: 1e999, or an integer of more than 4,300 digits.
"""

LONGEST = 4096
"""Parts whose pointer has more characters are not told, nor is anything in them: each event repeats the keys of all
that is around it, so a long key over many items would make the events far longer than the text."""

_MARKS = ("{", "}", "[", "]", ",", '"')
_DECODER = json.JSONDecoder(strict=False)
_INSIDE = re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL)
_OUTSIDE = re.compile(r'["{}\[\],]|[\s:]++|[^\s"{}\[\],:]++')


class JsonReader:
    """Reads a text that a JSON text may begin with, in pieces of any size.

    Attributes:
        steps: the keys and indices that lead to the place; None for an object whose next key isn't read yet.

    >>> reader = JsonReader()
    >>> reader.feed('{"items": [1, {"pri'), reader.steps
    ([{'pointer': '', 'event': 'begin'}, {'pointer': '/items', 'event': 'begin'}, \
{'pointer': '/items/0', 'event': 'begin'}, {'pointer': '/items/0', 'event': 'end', 'value': 1}, \
{'pointer': '/items/1', 'event': 'begin'}], ['items', 1, None])
    """

    def __init__(self) -> None:
        self.steps: list[Step | None] = []
        self._length = 0  # of the pointer to the place
        self._pieces: list[str] = []  # of the key, text, number or word that is being read
        self._in_string = self._is_key = self._is_escaped = False

    def feed(self, text: str) -> list[Event]:
        """Return the events of some more text.

        >>> JsonReader().feed("[[]]")[1:3]
        [{'pointer': '/0', 'event': 'begin'}, {'pointer': '/0', 'event': 'end'}]
        """
        events: list[Event] = []
        place = 0
        while place < len(text):
            end = self._read_string(text, place, events) if self._in_string else self._read(text, place, events)
            spend(1 + end - place)
            place = end
        return events

    def finish(self) -> list[Event]:
        """Return the last events of a text that is whole: of a number that is all of it, nothing else tells the end.

        >>> reader = JsonReader()
        >>> reader.feed("12"), reader.finish()
        ([{'pointer': '', 'event': 'begin'}], [{'pointer': '', 'event': 'end', 'value': 12}])
        """
        return self._end_of_word()

    def _read_string(self, text: str, start: int, events: list[Event]) -> int:
        """Read on in a string; return the place after what was read."""
        inside = _INSIDE.match(text, start + self._is_escaped)
        end = (inside.end() if inside else start) + 1  # with the quote, or with a backslash that ends the piece
        self._pieces.append(text[start:end])
        self._is_escaped = text[end - 1 : end] == "\\"
        if end > len(text) or self._is_escaped:
            return len(text)
        self._in_string = False
        if self._is_key:
            self._go_to((self._taken() or [""])[0])
        else:
            events += self._end_of_word()
        return end

    def _read(self, text: str, start: int, events: list[Event]) -> int:
        """Read a piece outside strings; return the place after it."""
        found = _OUTSIDE.match(text, start)
        assert found is not None  # one of the alternatives takes any character
        piece = found[0]
        is_gap = piece[0].isspace() or piece[0] == ":"
        is_word = not is_gap and piece not in _MARKS
        if not is_word:
            events += self._end_of_word()
        self._in_string, self._is_key = piece == '"', piece == '"' and self.steps[-1:] == [None]
        if piece in ("}", "]") and self.steps:
            self._go_to(None)
            self.steps.pop()
            events += self._event("end")
        elif piece == "," and self.steps:
            last = self.steps[-1]
            self._go_to(last + 1 if isinstance(last, int) else None)
        elif piece in ("{", "[", '"') or is_word:
            if not (self._is_key or self._pieces):
                events += self._event("begin")
            if piece in ("{", "["):
                self.steps.append(None)
                self._go_to(None if piece == "{" else 0)
            else:
                self._pieces.append(piece)
        return found.end()

    def _taken(self) -> list[Any]:
        """Return the value of the word that was read, or nothing where it has none."""
        word = "".join(self._pieces)
        self._pieces.clear()
        spend(len(word))
        try:
            value = _DECODER.decode(word)
        except ValueError:
            return []
        return [] if isinstance(value, float) and not math.isfinite(value) else [value]

    def _end_of_word(self) -> list[Event]:
        if not self._pieces:
            return []
        values = self._taken()
        return self._event("end", **({"value": values[0]} if values else {}))

    def _event(self, name: str, **more: Any) -> list[Event]:
        if self._length > LONGEST:
            return []
        spend(self._length)
        pointer = "".join(f"/{_escaped(step)}" for step in self.steps if step is not None)
        return [{"pointer": pointer, "event": name, **more}]

    def _go_to(self, step: Step | None) -> None:
        """Go to another key or index of the innermost object or array."""
        self._length += _size(step) - _size(self.steps[-1])
        self.steps[-1] = step


def _escaped(step: Step) -> str:
    return str(step).replace("~", "~0").replace("/", "~1")


def _size(step: Step | None) -> int:
    return 0 if step is None else 1 + len(_escaped(step))
