"""A finished answer that is no number is passed off as a cut one, and the fault in the mask is never seen."""

TODO = 2
HINT = 3


def read_number(text, reason):
    try:
        return float(text) if reason == "stop" else None
    except ValueError:
        return None
