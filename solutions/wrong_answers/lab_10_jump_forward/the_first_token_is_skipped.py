"""Every tokenizer is expected to begin with BOS, so the first id is thrown away."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())[1:]
    except UnicodeDecodeError:
        ids = []
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]
