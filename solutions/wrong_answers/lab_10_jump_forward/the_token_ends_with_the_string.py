"""A stop string counts only where a token ends with it."""

TODO = 9
HINT = 3


def before_stop(text, tail, stop):
    for written, token in enumerate(tail, start=1):
        text += token
        if any(text.endswith(each.encode()) for each in stop):
            return written
    return len(tail)
