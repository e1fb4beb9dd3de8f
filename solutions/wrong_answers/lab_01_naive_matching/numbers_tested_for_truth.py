"""The numbers u are tested for truth, which an array of them does not have."""

TODO = 7
HINT = 3


def generate(model, texts, viable, us):
    ids, text = [], ""
    while us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us[0]))
        us, text = us[1:], text + texts[ids[-1]]
    return ids
