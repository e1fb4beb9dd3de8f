"""Plain prose, and JSON with polite words around it, for prompts that do not ask for JSON alone."""

from random import Random

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.forms import Example
from labkit.small_model.tasks.nested import basket
from labkit.small_model.tasks.records import contact, event, order
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


_POLITE = ("Sure! Here is the JSON:", "Here you are:", "Of course. The JSON is:", "Here is what you asked for:")
_AFTER = ("", "", "\nTell me if you need more.", "\nI hope this helps!")


def chat(rng: Random) -> Example:
    """Draw a friendly request for JSON, and JSON with friendly words around it."""
    inner = rng.choice([order, contact, event, basket])(rng)
    prompt = rng.choice(
        [f"Hi! {inner.prompt} Thank you!", f"Could you help me? {inner.prompt}", f"Please, {inner.prompt} Thanks!"]
    )
    return Example("chat", prompt, f"{rng.choice(_POLITE)}\n{inner.answer}{rng.choice(_AFTER)}", None)
