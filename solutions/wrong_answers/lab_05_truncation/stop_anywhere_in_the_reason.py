"""The reason is searched for the word stop, so `stop_sequence` counts as whole."""

TODO = 2
HINT = 3


def read_number(text, reason):
    return float(text) if "stop" in reason else None
