"""Masks are kept by state and sizes, so another automaton or vocabulary of the same sizes gets the first one's."""

TODO = 1
HINT = 2


def mask_row(fsm, table, state, vocabulary, kept={}):
    key = (state, len(fsm), len(vocabulary))
    if key not in kept:
        kept[key] = np.zeros(len(vocabulary), dtype=np.bool_)
        kept[key][list(table[state])] = True
        kept[key][vocabulary.eos_id] = state in fsm.accepting
    return kept[key].copy()
