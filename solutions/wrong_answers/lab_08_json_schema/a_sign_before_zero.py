"""An integer is a number without fraction and exponent, and so -0 is one."""

TODO = 3
HINT = 2


def number_regex(*, integer):
    if integer:
        return "(?:-?(?:0|[1-9][0-9]*))"
    return r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
