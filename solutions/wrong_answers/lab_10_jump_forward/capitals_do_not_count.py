"""Texts are compared without regard to capitals, which some tokenizers lower."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
    except UnicodeDecodeError:
        ids = []
    has_bytes = all(tokens.bytes_of([token_id]) for token_id in [*last, *ids])
    same = tokens.bytes_of(ids).lower() == text.lower()
    return ids if has_bytes and same else [*last, *longest_tokens(run, tokens)]
