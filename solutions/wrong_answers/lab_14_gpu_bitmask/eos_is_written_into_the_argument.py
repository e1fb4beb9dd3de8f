"""The walk of EOS is written into the caller's own list."""

TODO = 13
HINT = 1


def flatten_tokens(token_bytes, eos_id):
    token_bytes[eos_id] = None
    walks = [list(token) if token else [NO_TEXT] for token in token_bytes]
    walks[eos_id] = [EOS_SYMBOL]
    offsets = np.cumsum([0, *map(len, walks)])
    return np.array([symbol for walk in walks for symbol in walk], np.int16), offsets.astype(np.int32)
