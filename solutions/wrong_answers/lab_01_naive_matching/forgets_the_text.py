"""The text is replaced by the newest token rather than continued, so the mask forgets all but one step."""

TODO = 7
HINT = 1


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text = texts[ids[-1]]
    return ids
