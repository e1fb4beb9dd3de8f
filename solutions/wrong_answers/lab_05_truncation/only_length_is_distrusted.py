"""Every reason but length is taken for a whole answer, and an aborted one is read."""

TODO = 2
HINT = 3


def read_number(text, reason):
    return None if reason == "length" else float(text)
