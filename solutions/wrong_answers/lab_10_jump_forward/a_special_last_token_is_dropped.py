"""Only the tokenizer's ids are searched for tokens without bytes, so one that was there before disappears."""

TODO = 5
HINT = 3


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    has_bytes = all(tokens.bytes_of([token_id]) for token_id in ids)
    return ids if has_bytes and tokens.bytes_of(ids) == text else [*last, *longest_tokens(run, tokens)]
