"""States with equal transitions share one dictionary, so a change of one row changes the other."""

TODO = 3
HINT = 1


def states_to_vocab(fsm, texts):
    rows, known = [], {}
    for state in range(len(fsm)):
        key = tuple(sorted(fsm.transitions[state].items()))
        if key not in known:
            known[key] = allowed_tokens(fsm, state, texts)
        rows.append(known[key])
    return tuple(rows)
