"""A stop string must stand inside one token."""

TODO = 9
HINT = 2


def before_stop(text, tail, stop):
    for written, token in enumerate(tail, start=1):
        text = token
        if any(each.encode() in text for each in stop):
            return written
    return len(tail)
