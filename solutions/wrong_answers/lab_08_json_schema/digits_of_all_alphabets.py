r"""`\d` is written for the digits, and takes those of every alphabet."""

TODO = 3
HINT = 2


def number_regex(*, integer):
    if integer:
        return r"(?:0|-?[1-9]\d*)"
    return r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)"
