"""A text that reads as a number is taken for the number that was meant, however the answer ended."""

TODO = 2
HINT = 2


def read_number(text, reason):
    try:
        return float(text)
    except ValueError:
        return None
