"""Plain prose, and JSON with polite words around it, for prompts that do not ask for JSON alone."""

from random import Random

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.fields import FIELDS
from labkit.small_model.tasks.forms import Example
from labkit.small_model.tasks.nested import basket
from labkit.small_model.tasks.records import contact, event, order, written
from labkit.small_model.tasks.words import CITIES, COLOURS, ITEMS, SUBJECTS, VERBS


def sentence(rng: Random) -> str:
    """Draw a plain sentence.

    >>> sentence(Random(0))
    'The child mended a navy scarf in Milan.'
    """
    colour, item = rng.choice(list(COLOURS)), rng.choice(ITEMS)
    article = "an" if colour[0] in "aeiou" else "a"
    return f"The {rng.choice(SUBJECTS)} {rng.choice(VERBS)} {article} {colour} {item} in {rng.choice(CITIES)}."


def story(rng: Random) -> Example:
    """Draw a request for a few sentences, and the sentences."""
    count = rng.randint(1, 3)
    prompt = {1: "Tell me a sentence.", 2: "Write two sentences.", 3: "Write three sentences."}[count]
    return Example("story", prompt, " ".join(sentence(rng) for _ in range(count)), None)


def introduction(rng: Random) -> Example:
    """Draw a request to introduce a person, and an introduction with the prompt's facts."""
    name, city = facts.person(rng), rng.choice(CITIES)
    prompt = rng.choice([f"Introduce {name} from {city}.", f"A sentence about {name}, who lives in {city}, please."])
    first = name.split()[0]
    answer = rng.choice([f"This is {name} from {city}.", f"{name} lives in {city}. Say hello to {first}!"])
    return Example("introduction", prompt, answer, None)


def result(rng: Random) -> Example:
    """Draw what one or two tools have answered, and the answer in words that a user then gets.

    >>> result(Random(1)).prompt, result(Random(1)).answer
    ('Result: {"temperature": 13, "floor": 97}', 'The temperature is 13 and the floor is 97.')
    """
    told = [_told(rng) for _ in range(rng.choice([1, 1, 2]))]
    return Example("result", "\n".join(f"Result: {said}" for said, _ in told), " ".join(f for _, f in told), None)


_TOLD = [key for key, (schema, _) in FIELDS.items() if schema["type"] not in ("array", "boolean")]


def _told(rng: Random) -> tuple[str, str]:
    if rng.random() < 0.2:
        return rng.choice(["ok", "done", '{"status": "ok"}', '{"done": true}']), "That is done."
    keys = rng.sample(_TOLD, 2)
    value = {key: FIELDS[key][1](rng) for key in keys} | {"temperature": rng.randint(-15, 38)}
    kept = rng.sample(list(value), rng.choice([1, 2]))
    facts_told = " and ".join(f"the {key} is {value[key]}" for key in kept)
    return written({key: value[key] for key in kept}), f"T{facts_told[1:]}."


_POLITE = ("Sure! Here is the JSON:", "Here you are:", "Of course. The JSON is:", "Here is what you asked for:")
_AFTER = ("", "", "\nTell me if you need more.", "\nI hope this helps!")


def friendly(rng: Random, request: str) -> str:
    """Draw a friendly wording of a request.

    >>> friendly(Random(0), "3 mugs for Ada. JSON only.")
    'Could you help me? 3 mugs for Ada. JSON only.'
    """
    return rng.choice([f"Hi! {request} Thank you!", f"Could you help me? {request}", f"Please, {request} Thanks!"])


def chat(rng: Random) -> Example:
    """Draw a friendly request for JSON, and JSON with friendly words around it."""
    inner = rng.choice([order, contact, event, basket])(rng)
    prompt = friendly(rng, inner.prompt)
    return Example("chat", prompt, f"{rng.choice(_POLITE)}\n{inner.answer}{rng.choice(_AFTER)}", None)
