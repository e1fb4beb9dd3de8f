"""The tail is written to its end, and the text cut later."""

TODO = 9
HINT = 1


def before_stop(text, tail, stop):
    return len(tail)
