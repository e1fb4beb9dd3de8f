"""The token that completes the stop string is left out."""

TODO = 9
HINT = 1


def before_stop(text, tail, stop):
    for written, token in enumerate(tail, start=1):
        text += token
        if any(each.encode() in text for each in stop):
            return written - 1
    return len(tail)
