"""The first check of a schema: it is a JSON value of limited depth, whose texts can be written."""

import math
from typing import Any

from labkit.errors import InvalidSchema, LimitExceeded
from labs.lab_08_json_schema.given.pointers import below

MAX_NESTING = 200
"""How deep the schema, as a JSON value, may be nested."""

MAX_DIGITS = 1_000
"""The most digits of an integer in it."""


def check_document(schema: Any) -> None:
    """Check that a schema is a JSON value.

    Raises:
        InvalidSchema: with the place of anything else: another Python object, a key that is not a text, a number that
            is not finite, a text with half a surrogate pair.
        LimitExceeded: if it is nested deeper than ``MAX_NESTING``, or has an integer longer than ``MAX_DIGITS``.

    >>> check_document({"enum": [float("nan")]})
    Traceback (most recent call last):
    labkit.errors.InvalidSchema: nan is no JSON value, at /enum/0
    """
    waiting = [(schema, "", 0)]
    while waiting:
        value, pointer, depth = waiting.pop()
        if depth > MAX_NESTING:
            raise LimitExceeded(f"the schema is nested too deep at {pointer[:60]}...", MAX_NESTING)
        if isinstance(value, dict):
            for key in value:
                check_text(key, pointer)
            waiting += [(item, below(pointer, key), depth + 1) for key, item in value.items()]
        elif isinstance(value, (list, tuple)):
            waiting += [(item, below(pointer, index), depth + 1) for index, item in enumerate(value)]
        elif isinstance(value, str):
            check_text(value, pointer)
        elif type(value) is int and abs(value) >= 10**MAX_DIGITS:
            raise LimitExceeded(f"the number at {pointer or 'the root'} of the schema has too many digits", MAX_DIGITS)
        elif not (
            value is None or isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value))
        ):
            raise InvalidSchema(f"{value!r:.80} is no JSON value", pointer)


def check_text(text: Any, pointer: str) -> None:
    r"""Check that a value is a text that can be written.

    Raises:
        InvalidSchema: if it is not a text, or has half a surrogate pair.

    >>> check_text("half \ud83d", "/enum/0")
    Traceback (most recent call last):
    labkit.errors.InvalidSchema: 'half \ud83d' holds half a surrogate pair at 5, at /enum/0
    """
    if not isinstance(text, str):
        raise InvalidSchema(f"the key {text!r:.80} is no text", pointer)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidSchema(f"{text!a:.80} holds half a surrogate pair at {error.start}", pointer) from None
