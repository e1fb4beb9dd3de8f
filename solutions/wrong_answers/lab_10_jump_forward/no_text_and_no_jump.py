"""Where the tokenizer cannot help, the last token comes back alone."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if tokens.bytes_of(ids) == text else [*last]
