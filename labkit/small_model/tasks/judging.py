"""The judge: whether an answer has the required form, and if not, why; and whether its content is right."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema
import regex
from jsonschema.exceptions import ValidationError

from labkit.small_model.tasks.forms import Form, JsonForm, NamedForm, Schema, TextForm, WrappedForm

REASONS = ("unclosed", "trailing comma", "prose around it", "wrong key", "wrong type", "wrong value", "broken syntax")
"""The reasons why an answer is not valid."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on an answer.

    Attributes:
        valid: whether the answer has the form.
        why: one of ``REASONS``, or nothing if it is valid.
        detail: the error message of the library that found the fault.
    """

    valid: bool
    why: str = ""
    detail: str = ""


VALID = Verdict(True)


def judge(form: Form, text: str) -> Verdict:
    """Judge whether a whole answer has a form.

    ``json``, ``jsonschema`` and ``regex`` decide; no code of the labs is involved.

    Args:
        form: the form that was asked for.
        text: the answer, with the names of special tokens in it.

    >>> form = JsonForm({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False})
    >>> judge(form, '{"a": 1}')
    Verdict(valid=True, why='', detail='')
    >>> [judge(form, text).why for text in ('{"a": 1', '{"a": 1,}', 'Sure! {"a": 1}')]
    ['unclosed', 'trailing comma', 'prose around it']
    >>> [judge(form, text).why for text in ('{"b": 1}', '{"a": "1"}', '{a: 1}')]
    ['wrong key', 'wrong type', 'broken syntax']
    """
    if isinstance(form, TextForm):
        return _judge_text(form.pattern, text)
    if isinstance(form, NamedForm):
        return _judge_wrapped(form.wrapped(text), text)
    if isinstance(form, WrappedForm):
        return _judge_wrapped(form, text)
    return _judge_json(form.schema, text)


def says_the_same(form: Form, text: str, answer: str) -> bool:
    """Return whether an answer means the same as the right one: equal values in JSON, equal texts elsewhere.

    >>> says_the_same(JsonForm({}), '{"a":1, "b":2}', '{"b": 2, "a": 1}'), says_the_same(TextForm("a|b"), "a", "b")
    (True, False)
    """
    if not judge(form, text).valid:
        return False
    if isinstance(form, NamedForm):
        return text.startswith((named := form.wrapped(answer)).special + named.before) and says_the_same(
            named, text, answer
        )
    if isinstance(form, WrappedForm):
        return bool(parse(_inside(form, text)) == parse(_inside(form, answer)))
    return bool(parse(text) == parse(answer)) if isinstance(form, JsonForm) else text == answer


def parse(text: str, unique: bool = True) -> Any:
    """Parse a JSON text strictly: without NaN, and without the same key twice in one object.

    Args:
        unique: False allows a key twice, as JSON does and ``json.loads``; the last one counts.

    Raises:
        ValueError: if it is not such a text.

    >>> parse('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    labkit.small_model.tasks.judging.KeyTwice: the key 'a' twice in one object
    >>> parse('{"a": 1, "a": 2}', unique=False)
    {'a': 2}
    """
    return json.loads(text, object_pairs_hook=_members if unique else None, parse_constant=_no_constant)


class KeyTwice(ValueError):
    """The same key twice in an object, which Python's parser accepts."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise KeyTwice(f"the key {key!r:.80} twice in one object")
        members[key] = value
    return members


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _judge_json(schema: Schema, text: str) -> Verdict:
    try:
        value = parse(text)
    except RecursionError:
        return Verdict(False, "broken syntax", "too deep for Python's parser")
    except ValueError as error:
        return Verdict(False, _why_not_json(text, error), str(error))
    found = list(jsonschema.Draft202012Validator(schema).iter_errors(value))
    if not found:
        return VALID
    worst = _meant(found)
    return Verdict(False, _WHY.get(str(worst.validator), "wrong value"), worst.message)


def _why_not_json(text: str, error: ValueError) -> str:
    """Return the reason, judged by what would repair the text, from the smallest repair to the largest."""
    if not isinstance(error, json.JSONDecodeError):
        return "wrong key" if isinstance(error, KeyTwice) else "broken syntax"
    if _has_json_inside(text):
        return "prose around it"
    if _is_json(regex.sub(r",(?=\s*[}\]])", "", text)):
        return "trailing comma"
    ended = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    return "unclosed" if ended else "broken syntax"


def _has_json_inside(text: str) -> bool:
    """Return whether the text contains a whole object or array."""
    start = regex.search(r"[{\[]", text)
    if not start:
        return False
    try:
        json.JSONDecoder().raw_decode(text, start.start())
    except (ValueError, RecursionError):
        return False
    return True


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


_WHY = {"additionalProperties": "wrong key", "required": "wrong key", "type": "wrong type"}


def _meant(errors: Sequence[ValidationError]) -> ValidationError:
    """Return the error to report.

    If none of several schemas fits, it is an error of the schema that was probably meant: that of the tool that is
    named, or the one with the fewest errors.
    """
    first = errors[0]
    if not first.context:
        return first
    branches: dict[Any, list[ValidationError]] = {}
    for error in first.context:
        branches.setdefault(error.schema_path[0], []).append(error)
    return _meant(
        min(branches.values(), key=lambda found: (any(each.validator == "const" for each in found), len(found)))
    )


def _judge_text(pattern: str, text: str) -> Verdict:
    if regex.fullmatch(pattern, text):
        return VALID
    detail = f"no match of {pattern}"
    if regex.fullmatch(pattern, text, partial=True):
        return Verdict(False, "unclosed", detail)
    return Verdict(False, "prose around it" if regex.search(pattern, text) else "wrong value", detail)


def _judge_wrapped(form: WrappedForm, text: str) -> Verdict:
    begin = form.special + form.before
    if not text.startswith(begin):
        inside = begin in text
        return Verdict(False, "prose around it" if inside else "wrong value", f"does not begin with {begin!r}")
    if text.endswith(form.after) and len(text) >= len(begin) + len(form.after):
        return _judge_json(form.schema, _inside(form, text))
    return Verdict(False, "prose around it" if form.after in text else "unclosed", f"does not end with {form.after!r}")


def _inside(form: WrappedForm, text: str) -> str:
    return text[len(form.special + form.before) : len(text) - len(form.after)]
