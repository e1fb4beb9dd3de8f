"""Tools that the model may call, and requests for them."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.forms import COUNT, DATE, EMAIL, STRING, TIME, Schema
from labkit.small_model.tasks.words import CITIES, ITEMS, LANGUAGES, SONGS

UNIT: Schema = {"enum": ["celsius", "fahrenheit"]}
CURRENCY: Schema = {"enum": ["EUR", "GBP", "JPY", "USD"]}


@dataclass(frozen=True)
class PromptTool:
    """A function that can be called.

    Attributes:
        parameters: each parameter's schema, in the order in which they are written.
        draw: draws a request in words, and the arguments that it asks for.
    """

    name: str
    parameters: dict[str, Schema]
    draw: Callable[[Random], tuple[str, dict[str, Any]]]

    def signature(self) -> str:
        """Return the tool as it is listed in the prompt.

        >>> TOOLS["get_weather"].signature()
        'get_weather(city: string, unit: celsius|fahrenheit)'
        """
        kinds = (f"{key}: {'|'.join(s['enum']) if 'enum' in s else s['type']}" for key, s in self.parameters.items())
        return f"{self.name}({', '.join(kinds)})"


Draw = Callable[[Random], Any]
"""Draws a value at random."""


def _asks(*phrases: str, **draws: Draw) -> Callable[[Random], tuple[str, dict[str, Any]]]:
    """Return what draws the arguments, in this order, and then one of the phrases that ask for them."""

    def draw(rng: Random) -> tuple[str, dict[str, Any]]:
        arguments = {name: drawn(rng) for name, drawn in draws.items()}
        return rng.choice(phrases).format(**arguments), arguments

    return draw


def _flights(rng: Random) -> tuple[str, dict[str, Any]]:
    start, end = rng.sample(CITIES, 2)
    day = facts.date(rng)
    said = rng.choice([f"Flights from {start} to {end} on", f"Fly me from {start} to {end},"])
    return f"{said} {facts.spoken(rng, day)}", {"origin": start, "destination": end, "date": facts.iso(day)}


def _money(rng: Random) -> tuple[str, dict[str, Any]]:
    source, target = rng.sample(CURRENCY["enum"], 2)
    amount = rng.randint(1, 900)
    said = rng.choice([f"What are {amount} {source} in {target}?", f"Change {amount} {source} into {target}."])
    return said, {"amount": amount, "source": source, "target": target}


_WEATHER = _asks(
    "Weather in {city} in {unit}?",
    "How warm is it in {city}? Use {unit}.",
    city=lambda rng: rng.choice(CITIES),
    unit=lambda rng: rng.choice(UNIT["enum"]),
)
_TIMER = _asks(
    "Timer of {minutes} minutes for the {label}",
    "Wake me for the {label} in {minutes} minutes",
    minutes=lambda rng: rng.randint(1, 90),
    label=lambda rng: rng.choice(ITEMS),
)
_MAIL = _asks(
    "Mail {to} about {subject}",
    "Write to {to}: {subject}",
    to=lambda rng: facts.email(rng, facts.person(rng)),
    subject=facts.title,
)
_REMINDER = _asks("Remind me of {text} at {time}", "At {time}, remind me: {text}", text=facts.title, time=facts.clock)
_SONG = _asks(
    "Play {title} by {artist}",
    "I want to hear {artist}, {title}",
    title=lambda rng: rng.choice(SONGS),
    artist=facts.person,
)
_TRANSLATION = _asks(
    "What is {text} in {language}?",
    "Say {text} in {language}.",
    text=lambda rng: f"{rng.choice(ITEMS)} and {rng.choice(ITEMS)}",
    language=lambda rng: rng.choice(LANGUAGES),
)
_TABLE = _asks(
    "A table for {people} at {time}, {name}",
    "Book at {time} for {people} people, name {name}",
    name=facts.person,
    people=lambda rng: rng.randint(2, 12),
    time=facts.clock,
)
_SEARCH = _asks(
    "Find a {query} under {max_price}",
    "A {query} for at most {max_price}?",
    query=lambda rng: rng.choice(ITEMS),
    max_price=lambda rng: rng.randint(5, 500),
)

TOOLS: dict[str, PromptTool] = {
    tool.name: tool
    for tool in (
        PromptTool("get_weather", {"city": STRING, "unit": UNIT}, _WEATHER),
        PromptTool("set_timer", {"minutes": COUNT, "label": STRING}, _TIMER),
        PromptTool("send_mail", {"to": EMAIL, "subject": STRING}, _MAIL),
        PromptTool("find_flights", {"origin": STRING, "destination": STRING, "date": DATE}, _flights),
        PromptTool("convert_money", {"amount": COUNT, "source": CURRENCY, "target": CURRENCY}, _money),
        PromptTool("add_reminder", {"text": STRING, "time": TIME}, _REMINDER),
        PromptTool("play_song", {"title": STRING, "artist": STRING}, _SONG),
        PromptTool("translate", {"text": STRING, "language": STRING}, _TRANSLATION),
        PromptTool("book_table", {"name": STRING, "people": COUNT, "time": TIME}, _TABLE),
        PromptTool("search_shop", {"query": STRING, "max_price": COUNT}, _SEARCH),
    )
}
"""The tools by name."""
