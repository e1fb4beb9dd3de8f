"""The model gets only the newest id and cannot know what came before."""

TODO = 7
HINT = 2


def generate(model, texts, viable, us):
    ids, text = [], ""
    for u in us:
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids[-1:]), allowed)), u))
        text += texts[ids[-1]]
    return ids
