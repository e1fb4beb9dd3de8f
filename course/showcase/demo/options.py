"""The options of the demo for one's own prompt: a pattern or a schema, a prompt, and how to sample."""

import json
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from labkit.errors import InvalidSchema
from labkit.small_model.tasks.forms import Form, JsonForm, TextForm

CHECKPOINTS = ("final", "early")

LARGEST = 1_000_000
"""Bytes of a schema file."""


@dataclass(frozen=True)
class Options:
    """The options of ``python -m course demo`` for one's own prompt.

    Raises:
        ValueError: if they do not fit each other.
    """

    regex: str | None = None
    schema: str | None = None
    prompt: str | None = None
    max_tokens: int | None = None
    seed: int | None = None
    temperature: float | None = None
    checkpoint: str | None = None

    def __post_init__(self) -> None:
        if self.regex is not None and self.schema is not None:
            raise ValueError("give --regex or --schema, not both: an answer has one form")
        settings = ("max_tokens", "seed", "temperature", "checkpoint")
        if not self.present and (given := [name for name in settings if getattr(self, name) is not None]):
            raise ValueError(f"--{given[0].replace('_', '-')} goes with --prompt, --regex or --schema")
        if self.checkpoint not in (None, *CHECKPOINTS):
            raise ValueError(f"--checkpoint is final or early, not {self.checkpoint!a}")
        if self.temperature is not None and not (isfinite(self.temperature) and self.temperature >= 0):
            raise ValueError(f"--temperature has to be a number from 0 on, not {self.temperature}")

    @property
    def present(self) -> bool:
        """Whether there is anything to answer."""
        return not self.regex is self.schema is self.prompt is None


def form_of(options: Options) -> Form | None:
    """Return the form that the options ask for; None where they name neither a pattern nor a schema.

    Raises:
        ValueError: naming the file of the schema and what is wrong with it, or the place in the pattern.

    >>> form_of(Options(regex="[0-9]+"))
    TextForm(pattern='[0-9]+')
    """
    if options.regex is not None:
        try:
            options.regex.encode()
        except UnicodeEncodeError as error:
            half = f"U+{ord(options.regex[error.start]):04X}"
            raise ValueError(f"the pattern has half a surrogate pair, {half}, at position {error.start}") from None
        return TextForm(options.regex)
    return JsonForm(read_schema(options.schema)) if options.schema is not None else None


def read_schema(name: str) -> Any:
    """Return the schema in a file; ``-`` is the standard input.

    Raises:
        ValueError: if it cannot be read, or is no JSON.
        InvalidSchema: if it is ``null``.
    """
    where = "the standard input" if name == "-" else ascii(name)
    try:
        with nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise ValueError(f"the schema cannot be read from {where}: {reason}") from None
    if len(content) > LARGEST:
        raise ValueError(f"the schema in {where} is larger than {LARGEST:,} bytes")
    try:
        schema = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{where} is no UTF-8 text: byte {error.start}") from None
    except RecursionError:
        raise ValueError(f"the JSON in {where} is nested too deep") from None
    except ValueError as error:
        raise ValueError(f"{where} is no JSON: {error}") from None
    if schema is None:
        raise InvalidSchema("a schema is an object, true or false, not null", "")
    return schema
