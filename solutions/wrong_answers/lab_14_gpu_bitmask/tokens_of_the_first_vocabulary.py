"""The symbols are kept by the number of tokens and the id of EOS."""

TODO = 13
HINT = 1


def flatten_tokens(token_bytes, eos_id, kept={}):
    key = (len(token_bytes), int(eos_id))
    if key not in kept:
        walks = [list(token) if token else [NO_TEXT] for token in token_bytes]
        walks[eos_id] = [EOS_SYMBOL]
        kept[key] = [symbol for walk in walks for symbol in walk], np.cumsum([0, *map(len, walks)])
    return np.array(kept[key][0], np.int16), kept[key][1].astype(np.int32)
