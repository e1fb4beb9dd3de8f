"""Each step removes its number u from the caller's list."""

TODO = 7
HINT = 3


def generate(model, texts, viable, us):
    ids, text = [], ""
    while len(us):
        allowed = build_mask(texts, text, viable)
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), us.pop(0)))
        text += texts[ids[-1]]
    return ids
