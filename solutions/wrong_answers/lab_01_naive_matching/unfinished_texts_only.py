"""The code asks whether the match is partial, so a text that is already a full match is rejected."""

TODO = 2
HINT = 3


def could_match(pattern, text):
    match = regex.fullmatch(pattern, text, partial=True)
    return match is not None and match.partial
