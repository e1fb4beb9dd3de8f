"""The keywords of JSON Schema by how they are treated. A keyword in none of these lists constrains nothing."""

from labs.lab_08_json_schema.given.values import TYPES


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ANNOTATIONS = _words(
    """$schema $id id $comment $defs definitions $anchor $dynamicAnchor $vocabulary $recursiveAnchor title description
    default examples example deprecated readOnly writeOnly contentMediaType contentEncoding contentSchema"""
)
"""Keywords that say something about a value, or hold schemas for others, and constrain nothing."""

BY_TYPE: dict[str, frozenset[str]] = {
    "number": _words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
    "string": _words("minLength maxLength pattern format"),
    "array": _words(
        """items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains
        unevaluatedItems"""
    ),
    "object": _words(
        """properties required additionalProperties minProperties maxProperties patternProperties propertyNames
        dependentRequired dependentSchemas dependencies unevaluatedProperties"""
    ),
}
"""The keywords that apply to values of one type only."""

REFUSED = {
    "extends": "an inheritance of draft 3",
    "disallow": "a negation of draft 3",
    "divisibleBy": "a divisor of draft 3",
}
"""Keywords that constrain and are not covered, with words for the refusal."""


def speaks_of(keyword: str) -> str | None:
    """Return the type to which a keyword applies, None if it applies to all or to none.

    >>> speaks_of("minLength"), speaks_of("enum")
    ('string', None)
    """
    return next((kind for kind in TYPES if keyword in BY_TYPE.get(kind, ())), None)
