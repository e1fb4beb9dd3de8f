"""The seam stays as it is: the tokenizer sees the run without the last token."""

TODO = 5
HINT = 1


def retokenized(last, run, tokens):
    text = run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:  # the last token ends, or begins, inside a character
        ids = []
    return [*last, *ids] if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]
