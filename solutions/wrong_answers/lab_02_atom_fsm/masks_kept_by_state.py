"""Masks are kept by state and sizes, so another automaton or vocabulary of the same sizes gets the first one's."""

TODO = 2
HINT = 1


def token_mask(fsm, state, texts, kept={}):
    key = (int(state), len(fsm), len(texts))
    if key not in kept:
        alive = [bool(text) and advance(fsm, state, text) is not None for text in texts]
        kept[key] = np.array(alive, dtype=np.bool_)
    return kept[key].copy()
