"""`match` is content when the pattern covers a beginning of the text, whatever comes after it."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return regex.match(pattern, text, partial=True) is not None
