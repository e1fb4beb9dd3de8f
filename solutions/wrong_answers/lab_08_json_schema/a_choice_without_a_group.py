"""The values are joined by bars without a group, so a bar reaches into what is written beside them."""

TODO = 6
HINT = 2


def enum_regex(values):
    return "|".join(map(literal_regex, values)) if values else NOTHING
