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


def _weather(rng: Random) -> tuple[str, dict[str, Any]]:
    city, unit = rng.choice(CITIES), rng.choice(UNIT["enum"])
    said = rng.choice([f"Weather in {city} in {unit}?", f"How warm is it in {city}? Use {unit}."])
    return said, {"city": city, "unit": unit}


def _timer(rng: Random) -> tuple[str, dict[str, Any]]:
    minutes, label = rng.randint(1, 90), rng.choice(ITEMS)
    said = rng.choice([f"Timer of {minutes} minutes for the {label}", f"Wake me for the {label} in {minutes} minutes"])
    return said, {"minutes": minutes, "label": label}


def _mail(rng: Random) -> tuple[str, dict[str, Any]]:
    to, subject = facts.email(rng, facts.person(rng)), facts.title(rng)
    return rng.choice([f"Mail {to} about {subject}", f"Write to {to}: {subject}"]), {"to": to, "subject": subject}


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


def _reminder(rng: Random) -> tuple[str, dict[str, Any]]:
    text, time = facts.title(rng), facts.clock(rng)
    return rng.choice([f"Remind me of {text} at {time}", f"At {time}, remind me: {text}"]), {"text": text, "time": time}


def _song(rng: Random) -> tuple[str, dict[str, Any]]:
    title, artist = rng.choice(SONGS), facts.person(rng)
    return rng.choice([f"Play {title} by {artist}", f"I want to hear {artist}, {title}"]), {
        "title": title,
        "artist": artist,
    }


def _translation(rng: Random) -> tuple[str, dict[str, Any]]:
    text, language = f"{rng.choice(ITEMS)} and {rng.choice(ITEMS)}", rng.choice(LANGUAGES)
    said = rng.choice([f"What is {text} in {language}?", f"Say {text} in {language}."])
    return said, {"text": text, "language": language}


def _table(rng: Random) -> tuple[str, dict[str, Any]]:
    name, people, time = facts.person(rng), rng.randint(2, 12), facts.clock(rng)
    said = rng.choice([f"A table for {people} at {time}, {name}", f"Book at {time} for {people} people, name {name}"])
    return said, {"name": name, "people": people, "time": time}


def _search(rng: Random) -> tuple[str, dict[str, Any]]:
    query, most = rng.choice(ITEMS), rng.randint(5, 500)
    return rng.choice([f"Find a {query} under {most}", f"A {query} for at most {most}?"]), {
        "query": query,
        "max_price": most,
    }


TOOLS: dict[str, PromptTool] = {
    tool.name: tool
    for tool in (
        PromptTool("get_weather", {"city": STRING, "unit": UNIT}, _weather),
        PromptTool("set_timer", {"minutes": COUNT, "label": STRING}, _timer),
        PromptTool("send_mail", {"to": EMAIL, "subject": STRING}, _mail),
        PromptTool("find_flights", {"origin": STRING, "destination": STRING, "date": DATE}, _flights),
        PromptTool("convert_money", {"amount": COUNT, "source": CURRENCY, "target": CURRENCY}, _money),
        PromptTool("add_reminder", {"text": STRING, "time": TIME}, _reminder),
        PromptTool("play_song", {"title": STRING, "artist": STRING}, _song),
        PromptTool("translate", {"text": STRING, "language": STRING}, _translation),
        PromptTool("book_table", {"name": STRING, "people": COUNT, "time": TIME}, _table),
        PromptTool("search_shop", {"query": STRING, "max_price": COUNT}, _search),
    )
}
"""The tools by name."""
