"""The automaton is asked for a step from -1, which is the row of its last state."""

TODO = 11
HINT = 3


def split_answer(joined, state, held, text):
    parts = []
    free = ""
    for char in text:
        was_free = 0 <= state < len(joined.held)
        state = joined.dfa.step(state, ord(char))
        held += char
        if not 0 <= state < len(joined.held):
            continue
        if was_free:
            settled = len(held) - joined.held[state]
            free, held = free + held[:settled], held[settled:]
        else:
            parts += [("text", free)] * bool(free) + [("block", held)]
            free, held = "", ""
    return state, held, parts + [("text", free)] * bool(free)
