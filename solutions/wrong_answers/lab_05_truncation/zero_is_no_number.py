"""The number is tested for truth, so a finished 0 counts as no answer."""

TODO = 2
HINT = 3


def read_number(text, reason):
    return (float(text) or None) if reason == "stop" else None
