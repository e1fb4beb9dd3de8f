"""The judge: whether an answer has the form that was asked for, and if not, why; and whether it says what is right."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import jsonschema
import regex
from jsonschema.exceptions import ValidationError

from labkit.small_model.tasks.forms import Form, JsonForm, Schema, TextForm, WrappedForm

REASONS = ("unclosed", "trailing comma", "prose around it", "wrong key", "wrong type", "wrong value", "broken syntax")
"""Why an answer is not valid."""


@dataclass(frozen=True)
class Verdict:
    """What the judge says.

    Attributes:
        valid: whether the answer has the form.
        why: one of ``REASONS``, or nothing where it is valid.
        detail: the sentence of the library that found it.
    """

    valid: bool
    why: str = ""
    detail: str = ""


VALID = Verdict(True)


def judge(form: Form, text: str) -> Verdict:
    """Whether a whole answer has a form.

    The judges are Python's ``json``, ``jsonschema`` and ``regex``; no code of the labs has a say.

    Args:
        form: what was asked for.
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
    if isinstance(form, WrappedForm):
        return _judge_wrapped(form, text)
    return _judge_json(form.schema, text)


def says_the_same(form: Form, text: str, answer: str) -> bool:
    """Whether an answer means what the right one means: equal values in JSON, equal texts elsewhere.

    >>> says_the_same(JsonForm({}), '{"a":1, "b":2}', '{"b": 2, "a": 1}'), says_the_same(TextForm("a|b"), "a", "b")
    (True, False)
    """
    if not judge(form, text).valid:
        return False
    if isinstance(form, WrappedForm):
        return bool(parse(_inside(form, text)) == parse(_inside(form, answer)))
    return bool(parse(text) == parse(answer)) if isinstance(form, JsonForm) else text == answer


def parse(text: str) -> Any:
    """A JSON text, strictly: no NaN, and no key twice in one object.

    Raises:
        ValueError: if it is none.

    >>> parse('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    labkit.small_model.tasks.judging.KeyTwice: the key 'a' twice in one object
    """
    return json.loads(text, object_pairs_hook=_members, parse_constant=_no_constant)


class KeyTwice(ValueError):
    """One key twice in an object: JSON as Python reads it, but no object that anyone asked for."""


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise KeyTwice(f"the key {key!r} twice in one object")
    return dict(pairs)


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
    """The reason, from what would mend it. The order matters: each asks a little more than the one before."""
    if not isinstance(error, json.JSONDecodeError):
        return "wrong key" if isinstance(error, KeyTwice) else "broken syntax"
    if _has_json_inside(text):
        return "prose around it"
    if _is_json(regex.sub(r",(?=\s*[}\]])", "", text)):
        return "trailing comma"
    ended = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
    return "unclosed" if ended else "broken syntax"


def _has_json_inside(text: str) -> bool:
    """Whether a whole object or array stands in the text, though the text is more than that."""
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
    """The error to tell of.

    Where none of several schemas fits, it is one of the schema that was meant: that of the tool that is named, or the
    one with the fewest errors.
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
