"""The id is looked up by the text, so of two ids with one text the second is never allowed."""

TODO = 2
HINT = 3


def token_mask(fsm, state, texts):
    mask = np.zeros(len(texts), dtype=np.bool_)
    for text in texts:
        if text and advance(fsm, state, text) is not None:
            mask[texts.index(text)] = True
    return mask
