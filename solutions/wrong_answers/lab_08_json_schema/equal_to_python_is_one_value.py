"""Duplicates are removed, and to Python 1, 1.0 and True are equal."""

TODO = 6
HINT = 2


def enum_regex(values):
    once = dict.fromkeys(values)
    return f"(?:{'|'.join(map(literal_regex, once))})" if once else NOTHING
