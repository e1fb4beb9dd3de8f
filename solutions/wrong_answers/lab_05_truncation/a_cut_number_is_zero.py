"""A cut answer gives a number all the same, 0.0, and nobody downstream can tell it from one that was meant."""

TODO = 2
HINT = 1


def read_number(text, reason):
    return float(text) if reason == "stop" else 0.0
