"""Only full matches count, so a text that could still become a match is rejected."""

TODO = 2
HINT = 1


def could_match(pattern, text):
    return regex.fullmatch(pattern, text) is not None
