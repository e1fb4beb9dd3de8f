"""Only finished texts count: without partial matches, nothing that could still become a match is seen."""

TODO = 2
HINT = 1


def could_match(pattern, text):
    return regex.fullmatch(pattern, text) is not None
