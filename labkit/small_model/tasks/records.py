"""Flat JSON objects: orders, contacts, events."""

import json
from random import Random
from typing import Any

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.forms import COUNT, DATE, EMAIL, PHONE, STRING, TIME, Example, JsonForm, Schema, closed
from labkit.small_model.tasks.words import CITIES, ITEMS, PLACES

_ONLY = ("JSON only.", "Answer with JSON.", "Reply with one JSON object.", "As JSON, nothing else.")


def written(value: Any) -> str:
    """Return JSON in the corpus's one style.

    >>> written({"a": [1, "é"]})
    '{"a": [1, "é"]}'
    """
    return json.dumps(value, ensure_ascii=False)


def asked(rng: Random, text: str, keys: list[str]) -> str:
    """Draw the wording of a request for JSON: the text, and either the keys or that JSON alone is wanted.

    >>> asked(Random(0), "3 mugs for Ada.", ["item", "quantity"])
    '3 mugs for Ada. As JSON, nothing else.'
    """
    named = ", ".join(keys)
    return rng.choice(
        [
            f"{text} {rng.choice(_ONLY)}",
            f"{rng.choice(_ONLY)} {text}",
            f"{text} JSON with the keys {named}.",
            f"JSON with {named}: {text}",
        ]
    )


def json_example(rng: Random, task: str, text: str, value: dict[str, Any], schema: Schema) -> Example:
    """Draw an example whose answer is one JSON object."""
    return Example(task, asked(rng, text, list(value)), written(value), JsonForm(schema))


ORDER = closed({"item": STRING, "quantity": COUNT, "customer": STRING, "city": STRING})


def order(rng: Random) -> Example:
    """Draw an order of one item.

    >>> order(Random(0)).answer
    '{"item": "radio", "quantity": 49, "customer": "Maria Berg", "city": "Florence"}'
    """
    item, count, name, city = rng.choice(ITEMS), rng.randint(1, 60), facts.person(rng), rng.choice(CITIES)
    many = facts.number_of(count, item)
    text = rng.choice(
        [
            f"{name} from {city} orders {many}.",
            f"{name} in {city} wants {many}.",
            f"Send {many} to {name}, {city}.",
            f"Order: {many}, for {name} in {city}.",
            f"We need {many} in {city}. The customer is {name}.",
        ]
    )
    return json_example(rng, "order", text, {"item": item, "quantity": count, "customer": name, "city": city}, ORDER)


CONTACT = closed({"name": STRING, "email": EMAIL, "phone": PHONE, "city": STRING}, optional=("email", "phone", "city"))


def contact(rng: Random) -> Example:
    """Draw a contact; unknown members are left out."""
    name = facts.person(rng)
    country, area, number = facts.phone(rng)
    known: dict[str, Any] = {"email": facts.email(rng, name), "phone": f"+{country} {area} {number}"}
    known["city"] = rng.choice(CITIES)
    kept = [key for key in known if rng.random() < 0.7] or ["city"]
    told = {
        "email": rng.choice([f"email {known['email']}", f"mail to {known['email']}"]),
        "phone": rng.choice([f"phone {known['phone']}", f"call {known['phone']}"]),
        "city": rng.choice([f"lives in {known['city']}", f"from {known['city']}"]),
    }
    text = f"{rng.choice(['Contact', 'New contact', 'Save'])}: {name}, {', '.join(told[key] for key in kept)}."
    return json_example(rng, "contact", text, {"name": name, **{key: known[key] for key in kept}}, CONTACT)


EVENT = closed({"title": STRING, "date": DATE, "time": TIME, "place": STRING}, optional=("time", "place"))


def event(rng: Random) -> Example:
    """Draw an event with an ISO date; its title may have quotes in it, which JSON has to escape."""
    title, day, time, place = facts.title(rng), facts.date(rng), facts.clock(rng), rng.choice(PLACES)
    with_time, with_place = rng.random() < 0.7, rng.random() < 0.6
    when = facts.spoken(rng, day) + (f" at {time}" if with_time else "")
    where = f" in {place}" if with_place else ""
    capital = title[0].upper() + title[1:]
    text = rng.choice([f"{capital} on {when}{where}.", f"On {when}{where}: {title}.", f"Plan: {title}, {when}{where}."])
    value: dict[str, Any] = {"title": title, "date": facts.iso(day)}
    value |= {"time": time} if with_time else {}
    value |= {"place": place} if with_place else {}
    return json_example(rng, "event", text, value, EVENT)
