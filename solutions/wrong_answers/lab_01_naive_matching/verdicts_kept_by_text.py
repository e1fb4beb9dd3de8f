"""Verdicts are kept by their text, so another pattern gets those of the first."""

TODO = 2
HINT = 2


def could_match(pattern, text, kept={}):
    if text not in kept:
        kept[text] = regex.fullmatch(pattern, text, partial=True) is not None
    return kept[text]
