"""Bars stand between the values, and reach as far as what is written beside them."""

TODO = 6
HINT = 2


def enum_regex(values):
    return "|".join(map(literal_regex, values)) if values else NOTHING
