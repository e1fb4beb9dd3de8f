"""A last token that is half a character makes the decoding fail."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    ids = tokens.encode(text.decode())
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]
