"""Openings are sorted, and each is compared only with the one before it."""

TODO = 4
HINT = 2


def merge_openings(openings):
    texts = list(dict.fromkeys(text for text, _ in openings))
    ordered = sorted(texts)
    before = dict(zip(ordered[1:], ordered, strict=False))
    merged = {}
    for short in texts:
        if short in before and short.startswith(before[short]):
            continue
        bodies = [(text[len(short) :], body) for text, body in openings if body and text.startswith(short)]
        alone = len(bodies) == 1 and not bodies[0][0]
        merged[short] = bodies[0][1] if alone else either(bodies) if bodies else None
    return merged
