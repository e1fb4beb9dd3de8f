"""The words of the small model's prompts, from ``words.toml``."""

import tomllib
from pathlib import Path

_ENTRIES: dict[str, str] = tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))


def _words(name: str) -> tuple[str, ...]:
    entry = " ".join(_ENTRIES[name].split())
    return tuple(entry.split("; ") if ";" in entry else entry.split())


FIRST_NAMES = _words("first_names")
LAST_NAMES = _words("last_names")
CITIES = _words("cities")
ITEMS = _words("items")
MONTHS = _words("months")
SUBJECTS = _words("subjects")
VERBS = _words("verbs")
FOLDERS = _words("folders")
LANGUAGES = _words("languages")
TITLES = _words("titles")
QUOTED = _words("quoted")
"""Titles that are written in quotes, which need a backslash inside a JSON string."""
PLACES = _words("places")
SONGS = _words("songs")

COLOURS = {
    "black": "#000000",
    "blue": "#0000ff",
    "brown": "#a52a2a",
    "coral": "#ff7f50",
    "crimson": "#dc143c",
    "cyan": "#00ffff",
    "gold": "#ffd700",
    "green": "#008000",
    "grey": "#808080",
    "indigo": "#4b0082",
    "lime": "#00ff00",
    "maroon": "#800000",
    "navy": "#000080",
    "olive": "#808000",
    "orange": "#ffa500",
    "pink": "#ffc0cb",
    "purple": "#800080",
    "red": "#ff0000",
    "salmon": "#fa8072",
    "silver": "#c0c0c0",
    "teal": "#008080",
    "violet": "#ee82ee",
    "white": "#ffffff",
    "yellow": "#ffff00",
}
"""Colours with their codes in CSS."""
