"""Tables are kept by the texts and the number of states, so another automaton of that size gets the first one's."""

TODO = 3
HINT = 1


def states_to_vocab(fsm, texts, kept={}):
    key = (len(fsm), *texts)
    if key not in kept:
        kept[key] = [allowed_tokens(fsm, state, texts) for state in range(len(fsm))]
    return tuple(dict(row) for row in kept[key])
