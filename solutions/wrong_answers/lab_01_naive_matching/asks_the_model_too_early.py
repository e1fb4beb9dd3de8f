"""The model is called before the mask is checked, so it is called once more than tokens are emitted."""

TODO = 7
HINT = 2


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        logits = model(ids)
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(logits, allowed)), u))
        text += texts[ids[-1]]
    return ids
