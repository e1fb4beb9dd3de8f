"""A text that parses as a number is trusted, whatever the finish reason."""

TODO = 2
HINT = 2


def read_number(text, reason):
    try:
        return float(text)
    except ValueError:
        return None
