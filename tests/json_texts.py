"""JSON texts of a value, in the forms in which the tests of lab 08's compiler feed it."""

import json
from typing import Any

from jsonschema import Draft202012Validator

PLAIN: dict[str, Any] = {"ensure_ascii": False}
FORMS: tuple[dict[str, Any], ...] = (PLAIN, {}, {"separators": (",", ":")}, {**PLAIN, "indent": 2})
"""Ways in which json.dumps writes a value; the machine for flexible white space knows all of them."""


def written(value: Any) -> list[str]:
    """A value in all forms of json.dumps."""
    return [json.dumps(value, **form) for form in FORMS]


def valid_json(schema, text):
    """Whether a text is JSON that satisfies a schema, and no object in it has a key twice."""
    try:
        value = json.loads(
            text, object_pairs_hook=lambda pairs: dict(pairs) if len(dict(pairs)) == len(pairs) else 0 / 0
        )
    except (ValueError, ZeroDivisionError):
        return False
    return Draft202012Validator(schema).is_valid(value)
