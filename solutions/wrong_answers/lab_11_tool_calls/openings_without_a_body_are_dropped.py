"""An opening that may open no call is left out, so that its text is free."""

TODO = 4
HINT = 2


def merge_openings(openings):
    texts = list(dict.fromkeys(text for text, _ in openings))
    merged = {}
    for short in texts:
        if any(short.startswith(other) for other in texts if other != short):
            continue
        bodies = [(text[len(short) :], body) for text, body in openings if body and text.startswith(short)]
        alone = len(bodies) == 1 and not bodies[0][0]
        merged[short] = bodies[0][1] if alone else either(bodies) if bodies else None
    return {text: body for text, body in merged.items() if body}
