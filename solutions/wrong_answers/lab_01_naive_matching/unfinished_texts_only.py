"""The match is asked whether it is partial, so a text that is already a full match is refused."""

TODO = 2
HINT = 3


def could_match(pattern, text):
    match = regex.fullmatch(pattern, text, partial=True)
    return match is not None and match.partial
