"""Prompts with facts, the form that each asks for, and the judge of an answer."""

from collections.abc import Iterator
from random import Random

from labkit.small_model.tasks.forms import Example, Form, JsonForm, NamedForm, TextForm, WrappedForm
from labkit.small_model.tasks.mixes import CORPUS, FORMAL, Draw, draw
from labkit.small_model.tasks.unfamiliar import unfamiliar

__all__ = [
    "CORPUS",
    "FORMAL",
    "MEASURED",
    "Example",
    "Form",
    "JsonForm",
    "NamedForm",
    "TextForm",
    "WrappedForm",
    "draw",
    "examples",
    "unfamiliar",
]

MEASURED: dict[Draw, int] = {draw: 1, unfamiliar: 1}
"""The tasks that the model is measured on: half of them like the training, half not."""


def examples(seed: int, tasks: dict[Draw, int] = FORMAL) -> Iterator[Example]:
    """Yield examples without end, the same for the same seed.

    >>> from itertools import islice
    >>> list(islice(examples(7), 3)) == list(islice(examples(7), 3))
    True
    """
    rng = Random(seed)
    while True:
        yield draw(rng, tasks)
