"""Nothing checks whether any token is allowed, so softmax gets only minus infinities."""

TODO = 7
HINT = 2


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return ids
