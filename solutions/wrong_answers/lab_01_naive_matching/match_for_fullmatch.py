"""`match` succeeds if the pattern covers a prefix of the text, whatever comes after it."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return regex.match(pattern, text, partial=True) is not None
