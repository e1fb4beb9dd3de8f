"""Every token with the bytes of EOS is EOS, whatever its id."""

TODO = 13
HINT = 2


def flatten_tokens(token_bytes, eos_id):
    eos = token_bytes[eos_id]
    walks = [list(token) if token else [NO_TEXT] for token in token_bytes]
    walks = [[EOS_SYMBOL] if eos and token == eos else walk for token, walk in zip(token_bytes, walks, strict=True)]
    walks[eos_id] = [EOS_SYMBOL]
    offsets = np.cumsum([0, *map(len, walks)])
    return np.array([symbol for walk in walks for symbol in walk], np.int16), offsets.astype(np.int32)
