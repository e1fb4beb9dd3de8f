"""The longer opening's body begins without the rest of its text."""

TODO = 4
HINT = 3


def merge_openings(openings):
    texts = list(dict.fromkeys(text for text, _ in openings))
    merged = {}
    for short in texts:
        if any(short.startswith(other) for other in texts if other != short):
            continue
        bodies = [("", body) for text, body in openings if body and text.startswith(short)]
        alone = len(bodies) == 1 and not bodies[0][0]
        merged[short] = bodies[0][1] if alone else either(bodies) if bodies else None
    return merged
