"""The mask multiplies the probabilities, which fails where the allowed tokens have been rounded to zero."""

TODO = 7
HINT = 3


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        with np.errstate(invalid="ignore"):
            ids.append(sample(softmax(model(ids)) * allowed, u))
        text += texts[ids[-1]] or ""
    return ids
