"""Prompts unlike those of the training: unknown words, and larger objects.

On prompts like those of its training the small model is nearly always right. With unknown words and lengths it breaks
the form more often, as these prompts show.
"""

from dataclasses import replace
from functools import partial
from random import Random

import regex

from labkit.small_model.tasks.facts import number_of
from labkit.small_model.tasks.fields import FIELDS, fields
from labkit.small_model.tasks.forms import Example
from labkit.small_model.tasks.mixes import FORMAL, Draw, draw
from labkit.small_model.tasks.nested import basket, folders
from labkit.small_model.tasks.tool_calls import tool_call
from labkit.small_model.tasks.words import CITIES, FIRST_NAMES, ITEMS, LAST_NAMES, TITLES

_LONGER: dict[Draw, Draw] = {
    basket: partial(basket, least=4, most=6),
    folders: partial(folders, least=6, most=9),
    fields: partial(fields, least=6, most=9),
    tool_call: partial(tool_call, least=5, most=8),
}

_TASKS: dict[Draw, int] = {_LONGER.get(task, task): weight for task, weight in FORMAL.items()}

_SYLLABLES = (
    "ba",
    "cu",
    "dre",
    "fi",
    "gol",
    "hu",
    "jo",
    "ka",
    "lun",
    "mi",
    "nor",
    "pe",
    "ri",
    "sol",
    "ta",
    "vek",
    "yo",
    "zan",
)

# Words stay if they are keys or parts of titles, like "phone" and "book", or if their plural is irregular.
_KEPT = {*FIELDS, "phone", *" ".join(TITLES).split()}
_ITEMS = [item for item in ITEMS if number_of(2, item) == f"2 {item}s" and item not in _KEPT]

_KNOWN = regex.compile(r"\b(\L<words>)(?=s?\b)", words=[*FIRST_NAMES, *LAST_NAMES, *CITIES, *_ITEMS])


def unfamiliar(rng: Random) -> Example:
    """Draw a task of the usual kinds with unknown words in it, larger than usual where its kind allows that.

    >>> unfamiliar(Random(3)).prompt
    'JSON with title, date, place: Science talk on 19.11.2035 in Blue Room.'
    """
    return replace(renamed(rng, draw(rng, _TASKS)), familiar=False)


def made_up(rng: Random) -> str:
    """Draw a pronounceable word that is in no list.

    >>> made_up(Random(0))
    'solculun'
    """
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 3)))


def renamed(rng: Random, example: Example) -> Example:
    """Return the example with names, cities and items replaced by made-up words, in prompt and answer alike."""
    fresh: dict[str, str] = {}
    for match in _KNOWN.finditer(example.answer):
        fresh.setdefault(match[1], made_up(rng))
        if match[1][0].isupper():
            fresh[match[1]] = fresh[match[1]].capitalize()

    def change(text: str) -> str:
        return str(_KNOWN.sub(lambda match: fresh.get(match[1], match[1]), text))

    return replace(example, prompt=change(example.prompt), answer=change(example.answer))
