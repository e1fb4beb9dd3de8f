"""A most of 0 is false in Python, so it is taken for no bound, and any string matches."""

TODO = 2
HINT = 2


def string_regex(least=0, most=None):
    if most and most < least:
        return NOTHING
    return f'"{character_regex()}{count_regex(least, most or None)}"'
