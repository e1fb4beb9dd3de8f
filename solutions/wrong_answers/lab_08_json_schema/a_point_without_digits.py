"""There may be no digits after the point."""

TODO = 3
HINT = 2


def number_regex(*, integer):
    if integer:
        return "(?:0|-?[1-9][0-9]*)"
    return r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)"
