"""A token that alone is allowed is emitted without a call of the model."""

TODO = 7
HINT = 2


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        if allowed.sum() == 1:
            ids.append(int(allowed.argmax()))
        else:
            ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return ids
