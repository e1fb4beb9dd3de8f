"""The texts are used as a list, although any sequence of them may be given."""

TODO = 3
HINT = 3


def build_mask(texts, prefix, viable):
    mask, waiting = np.zeros(len(texts), dtype=np.bool_), texts.copy()
    while waiting:
        text = waiting.pop()
        mask[len(waiting)] = bool(text) and viable(prefix + text)
    return mask
