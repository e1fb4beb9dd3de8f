r"""`\d` stands for the digits, and it matches those of every script."""

TODO = 3
HINT = 2


def number_regex(*, integer):
    if integer:
        return r"(?:0|-?[1-9]\d*)"
    return r"(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)"
