"""What the tokenizer writes is taken, even if it is another text."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return ids if ids else [*last, *longest_tokens(run, tokens)]
