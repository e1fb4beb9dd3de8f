"""A cut answer gives 0.0, which cannot be distinguished from a zero that was meant."""

TODO = 2
HINT = 1


def read_number(text, reason):
    return float(text) if reason == "stop" else 0.0
