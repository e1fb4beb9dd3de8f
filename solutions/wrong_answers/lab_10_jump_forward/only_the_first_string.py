"""The other stop strings are not looked for."""

TODO = 9
HINT = 2


def before_stop(text, tail, stop):
    for written, token in enumerate(tail, start=1):
        text += token
        if stop and stop[0].encode() in text:
            return written
    return len(tail)
