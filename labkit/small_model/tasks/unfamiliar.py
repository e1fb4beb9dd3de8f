"""Prompts unlike those of the training: words that it never had, and more of everything.

On what it was trained on the small model is nearly always right. People do not keep to that, and a model that meets
words and lengths which it does not know breaks its form more often: these prompts show it.
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

# Words that are keys or stand in titles stay, as "phone" and "book" do, and those whose plural is not made by an s.
_KEPT = {*FIELDS, "phone", *" ".join(TITLES).split()}
_ITEMS = [item for item in ITEMS if number_of(2, item) == f"2 {item}s" and item not in _KEPT]

_KNOWN = regex.compile(r"\b(\L<words>)(?=s?\b)", words=[*FIRST_NAMES, *LAST_NAMES, *CITIES, *_ITEMS])


def unfamiliar(rng: Random) -> Example:
    """A task of the usual kinds with unknown words in it and, where it can have more of something, more.

    >>> unfamiliar(Random(3)).prompt
    'JSON with title, date, place: Science talk on 19.11.2035 in Blue Room.'
    """
    return replace(renamed(rng, draw(rng, _TASKS)), familiar=False)


def made_up(rng: Random) -> str:
    """A word that can be said and that no list has.

    >>> made_up(Random(0))
    'solculun'
    """
    return "".join(rng.choice(_SYLLABLES) for _ in range(rng.randint(2, 3)))


def renamed(rng: Random, example: Example) -> Example:
    """The example with names, cities and items changed into made-up words, in prompt and answer alike."""
    fresh: dict[str, str] = {}
    for match in _KNOWN.finditer(example.answer):
        fresh.setdefault(match[1], made_up(rng))
        if match[1][0].isupper():
            fresh[match[1]] = fresh[match[1]].capitalize()

    def change(text: str) -> str:
        return str(_KNOWN.sub(lambda match: fresh.get(match[1], match[1]), text))

    return replace(example, prompt=change(example.prompt), answer=change(example.answer))
