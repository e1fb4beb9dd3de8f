"""JSON inside JSON: baskets of several items, and trees of folders."""

from random import Random
from typing import Any

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.forms import COUNT, FLAG, NUMBER, STRING, Example, JsonForm, Schema, closed
from labkit.small_model.tasks.records import json_example, written
from labkit.small_model.tasks.words import CITIES, FOLDERS

_LINE = closed({"item": STRING, "quantity": COUNT, "price": NUMBER})
BASKET = closed(
    {
        "customer": closed({"name": STRING, "city": STRING}),
        "items": {"type": "array", "items": _LINE, "minItems": 1, "maxItems": 8},
        "paid": FLAG,
    }
)


def basket(rng: Random, least: int = 1, most: int = 3) -> Example:
    """Draw an order of ``least`` to ``most`` items with prices, by a customer who is an object too."""
    name, city, paid = facts.person(rng), rng.choice(CITIES), rng.random() < 0.5
    lines = [(item, count, facts.price(rng)) for item, count in facts.things(rng, least, most)]
    many = facts.listed([f"{facts.number_of(count, item)} at {cost}" for item, count, cost in lines])
    text = rng.choice(
        [
            f"{name} from {city} buys {many}. {'Paid.' if paid else 'Not paid.'}",
            f"Order of {name}, {city}: {many}. {'It is paid.' if paid else 'It is not paid yet.'}",
            f"{'Paid' if paid else 'Unpaid'} order, {many}, customer {name} in {city}.",
        ]
    )
    items = [{"item": item, "quantity": count, "price": cost} for item, count, cost in lines]
    value = {"customer": {"name": name, "city": city}, "items": items, "paid": paid}
    return json_example(rng, "basket", text, value, BASKET)


def folder_schema(depth: int) -> Schema:
    """Return the schema of a folder with folders in it, ``depth`` deep, without JSON Schema's recursion.

    >>> folder_schema(0)["properties"]["folders"]
    {'type': 'array', 'maxItems': 0}
    """
    inside: Schema = {"type": "array", "maxItems": 0}
    if depth:
        inside = {"type": "array", "items": folder_schema(depth - 1), "maxItems": 3}
    return closed({"name": STRING, "folders": inside})


def folders(rng: Random, least: int = 1, most: int = 6) -> Example:
    """Draw a tree of ``least`` to ``most`` folders, at most three deep, described one folder after another."""
    names = rng.sample(FOLDERS, rng.randint(least, most))
    children: dict[str, list[str]] = {names[0]: []}
    depth = {names[0]: 0}
    for name in names[1:]:
        parent = rng.choice([each for each in children if depth[each] < 2 and len(children[each]) < 3])
        children[parent].append(name)
        children[name], depth[name] = [], depth[parent] + 1
    told = [f"{name} holds {facts.listed(inside)}" for name, inside in children.items() if inside]
    text = f"Folders: {'. '.join(told) or f'{names[0]} is empty'}."
    prompt = rng.choice([f"{text} As a JSON tree.", f"Tree as JSON. {text}", f"{text} JSON with name and folders."])
    return Example("folders", prompt, written(_tree(names[0], children)), JsonForm(folder_schema(2)))


def _tree(name: str, children: dict[str, list[str]]) -> dict[str, Any]:
    return {"name": name, "folders": [_tree(child, children) for child in children[name]]}
