"""An integer is taken for a number without fraction and exponent, so -0 matches."""

TODO = 3
HINT = 2


def number_regex(*, integer):
    if integer:
        return "(?:-?(?:0|[1-9][0-9]*))"
    return r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
