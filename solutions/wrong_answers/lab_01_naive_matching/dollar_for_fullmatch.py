"""A `$` after the pattern is taken for a full match; it binds to the last alternative, and lets a final newline by."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return regex.match(pattern + "$", text, partial=True) is not None
