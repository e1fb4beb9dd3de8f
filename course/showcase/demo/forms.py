"""What a prompt asks for, in words."""

from typing import Any

from labkit.small_model.tasks.forms import Form, JsonForm, TextForm

_LONGEST = 120


def in_words(form: Form | None) -> str:
    r"""A form on a line.

    >>> in_words(TextForm("#[0-9a-f]{6}"))
    'a text that matches #[0-9a-f]{6}'
    >>> in_words(JsonForm({"type": "object", "properties": {"name": {}, "email": {}}}))
    'JSON with name, email'
    """
    if form is None:
        return ""
    if isinstance(form, TextForm):
        if not form.pattern:
            return "the empty text"
        return _short(f"a text that matches {form.pattern}".replace("\n", "\\n"))
    if isinstance(form, JsonForm):
        return _short(_json(form.schema))
    before, after = (form.special + form.before).strip(), form.after.strip()
    place = f"between {before} and {after}" if after else f"behind {before}"
    return _short(f"{_json(form.schema)}, {place}")


def _json(schema: Any) -> str:
    """The members of an object; where there are alternatives, what tells them apart."""
    if not isinstance(schema, dict):
        return "JSON of a schema"
    if isinstance(branches := schema.get("anyOf"), list):
        return f"JSON, a call of {' or '.join(map(_called, branches))}" if all(map(_called, branches)) else "JSON"
    if isinstance(schema.get("items"), dict):
        return f"an array of {_json(schema['items'])}"
    members = schema.get("properties")
    return f"JSON with {', '.join(members)}" if isinstance(members, dict) and members else "JSON of a schema"


def _called(schema: Any) -> str:
    """The name of the function that a schema of a call is for."""
    try:
        return str(schema["properties"]["name"]["const"])
    except (LookupError, TypeError):
        return ""


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
