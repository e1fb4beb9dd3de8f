"""White space at the end of the text is removed before the next mask, so a space counts for nothing."""

TODO = 7
HINT = 3


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text = (text + texts[ids[-1]]).rstrip()
    return ids
