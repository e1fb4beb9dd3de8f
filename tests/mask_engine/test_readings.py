"""Lab 08, the engine: what counts where a schema says nothing, for a form and for a validator."""

import pytest

from labkit.errors import UnsupportedSchema
from labkit.reading import READINGS, Reading, reading_of
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide, compile_json_schema

ONE = {"const": 1}
CASES = [
    ({"required": ["foo"]}, '{"foo": 1}', '[] | 1 | "a" | null', "{}"),
    ({"minimum": 1}, "1 | 2.5", '"x" | true | {}', "0"),
    ({"minLength": 2, "minItems": 1}, '"ab" | [1]', "1 | {}", '"a" | []'),
    ({"properties": {"a": {"maxLength": 1}}}, '{"a": "b"}', '{"a": 22} | {"b": 1}', '{"a": "bc"}'),
    (
        {"properties": {"a": ONE, "b": {}}, "required": ["a"]},
        '{"a": 1}',
        '{"a": 1, "c": [{}]} | {"b": 0, "a": 1}',
        "{}",
    ),
    ({"properties": {"a": ONE}, "additionalProperties": ONE}, '{"a": 1, "b": 1} | {"b": 1}', "", '{"b": 2}'),
    ({"properties": {"a": ONE}, "additionalProperties": False}, '{"a": 1} | {}', "", '{"a": 1, "b": 1} | {"b": 1}'),
    ({"format": "date"}, '"2024-02-29"', '"2023-02-29" | 1', ""),
    ({"type": "string", "format": "idn-email"}, None, '"x"', "1"),
    ({"type": "string", "not": {"format": "date"}}, None, "", '"x"'),
    ({"type": "integer"}, "1 | -20", "1.0 | 1e2 | 1.5e+20 | -0.0 | 1e308", "1.5 | 1.5e+1 | 1e-1"),
    ({"type": "integer", "minimum": 3, "multipleOf": 2}, "4 | 20", "4.0 | 2e+20", "3 | 2.0 | 4.5"),
    ({"type": "integer", "multipleOf": 0.5}, "4", "1e+308", "0.5"),
]
"""A schema; what both readings take, or None if a form's refuses it; what a validator's takes besides; what neither
does."""


@pytest.mark.parametrize(("schema", "form", "besides", "neither"), CASES)
def test_a_form_means_more_than_its_schema_says(schema, form, besides, neither):
    """Types, formats and spellings: a form's reading takes those that people mean, a validator's all that are valid."""
    as_validator = compile_json_schema(schema, reading="validator").fullmatch
    if form is None:
        with pytest.raises(UnsupportedSchema):
            compile_json_schema(schema)
    else:
        as_form = compile_json_schema(schema).fullmatch
        assert [as_form(text) for text in form.split(" | ")] == [True] * len(form.split(" | "))
        assert not any(map(as_form, [*besides.split(" | "), *neither.split(" | ")]))
    taken = [text for text in f"{form or ''} | {besides}".split(" | ") if text]
    assert [text for text in taken if not as_validator(text)] == []
    assert not any(map(as_validator, neither.split(" | ")))


def test_formats_may_be_asked_for_by_a_validator_too():
    """A validator may be told to check formats; then mail addresses may be quoted, as few forms want them."""
    both = compile_json_schema({"format": "email"}, reading=Reading(implied=False, formats=True)).fullmatch
    assert both('"a@b.de"') and both('"\\"a b\\"@c.de"') and both("1") and not both('"a"')
    assert not compile_json_schema({"format": "email"}).fullmatch('"\\"a b\\"@c.de"')


def test_a_reading_is_a_name_and_each_choice_goes_before_it():
    """The default is a form's; ``closed`` and ``order`` are choices of their own, by keyword."""
    assert reading_of() == READINGS["form"] == Reading()
    assert reading_of("validator", closed=True, order="schema") == Reading(True, "schema", implied=False)
    pair = {"type": "object", "properties": {"a": {}, "b": {}}}
    for options, text in [({}, '{"a":0,"b":0}'), ({"order": "any"}, '{"b":0,"a":0}'), ({"closed": False}, '{"c":0}')]:
        assert compile_json_schema(pair, reading="validator").fullmatch(text)
        assert compile_json_schema(pair, **options).fullmatch(text) and (
            not options or not compile_json_schema(pair).fullmatch(text)
        )
    assert not compile_json_schema(pair, reading="validator", closed=True).fullmatch('{"c":0}')
    for wrong in ({"reading": "parser"}, {"order": "sorted"}):
        with pytest.raises(ValueError, match="must be one of"):
            compile_guide(Vocabulary.toy(), json_schema=pair, **wrong)


def test_a_validator_does_not_guess_what_keywords_mean():
    """A ``$schema`` of somebody's own may switch keywords off; a form takes the usual ones."""
    own = {"$schema": "https://example.com/mine", "minimum": 1}
    assert compile_json_schema(own).fullmatch("1")
    with pytest.raises(UnsupportedSchema, match="what keywords mean says another document"):
        compile_json_schema(own, reading="validator")
