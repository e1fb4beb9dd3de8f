"""A most below least is taken for a slip, and the two are swapped."""

TODO = 2
HINT = 2


def string_regex(least=0, most=None):
    if most is not None and most < least:
        least, most = most, least
    return f'"{character_regex()}{count_regex(least, most)}"'
