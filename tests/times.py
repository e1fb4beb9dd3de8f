"""The times that pages and labs promise, as they write them."""

import re

PARTS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "": 0.0}
TIME = r"(?=[\d½¼¾⅓⅔])(\d*)(?:([½¼¾⅓⅔]?) hours?(?: (?:and )?(\d+) minutes)?| minutes)"


def minutes_in(words: str) -> float:
    """Return the first time that some words name: ``90 minutes``, ``3½ hours``, ``1 hour 20 minutes``, ``⅔ hours``."""
    whole, part, rest = re.search(TIME, words).groups()
    return int(whole) if part is None else 60 * (int(whole or 0) + PARTS[part]) + int(rest or 0)
