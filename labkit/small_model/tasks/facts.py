"""Random facts: the things that an answer has to copy from its prompt."""

from random import Random
from unicodedata import normalize

from labkit.small_model.tasks.words import FIRST_NAMES, ITEMS, LAST_NAMES, MONTHS, QUOTED, TITLES


def person(rng: Random) -> str:
    """Draw a first and a last name.

    >>> person(Random(0))
    'Lucy Rivera'
    """
    return f"{rng.choice(FIRST_NAMES)} {rng.choice(LAST_NAMES)}"


def email(rng: Random, name: str) -> str:
    """Draw an address made of a name: some with both names, some with one.

    >>> email(Random(0), "Zoë Müller")
    'zoe@home.com'
    """
    plain = normalize("NFKD", name.lower()).encode("ascii", "ignore").decode().split()
    user = rng.choice([".".join(plain), plain[0], plain[-1]])
    return f"{user}@{rng.choice(['mail', 'post', 'work', 'home', 'uni'])}.{rng.choice(['com', 'org', 'net', 'eu'])}"


def phone(rng: Random) -> tuple[str, str, str]:
    """Draw country, area and number, as digits.

    >>> phone(Random(0))
    ('44', '73', '779215')
    """
    country = rng.choice(["31", "33", "34", "39", "41", "43", "44", "45", "47", "49", "81", "90"])
    return country, str(rng.randint(20, 99)), str(rng.randint(100000, 9999999))


def date(rng: Random) -> tuple[int, int, int]:
    """Draw year, month and day.

    >>> date(Random(0))
    (2032, 7, 2)
    """
    return rng.randint(2020, 2035), rng.randint(1, 12), rng.randint(1, 28)


def iso(day: tuple[int, int, int]) -> str:
    """Return a date in ISO 8601 form.

    >>> iso((2024, 3, 5))
    '2024-03-05'
    """
    return f"{day[0]}-{day[1]:02}-{day[2]:02}"


def spoken(rng: Random, day: tuple[int, int, int]) -> str:
    """Return a date in one of the forms in which people write it.

    >>> spoken(Random(0), (2024, 3, 5))
    '5 March 2024'
    """
    year, month, number = day
    name = MONTHS[month - 1]
    return rng.choice([f"{name} {number}, {year}", f"{number} {name} {year}", f"{number}.{month}.{year}"])


def clock(rng: Random) -> str:
    """Draw a time of day, in steps of five minutes.

    >>> clock(Random(0))
    '19:30'
    """
    return f"{rng.randint(7, 22):02}:{rng.randrange(0, 60, 5):02}"


def title(rng: Random) -> str:
    """Draw the title of an event; one in eight has quotes in it.

    >>> title(Random(1))
    'chess evening'
    """
    return f'reading of "{rng.choice(QUOTED)}"' if rng.random() < 1 / 8 else rng.choice(TITLES)


def price(rng: Random) -> float:
    """Draw a price, with at most two digits after the point.

    >>> price(Random(0))
    50.95
    """
    return rng.randint(1, 99) + rng.choice([0.5, 0.25, 0.99, 0.95, 0.75])


def things(rng: Random, least: int = 1, most: int = 3) -> list[tuple[str, int]]:
    """Draw ``least`` to ``most`` different items, and how many of each.

    >>> things(Random(0))
    [('scarf', 9), ('bike', 17)]
    """
    return [(item, rng.randint(1, 24)) for item in rng.sample(ITEMS, rng.randint(least, most))]


def listed(parts: list[str]) -> str:
    """Return the parts as an enumeration in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def number_of(count: int, item: str) -> str:
    """Return a count and an item, with the item in the plural if necessary.

    >>> number_of(1, "mug"), number_of(3, "box"), number_of(2, "mug")
    ('1 mug', '3 boxes', '2 mugs')
    """
    if count == 1:
        return f"1 {item}"
    if item.endswith("f"):
        return f"{count} {item[:-1]}ves"
    return f"{count} {item}{'es' if item.endswith(('x', 's', 'sh', 'ch')) else 's'}"
