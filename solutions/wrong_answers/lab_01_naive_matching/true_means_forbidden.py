"""The mask marks what is forbidden, the way some libraries have it, and the lab's marks what is allowed."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable):
    return np.array([not viable(prefix + text) if text else True for text in texts], dtype=np.bool_)
