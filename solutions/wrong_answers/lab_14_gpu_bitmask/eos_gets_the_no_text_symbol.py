"""EOS becomes the symbol of tokens that are never text, so no generation can end."""

TODO = 13
HINT = 2


def flatten_tokens(token_bytes, eos_id):
    walks = [list(token) if token else [NO_TEXT] for token in token_bytes]
    offsets = np.cumsum([0, *map(len, walks)])
    return np.array([symbol for walk in walks for symbol in walk], np.int16), offsets.astype(np.int32)
