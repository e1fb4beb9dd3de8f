"""A body that is alone is compiled again, so that openings no longer share it."""

TODO = 4
HINT = 3


def merge_openings(openings):
    texts = list(dict.fromkeys(text for text, _ in openings))
    merged = {}
    for short in texts:
        if any(short.startswith(other) for other in texts if other != short):
            continue
        bodies = [(text[len(short) :], body) for text, body in openings if body and text.startswith(short)]
        merged[short] = either(bodies) if bodies else None
    return merged
