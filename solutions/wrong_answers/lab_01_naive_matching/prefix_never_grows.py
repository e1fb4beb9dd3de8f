"""The chosen token's text is not appended to the text, so every mask is that of the first step."""

TODO = 7
HINT = 1


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
    return ids
