"""Only the bytes are compared, so a BOS that the tokenizer puts in front ends up in the answer."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]
