"""The match object itself is given back: it is true or false in an `if`, and it is no bool."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return regex.fullmatch(pattern, text, partial=True)
