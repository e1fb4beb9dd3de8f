"""The empty text counts as not viable, although every match starts with it."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return bool(text) and regex.fullmatch(pattern, text, partial=True) is not None
