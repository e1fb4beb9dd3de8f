"""White space around the text is removed first, so a space never makes a text wrong."""

TODO = 2
HINT = 3


def could_match(pattern, text):
    return regex.fullmatch(pattern, text.strip(), partial=True) is not None
