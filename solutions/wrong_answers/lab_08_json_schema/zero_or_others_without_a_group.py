"""The bar between zero and all other integers has no group around it."""

TODO = 3
HINT = 3


def number_regex(*, integer):
    if integer:
        return "0|-?[1-9][0-9]*"
    return r"(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
