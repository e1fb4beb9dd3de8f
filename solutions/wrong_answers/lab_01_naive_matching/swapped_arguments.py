"""The text is passed as the pattern and the pattern as the text, but `regex` takes the pattern first."""

TODO = 2
HINT = 3


def could_match(pattern, text):
    return regex.fullmatch(text, pattern, partial=True) is not None
