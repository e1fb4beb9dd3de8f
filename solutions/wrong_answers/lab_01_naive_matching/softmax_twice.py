"""The mask is applied to probabilities, and their softmax is taken again, which flattens the model's preferences."""

TODO = 7
HINT = 3


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(softmax(model(ids)), allowed)), u))
        text += texts[ids[-1]]
    return ids
