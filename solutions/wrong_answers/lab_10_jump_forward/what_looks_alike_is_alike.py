"""Texts are compared after normalisation, so é may come back as one character where two were forced."""

TODO = 5
HINT = 2


def retokenized(last, run, tokens):
    from unicodedata import normalize

    text = tokens.bytes_of(last) + run
    try:
        ids = tokens.encode(text.decode())
        same = normalize("NFC", tokens.bytes_of(ids).decode()) == normalize("NFC", text.decode())
    except UnicodeDecodeError:
        ids, same = [], False
    has_bytes = all(tokens.bytes_of([token_id]) for token_id in [*last, *ids])
    return ids if has_bytes and same else [*last, *longest_tokens(run, tokens)]
