"""A text of digits is returned as an int, although a float was promised."""

TODO = 2
HINT = 3


def read_number(text, reason):
    if reason != "stop":
        return None
    return int(text) if text.isdigit() else float(text)
