"""Openings are put into a dict, so of two equal ones the later one's body is the only one."""

TODO = 4
HINT = 2


def merge_openings(openings):
    bodies_of = dict(openings)
    merged = {}
    for short in bodies_of:
        if any(short.startswith(other) for other in bodies_of if other != short):
            continue
        bodies = [(text[len(short) :], body) for text, body in bodies_of.items() if body and text.startswith(short)]
        alone = len(bodies) == 1 and not bodies[0][0]
        merged[short] = bodies[0][1] if alone else either(bodies) if bodies else None
    return merged
