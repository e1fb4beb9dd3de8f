"""Free text is held back until nothing of it could begin a trigger."""

TODO = 11
HINT = 1


def split_answer(joined, state, held, text):
    parts, free = [], ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char)) if state != DEAD else DEAD
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            settled = 0 if joined.held[state] else len(held)
            free, held = free + held[:settled], held[settled:]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)
