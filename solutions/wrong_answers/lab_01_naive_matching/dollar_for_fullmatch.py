"""A `$` after the pattern replaces a full match, but it binds to the last alternative and allows a final newline."""

TODO = 2
HINT = 2


def could_match(pattern, text):
    return regex.match(pattern + "$", text, partial=True) is not None
