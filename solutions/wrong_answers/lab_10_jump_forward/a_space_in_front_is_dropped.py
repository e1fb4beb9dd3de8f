"""A space that the tokenizer put in front is taken away, and the rest is kept."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    if ids and tokens.bytes_of(ids[:1]) == b" " and not text.startswith(b" "):
        ids = ids[1:]
    return ids if tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]
