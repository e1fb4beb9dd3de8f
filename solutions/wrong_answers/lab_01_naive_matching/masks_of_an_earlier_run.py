"""Masks are kept by the text so far, so another predicate gets those of the first."""

TODO = 7
HINT = 2


def generate(model, texts, viable, us, kept={}):
    ids, text = [], ""
    for u in us:
        if (text, len(texts)) not in kept:
            kept[text, len(texts)] = build_mask(texts, text, viable)
        allowed = kept[text, len(texts)]
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        text += texts[ids[-1]]
    return ids
