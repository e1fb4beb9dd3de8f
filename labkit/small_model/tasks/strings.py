"""Short strings with a form of their own: dates, colours, phone numbers."""

from random import Random

from labkit.small_model.tasks import facts
from labkit.small_model.tasks.forms import Example, TextForm
from labkit.small_model.tasks.words import COLOURS

ISO_DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
HEX_COLOUR = "#[0-9a-f]{6}"
PHONE_NUMBER = "[+][0-9]{2} [0-9]{2,3} [0-9]{5,8}"


def date(rng: Random) -> Example:
    """Draw a date, to be written in ISO 8601 form.

    >>> date(Random(0)).prompt, date(Random(0)).answer
    ('ISO date of 2 July 2032, please.', '2032-07-02')
    """
    day = facts.date(rng)
    said = facts.spoken(rng, day)
    prompt = rng.choice([f"{said} as an ISO date", f"Write {said} as YYYY-MM-DD.", f"ISO date of {said}, please."])
    return Example("date", prompt, facts.iso(day), TextForm(ISO_DATE))


def colour(rng: Random) -> Example:
    """Draw a colour, to be written in hexadecimal: a named one, or one given by its three components."""
    if rng.random() < 0.4:
        name, code = rng.choice(list(COLOURS.items()))
        prompt = rng.choice([f"Hex code of {name}?", f"{name} as a hex colour", f"CSS colour {name} in hex."])
        return Example("colour", prompt, code, TextForm(HEX_COLOUR))
    red, green, blue = (f"{rng.randrange(256):02x}" for _ in range(3))
    prompt = rng.choice(
        [
            f"Hex colour with red {red}, green {green}, blue {blue}",
            f"Colour from the bytes {red} {green} {blue}, in hex.",
        ]
    )
    return Example("colour", prompt, f"#{red}{green}{blue}", TextForm(HEX_COLOUR))


def phone(rng: Random) -> Example:
    """Draw a phone number, to be written in the international form."""
    country, area, number = facts.phone(rng)
    said = rng.choice([f"00{country} {area} {number}", f"+{country}/{area}/{number}", f"({country}) {area}-{number}"])
    prompt = rng.choice(
        [f"International form of {said}", f"Phone number {said}, with + and spaces.", f"Clean up: {said}"]
    )
    return Example("phone", prompt, f"+{country} {area} {number}", TextForm(PHONE_NUMBER))
