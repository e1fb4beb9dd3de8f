"""The form that an answer has to have."""

from dataclasses import dataclass
from typing import Any

Schema = dict[str, Any]


@dataclass(frozen=True)
class JsonForm:
    """One JSON text that satisfies a schema, and nothing around it.

    >>> from labkit.small_model.tasks.judging import judge
    >>> [judge(JsonForm({"type": "object"}), text).why for text in ("{}", "Sure! {}", "[]")]
    ['', 'prose around it', 'wrong type']
    """

    schema: Schema


@dataclass(frozen=True)
class TextForm:
    """A text that matches a regular expression as a whole.

    >>> from labkit.small_model.tasks.judging import judge
    >>> [judge(TextForm("#[0-9a-f]{6}"), text).valid for text in ("#ee82ee", "#ee82ee.")]
    [True, False]
    """

    pattern: str


@dataclass(frozen=True)
class WrappedForm:
    """Fixed text, one JSON text that satisfies a schema, fixed text.

    Attributes:
        special: the text of a special token that has to come first, or nothing.

    >>> from labkit.small_model.tasks.judging import judge
    >>> form = WrappedForm("<tool_call>", {"type": "object"}, "</tool_call>")
    >>> [judge(form, text).valid for text in ("<tool_call>{}</tool_call>", "{}")]
    [True, False]
    """

    before: str
    schema: Schema
    after: str
    special: str = ""


@dataclass(frozen=True)
class NamedForm:
    """A name between fixed texts, then one JSON text that satisfies this name's schema, then fixed text.

    Attributes:
        schemas: by name.
        special: the text of a special token that has to come first, or nothing.

    >>> NamedForm("<function=", {"now": {}}, ">", "</function>").wrapped("<function=now>{}</function>").before
    '<function=now>'
    """

    before: str
    schemas: dict[str, Schema]
    between: str
    after: str
    special: str = ""

    def wrapped(self, text: str) -> WrappedForm:
        """Return the form with the name that a text begins with, or else has in it, or else with the first name."""
        begins = {f"{self.special}{self.before}{name}{self.between}": name for name in sorted(self.schemas, key=len)}
        fitting = [begin for begin in begins if begin in text]
        # Of two names one of which begins the other, the longer is meant.
        begin = max(fitting, key=lambda each: (text.startswith(each), len(each)), default=next(iter(begins)))
        return WrappedForm(begin.removeprefix(self.special), self.schemas[begins[begin]], self.after, self.special)


Form = JsonForm | TextForm | WrappedForm | NamedForm


@dataclass(frozen=True)
class Example:
    """A prompt, one right answer, and the form that was asked for.

    Attributes:
        task: the kind of task, such as ``order``.
        prompt: what the user writes.
        answer: a right answer, as it is written in the corpus.
        form: the form asked for; None if any prose will do.
        familiar: whether the training had similar prompts: the same words, and objects of the same size.
    """

    task: str
    prompt: str
    answer: str
    form: Form | None
    familiar: bool = True


def closed(properties: dict[str, Schema], optional: tuple[str, ...] = ()) -> Schema:
    """Return the schema of an object with these members and no others.

    >>> closed({"name": {"type": "string"}, "phone": {"type": "string"}}, optional=("phone",))["required"]
    ['name']
    """
    return {
        "type": "object",
        "properties": properties,
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }


STRING: Schema = {"type": "string", "minLength": 1}
COUNT: Schema = {"type": "integer"}
NUMBER: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
DATE: Schema = {"type": "string", "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"}
TIME: Schema = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
EMAIL: Schema = {"type": "string", "pattern": "^[a-z]+([.][a-z]+)*@[a-z]+[.][a-z]{2,5}$"}
PHONE: Schema = {"type": "string", "pattern": "^[+][0-9]{2} [0-9]{2,3} [0-9]{5,8}$"}
