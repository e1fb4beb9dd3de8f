"""With nothing to hold back, the slice from minus zero holds back all."""

TODO = 11
HINT = 2


def split_answer(joined, state, held, text):
    parts = []
    free = ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char)) if state != DEAD else DEAD
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            free, held = free + held[: -joined.held[state]], held[-joined.held[state] :]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)
