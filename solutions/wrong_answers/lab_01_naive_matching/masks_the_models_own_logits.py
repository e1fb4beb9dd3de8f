"""Minus infinity is written into the model's own array, which may be the same one at each step."""

TODO = 7
HINT = 3


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        logits = model(ids)
        logits[~allowed] = -np.inf
        ids.append(sample(softmax(logits), u))
        text += texts[ids[-1]]
    return ids
