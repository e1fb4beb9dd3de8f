"""Bytes that are no text are decoded with replacement characters."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode(errors="replace"))
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if ids else [*last, *longest_tokens(run, tokens)]
