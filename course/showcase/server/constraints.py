"""The constraints that clients may ask for: OpenAI's ``response_format``, and what vLLM's users send."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from labkit.small_model.tasks.judging import parse

Asked = dict[str, Any]
"""A constraint as ``mask_engine.structured_outputs`` reads it: a type, and the one field that it needs."""

MAX_NESTING = 250
"""How deep a body may be nested: lab 08 takes schemas to a depth of 200."""


class Strict(BaseModel):
    """A body in which an unknown key is an error, and a number is not a string."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, populate_by_name=False)


class Format(Strict):
    """One of the formats, as the engine takes it too."""

    type: str

    def asked(self) -> Asked:
        """Return the constraint."""
        return self.model_dump(by_alias=True)


class TextFormat(Format):
    """``{"type": "text"}``: no constraint."""

    type: Literal["text"]


class JsonObjectFormat(Format):
    """``{"type": "json_object"}``: any JSON object; with a ``schema``, which instructor sends, what that describes."""

    type: Literal["json_object"]
    schema_: dict[str, Any] | bool | None = Field(None, alias="schema")

    def asked(self) -> Asked:
        """Return the constraint."""
        if self.schema_ is None:
            return {"type": "json_object"}
        return {"type": "json_schema", "schema": self.schema_}


class NamedSchema(Strict):
    """What OpenAI's client sends under ``json_schema``.

    Without ``strict: false`` no members come but those that the schema mentions. Three keys are ours: without ``order:
    "any"`` members come in the schema's order, ``whitespace: "compact"`` asks for JSON without spaces, and ``reading:
    "validator"`` for all that the schema allows, in any order.
    """

    name: str
    schema_: dict[str, Any] | bool = Field(alias="schema")
    description: str | None = None
    strict: bool | None = None
    order: Literal["schema", "any"] | None = None
    whitespace: Literal["flexible", "compact"] = "flexible"
    reading: Literal["form", "validator"] = "form"


class JsonSchemaFormat(Format):
    """``{"type": "json_schema"}`` with ``json_schema: {name, schema}`` or, shorter, ``schema``."""

    type: Literal["json_schema"]
    json_schema: NamedSchema | None = None
    schema_: dict[str, Any] | bool | None = Field(None, alias="schema")

    def asked(self) -> Asked:
        """Return the constraint."""
        if self.json_schema is None:
            return {"type": "json_schema", "schema": self.schema_}
        given = self.json_schema
        options = given.model_dump(include={"strict", "order", "whitespace", "reading"}, exclude_none=True)
        return {"type": "json_schema", "json_schema": {"schema": given.schema_} | options}

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        if (self.json_schema is None) == (self.schema_ is None):
            raise PydanticCustomError("invalid_value", "give either json_schema: {name, schema} or schema")
        return self


class RegexFormat(Format):
    """``{"type": "regex", "pattern": ...}``."""

    type: Literal["regex"]
    pattern: str


class GrammarFormat(Format):
    """``{"type": "grammar", "grammar": ...}``, in GBNF."""

    type: Literal["grammar"]
    grammar: str


class StructuredOutputsParams(Strict):
    """What vLLM's users send in ``extra_body``: exactly one constraint, and of JSON how it's written."""

    regex: str | None = None
    choice: list[str] | None = Field(None, min_length=1)
    json_: dict[str, Any] | bool | str | None = Field(None, alias="json")
    grammar: str | None = None
    json_object: bool | None = None
    disable_any_whitespace: bool | None = None
    disable_additional_properties: bool | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        several = (self.regex, self.choice, self.json_, self.grammar, self.json_object or None)
        if sum(value is not None for value in several) != 1:
            said = "give exactly one of regex, choice, json, json_object and grammar"
            raise PydanticCustomError("conflicting_constraints", said)
        return self

    def asked(self) -> Asked:
        """Return the constraint.

        Raises:
            ValueError: if ``json`` is a string that is not JSON; see ``read_json``.

        >>> StructuredOutputsParams(json=True, disable_any_whitespace=True).asked()
        {'type': 'json_schema', 'json_schema': {'schema': True, 'whitespace': 'compact'}}
        """
        if self.regex is not None:
            return {"type": "regex", "pattern": self.regex}
        if self.choice is not None:
            return {"type": "choice", "choices": self.choice}
        if self.grammar is not None:
            return {"type": "grammar", "grammar": self.grammar}
        options: Asked = {"whitespace": "compact"} if self.disable_any_whitespace else {}
        if self.json_object:
            return {"type": "json_schema", "json_schema": {"schema": {"type": "object"}, "strict": False} | options}
        options |= {"strict": True} if self.disable_additional_properties else {}
        schema = read_json(self.json_) if isinstance(self.json_, str) else self.json_
        return {"type": "json_schema", "json_schema": {"schema": schema} | options}


class Constrained(Strict):
    """A body with a constraint under one of these keys; ``guided_json`` and the like are vLLM's before 0.12."""

    response_format: (
        Annotated[
            TextFormat | JsonObjectFormat | JsonSchemaFormat | RegexFormat | GrammarFormat, Field(discriminator="type")
        ]
        | None
    ) = None
    structured_outputs: StructuredOutputsParams | None = None
    guided_json: dict[str, Any] | bool | str | None = None
    guided_regex: str | None = None
    guided_choice: list[str] | None = Field(None, min_length=1)
    guided_grammar: str | None = None

    def key_of(self, error: Exception) -> str:
        """Return the key that the constraint came under, to be named in an error."""
        return next(iter(self._constraints()), "response_format")

    def asked(self) -> Asked | None:
        """Return the constraint, or None."""
        return next((chosen.asked() for chosen in self._constraints().values()), None)

    def _constraints(self) -> dict[str, Any]:
        """Return what constrains the text, by its key."""
        form = self.response_format if self.response_format and self.response_format.type != "text" else None
        found = {"response_format": form, "structured_outputs": self.structured_outputs}
        for name in ("json", "regex", "choice", "grammar"):
            value = getattr(self, key := f"guided_{name}")
            found[key] = None if value is None else StructuredOutputsParams(**{name: value})
        return {key: value for key, value in found.items() if value is not None}

    @model_validator(mode="after")
    def _one_constraint(self) -> Self:
        if len(keys := [*self._constraints()]) > 1:
            said = "{first} and {second} exclude each other"
            raise PydanticCustomError("conflicting_constraints", said, {"first": keys[0], "second": keys[1]})
        return self


def read_json(text: str) -> Any:
    """Parse a JSON text strictly: without NaN, without a key twice in an object, nested at most ``MAX_NESTING`` deep.

    Raises:
        ValueError: if it is not such a text.

    >>> read_json("[" * 300 + "]" * 300)
    Traceback (most recent call last):
    ValueError: it is nested deeper than 250
    """
    try:
        value = parse(text)
    except RecursionError:
        value = None
    else:
        level = [value]
        for _ in range(MAX_NESTING + 1):
            level = [each for each in level if isinstance(each, dict | list)]
            level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
            if not level:
                return value
    raise ValueError(f"it is nested deeper than {MAX_NESTING}")
