"""The match object is returned: it works in an `if`, but it is not a bool."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return regex.fullmatch(pattern, text, partial=True)
