"""Answers are kept by their text, so the same text with another reason gets the first answer."""

TODO = 2
HINT = 2


def read_number(text, reason, kept={}):
    if text not in kept:
        kept[text] = float(text) if reason == "stop" else None
    return kept[text]
