"""Masks are kept by prefix and size, so another predicate or vocabulary gets the first one's."""

TODO = 3
HINT = 2


def build_mask(texts, prefix, viable, kept={}):
    if (prefix, len(texts)) not in kept:
        answers = [bool(text) and viable(prefix + text) for text in texts]
        kept[prefix, len(texts)] = np.array(answers, dtype=np.bool_)
    return kept[prefix, len(texts)].copy()
