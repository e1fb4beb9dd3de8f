"""What a request may ask of its answer, whatever the dialect in which it was said."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class ResponseFormat:
    """A constraint: a JSON Schema, or a pattern that the whole answer matches.

    Args:
        type: ``"json_schema"`` or ``"regex"``.
        schema: the JSON Schema.
        pattern: the pattern.

    Raises:
        ValueError: unless the field of the type is given, and no other.

    >>> ResponseFormat("regex", pattern="[0-9]+").pattern
    '[0-9]+'
    >>> ResponseFormat("regex", schema={})
    Traceback (most recent call last):
    ValueError: a response format of the type 'regex' needs a pattern, and no schema
    """

    type: Literal["json_schema", "regex"]
    schema: dict[str, Any] | bool | None = None
    pattern: str | None = None

    def __post_init__(self) -> None:
        fields = {"json_schema": ("schema", "pattern"), "regex": ("pattern", "schema")}
        if self.type not in fields:
            raise ValueError(f"the type of a response format must be one of {list(fields)}, not {self.type!r}")
        needed, other = fields[self.type]
        if getattr(self, needed) is None or getattr(self, other) is not None:
            raise ValueError(f"a response format of the type {self.type!r} needs a {needed}, and no {other}")

    @classmethod
    def choice(cls, choices: Sequence[str]) -> "ResponseFormat":
        r"""Return the format of an answer that is one of these texts.

        Raises:
            ValueError: if there are none.

        >>> ResponseFormat.choice(["yes", "no (why?)"]).pattern
        'yes|no\\ \\(why\\?\\)'
        """
        if not choices:
            raise ValueError("a choice needs at least one text")
        return cls("regex", pattern="|".join(re.escape(text) for text in choices))
