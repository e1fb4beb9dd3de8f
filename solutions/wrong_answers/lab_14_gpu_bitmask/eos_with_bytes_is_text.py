"""The id of EOS matters only for a token without bytes, so an EOS with bytes is walked as text."""

TODO = 13
HINT = 2


def flatten_tokens(token_bytes, eos_id):
    walks = [
        list(token or [EOS_SYMBOL if token_id == eos_id else NO_TEXT]) for token_id, token in enumerate(token_bytes)
    ]
    offsets = np.cumsum([0, *map(len, walks)])
    return np.array([symbol for walk in walks for symbol in walk], np.int16), offsets.astype(np.int32)
