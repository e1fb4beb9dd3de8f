"""The mask marks the forbidden tokens, as some libraries do, but the lab's mask marks the allowed ones."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable):
    return np.array([not viable(prefix + text) if text else True for text in texts], dtype=np.bool_)
