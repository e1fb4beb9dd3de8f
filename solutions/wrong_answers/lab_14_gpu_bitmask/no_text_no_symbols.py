"""A token that is never text has no symbols, so it leaves every state unchanged."""

TODO = 13
HINT = 2


def flatten_tokens(token_bytes, eos_id):
    walks = [list(token or b"") for token in token_bytes]
    walks[eos_id] = [EOS_SYMBOL]
    offsets = np.cumsum([0, *map(len, walks)])
    return np.array([symbol for walk in walks for symbol in walk], np.int16), offsets.astype(np.int32)
